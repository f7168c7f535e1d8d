// Segments that workgroups share: the C++ side of shaders/segments/segments.glsl, for SegmentedReduce, SegmentedScan and Histogram.
#pragma once

#include <vkprim/segmented_reduce.h>

#include "../shaders/segments/segments_push.h"
#include "checks.h"
#include "element.h"

#include <algorithm>

namespace vkprim {

/// How segments are divided into work. Each segment takes one place for each element, and those of one vector more.
struct SegmentShares {
    using Size = SegmentedReduce::Size;

    bool     rows;
    uint32_t vector_width; ///< elements
    uint32_t workgroups;   ///< for fewer places than so many of the largest shares, shares are smaller
    uint32_t most;         ///< of a workgroup: vectors

    uint64_t places(const Size& size) const {
        const uint64_t costs = uint64_t{size.segments} * vector_width;
        return costs + (rows ? uint64_t{size.count} * size.segments : size.segments > 0 ? size.count : 0);
    }

    /// The share of a workgroup: places, in whole vectors. `row`: the vectors of a row, which it may take in any case.
    uint32_t share(const Size& size, uint32_t row = 0) const {
        const uint64_t wanted = places(size) / vector_width / workgroups + 1;
        return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, SEGMENTS_LEAST_SHARE, std::max(most, row))) *
               vector_width;
    }

    static uint32_t workgroups_of(uint64_t places, uint32_t share) {
        return places == 0 ? 0 : static_cast<uint32_t>((places - 1) / share) + 1;
    }
};

/// The part of such a primitive's Args that says which elements it reads.
struct SegmentArgs {
    VkDeviceAddress       input;
    SegmentedReduce::Size size;
    VkDeviceAddress       count_address, segments_address, offsets;
    uint32_t              offset_size;
    uint32_t              pitch;
};

template <class Args>
SegmentArgs segment_args(const Args& args) {
    return {args.input,   args.size,        args.count_address, args.segments_address,
            args.offsets, args.offset_size, args.pitch};
}

/// Bytes from one row to the next, of elements of `element_size` bytes.
inline uint32_t pitch_of(uint32_t pitch, const SegmentedReduce::Size& size, uint32_t element_size) {
    return pitch > 0 ? pitch : size.count * element_size;
}

/// Memory that it reads, as far as the host knows: with counts in GPU memory, the first element and segment.
struct SegmentRanges {
    VkDeviceSize count, segments; ///< that are there for certain
    MemoryRange  input, offsets, gpu_count, gpu_segments;
};

SegmentRanges segment_ranges(const SegmentShares& shares, const ElementPlan& elements, const SegmentArgs& args);

/// Bytes of so many rows, of the elements of `element_size` bytes each.
inline VkDeviceSize rows_size(VkDeviceSize rows, VkDeviceSize count, uint32_t pitch, uint32_t element_size) {
    return rows == 0 || count == 0 ? 0 : (rows - 1) * pitch + count * element_size;
}

/// Checks sizes, pitch and offsets.
void check_segments(Checks& checks, const SegmentShares& shares, const ElementPlan& elements, const SegmentArgs& args);

/// What is wrong with `pitch`, named so, of rows of elements of `element_size` bytes.
void check_pitch(Checks& checks, const char* name, uint32_t pitch, const SegmentedReduce::Size& size,
                 uint32_t element_size, uint32_t alignment);

} // namespace vkprim
