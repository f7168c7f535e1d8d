// Bind, push, dispatch: all that a primitive does to a command buffer.
#pragma once

#include "pipeline.h"

namespace vkprim {

/// Appends one dispatch of at least `workgroups` workgroups: one row, or more where the device's grid ends before.
/// Shaders number them with workgroup_number() and return where the number is beyond their work.
void record_dispatch(VkCommandBuffer commands, const CoreDevice& device, const Pipeline& pipeline, const void* push,
                     uint32_t workgroups);

/// Appends a barrier that makes one dispatch's writes visible to the next. Only for primitives that take several.
void record_barrier(VkCommandBuffer commands, const CoreDevice& device);

inline bool is_aligned(VkDeviceAddress address, uint32_t alignment) { return address % alignment == 0; }

} // namespace vkprim
