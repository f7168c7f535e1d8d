// The C interface of Top.
#include <vkprim/top.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_top_desc& c, Top::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.largest, cpp.largest);
    visit(c.nth, cpp.nth);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_top_args& c, Top::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.wanted, cpp.wanted);
    visit(c.rows, cpp.rows);
    visit(c.row_stride, cpp.row_stride);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_top_args& c, Top::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_indices, cpp.output_indices);
    visit(c.temporary, cpp.temporary);
    visit.flat(c, cpp.size);
    visit(c.count_address, cpp.count_address);
}

} // namespace vkprim

using namespace vkprim;

static_assert(VKPRIM_TOP_MOST_WANTED == Top::most_wanted);

struct vkprim_top {
    Top object;
};

void     vkprim_top_desc_init(vkprim_top_desc* desc, size_t struct_size) { init<Top::Desc>(desc, struct_size); }
void     vkprim_top_args_init(vkprim_top_args* args, size_t struct_size) { init<Top::Args>(args, struct_size); }
VkResult vkprim_top_create(const vkprim_context* context, const vkprim_top_desc* desc, vkprim_top** top,
                           vkprim_error* error) {
    return create_handle(context, desc, top, error);
}
void     vkprim_top_destroy(vkprim_top* top) { delete top; }
VkResult vkprim_top_temporary_size(const vkprim_top* top, const vkprim_top_args* args, VkDeviceSize* size,
                                   vkprim_error* error) {
    return size_of<Top::Args>(&Top::temporary_size, top, args, size, error);
}
VkDeviceSize vkprim_top_scratch_size(const vkprim_top* top, uint32_t count) { return top->object.scratch_size(count); }
VkResult     vkprim_top_validate(const vkprim_top* top, const vkprim_top_args* args, vkprim_error* error) {
        return validate_args<Top::Args>(top, args, error);
}
VkResult vkprim_top_record(const vkprim_top* top, VkCommandBuffer commands, const vkprim_top_args* args,
                           vkprim_error* error) {
    return record_args(&Top::record, top, commands, args, error);
}
