#include "spirv.h"

namespace vkprim {
namespace {

constexpr size_t   header_words   = 5;
constexpr uint32_t op_entry_point = 15, op_execution_mode = 16, op_capability = 17, op_spec_constant = 50,
                   op_decorate = 71;
constexpr uint32_t magic = 0x07230203, decoration_spec_id = 1;
constexpr uint32_t capability_rounding_mode_rte = 4467, mode_rounding_mode_rte = 4462;

constexpr uint32_t instruction(uint32_t opcode, uint32_t words) { return words << 16 | opcode; }

} // namespace

std::vector<uint32_t> rounding_to_even(const Shader& shader) {
    const size_t          count = shader.size / sizeof(uint32_t);
    std::vector<uint32_t> words(shader.words, shader.words + header_words);
    // Capabilities come first, execution modes right behind the entry point.
    words.insert(words.end(), {instruction(op_capability, 2), capability_rounding_mode_rte});
    for (size_t at = header_words; at < count;) {
        const uint32_t* const one  = shader.words + at;
        const uint32_t        size = *one >> 16;
        words.insert(words.end(), one, one + size);
        if ((*one & 0xffff) == op_entry_point) {
            words.insert(words.end(), {instruction(op_execution_mode, 4), one[2], mode_rounding_mode_rte, 32});
        }
        at += size;
    }
    return words;
}

std::optional<uint32_t> constant_default(const Shader& shader, uint32_t number) {
    const size_t count = shader.size / sizeof(uint32_t);
    if (!shader.words || count < header_words || shader.words[0] != magic) return std::nullopt;
    std::optional<uint32_t> constant; // its id; decorations, which come first, name it
    for (size_t at = header_words; at < count;) {
        const uint32_t* const one  = shader.words + at;
        const uint32_t        size = *one >> 16, opcode = *one & 0xffff;
        if (size == 0 || size > count - at) return std::nullopt;
        if (opcode == op_decorate && size == 4 && one[2] == decoration_spec_id && one[3] == number) constant = one[1];
        if (opcode == op_spec_constant && size == 4 && one[2] == constant) return one[3];
        at += size;
    }
    return std::nullopt;
}

} // namespace vkprim
