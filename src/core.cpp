#include <vkprim/core.h>

#include <cstdio>
#include <cstdlib>

namespace vkprim {

void give_up(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::abort();
}

} // namespace vkprim
