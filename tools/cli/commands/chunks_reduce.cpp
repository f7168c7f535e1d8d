// Reductions in chunks.
#include <vkprim/chunked_reduce.h>
#include <vkprim/reduce.h>

#include <algorithm>
#include <cstring>

#include "chunk_commands.h"
#include "harness/references.h"
#include "harness/sizes.h"

namespace vkprim::tools {

namespace {

/// The totals of chunks, in one array for all devices.
class TotalsWork : public ChunkWork {
public:
    TotalsWork(ChunkedJob& job, const runtime::Device& device, const harness::ElementCase& reduction,
               std::vector<uint8_t>& totals)
        : job_(job),
          elements_(job.array(), device),
          reduce_(need_device(
              ChunkedReduce::create(device.context(), {elements_.type(), reduction.operation, reduction.wide}))),
          totals_(totals) {
        totals_.resize(reduce_.totals_size(whole())); // the same on every device
    }

    SlotSize slot_size(uint32_t count) const override {
        return {std::max(elements_.size(count), reduce_.totals_size(whole())), parts(count).size};
    }

    bool run(Slot& slot, uint32_t number) override {
        const Chunk       chunk = job_.chunks().chunk(number);
        const Parts       parts = this->parts(job_.chunks().chunk(0).count);
        const TotalsRange range = reduce_.totals_range(chunk, whole());
        elements_.load(chunk, slot.host());
        const auto record = [&](VkCommandBuffer commands) {
            const ChunkedReduce::TotalsArgs args{slot.at(0), slot.at(parts.totals), chunk, whole()};
            record_valid(reduce_, &ChunkedReduce::record_totals, commands, args);
        };
        slot.submit({0, 0, elements_.size(chunk.count)}, record, {parts.totals + range.offset, 0, range.size});
        std::memcpy(totals_.data() + range.offset, slot.host(), range.size);
        return true;
    }

private:
    struct Parts {
        uint64_t totals, size;
    };

    uint64_t whole() const { return job_.array().count; }
    Parts    parts(uint32_t count) const {
           Layout layout;
           layout.place(elements_.size(count));
           const uint64_t totals = layout.place(reduce_.totals_size(whole()));
           return {totals, layout.size()};
    }

    ChunkedJob&           job_;
    ElementsForDevice     elements_;
    ChunkedReduce         reduce_;
    std::vector<uint8_t>& totals_;
};

/// The best element of each chunk, and its index there.
struct Best {
    uint32_t bits, index;
};

class BestWork : public ChunkWork {
public:
    BestWork(ChunkedJob& job, const runtime::Device& device, Operation operation, std::vector<Best>& bests)
        : job_(job),
          elements_(job.array(), device, ElementsForDevice::As::widened), // others have no argmin
          reduce_(need_device(Reduce::create(device.context(), {elements_.type(), operation}))),
          bests_(bests) {}

    SlotSize slot_size(uint32_t count) const override {
        return {std::max<uint64_t>(elements_.size(count), sizeof(Best)), parts(count).size};
    }

    bool run(Slot& slot, uint32_t number) override {
        const Chunk chunk = job_.chunks().chunk(number);
        const Parts parts = this->parts(job_.chunks().chunk(0).count);
        elements_.load(chunk, slot.host());
        Reduce::Args args;
        args.input   = slot.at(0);
        args.output  = slot.at(parts.output);
        args.scratch = slot.at(parts.scratch);
        args.count   = chunk.count;
        slot.submit({0, 0, elements_.size(chunk.count)},
                    [&](VkCommandBuffer commands) { record_valid(reduce_, &Reduce::record, commands, args); },
                    {parts.output, 0, sizeof(Best)});
        std::memcpy(&bests_[number], slot.host(), sizeof(Best));
        return true;
    }

private:
    struct Parts {
        uint64_t output, scratch, size;
    };

    Parts parts(uint32_t count) const {
        Layout layout;
        layout.place(elements_.size(count));
        const uint64_t output  = layout.place(sizeof(Best)),
                       scratch = layout.place(harness::scratch_size_of(reduce_, count));
        return {output, scratch, layout.size()};
    }

    ChunkedJob&        job_;
    ElementsForDevice  elements_;
    Reduce             reduce_;
    std::vector<Best>& bests_;
};

/// Of the best elements of ranges of an array that begin at `begins`. A range may have none.
ChunkedResult best_of(ElementType type, Operation operation, const std::vector<Best>& bests,
                      const std::vector<uint64_t>& begins) {
    std::vector<uint32_t> values;
    std::vector<uint64_t> indices;
    for (size_t i = 0; i < bests.size(); ++i) {
        if (bests[i].index == UINT32_MAX) continue;
        values.push_back(bests[i].bits);
        indices.push_back(begins[i] + bests[i].index);
    }
    const auto words = harness::reference_reduce(type, operation, values.data(),
                                                 static_cast<uint32_t>(values.size())); // of the first of equals
    return {words[0], words[1] == UINT32_MAX ? uint64_t{UINT32_MAX} : indices[words[1]]};
}

/// The same by the CPU alone.
ChunkedResult find_best(const MappedArray& array, ElementType type, Operation operation) {
    const LoadFrom        load(array);
    std::vector<Best>     bests;
    std::vector<uint64_t> begins;
    std::vector<uint32_t> words(chunk_step);
    for (uint64_t begin = 0; begin < array.count; begin += chunk_step) {
        const auto count = static_cast<uint32_t>(std::min<uint64_t>(chunk_step, array.count - begin));
        load(begin, count, words.data());
        const auto best = harness::reference_reduce(type, operation, words.data(), count);
        bests.push_back({best[0], best[1]});
        begins.push_back(begin);
    }
    return best_of(type, operation, bests, begins);
}

ChunkedResult reduce_to_best(ChunkedJob& job, const JobFlags& flags, ElementType type, Operation operation) {
    std::vector<Best> bests;
    job.prepare(
        [&](const runtime::Device& device) { return std::make_unique<BestWork>(job, device, operation, bests); });
    bests.resize(job.chunks().count());
    job.run();
    std::vector<uint64_t> begins;
    for (uint32_t number = 0; number < job.chunks().count(); ++number)
        begins.push_back(job.chunks().chunk(number).begin);
    const ChunkedResult result = best_of(type, operation, bests, begins);
    if (flags.no_check) return result;
    const ChunkedResult expected = find_best(job.array(), type, operation);
    job.require_right(difference(type, &expected.bits, &result.bits, 1));
    job.require_right(difference(ElementType::u64, &expected.index, &result.index, 1));
    return result;
}

/// What all totals come to.
uint64_t result_of(ChunkedJob& job, const harness::ElementCase& reduction, const std::vector<uint8_t>& totals) {
    uint64_t       bits = 0;
    const uint32_t size = harness::result_size(reduction);
    job.on_one_device([&](const runtime::Device& device) {
        const auto reduce =
            need_device(ChunkedReduce::create(device.context(), {reduction.type, reduction.operation, reduction.wide}));
        Layout         layout;
        const uint64_t at = layout.place(totals.size()), temporary = layout.place(reduce.temporary_size()),
                       output = layout.place(sizeof bits);
        Slot slot(device, 0, {std::max<uint64_t>(totals.size(), sizeof bits), layout.size()});
        if (!totals.empty()) std::memcpy(slot.host(), totals.data(), totals.size());
        const ChunkedReduce::ResultArgs args{slot.at(at), slot.at(temporary), slot.at(output), job.array().count};
        slot.submit(
            {0, at, totals.size()},
            [&](VkCommandBuffer commands) { record_valid(reduce, &ChunkedReduce::record_result, commands, args); },
            {output, 0, size});
        std::memcpy(&bits, slot.host(), size);
    });
    return bits;
}

} // namespace

ChunkedResult reduce_in_chunks(ChunkedJob& job, const JobFlags& flags, const harness::ElementCase& reduction) {
    if (reduction.operation == Operation::argmin || reduction.operation == Operation::argmax) {
        return reduce_to_best(job, flags, reduction.type, reduction.operation);
    }
    std::vector<uint8_t> totals;
    job.prepare(
        [&](const runtime::Device& device) { return std::make_unique<TotalsWork>(job, device, reduction, totals); });
    job.run();
    const ChunkedResult result{result_of(job, reduction, totals)};
    if (!flags.no_check) {
        const auto expected = harness::reference_reduce(reduction, LoadFrom(job.array()), job.array().count);
        job.require_right(difference(harness::result_type(reduction), expected.data(), &result.bits, 1));
    }
    return result;
}

} // namespace vkprim::tools
