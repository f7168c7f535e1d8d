// Scans in chunks. Each byte goes to a device once: a thread computes its chunk's totals, waits for those of all chunks before, and goes on.
#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>

#include "chunk_commands.h"
#include "harness/references.h"
#include "tools/cli/files/output_file.h"
#include "tools/cli/sum_range.h"

namespace vkprim::tools {

namespace {

/// The totals of groups, in one array for all devices; changed by ChunkList::change().
struct KnownTotals {
    std::vector<uint8_t> bytes;
    std::vector<bool>    chunks;    ///< whose totals are there
    uint32_t             first = 0; ///< so many chunks from the first on have all

    std::vector<SumRange> sums; ///< of each chunk, where the sums of 32 bits may wrap
};

/// Whether the elements of the array's type are to be widened to those of desc.type, which has 64 bits.
bool is_wide(const MappedArray& array, const ChunkedScan::Desc& desc) {
    return harness::input_size(desc.type) > element_size(widened(array.type));
}

/// The array's place in a .npy file.
struct NpyOutput {
    const OutputFile& file;
    uint64_t          begin; ///< bytes ahead of the elements
};

class ScanWork : public ChunkWork {
public:
    ScanWork(ChunkedJob& job, const runtime::Device& device, ChunkedScan::Desc desc, KnownTotals& known,
             const NpyOutput& output)
        : job_(job),
          elements_(job.array(), device,
                    is_wide(job.array(), desc) ? ElementsForDevice::As::wide : ElementsForDevice::As::in_file),
          in_place_(elements_.type() == desc.type),
          output_size_(element_size(desc.type)),
          kind_(desc.kind),
          scan_(need_device(ChunkedScan::create(device.context(), {elements_.type(), desc.operation, desc.kind}))),
          known_(known),
          output_(output) {
        known_.bytes.resize(scan_.totals_size(job.array().count)); // the same on every device
    }

    SlotSize slot_size(uint32_t count) const override {
        return {
            std::max({elements_.size(count), uint64_t{count} * output_size_, scan_.totals_size(job_.array().count)}),
            parts(count).size};
    }

    bool run(Slot& slot, uint32_t number) override {
        const Chunk       chunk = job_.chunks().chunk(number);
        const Parts       parts = this->parts(job_.chunks().chunk(0).count);
        const TotalsRange own   = scan_.totals_range(chunk);
        ChunkedScan::Args args;
        args.input     = slot.at(0);
        args.output    = slot.at(parts.output);
        args.totals    = slot.at(parts.totals);
        args.temporary = slot.at(parts.temporary);
        args.chunk     = chunk;

        elements_.load(chunk, slot.host());
        if (!known_.sums.empty()) known_.sums[number] = sums_of(chunk, slot.host());
        slot.submit({0, 0, elements_.size(chunk.count)},
                    [&](VkCommandBuffer commands) { record_valid(scan_, &ChunkedScan::record_totals, commands, args); },
                    {parts.totals + own.offset, 0, own.size});
        job_.chunks().change([&] {
            if (known_.chunks[number]) return; // from a device that failed later
            if (own.size > 0) std::memcpy(known_.bytes.data() + own.offset, slot.host(), own.size);
            known_.chunks[number] = true;
            while (known_.first < known_.chunks.size() && known_.chunks[known_.first]) ++known_.first;
        });
        if (!job_.chunks().wait_until(number, [&] { return known_.first >= number; })) return false;

        const uint64_t before = scan_.totals_size(chunk.begin);
        if (before > 0) std::memcpy(slot.host(), known_.bytes.data(), before);
        const uint64_t size = uint64_t{chunk.count} * output_size_;
        slot.submit(
            {0, parts.totals, before},
            [&](VkCommandBuffer commands) { record_valid(scan_, &ChunkedScan::record_outputs, commands, args); },
            {parts.output, 0, size});
        need_file(output_.file.write(output_.begin + chunk.begin * output_size_, slot.host(), size));
        return true;
    }

private:
    /// Of elements as they were loaded. An exclusive scan does not write the sum of all.
    SumRange sums_of(const Chunk& chunk, const uint8_t* elements) const {
        const bool all = kind_ == Scan::Kind::inclusive || chunk.begin + chunk.count < job_.array().count;
        return sum_range_of(elements_.type(), elements, chunk.count - (all || chunk.count == 0 ? 0 : 1));
    }

    struct Parts {
        uint64_t output, totals, temporary, size;
    };

    Parts parts(uint32_t count) const {
        Layout         layout;
        const uint64_t input = layout.place(elements_.size(count));
        Parts          parts;
        parts.output    = in_place_ ? input : layout.place(uint64_t{count} * output_size_);
        parts.totals    = layout.place(scan_.totals_size(job_.array().count));
        parts.temporary = layout.place(scan_.temporary_size(count));
        parts.size      = layout.size();
        return parts;
    }

    ChunkedJob&       job_;
    ElementsForDevice elements_;
    bool              in_place_;
    uint32_t          output_size_; ///< bytes of an element
    Scan::Kind        kind_;
    ChunkedScan       scan_;
    KnownTotals&      known_;
    const NpyOutput&  output_;
};

/// A Failure where the output differs from what the CPU computes of the input.
void check(const ChunkedJob& job, const ChunkedScan::Desc& desc, const NpyOutput& output) {
    std::mutex  mutex;
    uint64_t    first = std::numeric_limits<uint64_t>::max(); // piece that is wrong
    std::string wrong;
    const auto  compare = [&](uint64_t begin, uint32_t count, const uint32_t* expected) {
        const uint32_t        size = element_size(desc.type);
        std::vector<uint32_t> got(uint64_t{count} * size / 4);
        const Result<void>    read = output.file.read(output.begin + begin * size, got.data(), got.size() * 4);
        const std::string     what = read ? difference(desc.type, expected, got.data(), count) : read.error().reason;
        const std::lock_guard lock(mutex);
        if (what.empty() || begin > first) return;
        first = begin;
        wrong = begin == 0 ? what : "from element " + std::to_string(begin) + " on, " + what;
    };
    Scan::Desc whole;
    whole.type      = desc.type;
    whole.operation = desc.operation;
    whole.kind      = desc.kind;
    harness::reference_scan(whole, LoadFrom(job.array(), is_wide(job.array(), desc)), job.array().count, compare);
    job.require_right(wrong);
}

} // namespace

ChunkedSums scan_in_chunks(ChunkedJob& job, const JobFlags& flags, const ChunkedScan::Desc& desc,
                           const std::string& output) {
    const uint64_t    count = job.array().count;
    const uint32_t    size  = element_size(desc.type);
    const std::string head  = npy_head(number_type(desc.type), {count});
    OutputFile        file  = need_file(OutputFile::create(output, head.size() + count * size));
    const NpyOutput   place{file, head.size()};
    need_file(file.write(0, head.data(), head.size()));

    KnownTotals known;
    job.prepare(
        [&](const runtime::Device& device) { return std::make_unique<ScanWork>(job, device, desc, known, place); });
    known.chunks.resize(job.chunks().count());
    if (tells_wrapping(desc.type, desc.operation)) known.sums.resize(job.chunks().count());
    job.run();
    if (!flags.no_check) check(job, desc, place);
    ChunkedSums result;
    if (count > 0) need_file(file.read(head.size() + (count - 1) * size, &result.last, size));
    result.wrapped = wraps(desc.type, known.sums);
    job.finish();
    need_file(file.commit());
    return result;
}

} // namespace vkprim::tools
