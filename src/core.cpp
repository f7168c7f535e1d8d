#include <vkprim/core.h>

#include <cstdio>
#include <cstdlib>

namespace vkprim {

void give_up(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::abort();
}

uint32_t identity_bits(ElementType type, Operation operation) {
    switch (operation) {
        case Operation::add: return 0u;
        case Operation::mul: return type == ElementType::f32 ? 0x3f800000u : 1u;
        case Operation::min:
            return type == ElementType::f32 ? 0x7f800000u : type == ElementType::i32 ? 0x7fffffffu : ~0u;
        case Operation::max:
            return type == ElementType::f32 ? 0xff800000u : type == ElementType::i32 ? 0x80000000u : 0u;
        case Operation::bit_and: return ~0u;
        case Operation::bit_or:
        case Operation::bit_xor: return 0u;
    }
    return 0u;
}

} // namespace vkprim
