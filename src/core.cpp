#include <vkprim/core.h>

#include <cstdio>
#include <cstdlib>

namespace vkprim {

void give_up(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::abort();
}

uint64_t identity_bits(ElementType type, Operation operation) {
    struct Row {
        uint64_t one, most, least, all; ///< all: every bit
    };
    constexpr Row rows[] = {{1, 0xffffffff, 0, 0xffffffff},
                            {1, 0x7fffffff, 0x80000000, 0xffffffff},
                            {0x3f800000, 0x7f800000, 0xff800000, 0},
                            {1, UINT64_MAX, 0, UINT64_MAX},
                            {1, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX},
                            {0x3ff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0}};
    const Row&    row    = rows[static_cast<uint32_t>(type)];
    switch (operation) {
        case Operation::mul: return row.one;
        case Operation::min: return row.most;
        case Operation::max: return row.least;
        case Operation::bit_and: return row.all;
        case Operation::add:
        case Operation::bit_or:
        case Operation::bit_xor: break;
    }
    return 0;
}

} // namespace vkprim
