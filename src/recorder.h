// Bind, push, dispatch: all that a primitive does to a command buffer.
#pragma once

#include "pipeline.h"

#include <vkprim/glsl/detail/push.h>

#include <cassert>

namespace vkprim {

/// Some of several things that are numbered from 0.
struct Share {
    uint32_t first, count;
};

/// The share of one part of `total`. All shares begin at multiples of `unit`, unless they are smaller than that.
Share share_of(uint32_t total, const Part& part, uint32_t unit);

/// Workgroups in a row of a grid of so many workgroups: limits.workgroup_count_x, doubled until the rows suffice. Only a profile makes
/// it less than the 65535 that every device has.
uint32_t columns_of(uint32_t workgroups, const DeviceLimits& limits);

/// The same for workgroups. The grid of all parts but the last is exact, so that record_dispatch() does not round it up into
/// the next part.
Share share_of_workgroups(uint32_t total, const Part& part, const CoreDevice& device);

/// Appends one dispatch of the grid that lies in `indirect`; else of at least `workgroups` workgroups, or none of none: one row, or more
/// where the device's grid ends before. Shaders number them with workgroup_number() and return where the number is beyond their work.
void record_dispatch(VkCommandBuffer commands, const CoreDevice& device, const Pipeline& pipeline, const void* push,
                     uint32_t workgroups, const Indirect& indirect = {});

/// Appends a barrier that makes one dispatch's writes visible to the next. Only for primitives that take several.
void record_barrier(VkCommandBuffer commands, const CoreDevice& device);

/// The address of a count in a push block, as vkprim_count_of() reads it. Without a count in GPU memory it is that of
/// `readable`, which is not null, so that no shader has an address from which it must not load.
inline VkDeviceAddress pushed_count(VkDeviceAddress count_address, VkDeviceAddress readable) {
    return count_address ? count_address : (readable & ~VkDeviceAddress{3}) | VKPRIM_COUNT_ON_HOST;
}

inline bool is_aligned(VkDeviceAddress address, uint32_t alignment) { return address % alignment == 0; }

} // namespace vkprim
