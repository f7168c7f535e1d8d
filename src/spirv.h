// Reads SPIR-V, which may come from anywhere (Desc::own), and adapts it to a device: adds what a module may contain only if the device
// supports it.
#pragma once

#include "pipeline.h"

#include <optional>
#include <string>
#include <vector>

namespace vkprim {

/// Of the SPIR-V specification, sections 3.49 (instructions), 3.31 (capabilities), 3.20 (decorations) and 3.21 (built-ins).
enum : uint32_t {
    op_undef                     = 1,
    op_source_continued          = 2, // up to op_line: for debuggers
    op_line                      = 8,
    op_extension                 = 10,
    op_ext_inst_import           = 11,
    op_ext_inst                  = 12,
    op_memory_model              = 14,
    op_entry_point               = 15,
    op_execution_mode            = 16,
    op_capability                = 17,
    op_type_void                 = 19, // up to op_type_forward_pointer
    op_type_bool                 = 20,
    op_type_int                  = 21,
    op_type_float                = 22,
    op_type_vector               = 23,
    op_type_pointer              = 32,
    op_type_forward_pointer      = 39,
    op_constant_true             = 41, // up to op_constant_null
    op_constant_false            = 42,
    op_constant                  = 43,
    op_constant_composite        = 44,
    op_constant_null             = 46,
    op_spec_constant_true        = 48,
    op_spec_constant_false       = 49,
    op_spec_constant             = 50,
    op_spec_constant_composite   = 51,
    op_spec_constant_op          = 52,
    op_function                  = 54,
    op_function_end              = 56,
    op_variable                  = 59,
    op_load                      = 61,
    op_store                     = 62,
    op_copy_memory               = 63,
    op_array_length              = 68,
    op_decorate                  = 71,
    op_member_decorate           = 72,
    op_vector_shuffle            = 79,
    op_composite_extract         = 81,
    op_composite_insert          = 82,
    op_bitcast                   = 124, // up to op_not: of numbers and bools
    op_iadd                      = 128,
    op_isub                      = 130,
    op_imul                      = 132,
    op_udiv                      = 134,
    op_umod                      = 137,
    op_logical_equal             = 164,
    op_logical_not_equal         = 165,
    op_logical_or                = 166,
    op_logical_and               = 167,
    op_logical_not               = 168,
    op_select                    = 169,
    op_iequal                    = 170,
    op_inot_equal                = 171,
    op_ugreater                  = 172,
    op_sgreater                  = 173,
    op_ugreater_equal            = 174,
    op_sgreater_equal            = 175,
    op_uless                     = 176,
    op_sless                     = 177,
    op_uless_equal               = 178,
    op_sless_equal               = 179,
    op_shift_right               = 194,
    op_shift_left                = 196,
    op_bit_or                    = 197,
    op_bit_xor                   = 198,
    op_bit_and                   = 199,
    op_not                       = 200,
    op_phi                       = 245,
    op_loop_merge                = 246,
    op_selection_merge           = 247,
    op_label                     = 248,
    op_branch                    = 249,
    op_branch_conditional        = 250,
    op_switch                    = 251,
    op_no_line                   = 317,
    op_module_processed          = 330,
    op_execution_mode_id         = 331,
    op_group_elect               = 333, // up to op_group_quad_swap: of subgroups
    op_group_all_equal           = 336,
    op_group_ballot_bit_count    = 342,
    op_group_ballot_find_msb     = 344,
    op_group_shuffle             = 345,
    op_group_shuffle_xor         = 346,
    op_group_iadd                = 349,
    op_group_logical_xor         = 364,
    op_group_quad_swap           = 366,
    capability_float64           = 10,
    capability_int64             = 11,
    capability_int64_atomics     = 12,
    capability_int8              = 39,
    capability_group             = 61,
    capability_group_vote        = 62,
    capability_group_ballot      = 64,
    capability_group_shuffle     = 65,
    capability_storage_8bit      = 4448,
    capability_storage_8bit_too  = 4449,
    decoration_spec_id           = 1,
    decoration_built_in          = 11,
    built_in_workgroup_size      = 25,
    built_in_subgroup_size       = 36, // up to built_in_subgroup_invocation: of subgroups
    built_in_subgroup_invocation = 41,
    built_in_subgroup_eq_mask    = 4416, // up to built_in_subgroup_lt_mask: they take ballots
    built_in_subgroup_lt_mask    = 4420,
};

struct Instruction {
    const uint32_t* words;
    uint32_t        size; ///< in words; all are there

    uint32_t opcode() const { return words[0] & 0xffff; }
};

/// The instructions of a module, one after the other. Nothing beyond its end is read, whatever it says.
class Instructions {
public:
    static constexpr size_t header_words = 5;

    explicit Instructions(const Shader& module) : words_(module.words), count_(module.size / sizeof(uint32_t)) {}

    /// Nothing at the end, and where the next one has no words, or more than are there.
    std::optional<Instruction> next() {
        if (ended()) return std::nullopt;
        const uint32_t size = words_[at_] >> 16;
        if (size == 0 || size > count_ - at_) return std::nullopt;
        at_ += size;
        return Instruction{words_ + at_ - size, size};
    }

    bool   ended() const { return at_ >= count_; }
    size_t at() const { return at_; } ///< of the next one

private:
    const uint32_t* words_;
    size_t          count_, at_ = header_words;
};

/// What is wrong with a module, as the end of a sentence; empty if the functions below understand it, and so its instructions have the
/// sizes that they say, and it has one entry point, `main` of a compute shader. What else it says is checked by the validation layers.
std::string why_malformed(const Shader& module);

/// The module with float operations of 32 bits declared to round to nearest, ties to even (RoundingModeRTE of float controls, part of
/// SPIR-V from 1.4 on). It is not malformed.
std::vector<uint32_t> rounding_to_even(const Shader& module);

/// The default of the specialization constant with that number, of one word; nothing if the module has none. It is not malformed.
std::optional<uint32_t> constant_default(const Shader& module, uint32_t number);

} // namespace vkprim
