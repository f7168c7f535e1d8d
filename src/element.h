// How elements of a type lie in memory and in registers under an operation: the C++ side of include/vkprim/glsl/detail/element.glsl.
#pragma once

#include "pipeline.h"

#include <string>

namespace vkprim {

struct ElementPlan {
    std::string kind;                  ///< in include/vkprim/glsl/detail/elements: "f32_ordered"
    uint32_t    identity_bits = 0;     ///< in registers, where an element is one word
    uint32_t    words         = 1;     ///< of 32 bits, in memory and in registers
    bool        rounds        = false; ///< results depend on how floats are rounded
};

/// Fails with VK_ERROR_FORMAT_NOT_SUPPORTED where `type` does not have `operation`, and with VK_ERROR_FEATURE_NOT_PRESENT where the
/// device lacks what that takes.
Result<ElementPlan> plan_elements(const CoreDevice& device, ElementType type, Operation operation);

/// Bytes of an element in memory.
uint32_t element_size(ElementType type);

/// The shader for elements of that kind on the device, of a shader's table.
template <size_t Kinds>
Shader shader_for(const CoreDevice& device, const ElementPlan& plan, const ElementShaders (&table)[Kinds]) {
    for (const ElementShaders& one : table) {
        if (plan.kind == one.kind) return one.variants[device.variant()];
    }
    return {};
}

} // namespace vkprim
