#include "element.h"

#include <vkprim/glsl/detail/facts.h>
#include <vkprim/glsl/detail/operations.h>
#include "spirv.h"

namespace vkprim {
namespace {

constexpr bool is(Operation operation, uint32_t number) { return static_cast<uint32_t>(operation) == number; }

static_assert(is(Operation::add, VKPRIM_ADD) && is(Operation::mul, VKPRIM_MUL) && is(Operation::min, VKPRIM_MIN) &&
              is(Operation::max, VKPRIM_MAX) && is(Operation::bit_and, VKPRIM_BIT_AND) &&
              is(Operation::bit_or, VKPRIM_BIT_OR) && is(Operation::bit_xor, VKPRIM_BIT_XOR) &&
              is(Operation::argmin, VKPRIM_ARGMIN) && is(Operation::argmax, VKPRIM_ARGMAX));

struct TypeRow {
    const char* name;
    uint32_t    type_class; ///< VKPRIM_UNSIGNED, VKPRIM_SIGNED or VKPRIM_FLOAT
    uint32_t    size;       ///< bytes in the input

    /// As bits of the type of computation: the number one; the largest and the smallest value; for integers, all bits set.
    uint64_t one, most, least, all;
};

/// By ElementType.
constexpr TypeRow types[] = {{"u32", VKPRIM_UNSIGNED, 4, 1, 0xffffffff, 0, 0xffffffff},
                             {"i32", VKPRIM_SIGNED, 4, 1, 0x7fffffff, 0x80000000, 0xffffffff},
                             {"f32", VKPRIM_FLOAT, 4, 0x3f800000, 0x7f800000, 0xff800000, 0},
                             {"u64", VKPRIM_UNSIGNED, 8, 1, UINT64_MAX, 0, UINT64_MAX},
                             {"i64", VKPRIM_SIGNED, 8, 1, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX},
                             {"f64", VKPRIM_FLOAT, 8, 0x3ff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0},
                             {"u8", VKPRIM_UNSIGNED, 1, 1, 0xffffffff, 0, 0xffffffff},
                             {"i8", VKPRIM_SIGNED, 1, 1, 0x7fffffff, 0x80000000, 0xffffffff},
                             {"u16", VKPRIM_UNSIGNED, 2, 1, 0xffffffff, 0, 0xffffffff},
                             {"i16", VKPRIM_SIGNED, 2, 1, 0x7fffffff, 0x80000000, 0xffffffff},
                             {"f16", VKPRIM_FLOAT, 2, 0x3f800000, 0x7f800000, 0xff800000, 0}};

/// By Operation.
constexpr const char* operations[] = {"add", "mul", "min", "max", "and", "or", "xor", "argmin", "argmax"};

bool has_index(Operation operation) { return operation == Operation::argmin || operation == Operation::argmax; }

/// The member of a table, or nothing.
template <class Row, size_t Rows, class Index>
const Row* row_of(const Row (&rows)[Rows], Index index) {
    return static_cast<size_t>(index) < Rows ? &rows[static_cast<size_t>(index)] : nullptr;
}

} // namespace

uint32_t element_type_size(ElementType type) { return types[static_cast<size_t>(type)].size; }

const char* element_type_name(ElementType type) {
    const TypeRow* const row = row_of(types, type);
    return row ? row->name : nullptr;
}

const char* operation_name(Operation operation) {
    const char* const* const name = row_of(operations, operation);
    return name ? *name : nullptr;
}

ElementType output_type(ElementType type) {
    switch (type) {
        case ElementType::u8:
        case ElementType::u16: return ElementType::u32;
        case ElementType::i8:
        case ElementType::i16: return ElementType::i32;
        case ElementType::f16: return ElementType::f32;
        default: return type;
    }
}

ElementType wide_type(ElementType type) {
    return types[static_cast<size_t>(type)].type_class == VKPRIM_SIGNED ? ElementType::i64 : ElementType::u64;
}

uint64_t identity_bits(ElementType type, Operation operation) {
    const TypeRow* const row = row_of(types, type);
    if (!row) return 0;
    switch (operation) {
        case Operation::mul: return row->one;
        case Operation::min: return row->most;
        case Operation::max: return row->least;
        case Operation::bit_and: return row->all;
        case Operation::argmin: return row->most | uint64_t{UINT32_MAX} << 32;
        case Operation::argmax: return row->least | uint64_t{UINT32_MAX} << 32;
        case Operation::add:
        case Operation::bit_or:
        case Operation::bit_xor: break;
    }
    return 0;
}

Result<ElementPlan> plan_elements(ElementType type, Operation operation, bool wide) {
    const TypeRow* const row = row_of(types, type);
    if (!row) return Error{ErrorKind::invalid_desc, "Desc::type is not an ElementType"};
    if (!operation_name(operation)) return Error{ErrorKind::invalid_desc, "Desc::operation is not an Operation"};
    const std::string name     = row->name;
    const bool        is_float = row->type_class == VKPRIM_FLOAT;
    const bool        ordered  = is_float && (operation == Operation::min || operation == Operation::max);
    const bool        narrow   = row->size < 4;

    ElementPlan plan;
    plan.kind      = row->size == 8 ? "long" : is_float && !ordered ? row->name : narrow ? "narrow" : "word";
    plan.operation = VKPRIM_OPERATION_BITS(static_cast<uint32_t>(operation), ordered ? VKPRIM_ORDERED : row->type_class,
                                           narrow ? row->size : 0);
    plan.register_words = row->size == 8 ? 2 : 1;
    plan.input_size = plan.input_align = row->size;
    plan.output_size = plan.output_align = plan.result_size = plan.register_words * 4;
    plan.identity_bits                                      = static_cast<uint32_t>(identity_bits(type, operation));
    plan.vector_width                                       = 4 / plan.register_words;
    if (wide) {
        if (is_float || row->size == 8 || (operation != Operation::add && operation != Operation::mul)) {
            return Error{ErrorKind::invalid_desc,
                         std::string("Desc::wide is for add and mul of integers of up to 32 bits, not for ") +
                             operation_name(operation) + " of " + name + ": leave it off"};
        }
        plan.kind           = narrow ? "wide_narrow" : "wide";
        plan.register_words = 2;
        plan.output_align = plan.result_size = 8;
        plan.scans                           = false;
        return plan;
    }
    if (has_index(operation)) {
        if (row->size != 4) {
            return Error{ErrorKind::invalid_desc,
                         name + " elements have no " + operation_name(operation) + ": u32, i32 and f32 have"};
        }
        plan.kind           = "indexed";
        plan.register_words = 2;
        plan.result_size    = 8;
        plan.scans          = false;
        plan.indexed        = true;
        return plan;
    }
    if (!is_float) return plan;

    if (operation == Operation::bit_and || operation == Operation::bit_or || operation == Operation::bit_xor) {
        return Error{ErrorKind::invalid_desc, name + " elements have no bit operations: use u" + name.substr(1) +
                                                  ", which leaves the bits as they are"};
    }
    if (ordered) {
        const uint32_t infinity =
            row->size == 2 ? 0x7c00 : 0x7f800000; // its bitwise complement is the place of minus infinity
        plan.identity_bits = operation == Operation::min ? infinity : ~infinity;
    } else {
        plan.doubles = row->size == 8;
        plan.rounds  = row->size < 8; // of f64 nothing is declared: core.h
    }
    return plan;
}

Error missing_feature(const std::string& what, const char* feature) {
    return {ErrorKind::unsupported_device,
            what + " take the feature " + feature +
                ", and Context::features says that it is off: enable it when creating the device, if the GPU has "
                "it (merge_features in vkprim/requirements.h)"};
}

Result<ElementPlan> plan_elements(const CoreDevice& device, ElementType type, Operation operation, bool wide) {
    auto plan = plan_elements(type, operation, wide);
    if (!plan) return plan;
    if (plan->doubles && !device.features.shader_float64)
        return missing_feature("sums and products of f64", "shaderFloat64");
    if (plan->input_size < 4 && !device.features.storage_buffer_8bit_access) {
        return missing_feature(std::string(element_type_name(type)) + " elements", "storageBuffer8BitAccess");
    }
    return plan;
}

Result<ElementPlan> plan_strided(ElementPlan plan) {
    if (plan.kind == "own" || plan.input_size != 4 || plan.result_size != 4) {
        return Error{ErrorKind::invalid_desc,
                     "Desc::strided takes elements of u32, i32 and f32, without argmin, argmax and Desc::wide: give an "
                     "operation of your own a load(), which reads from anywhere (vkprim/glsl/operation.glsl)"};
    }
    plan.kind    = plan.kind == "f32" ? "strided_f32" : "strided";
    plan.strided = true;
    return plan;
}

Error not_of_this_version() {
    return {ErrorKind::invalid_desc,
            "Desc::own was not made by this version of vkprim: make it again, with vkprim_operation() or "
            "vkprim::compile()"};
}

Result<uint32_t> facts_of(const Shader& module, const char* primitive) {
    if (!module.words) {
        return Error{ErrorKind::invalid_desc,
                     std::string("Desc::own has no code for ") + primitive +
                         ": name it when making the operation or predicate (PRIMITIVES of vkprim_operation(), or a "
                         "flag of OperationSource)"};
    }
    if (const std::string reason = why_malformed(module); !reason.empty()) {
        return Error{ErrorKind::invalid_desc, std::string("Desc::own has a malformed module for ") + primitive + ": " +
                                                  reason + "; pass the SPIR-V as it was made, and its size in bytes"};
    }
    const auto facts = constant_default(module, VKPRIM_FACTS_ID);
    if (!facts || *facts >> 16 != VKPRIM_FACTS_VERSION >> 16) return not_of_this_version();
    return *facts;
}

Result<ElementPlan> plan_own_elements(const Shader& module, const char* primitive) {
    const auto facts = facts_of(module, primitive);
    if (!facts) return facts.error();
    const uint32_t words = *facts & VKPRIM_FACTS_WORDS;
    if (words < 1 || words > 8) return not_of_this_version();
    ElementPlan plan;
    plan.kind           = "own";
    plan.register_words = words;
    plan.input_size = plan.output_size = plan.result_size = words * 4;
    plan.input_align = plan.output_align = words % 4 == 0 ? 16 : words % 2 == 0 ? 8 : 4;
    plan.vector_width                    = words > 2 ? 1 : 4 / words;
    plan.rounds                          = true; // it may hold floats
    plan.loads                           = (*facts & VKPRIM_FACTS_LOAD) == 0;
    plan.stores                          = (*facts & VKPRIM_FACTS_STORE) == 0;
    return plan;
}

} // namespace vkprim
