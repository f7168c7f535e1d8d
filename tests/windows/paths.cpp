// What calls of Windows are given for paths: a line for each argument.
#include <cstdio>

#include "tools/system/windows/wide.h"

int wmain(int argc, wchar_t** argv) {
    using namespace vkprim::tools::system;
    for (int i = 1; i < argc; ++i) std::printf("%s\n", utf8_of(wide_path(utf8_of(argv[i]))).c_str());
    return 0;
}
