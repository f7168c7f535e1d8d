#include "element.h"

namespace vkprim {

Result<ElementPlan> plan_elements(ElementType type, Operation operation) {
    if (type > ElementType::f32) return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "Desc::type is not an ElementType"};
    if (operation > Operation::bit_xor)
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "Desc::operation is not an Operation"};
    ElementPlan plan;
    plan.variant       = static_cast<ElementVariant>(type);
    plan.identity_bits = identity_bits(type, operation);
    if (type != ElementType::f32) return plan;

    if (operation >= Operation::bit_and) {
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED,
                     "f32 elements have no bit operations: use u32, which leaves the bits as they are"};
    }
    if (operation == Operation::min || operation == Operation::max) {
        plan.variant       = ElementVariant::f32_ordered;
        plan.identity_bits = operation == Operation::min ? 0x7f800000u : 0xff800000u ^ 0x7fffffffu;
    }
    return plan;
}

} // namespace vkprim
