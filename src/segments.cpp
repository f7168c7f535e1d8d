#include "segments.h"

namespace vkprim {

SegmentRanges segment_ranges(const SegmentShares& shares, const ElementPlan& elements, const SegmentArgs& args) {
    SegmentRanges ranges;
    ranges.count         = args.count_address ? std::min(args.size.count, 1u) : args.size.count;
    ranges.segments      = args.segments_address ? std::min(args.size.segments, 1u) : args.size.segments;
    const uint32_t pitch = pitch_of(args.pitch, args.size, elements.input_size);
    VkDeviceSize   read  = shares.rows ? rows_size(ranges.segments, ranges.count, pitch, elements.input_size)
                                       : ranges.count * elements.input_size;
    if (!elements.loads) read = 0; // a user's load() reads them
    ranges.input = {"input", args.input, read, elements.input_align};
    if (!shares.rows) {
        ranges.offsets = {"offsets", args.offsets, (ranges.segments + 1) * args.offset_size, args.offset_size};
    }
    ranges.gpu_count         = count_range(args.count_address);
    ranges.gpu_segments      = count_range(args.segments_address);
    ranges.gpu_segments.name = "segments_address";
    return ranges;
}

void check_pitch(Checks& checks, const char* name, uint32_t pitch, const SegmentedReduce::Size& size,
                 uint32_t element_size, uint32_t alignment) {
    const VkDeviceSize row     = VkDeviceSize{size.count} * element_size;
    const bool         several = size.segments > 1;
    if (pitch % alignment != 0) {
        checks.fail(std::string(name) + " is " + std::to_string(pitch) + ": it must be a multiple of " +
                    std::to_string(alignment));
    } else if (several && pitch > 0 && pitch < row) {
        checks.fail(std::string(name) + " is " + std::to_string(pitch) + ", and a row has " +
                    std::to_string(size.count) + " elements: rows must not overlap");
    } else if (several && row > UINT32_MAX) {
        checks.fail("count is " + std::to_string(size.count) + ": rows have less than 4 GiB each");
    }
}

void check_segments(Checks& checks, const SegmentShares& shares, const ElementPlan& elements, const SegmentArgs& args) {
    if (shares.places(args.size) > UINT32_MAX) {
        checks.fail(std::to_string(args.size.segments) + " segments with count " + std::to_string(args.size.count) +
                    " are too many: see SegmentedReduce::Size");
    } else if (shares.rows && elements.loads) { // otherwise a user's load() finds the elements
        check_pitch(checks, "pitch", args.pitch, args.size, elements.input_size, elements.input_align);
    } else if (!shares.rows && args.offset_size != 4 && args.offset_size != 8) {
        checks.fail("offset_size is " + std::to_string(args.offset_size) + ": offsets have 4 or 8 bytes");
    }
}

} // namespace vkprim
