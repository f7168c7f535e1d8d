// A small SPIR-V module, for tests and for fuzzing.
#pragma once

#include <cstdint>
#include <vector>

namespace vkprim::tests {

/// Where its instructions begin, in words, and what they say.
struct SmallModule {
    static constexpr uint32_t capability = 5, entry_point = 10, decorate = 16, constant = 24, last = 39, size = 40;
    static constexpr uint32_t bound = 8, constant_number = 64;
};

/// A compute shader that does nothing, whose constant of number 64 has this default.
inline std::vector<uint32_t> small_module(uint32_t constant) {
    const auto op = [](uint32_t opcode, uint32_t words) { return words << 16 | opcode; };
    return {0x07230203,
            0x00010500, // version
            0,
            SmallModule::bound,
            0,
            op(17, 2), // OpCapability Shader
            1,
            op(14, 3), // OpMemoryModel Logical GLSL450
            0,
            1,
            op(15, 6), // OpEntryPoint GLCompute %1 "main" %2
            5,
            1,
            0x6e69616d,
            0,
            2,
            op(71, 4), // OpDecorate %2 SpecId 64
            2,
            1,
            SmallModule::constant_number,
            op(21, 4), // %3 = OpTypeInt 32 0
            3,
            32,
            0,
            op(50, 4), // %2 = OpSpecConstant %3 constant
            3,
            2,
            constant,
            op(19, 2), // %4 = OpTypeVoid
            4,
            op(54, 5), // %1 = OpFunction %4 None %5
            4,
            1,
            0,
            5,
            op(248, 2), // OpLabel %6
            6,
            op(0, 1),   // OpNop
            op(253, 1), // OpReturn
            op(56, 1)}; // OpFunctionEnd
}

} // namespace vkprim::tests
