// The C interface of SegmentedReduce.
#include <vkprim/segmented_reduce.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_reduce_desc& c, SegmentedReduce::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.segments, cpp.segments);
    visit(c.own, cpp.own);
    visit(c.wide, cpp.wide);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_reduce_args& c, SegmentedReduce::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_reduce_args& c, SegmentedReduce::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit.flat(c, cpp.size);
    visit(c.count_address, cpp.count_address);
    visit(c.segments_address, cpp.segments_address);
    visit(c.offsets, cpp.offsets);
    visit(c.offset_size, cpp.offset_size);
    visit(c.pitch, cpp.pitch);
    visit(c.part, cpp.part);
    visit(c.parameters, cpp.parameters);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_segmented_reduce {
    SegmentedReduce object;
};

void vkprim_segmented_reduce_desc_init(vkprim_segmented_reduce_desc* desc, size_t struct_size) {
    init<SegmentedReduce::Desc>(desc, struct_size);
}
void vkprim_segmented_reduce_args_init(vkprim_segmented_reduce_args* args, size_t struct_size) {
    init<SegmentedReduce::Args>(args, struct_size);
}
VkResult vkprim_segmented_reduce_create(const vkprim_context* context, const vkprim_segmented_reduce_desc* desc,
                                        vkprim_segmented_reduce** segmented_reduce, vkprim_error* error) {
    return create_handle(context, desc, segmented_reduce, error);
}
void     vkprim_segmented_reduce_destroy(vkprim_segmented_reduce* segmented_reduce) { delete segmented_reduce; }
VkResult vkprim_segmented_reduce_scratch_size(const vkprim_segmented_reduce*      segmented_reduce,
                                              const vkprim_segmented_reduce_args* args, VkDeviceSize* size,
                                              vkprim_error* error) {
    return size_of<SegmentedReduce::Args>(&SegmentedReduce::scratch_size, segmented_reduce, args, size, error);
}
VkResult vkprim_segmented_reduce_validate(const vkprim_segmented_reduce*      segmented_reduce,
                                          const vkprim_segmented_reduce_args* args, vkprim_error* error) {
    return validate_args<SegmentedReduce::Args>(segmented_reduce, args, error);
}
VkResult vkprim_segmented_reduce_record(const vkprim_segmented_reduce* segmented_reduce, VkCommandBuffer commands,
                                        const vkprim_segmented_reduce_args* args, vkprim_error* error) {
    return record_args(&SegmentedReduce::record, segmented_reduce, commands, args, error);
}
