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

VKPRIM_SKIN_HANDLE(chunked_scan, ChunkedScan)
VKPRIM_SKIN_INIT(chunked_scan_args, ChunkedScan::Args)
VKPRIM_SKIN_VALIDATE(chunked_scan_validate, chunked_scan, chunked_scan_args, ChunkedScan::Args)
VKPRIM_SKIN_RECORD(chunked_scan_record, chunked_scan, chunked_scan_args, &ChunkedScan::record)

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

VKPRIM_SKIN_RECORD(chunked_scan_record_totals, chunked_scan, chunked_scan_args, &ChunkedScan::record_totals)
VKPRIM_SKIN_RECORD(chunked_scan_record_outputs, chunked_scan, chunked_scan_args, &ChunkedScan::record_outputs)
