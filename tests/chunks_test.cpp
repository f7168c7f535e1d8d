// What chunks of arrays promise beyond their results, which the harness verifies: what validate() says, and which totals a chunk writes.
#include <vkprim/chunked_reduce.h>
#include <vkprim/chunked_scan.h>

#include "support/memory.h"

namespace vkprim::tests {
namespace {

constexpr VkDeviceAddress somewhere = 0x10000, elsewhere = uint64_t{1} << 40, there = uint64_t{1} << 41;

ChunkedReduce::TotalsArgs totals_args(const Chunk& chunk, uint64_t whole) {
    return {somewhere, elsewhere, chunk, whole};
}

ChunkedScan::Args scan_args(const Chunk& chunk) { return {somewhere, elsewhere, there, there + (1u << 30), chunk}; }

} // namespace

TEST_CASE("chunks of a reduction write the totals that belong to them", "[device][contract]") {
    const auto reduce = value_of(ChunkedReduce::create(device().context(), {ElementType::f32, Operation::add}));
    for (uint64_t whole : {uint64_t{1}, uint64_t{chunk_step}, uint64_t{5} * chunk_step + 1, uint64_t{1} << 33,
                           (uint64_t{1} << 36) - 1, uint64_t{1} << 36}) {
        CAPTURE(whole);
        const uint64_t size = 3 * uint64_t{chunk_step} << (whole >> 31 == 0 ? 0 : 8);
        VkDeviceSize   end  = 0;
        for (uint64_t begin = 0; begin < whole; begin += size) {
            const Chunk       chunk{begin, static_cast<uint32_t>(std::min(size, whole - begin))};
            const TotalsRange range = reduce.totals_range(chunk, whole);
            require(reduce.validate(totals_args(chunk, whole)));
            CHECK(range.offset == end);
            end = range.offset + range.size;
        }
        CHECK(end == reduce.totals_size(whole));
        CHECK(end <= 65536 * 4);
    }
    CHECK(reduce.totals_size(0) == 0);
}

TEST_CASE("chunks of a scan write the totals of whole groups", "[device][contract]") {
    const auto words = value_of(ChunkedScan::create(device().context(), {}));
    const auto longs = value_of(ChunkedScan::create(device().context(), {ElementType::u64, Operation::add}));
    CHECK(words.totals_size(chunk_step - 1) == 0);
    CHECK(words.totals_size(uint64_t{7} * chunk_step + 5) == 28);
    CHECK(longs.totals_size(chunk_step / 2 - 1) == 0);
    CHECK(longs.totals_size(uint64_t{7} * chunk_step + 5) == 14 * 8);
    const TotalsRange range = words.totals_range({uint64_t{5} * chunk_step, 2 * chunk_step + 9});
    CHECK(range.offset == 20);
    CHECK(range.size == 8);
    CHECK(words.temporary_size(1) <= words.temporary_size(UINT32_MAX));
}

TEST_CASE("chunks that are no part of an array are refused", "[device][contract]") {
    const auto reduce = value_of(ChunkedReduce::create(device().context(), {}));
    const auto scan   = value_of(ChunkedScan::create(device().context(), {}));
    const auto longs  = value_of(ChunkedScan::create(device().context(), {ElementType::u64, Operation::add}));
    const auto refuse = [](const Result<void>& result, const std::string& word) {
        check_error(result, ErrorKind::invalid_args, word);
    };
    const uint64_t whole = uint64_t{4} * chunk_step;
    refuse(reduce.validate(totals_args({1, chunk_step}, whole)), "chunk.begin is 1");
    refuse(reduce.validate(totals_args({0, 1}, whole)), "chunk.count is 1");
    refuse(reduce.validate(totals_args({whole, 1}, whole)), "ends after the end of the array");
    refuse(reduce.validate(totals_args({whole + chunk_step, 0}, whole)), "ends after the end of the array");
    refuse(reduce.validate(totals_args({0, chunk_step}, max_chunked_count + 1)), "too large");
    require(reduce.validate(totals_args({whole, 0}, whole)));
    refuse(scan.validate(scan_args({5, chunk_step})), "chunk.begin is 5");
    refuse(scan.validate(scan_args({max_chunked_count, 1})), "too large");
    require(longs.validate(scan_args({max_chunked_long_count - chunk_step, chunk_step})));
    refuse(longs.validate(scan_args({max_chunked_long_count, 1})), "too large");

    // The chunk's totals lie within its input, and the output among the totals before it.
    ChunkedReduce::TotalsArgs overlapping = totals_args({chunk_step, chunk_step}, whole);
    overlapping.totals                    = overlapping.input;
    refuse(reduce.validate(overlapping), "overlap");
    ChunkedScan::Args args = scan_args({uint64_t{1} << 30, chunk_step});
    args.output            = args.totals;
    refuse(scan.validate(args), "overlap");
    args        = scan_args({0, chunk_step});
    args.totals = 0;
    refuse(scan.validate(args), "totals");
}

TEST_CASE("indices of elements in chunks have 32 bits", "[device][contract]") {
    const auto reduce = value_of(ChunkedReduce::create(device().context(), {ElementType::u32, Operation::argmin}));
    require(reduce.validate(totals_args({0, chunk_step}, UINT32_MAX)));
    check_error(reduce.validate(totals_args({0, chunk_step}, uint64_t{UINT32_MAX} + 1)), ErrorKind::invalid_args,
                "too large");
    check_error(ChunkedScan::create(device().context(), {ElementType::u32, Operation::argmin}), ErrorKind::invalid_desc,
                "chunked_reduce has");
}

TEST_CASE("the reduction of no chunks is the identity", "[device][contract]") {
    const auto reduce = value_of(ChunkedReduce::create(device().context(), {ElementType::i32, Operation::min}));
    const runtime::Buffer           output = buffer_of_zeros(4), temporary = buffer_of_zeros(reduce.temporary_size());
    auto                            commands = value_of(device().begin_commands());
    const ChunkedReduce::ResultArgs args{0, temporary.address(), output.address(), 0};
    require(reduce.validate(args));
    reduce.record_result(commands.handle(), args);
    value_of(commands.submit_and_wait());
    CHECK(content_of(output) == std::vector<uint32_t>{0x7fffffff});
}

} // namespace vkprim::tests
