// The C interface of Sort.
#include <vkprim/sort.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_sort_desc& c, Sort::Desc& cpp) {
    visit(c.key, cpp.key);
    visit(c.values, cpp.values);
    visit(c.descending, cpp.descending);
    visit(c.rows, cpp.rows);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_sort_args& c, Sort::Args& cpp) {
    visit(c.keys, cpp.keys);
    visit(c.values, cpp.values);
    visit(c.output_keys, cpp.output_keys);
    visit(c.output_values, cpp.output_values);
    visit(c.temporary, cpp.temporary);
    visit(c.count, cpp.count);
    visit(c.count_address, cpp.count_address);
    visit(c.rows, cpp.rows);
    visit(c.row_stride, cpp.row_stride);
    visit(c.begin_bit, cpp.begin_bit);
    visit(c.end_bit, cpp.end_bit);
    visit(c.indirect, cpp.indirect);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_sort {
    Sort object;
};

void     vkprim_sort_desc_init(vkprim_sort_desc* desc, size_t struct_size) { init<Sort::Desc>(desc, struct_size); }
void     vkprim_sort_args_init(vkprim_sort_args* args, size_t struct_size) { init<Sort::Args>(args, struct_size); }
VkResult vkprim_sort_create(const vkprim_context* context, const vkprim_sort_desc* desc, vkprim_sort** sort,
                            vkprim_error* error) {
    return create_handle(context, desc, sort, error);
}
void         vkprim_sort_destroy(vkprim_sort* sort) { delete sort; }
VkDeviceSize vkprim_sort_temporary_size(const vkprim_sort* sort, uint32_t count, uint32_t rows) {
    return sort->object.temporary_size(count, rows);
}
VkDeviceSize vkprim_sort_scratch_size(const vkprim_sort* sort, uint32_t count) {
    return sort->object.scratch_size(count);
}
VkResult vkprim_sort_grid(const vkprim_sort* sort, const vkprim_sort_args* args, vkprim_grid* grid,
                          vkprim_error* error) {
    return grid_of<Sort::Args>(sort, args, grid, error);
}
VkResult vkprim_sort_validate(const vkprim_sort* sort, const vkprim_sort_args* args, vkprim_error* error) {
    return validate_args<Sort::Args>(sort, args, error);
}
VkResult vkprim_sort_record(const vkprim_sort* sort, VkCommandBuffer commands, const vkprim_sort_args* args,
                            vkprim_error* error) {
    return record_args(&Sort::record, sort, commands, args, error);
}
