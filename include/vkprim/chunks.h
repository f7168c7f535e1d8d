// What ChunkedReduce and ChunkedScan share: arrays that are too large for one operation, one buffer or one device.
// Float sums and products have the same bits on all devices if their intermediate results are normal numbers, as those of reduce.h.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

/// A chunk of an array: the elements from number `begin` on, `count` of them.
struct Chunk {
    uint64_t begin = 0; ///< a multiple of chunk_step
    uint32_t count = 0; ///< a multiple of chunk_step, except for the last chunk of the array
};

/// Chunks begin at multiples of this many elements.
constexpr uint32_t chunk_step = 1u << 20;

/// The most elements of an array in chunks, of 4 bytes or less each.
constexpr uint64_t max_chunked_count = uint64_t{1} << 36;

/// The same for elements of 8 bytes each.
constexpr uint64_t max_chunked_long_count = uint64_t{1} << 35;

/// The bytes that a chunk writes in an array of totals. Their format is the same on every device, so they can be copied between devices.
struct TotalsRange {
    VkDeviceSize offset = 0; ///< bytes from the beginning of the array
    VkDeviceSize size   = 0; ///< bytes; 0 if the chunk has no total that others need
};

} // namespace vkprim
