// The C interface of SegmentedScan.
#include <vkprim/segmented_scan.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_scan_desc& c, SegmentedScan::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.kind, cpp.kind);
    visit(c.segments, cpp.segments);
    visit(c.waits, cpp.waits);
    visit(c.own, cpp.own);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_scan_args& c, SegmentedScan::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_scan_args& c, SegmentedScan::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit.flat(c, cpp.size);
    visit(c.count_address, cpp.count_address);
    visit(c.segments_address, cpp.segments_address);
    visit(c.offsets, cpp.offsets);
    visit(c.offset_size, cpp.offset_size);
    visit(c.pitch, cpp.pitch);
    visit(c.output_pitch, cpp.output_pitch);
    visit(c.part, cpp.part);
    visit(c.parameters, cpp.parameters);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_segmented_scan {
    SegmentedScan object;
};

void vkprim_segmented_scan_desc_init(vkprim_segmented_scan_desc* desc, size_t struct_size) {
    init<SegmentedScan::Desc>(desc, struct_size);
}
void vkprim_segmented_scan_args_init(vkprim_segmented_scan_args* args, size_t struct_size) {
    init<SegmentedScan::Args>(args, struct_size);
}
VkResult vkprim_segmented_scan_create(const vkprim_context* context, const vkprim_segmented_scan_desc* desc,
                                      vkprim_segmented_scan** segmented_scan, vkprim_error* error) {
    return create_handle(context, desc, segmented_scan, error);
}
void     vkprim_segmented_scan_destroy(vkprim_segmented_scan* segmented_scan) { delete segmented_scan; }
VkResult vkprim_segmented_scan_scratch_size(const vkprim_segmented_scan*      segmented_scan,
                                            const vkprim_segmented_scan_args* args, VkDeviceSize* size,
                                            vkprim_error* error) {
    return size_of<SegmentedScan::Args>(&SegmentedScan::scratch_size, segmented_scan, args, size, error);
}
VkResult vkprim_segmented_scan_validate(const vkprim_segmented_scan*      segmented_scan,
                                        const vkprim_segmented_scan_args* args, vkprim_error* error) {
    return validate_args<SegmentedScan::Args>(segmented_scan, args, error);
}
VkResult vkprim_segmented_scan_record(const vkprim_segmented_scan* segmented_scan, VkCommandBuffer commands,
                                      const vkprim_segmented_scan_args* args, vkprim_error* error) {
    return record_args(&SegmentedScan::record, segmented_scan, commands, args, error);
}
