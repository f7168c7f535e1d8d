// The C interface of ChunkedReduce.
#include <vkprim/chunked_reduce.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_chunked_reduce_desc& c, ChunkedReduce::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.wide, cpp.wide);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_chunked_reduce_totals_args& c, ChunkedReduce::TotalsArgs& cpp) {
    visit(c.input, cpp.input);
    visit(c.totals, cpp.totals);
    visit(c.chunk, cpp.chunk);
    visit(c.whole, cpp.whole);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_chunked_reduce_result_args& c, ChunkedReduce::ResultArgs& cpp) {
    visit(c.totals, cpp.totals);
    visit(c.temporary, cpp.temporary);
    visit(c.output, cpp.output);
    visit(c.whole, cpp.whole);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_chunked_reduce {
    ChunkedReduce object;
};

void vkprim_chunked_reduce_desc_init(vkprim_chunked_reduce_desc* desc, size_t struct_size) {
    init<ChunkedReduce::Desc>(desc, struct_size);
}
void vkprim_chunked_reduce_totals_args_init(vkprim_chunked_reduce_totals_args* args, size_t struct_size) {
    init<ChunkedReduce::TotalsArgs>(args, struct_size);
}
void vkprim_chunked_reduce_result_args_init(vkprim_chunked_reduce_result_args* args, size_t struct_size) {
    init<ChunkedReduce::ResultArgs>(args, struct_size);
}
VkResult vkprim_chunked_reduce_create(const vkprim_context* context, const vkprim_chunked_reduce_desc* desc,
                                      vkprim_chunked_reduce** chunked_reduce, vkprim_error* error) {
    return create_handle(context, desc, chunked_reduce, error);
}
void         vkprim_chunked_reduce_destroy(vkprim_chunked_reduce* chunked_reduce) { delete chunked_reduce; }
VkDeviceSize vkprim_chunked_reduce_totals_size(const vkprim_chunked_reduce* chunked_reduce, uint64_t whole) {
    return chunked_reduce->object.totals_size(whole);
}
void vkprim_chunked_reduce_totals_range(const vkprim_chunked_reduce* chunked_reduce, const vkprim_chunk* chunk,
                                        uint64_t whole, vkprim_totals_range* range) {
    *range = written<vkprim_totals_range>(chunked_reduce->object.totals_range({chunk->begin, chunk->count}, whole));
}
VkDeviceSize vkprim_chunked_reduce_temporary_size(const vkprim_chunked_reduce* chunked_reduce) {
    return chunked_reduce->object.temporary_size();
}
VkResult vkprim_chunked_reduce_validate_totals(const vkprim_chunked_reduce*             chunked_reduce,
                                               const vkprim_chunked_reduce_totals_args* args, vkprim_error* error) {
    return validate_args<ChunkedReduce::TotalsArgs>(chunked_reduce, args, error);
}
VkResult vkprim_chunked_reduce_validate_result(const vkprim_chunked_reduce*             chunked_reduce,
                                               const vkprim_chunked_reduce_result_args* args, vkprim_error* error) {
    return validate_args<ChunkedReduce::ResultArgs>(chunked_reduce, args, error);
}
VkResult vkprim_chunked_reduce_record_totals(const vkprim_chunked_reduce* chunked_reduce, VkCommandBuffer commands,
                                             const vkprim_chunked_reduce_totals_args* args, vkprim_error* error) {
    return record_args(&ChunkedReduce::record_totals, chunked_reduce, commands, args, error);
}
VkResult vkprim_chunked_reduce_record_result(const vkprim_chunked_reduce* chunked_reduce, VkCommandBuffer commands,
                                             const vkprim_chunked_reduce_result_args* args, vkprim_error* error) {
    return record_args(&ChunkedReduce::record_result, chunked_reduce, commands, args, error);
}
