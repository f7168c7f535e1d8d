// How large chunks are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vkprim::tools {

/// Bytes, in "512M". A Failure with exit_usage where it is no such text.
uint64_t parse_memory(const std::string& text);

/// Bytes of memory of one thread.
struct SlotSize {
    uint64_t host = 0, device = 0;
};

/// What a device has for chunks.
struct ChunkRoom {
    uint64_t                                memory             = 0; ///< bytes of it and its part of the host together
    uint64_t                                largest_allocation = 0; ///< bytes
    std::function<SlotSize(uint32_t count)> slot_size; ///< for a chunk of `count` elements; never less for more
};

/// Elements of each chunk of an array of `count`: as many as `wanted`, or fewer, so that `slots` chunks at once fit each device, or all chunks
/// where they are fewer. A multiple of chunk_step; 0 where one step is too much.
uint32_t chunk_elements(uint64_t count, uint64_t wanted, uint32_t slots, const std::vector<ChunkRoom>& rooms);

} // namespace vkprim::tools
