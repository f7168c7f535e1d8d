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

VKPRIM_SKIN_HANDLE(chunked_reduce, ChunkedReduce)
VKPRIM_SKIN_INIT(chunked_reduce_totals_args, ChunkedReduce::TotalsArgs)
VKPRIM_SKIN_INIT(chunked_reduce_result_args, ChunkedReduce::ResultArgs)

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

VKPRIM_SKIN_VALIDATE(chunked_reduce_validate_totals, chunked_reduce, chunked_reduce_totals_args,
                     ChunkedReduce::TotalsArgs)
VKPRIM_SKIN_VALIDATE(chunked_reduce_validate_result, chunked_reduce, chunked_reduce_result_args,
                     ChunkedReduce::ResultArgs)
VKPRIM_SKIN_RECORD(chunked_reduce_record_totals, chunked_reduce, chunked_reduce_totals_args,
                   &ChunkedReduce::record_totals)
VKPRIM_SKIN_RECORD(chunked_reduce_record_result, chunked_reduce, chunked_reduce_result_args,
                   &ChunkedReduce::record_result)
