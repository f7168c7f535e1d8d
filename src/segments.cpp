#include "segments.h"

namespace vkprim {

void check_layout(Checks& checks, SegmentLayout layout, const Segments& segments) {
    if (layout == SegmentLayout::none && (segments.count != 1 || segments.count_address)) {
        checks.fail("segments.count is " + std::to_string(segments.count) +
                    (segments.count_address ? ", with a count_address" : "") + ": more than one takes Desc::segments");
    } else if (layout != SegmentLayout::rows && segments.pitch != 0) {
        checks.fail("segments.pitch is " + std::to_string(segments.pitch) + ": that takes SegmentLayout::rows");
    } else if (layout != SegmentLayout::offsets && segments.offsets != 0) {
        checks.fail("segments.offsets is set: that takes SegmentLayout::offsets");
    } else if (layout == SegmentLayout::offsets && segments.offset_size != 4 && segments.offset_size != 8) {
        checks.fail("segments.offset_size is " + std::to_string(segments.offset_size) + ": offsets have 4 or 8 bytes");
    }
}

void check_pitch(Checks& checks, const char* name, VkDeviceSize pitch, const SegmentSize& size, uint32_t element_size,
                 uint32_t alignment) {
    const VkDeviceSize row     = VkDeviceSize{size.count} * element_size;
    const bool         several = size.segments > 1;
    if (pitch % alignment != 0) {
        checks.fail(std::string(name) + " is " + std::to_string(pitch) + ": it must be a multiple of " +
                    std::to_string(alignment));
    } else if (several && pitch > 0 && pitch < row) {
        checks.fail(std::string(name) + " is " + std::to_string(pitch) + ", and a row has " +
                    std::to_string(size.count) + " elements: rows must not overlap");
    } else if (several && pitch > UINT32_MAX) {
        checks.fail(std::string(name) + " is " + std::to_string(pitch) + ": rows begin less than 4 GiB apart");
    } else if (several && row > UINT32_MAX) {
        checks.fail("count is " + std::to_string(size.count) + ": rows have less than 4 GiB each");
    }
}

} // namespace vkprim
