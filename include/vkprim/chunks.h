// What ChunkedReduce and ChunkedScan share: arrays that are too large for one operation, one buffer or one device.
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

/// Elements of 4 bytes or less that an array of chunks may have, and of 8 bytes.
constexpr uint64_t max_chunked_count      = uint64_t{1} << 36;
constexpr uint64_t max_chunked_long_count = uint64_t{1} << 35;

/// The bytes of an array of totals that a chunk writes. They are the same on every device, so they can be copied to others.
struct TotalsRange {
    VkDeviceSize offset = 0; ///< bytes from the beginning of the array
    VkDeviceSize size   = 0; ///< bytes; 0 if the chunk has no total that others need
};

} // namespace vkprim
