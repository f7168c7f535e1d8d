#include "spirv.h"

#include <algorithm>

namespace vkprim {
namespace {

constexpr size_t   header_words = Instructions::header_words;
constexpr uint32_t magic = 0x07230203, magic_of_other_order = 0x03022307;
constexpr uint32_t oldest_version = 0x00010400, newest_version = 0x00010600; // rounding_to_even() needs 1.4
constexpr uint32_t most_bound                   = 0x3fffff;                  // a universal limit of SPIR-V
constexpr uint32_t compute_model                = 5;
constexpr uint32_t name_main                    = 0x6e69616d; // "main", the first character in the lowest byte
constexpr uint32_t capability_rounding_mode_rte = 4467, mode_rounding_mode_rte = 4462;

constexpr uint32_t instruction(uint32_t opcode, uint32_t words) { return words << 16 | opcode; }

/// Whether an instruction of those that are read here has its words, and ids below `bound`.
bool is_well_formed(const Instruction& one, uint32_t bound) {
    const auto is_id = [bound](uint32_t word) { return word > 0 && word < bound; };
    switch (one.opcode()) {
        case op_entry_point:
            return one.size >= 5 && one.words[1] == compute_model && is_id(one.words[2]) && one.words[3] == name_main &&
                   one.words[4] == 0 && std::all_of(one.words + 5, one.words + one.size, is_id);
        case op_capability: return one.size == 2;
        case op_spec_constant: return one.size >= 4 && is_id(one.words[1]) && is_id(one.words[2]);
        case op_decorate:
            return one.size >= 3 && is_id(one.words[1]) && (one.words[2] != decoration_spec_id || one.size == 4);
        default: return true;
    }
}

std::string why_header_malformed(const Shader& module) {
    if (!module.words) return "it is null";
    if (reinterpret_cast<uintptr_t>(module.words) % alignof(uint32_t) != 0) {
        return "its address is no multiple of 4";
    }
    if (module.size % sizeof(uint32_t) != 0 || module.size < header_words * sizeof(uint32_t)) {
        return "its size is " + std::to_string(module.size) + " bytes, which is no multiple of 4 from 20 on";
    }
    if (module.words[0] == magic_of_other_order) return "its words are in the other byte order";
    if (module.words[0] != magic) return "it does not begin with the magic number of SPIR-V";
    const uint32_t version = module.words[1], bound = module.words[3], schema = module.words[4];
    if (version < oldest_version || version > newest_version || (version & 0xff) != 0) {
        return "its version is none of SPIR-V from 1.4 to 1.6, which vkprim reads";
    }
    if (bound == 0 || bound > most_bound || schema != 0) return "its header is malformed";
    return {};
}

} // namespace

std::string why_malformed(const Shader& module) {
    if (std::string reason = why_header_malformed(module); !reason.empty()) return reason;
    Instructions all(module);
    uint32_t     entry_points = 0;
    size_t       at           = all.at();
    for (auto one = all.next(); one; one = all.next()) {
        if (!is_well_formed(*one, module.words[3])) {
            return "the instruction at word " + std::to_string(at) + ", of opcode " + std::to_string(one->opcode()) +
                   (one->opcode() == op_entry_point ? ", is not the entry point `main` of a compute shader"
                                                    : ", is malformed");
        }
        if (one->opcode() == op_entry_point) ++entry_points;
        at = all.at();
    }
    if (!all.ended()) {
        return "the instruction at word " + std::to_string(at) + " has " + std::to_string(module.words[at] >> 16) +
               " words, where " + std::to_string(module.size / sizeof(uint32_t) - at) + " are left";
    }
    if (entry_points != 1) return "it has " + std::to_string(entry_points) + " entry points instead of one";
    return {};
}

std::vector<uint32_t> rounding_to_even(const Shader& module) {
    std::vector<uint32_t> words;
    words.reserve(module.size / sizeof(uint32_t) + 6); // with what is added
    words.insert(words.end(), module.words, module.words + header_words);
    // Capabilities come first, execution modes right behind the entry point.
    words.insert(words.end(), {instruction(op_capability, 2), capability_rounding_mode_rte});
    Instructions all(module);
    for (auto one = all.next(); one; one = all.next()) {
        words.insert(words.end(), one->words, one->words + one->size);
        if (one->opcode() == op_entry_point) {
            words.insert(words.end(), {instruction(op_execution_mode, 4), one->words[2], mode_rounding_mode_rte, 32});
        }
    }
    return words;
}

std::optional<uint32_t> constant_default(const Shader& module, uint32_t number) {
    std::optional<uint32_t> constant; // its id; decorations, which come first, name it
    Instructions            all(module);
    for (auto one = all.next(); one; one = all.next()) {
        const auto [words, size] = *one;
        const uint32_t opcode    = one->opcode();
        if (opcode == op_decorate && size == 4 && words[2] == decoration_spec_id && words[3] == number) {
            constant = words[1];
        }
        if (opcode == op_spec_constant && size == 4 && words[2] == constant) return words[3];
    }
    return std::nullopt;
}

} // namespace vkprim
