#include "element.h"

namespace vkprim {
namespace {

struct TypeRow {
    const char* name;
    bool        is_float;
    uint32_t    words; ///< of 32 bits
};

/// By ElementType.
constexpr TypeRow types[] = {{"u32", false, 1}, {"i32", false, 1}, {"f32", true, 1},
                             {"u64", false, 2}, {"i64", false, 2}, {"f64", true, 2}};

} // namespace

uint32_t element_size(ElementType type) { return 4 * types[static_cast<uint32_t>(type)].words; }

Result<ElementPlan> plan_elements(const CoreDevice& device, ElementType type, Operation operation) {
    if (static_cast<uint32_t>(type) >= std::size(types))
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "Desc::type is not an ElementType"};
    if (operation > Operation::bit_xor)
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, "Desc::operation is not an Operation"};
    const TypeRow& row = types[static_cast<uint32_t>(type)];
    ElementPlan    plan;
    plan.kind          = row.name;
    plan.words         = row.words;
    plan.identity_bits = static_cast<uint32_t>(identity_bits(type, operation));
    if (!row.is_float) return plan;

    const std::string name = row.name;
    if (operation >= Operation::bit_and) {
        const std::string unsigned_name = "u" + name.substr(1);
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, name + " elements have no bit operations: use " + unsigned_name +
                                                        ", which leaves the bits as they are"};
    }
    if (operation == Operation::min || operation == Operation::max) {
        plan.kind          = name + "_ordered";
        plan.identity_bits = operation == Operation::min ? 0x7f800000u : 0xff800000u ^ 0x7fffffffu;
        return plan;
    }
    plan.rounds = true;
    if (row.words == 2 && !device.features.shader_float64) {
        return Error{
            VK_ERROR_FEATURE_NOT_PRESENT,
            "sums and products of f64 take the feature shaderFloat64, and Context::features says that it is off: "
            "switch it on when creating the device, where the GPU has it (merge_features in vkprim/requirements.h)"};
    }
    return plan;
}

} // namespace vkprim
