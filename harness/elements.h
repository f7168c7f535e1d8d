// Element types and operations as the subjects walk through them, and inputs for them.
#pragma once

#include "harness.h"

#include <vector>

namespace vkprim::harness {

struct ElementCase {
    ElementType type;
    Operation   operation;
};

/// Every type with every operation that it has.
const std::vector<ElementCase>& element_cases();

std::string name_of(ElementType type);
std::string name_of(Operation operation);
Format      format_of(ElementType type);

/// Random elements. Integers from the whole range. Floats such that sums and products of any subset of neighbours
/// stay in the range of normal numbers, which is what the library promises the same bits for.
std::vector<uint32_t> random_elements(const ElementCase& element_case, uint32_t count, Random random);

/// Few distinct values, with what is special: zeros of both signs, infinities, NaN, extremes; denormals for float
/// min, max.
std::vector<uint32_t> special_elements(const ElementCase& element_case, uint32_t count, Random random);

/// random_elements() on the device, for benchmarks; `contents` receives them too.
Result<runtime::Buffer> random_elements_buffer(const runtime::Device& device, const ElementCase& element_case,
                                               uint32_t count, std::vector<uint8_t>& contents);

/// Scratch memory as the primitives ask for it.
Result<runtime::Buffer> zeroed_buffer(const runtime::Device& device, VkDeviceSize size);

} // namespace vkprim::harness
