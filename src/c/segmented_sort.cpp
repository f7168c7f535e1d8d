// The C interface of SegmentedSort.
#include <vkprim/segmented_sort.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_sort_desc& c, SegmentedSort::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.values, cpp.values);
    visit(c.descending, cpp.descending);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_sort_args& c, SegmentedSort::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
    visit(c.longest, cpp.longest);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segmented_sort_args& c, SegmentedSort::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.values, cpp.values);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_values, cpp.output_values);
    visit(c.temporary, cpp.temporary);
    visit.flat(c, cpp.size);
    visit(c.count_address, cpp.count_address);
    visit(c.segments_address, cpp.segments_address);
    visit(c.offsets, cpp.offsets);
    visit(c.offset_size, cpp.offset_size);
    visit(c.row_stride, cpp.row_stride);
    visit(c.begin_bit, cpp.begin_bit);
    visit(c.end_bit, cpp.end_bit);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_segmented_sort {
    SegmentedSort object;
};

void vkprim_segmented_sort_desc_init(vkprim_segmented_sort_desc* desc, size_t struct_size) {
    init<SegmentedSort::Desc>(desc, struct_size);
}
void vkprim_segmented_sort_args_init(vkprim_segmented_sort_args* args, size_t struct_size) {
    init<SegmentedSort::Args>(args, struct_size);
}
VkResult vkprim_segmented_sort_create(const vkprim_context* context, const vkprim_segmented_sort_desc* desc,
                                      vkprim_segmented_sort** segmented_sort, vkprim_error* error) {
    return create_handle(context, desc, segmented_sort, error);
}
void     vkprim_segmented_sort_destroy(vkprim_segmented_sort* segmented_sort) { delete segmented_sort; }
uint32_t vkprim_segmented_sort_most_short(const vkprim_segmented_sort* segmented_sort) {
    return segmented_sort->object.most_short();
}
VkResult vkprim_segmented_sort_temporary_size(const vkprim_segmented_sort*      segmented_sort,
                                              const vkprim_segmented_sort_args* args, VkDeviceSize* size,
                                              vkprim_error* error) {
    return size_of<SegmentedSort::Args>(&SegmentedSort::temporary_size, segmented_sort, args, size, error);
}
VkResult vkprim_segmented_sort_scratch_size(const vkprim_segmented_sort*      segmented_sort,
                                            const vkprim_segmented_sort_args* args, VkDeviceSize* size,
                                            vkprim_error* error) {
    return size_of<SegmentedSort::Args>(&SegmentedSort::scratch_size, segmented_sort, args, size, error);
}
VkResult vkprim_segmented_sort_validate(const vkprim_segmented_sort*      segmented_sort,
                                        const vkprim_segmented_sort_args* args, vkprim_error* error) {
    return validate_args<SegmentedSort::Args>(segmented_sort, args, error);
}
VkResult vkprim_segmented_sort_record(const vkprim_segmented_sort* segmented_sort, VkCommandBuffer commands,
                                      const vkprim_segmented_sort_args* args, vkprim_error* error) {
    return record_args(&SegmentedSort::record, segmented_sort, commands, args, error);
}
