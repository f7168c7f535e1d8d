// How elements of a type lie in registers under an operation: the C++ side of include/vkprim/glsl/detail/element.glsl.
#pragma once

#include <vkprim/core.h>

#include <string>

namespace vkprim {

/// The shader variants of element.glsl: float min and max run on the floats' order.
enum class ElementVariant : uint32_t { u32, i32, f32, f32_ordered };

struct ElementPlan {
    ElementVariant variant       = ElementVariant::u32;
    uint32_t       identity_bits = 0; ///< in registers
};

/// Fails with VK_ERROR_FORMAT_NOT_SUPPORTED where `type` does not have `operation`.
Result<ElementPlan> plan_elements(ElementType type, Operation operation);

} // namespace vkprim
