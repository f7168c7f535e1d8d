// The C interface of ChunkedScan.
#include <vkprim/chunked_scan.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_chunked_scan_desc& c, ChunkedScan::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.kind, cpp.kind);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_chunked_scan_args& c, ChunkedScan::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.totals, cpp.totals);
    visit(c.temporary, cpp.temporary);
    visit(c.chunk, cpp.chunk);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_chunked_scan {
    ChunkedScan object;
};

void vkprim_chunked_scan_desc_init(vkprim_chunked_scan_desc* desc, size_t struct_size) {
    init<ChunkedScan::Desc>(desc, struct_size);
}
void vkprim_chunked_scan_args_init(vkprim_chunked_scan_args* args, size_t struct_size) {
    init<ChunkedScan::Args>(args, struct_size);
}
VkResult vkprim_chunked_scan_create(const vkprim_context* context, const vkprim_chunked_scan_desc* desc,
                                    vkprim_chunked_scan** chunked_scan, vkprim_error* error) {
    return create_handle(context, desc, chunked_scan, error);
}
void         vkprim_chunked_scan_destroy(vkprim_chunked_scan* chunked_scan) { delete chunked_scan; }
VkDeviceSize vkprim_chunked_scan_totals_size(const vkprim_chunked_scan* chunked_scan, uint64_t count) {
    return chunked_scan->object.totals_size(count);
}
void vkprim_chunked_scan_totals_range(const vkprim_chunked_scan* chunked_scan, const vkprim_chunk* chunk,
                                      vkprim_totals_range* range) {
    *range = written<vkprim_totals_range>(chunked_scan->object.totals_range({chunk->begin, chunk->count}));
}
VkDeviceSize vkprim_chunked_scan_temporary_size(const vkprim_chunked_scan* chunked_scan, uint32_t count) {
    return chunked_scan->object.temporary_size(count);
}
VkResult vkprim_chunked_scan_record_totals(const vkprim_chunked_scan* chunked_scan, VkCommandBuffer commands,
                                           const vkprim_chunked_scan_args* args, vkprim_error* error) {
    return record_args(&ChunkedScan::record_totals, chunked_scan, commands, args, error);
}
VkResult vkprim_chunked_scan_record_outputs(const vkprim_chunked_scan* chunked_scan, VkCommandBuffer commands,
                                            const vkprim_chunked_scan_args* args, vkprim_error* error) {
    return record_args(&ChunkedScan::record_outputs, chunked_scan, commands, args, error);
}
VkResult vkprim_chunked_scan_validate(const vkprim_chunked_scan* chunked_scan, const vkprim_chunked_scan_args* args,
                                      vkprim_error* error) {
    return validate_args<ChunkedScan::Args>(chunked_scan, args, error);
}
VkResult vkprim_chunked_scan_record(const vkprim_chunked_scan* chunked_scan, VkCommandBuffer commands,
                                    const vkprim_chunked_scan_args* args, vkprim_error* error) {
    return record_args(&ChunkedScan::record, chunked_scan, commands, args, error);
}
