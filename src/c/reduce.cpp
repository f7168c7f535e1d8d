// The C interface of Reduce.
#include <vkprim/reduce.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_reduce_desc& c, Reduce::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.aligned, cpp.aligned);
    visit(c.own, cpp.own);
    visit(c.strided, cpp.strided);
    visit(c.order, cpp.order);
    visit(c.wide, cpp.wide);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_reduce_args& c, Reduce::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.count_address, cpp.count_address);
    visit(c.part, cpp.part);
    visit(c.indirect, cpp.indirect);
    visit(c.parameters, cpp.parameters);
    visit(c.stride, cpp.stride);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_reduce {
    Reduce object;
};

void vkprim_reduce_desc_init(vkprim_reduce_desc* desc, size_t struct_size) { init<Reduce::Desc>(desc, struct_size); }
void vkprim_reduce_args_init(vkprim_reduce_args* args, size_t struct_size) { init<Reduce::Args>(args, struct_size); }
VkResult vkprim_reduce_create(const vkprim_context* context, const vkprim_reduce_desc* desc, vkprim_reduce** reduce,
                              vkprim_error* error) {
    return create_handle(context, desc, reduce, error);
}
void         vkprim_reduce_destroy(vkprim_reduce* reduce) { delete reduce; }
VkDeviceSize vkprim_reduce_scratch_size(const vkprim_reduce* reduce, uint32_t count) {
    return reduce->object.scratch_size(count);
}
VkResult vkprim_reduce_grid(const vkprim_reduce* reduce, const vkprim_reduce_args* args, vkprim_grid* grid,
                            vkprim_error* error) {
    return grid_of<Reduce::Args>(reduce, args, grid, error);
}
VkResult vkprim_reduce_validate(const vkprim_reduce* reduce, const vkprim_reduce_args* args, vkprim_error* error) {
    return validate_args<Reduce::Args>(reduce, args, error);
}
VkResult vkprim_reduce_record(const vkprim_reduce* reduce, VkCommandBuffer commands, const vkprim_reduce_args* args,
                              vkprim_error* error) {
    return record_args(&Reduce::record, reduce, commands, args, error);
}
