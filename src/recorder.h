// Bind, push, dispatch: all that a primitive does to a command buffer.
#pragma once

#include "pipeline.h"

#include <cassert>

namespace vkprim {

/// What one Part does of `total` things that are numbered from 0.
struct Share {
    uint32_t first, count;
};

inline Share share_of(uint32_t total, const Part& part) {
    assert(part.number < part.parts && "Part::number must be below Part::parts");
    const auto before = [&](uint64_t number) { return static_cast<uint32_t>(total * number / part.parts); };
    return {before(part.number), before(uint64_t{part.number} + 1) - before(part.number)};
}

/// Appends one dispatch of at least `workgroups` workgroups, or none of none: one row, or more where the device's grid ends before.
/// Shaders number them with workgroup_number() and return where the number is beyond their work.
void record_dispatch(VkCommandBuffer commands, const CoreDevice& device, const Pipeline& pipeline, const void* push,
                     uint32_t workgroups);

/// Appends a barrier that makes one dispatch's writes visible to the next. Only for primitives that take several.
void record_barrier(VkCommandBuffer commands, const CoreDevice& device);

inline bool is_aligned(VkDeviceAddress address, uint32_t alignment) { return address % alignment == 0; }

} // namespace vkprim
