// The C interface of Expand.
#include <vkprim/expand.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_desc& c, Expand::Desc& cpp) {
    visit(c.values, cpp.values);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_args& c, Expand::Size& cpp) {
    visit(c.count, cpp.count);
    visit(c.segments, cpp.segments);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_expand_args& c, Expand::Args& cpp) {
    visit(c.offsets, cpp.offsets);
    visit(c.values, cpp.values);
    visit(c.output, cpp.output);
    visit.flat(c, cpp.size);
    visit(c.segments_address, cpp.segments_address);
    visit(c.part, cpp.part);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_expand {
    Expand object;
};

void vkprim_expand_desc_init(vkprim_expand_desc* desc, size_t struct_size) { init<Expand::Desc>(desc, struct_size); }
void vkprim_expand_args_init(vkprim_expand_args* args, size_t struct_size) { init<Expand::Args>(args, struct_size); }
VkResult vkprim_expand_create(const vkprim_context* context, const vkprim_expand_desc* desc, vkprim_expand** expand,
                              vkprim_error* error) {
    return create_handle(context, desc, expand, error);
}
void     vkprim_expand_destroy(vkprim_expand* expand) { delete expand; }
VkResult vkprim_expand_scratch_size(const vkprim_expand* expand, const vkprim_expand_args* args, VkDeviceSize* size,
                                    vkprim_error* error) {
    return size_of<Expand::Args>(&Expand::scratch_size, expand, args, size, error);
}
VkResult vkprim_expand_validate(const vkprim_expand* expand, const vkprim_expand_args* args, vkprim_error* error) {
    return validate_args<Expand::Args>(expand, args, error);
}
VkResult vkprim_expand_record(const vkprim_expand* expand, VkCommandBuffer commands, const vkprim_expand_args* args,
                              vkprim_error* error) {
    return record_args(&Expand::record, expand, commands, args, error);
}
