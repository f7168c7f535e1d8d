// Whether sums of integers leave the 32 bits in which a scan has them.
#pragma once

#include <vkprim/core.h>

#include <cstdint>
#include <vector>

namespace vkprim::tools {

/// Between which numbers the running sums of some elements lie, and what they come to: without wrapping.
struct SumRange {
    int64_t least = 0, most = 0, total = 0;

    bool is_wider_than_32_bits() const { return most - least > int64_t{UINT32_MAX}; }
};

/// Of elements of `type`, as they lie in a file; of others than integers of up to 32 bits nothing. Ends early once no 32 bits hold them.
SumRange sum_range_of(ElementType type, const void* elements, uint64_t count);

/// Whether one of the sums, behind elements that come to `before`, is outside of u32 or i32, which `type` becomes.
bool wraps(ElementType type, int64_t before, const SumRange& sums);

/// The same of elements that lie in several parts, one behind the other.
bool wraps(ElementType type, const std::vector<SumRange>& parts);

/// Whether scans of that type say whether a sum wrapped.
bool tells_wrapping(ElementType type, Operation operation);

} // namespace vkprim::tools
