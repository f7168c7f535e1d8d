// Histograms in chunks: each chunk's counts come back, so that those of a device that fails later are not lost.
#include <algorithm>
#include <mutex>

#include "chunk_commands.h"
#include "harness/processors.h"
#include "harness/references.h"
#include "harness/sizes.h"

namespace vkprim::tools {

namespace {

/// Counts of all samples, which several threads add to.
class Sums {
public:
    explicit Sums(uint32_t bins) : counts_(bins) {}

    void add(const uint32_t* counts) {
        const std::lock_guard lock(mutex_);
        for (uint64_t& sum : counts_) sum += *counts++;
    }

    const std::vector<uint64_t>& counts() const { return counts_; }

private:
    std::mutex            mutex_;
    std::vector<uint64_t> counts_;
};

class CountWork : public ChunkWork {
public:
    CountWork(ChunkedJob& job, const runtime::Device& device, const Histogram::Desc& desc, Sums& sums)
        : job_(job),
          sample_size_(element_size(job.array().type)),
          counts_size_(uint64_t{desc.bins} * 4),
          histogram_(need_device(Histogram::create(device.context(), desc))),
          sums_(sums) {}

    SlotSize slot_size(uint32_t count) const override {
        return {std::max(uint64_t{count} * sample_size_, counts_size_), parts(count).size};
    }

    bool run(Slot& slot, uint32_t number) override {
        const Chunk    chunk = job_.chunks().chunk(number);
        const Parts    parts = this->parts(job_.chunks().chunk(0).count);
        const uint64_t size  = uint64_t{chunk.count} * sample_size_;
        job_.array().take(chunk.begin, chunk.count, slot.host());
        Histogram::Args args;
        args.input   = slot.at(0);
        args.counts  = slot.at(parts.counts);
        args.scratch = slot.at(parts.scratch);
        args.count   = chunk.count;
        slot.submit({0, 0, size},
                    [&](VkCommandBuffer commands) { record_valid(histogram_, &Histogram::record, commands, args); },
                    {parts.counts, 0, counts_size_});
        sums_.add(reinterpret_cast<const uint32_t*>(slot.host()));
        return true;
    }

private:
    struct Parts {
        uint64_t counts, scratch, size;
    };

    Parts parts(uint32_t count) const {
        Layout layout;
        layout.place(uint64_t{count} * sample_size_);
        const uint64_t counts  = layout.place(counts_size_),
                       scratch = layout.place(harness::scratch_size_of(histogram_, count));
        return {counts, scratch, layout.size()};
    }

    ChunkedJob& job_;
    uint32_t    sample_size_; ///< bytes
    uint64_t    counts_size_; ///< bytes
    Histogram   histogram_;
    Sums&       sums_;
};

/// The same by the CPU.
std::vector<uint64_t> count_here(const MappedArray& array, const Histogram::Desc& desc) {
    constexpr uint64_t piece = uint64_t{1} << 22;
    Sums               sums(desc.bins);
    harness::on_all_processors(static_cast<uint32_t>((array.count + piece - 1) / piece), [&](uint32_t number) {
        const uint64_t begin = number * piece;
        const auto     count = static_cast<uint32_t>(std::min(piece, array.count - begin));
        sums.add(harness::reference_histogram(desc, array.at(begin), count).data());
        array.release(begin, count);
    });
    return sums.counts();
}

} // namespace

std::vector<uint64_t> histogram_in_chunks(ChunkedJob& job, const JobFlags& flags, const Histogram::Desc& desc) {
    Sums sums(desc.bins);
    job.prepare([&](const runtime::Device& device) { return std::make_unique<CountWork>(job, device, desc, sums); });
    job.run();
    if (!flags.no_check) {
        const std::vector<uint64_t> expected = count_here(job.array(), desc);
        job.require_right(difference(ElementType::u64, expected.data(), sums.counts().data(), expected.size()));
    }
    return sums.counts();
}

} // namespace vkprim::tools
