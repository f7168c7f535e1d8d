// Segments that workgroups share: the C++ side of shaders/segments/segments.glsl, for SegmentedReduce, SegmentedScan and Histogram. And what
// all primitives check of segments.
#pragma once

#include <vkprim/segments.h>

#include "../shaders/segments/segments_push.h"
#include "checks.h"
#include "element.h"

#include <algorithm>

namespace vkprim {

/// On what shares and scratch depend.
struct SegmentSize {
    uint32_t count, segments;

    template <class Args>
    SegmentSize(const Args& args) : count(args.count), segments(args.segments.count) {}
};

/// How segments are divided into work. Each segment takes one place for each element, and those of one vector more.
struct SegmentShares {
    bool     rows;
    uint32_t vector_width; ///< elements
    uint32_t workgroups;   ///< for fewer places than so many of the largest shares, shares are smaller
    uint32_t most;         ///< of a workgroup: vectors

    uint64_t places(const SegmentSize& size) const {
        const uint64_t costs = uint64_t{size.segments} * vector_width;
        return costs + (rows ? uint64_t{size.count} * size.segments : size.segments > 0 ? size.count : 0);
    }

    /// The share of a workgroup: places, in whole vectors. `row`: the vectors of a row, which it may take in any case.
    uint32_t share(const SegmentSize& size, uint32_t row = 0) const {
        const uint64_t wanted = places(size) / vector_width / workgroups + 1;
        return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, SEGMENTS_LEAST_SHARE, std::max(most, row))) *
               vector_width;
    }

    static uint32_t workgroups_of(uint64_t places, uint32_t share) {
        return places == 0 ? 0 : static_cast<uint32_t>((places - 1) / share) + 1;
    }
};

/// Bytes from one row to the next, of elements of `element_size` bytes.
inline VkDeviceSize pitch_of(VkDeviceSize pitch, uint32_t count, uint32_t element_size) {
    return pitch > 0 ? pitch : VkDeviceSize{count} * element_size;
}

/// Bytes of so many rows, of the elements of `element_size` bytes each.
inline VkDeviceSize rows_size(VkDeviceSize rows, VkDeviceSize count, VkDeviceSize pitch, uint32_t element_size) {
    return rows == 0 || count == 0 ? 0 : (rows - 1) * pitch + count * element_size;
}

/// How many segments exist for certain: with their number in GPU memory, only the first.
inline VkDeviceSize sure_segments(const Segments& segments) {
    return segments.count_address ? std::min(segments.count, 1u) : segments.count;
}

inline MemoryRange segments_range(const Segments& segments) {
    return count_range(segments.count_address, "segments.count_address");
}

/// So many offsets, if there are any.
inline MemoryRange offsets_range(SegmentLayout layout, const Segments& segments, VkDeviceSize count) {
    if (layout != SegmentLayout::offsets) return {};
    return {"segments.offsets", segments.offsets, count * segments.offset_size, segments.offset_size};
}

/// Checks that `segments` has what `layout` takes, and no more.
void check_layout(Checks& checks, SegmentLayout layout, const Segments& segments);

/// The Error of create() of a primitive that has segments in any case.
inline Result<void> check_divided(const std::string& primitive, SegmentLayout layout) {
    if (layout == SegmentLayout::offsets || layout == SegmentLayout::rows) return {};
    return Error{ErrorKind::invalid_desc, primitive + ": Desc::segments must be SegmentLayout::offsets or rows"};
}

/// What is wrong with `pitch`, named so, of rows of `count` elements of `element_size` bytes.
void check_pitch(Checks& checks, const char* name, VkDeviceSize pitch, const SegmentSize& size, uint32_t element_size,
                 uint32_t alignment);

/// Elements from one row to the next, where what has rows are keys and what belongs to them.
template <class Args>
uint64_t row_stride(const Args& args, uint32_t key_size) {
    return args.segments.pitch > 0 ? args.segments.pitch / key_size : args.count;
}

/// Checks rows of keys, all of which together shaders number with 32 bits.
template <class Args>
void check_key_rows(Checks& checks, const Args& args, uint32_t key_size) {
    const uint64_t stride = row_stride(args, key_size);
    const uint32_t rows   = args.segments.count;
    if (args.segments.count_address) {
        checks.fail("segments.count_address is set: the number of rows is the host's");
    } else if (args.segments.pitch % key_size != 0 || stride < args.count) {
        checks.fail("segments.pitch is " + std::to_string(args.segments.pitch) + ", and a row has " +
                    std::to_string(args.count) + " keys of " + std::to_string(key_size) +
                    ": it must be a multiple of that, and rows must not overlap");
    } else if (rows > 1u << 31 || rows * stride > UINT32_MAX) {
        checks.fail("segments.count is " + std::to_string(rows) +
                    ": rows must be at most 2^31, and that number times the keys from one to the next below 2^32");
    }
}

/// Memory that SegmentedReduce and SegmentedScan read, as far as the host knows: with counts in GPU memory, the first element and segment.
struct SegmentRanges {
    VkDeviceSize count, segments; ///< that are there for certain
    MemoryRange  input, offsets, gpu_count, gpu_segments;
};

template <class Args>
SegmentRanges segment_ranges(SegmentLayout layout, const ElementPlan& elements, const Args& args) {
    SegmentRanges ranges;
    ranges.count       = sure_count(args);
    ranges.segments    = sure_segments(args.segments);
    const auto   pitch = pitch_of(args.segments.pitch, args.count, elements.input_size);
    VkDeviceSize read  = layout == SegmentLayout::rows
                             ? rows_size(ranges.segments, ranges.count, pitch, elements.input_size)
                             : ranges.count * elements.input_size;
    if (!elements.loads) read = 0; // a user's load() reads them
    ranges.input        = {"input", args.input, read, elements.input_align};
    ranges.offsets      = offsets_range(layout, args.segments, ranges.segments + 1);
    ranges.gpu_count    = count_range(args.count_address);
    ranges.gpu_segments = segments_range(args.segments);
    return ranges;
}

/// Checks their sizes, pitch and offsets.
template <class Args>
void check_segments(Checks& checks, const SegmentShares& shares, const ElementPlan& elements, const Args& args) {
    check_layout(checks, shares.rows ? SegmentLayout::rows : SegmentLayout::offsets, args.segments);
    if (shares.places(args) > UINT32_MAX) {
        checks.fail(
            std::to_string(args.segments.count) + " segments with count " + std::to_string(args.count) +
            " are too many: count + 4 * segments.count must be below 2^32, and for rows segments.count * (count + 4)");
    } else if (shares.rows && elements.loads) { // otherwise a user's load() finds the elements
        check_pitch(checks, "segments.pitch", args.segments.pitch, args, elements.input_size, elements.input_align);
    }
}

} // namespace vkprim
