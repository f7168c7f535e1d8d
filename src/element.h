// How elements of a type lie in memory and in registers under an operation: the C++ side of include/vkprim/glsl/detail/element.glsl.
#pragma once

#include "pipeline.h"

#include <string>

namespace vkprim {

struct ElementPlan {
    std::string kind;                   ///< in include/vkprim/glsl/detail/elements: "f32_ordered"
    uint32_t    identity_bits  = 0;     ///< in registers, where an element is one word
    uint32_t    memory_words   = 1;     ///< of 32 bits, of an element in the input
    uint32_t    register_words = 1;     ///< in registers and in scratch
    uint32_t    result_words   = 1;     ///< of what a reduction writes
    bool        rounds         = false; ///< results depend on how floats are rounded
    bool        scans          = true;  ///< whether scan has it, and not reduce alone
};

/// "u32"; null beyond the last.
const char* element_type_name(ElementType type);

/// "add"; null beyond the last.
const char* operation_name(Operation operation);

/// Fails with VK_ERROR_FORMAT_NOT_SUPPORTED where `type` does not have `operation`.
Result<ElementPlan> plan_elements(ElementType type, Operation operation);

/// The same on a device; VK_ERROR_FEATURE_NOT_PRESENT where it lacks what that takes.
Result<ElementPlan> plan_elements(const CoreDevice& device, ElementType type, Operation operation);

/// The shader for elements of that kind on the device, of a shader's table.
template <size_t Kinds>
Shader shader_for(const CoreDevice& device, const ElementPlan& plan, const ElementShaders (&table)[Kinds]) {
    for (const ElementShaders& one : table) {
        if (plan.kind == one.kind) return one.variants[device.variant()];
    }
    return {};
}

} // namespace vkprim
