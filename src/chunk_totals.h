// What ChunkedReduce and ChunkedScan share: totals as plain words in memory (shaders/chunks/totals.glsl).
#pragma once

#include <vkprim/chunks.h>
#include "../shaders/chunks/totals.h"
#include "checks.h"
#include "element.h"

namespace vkprim {

/// Bytes of so many totals.
inline VkDeviceSize totals_bytes(const ElementPlan& elements, uint64_t totals) {
    return totals * 4 * elements.register_words;
}

/// Elements that an array may have.
inline uint64_t most_elements(const ElementPlan& elements) {
    return elements.input_size == 8 ? max_chunked_long_count : max_chunked_count;
}

/// Groups of CHUNKS_FAN totals.
inline uint32_t total_groups(uint32_t totals) { return (totals + CHUNKS_FAN - 1) / CHUNKS_FAN; }

/// Checks that a chunk lies in an array of `whole` elements, and begins at a multiple of chunk_step.
inline void check_chunk(Checks& checks, const Chunk& chunk, uint64_t whole, uint64_t most) {
    if (whole > most) {
        checks.fail("an array of " + std::to_string(whole) + " elements is too large: at most " + std::to_string(most) +
                    " may be processed in chunks");
    } else if (chunk.begin % chunk_step != 0) {
        checks.fail("chunk.begin is " + std::to_string(chunk.begin) + ", but chunks begin at multiples of " +
                    std::to_string(chunk_step));
    } else if (chunk.begin > whole || chunk.count > whole - chunk.begin) {
        checks.fail("the chunk of " + std::to_string(chunk.count) + " elements from " + std::to_string(chunk.begin) +
                    " on ends after the end of the array, which has " + std::to_string(whole));
    } else if (chunk.begin + chunk.count < whole && chunk.count % chunk_step != 0) {
        checks.fail("chunk.count is " + std::to_string(chunk.count) +
                    ", but only the last chunk of an array may have a count "
                    "that is not a multiple of " +
                    std::to_string(chunk_step));
    }
}

} // namespace vkprim
