// Sorts in chunks: each chunk is sorted on a device and written to a file beside the output; then the host merges these in one pass.
#include <algorithm>
#include <cstring>
#include <functional>
#include <mutex>
#include <queue>
#include <utility>

#include "chunk_commands.h"
#include "harness/references.h"
#include "harness/sizes.h"
#include "tools/cli/files/output_file.h"

namespace vkprim::tools {

namespace {

/// What is sorted, and how.
struct Order {
    Sort::Desc desc;
    BitRange   bits;
};

class SortWork : public ChunkWork {
public:
    /// `sorted`: where chunks go, in their places.
    SortWork(ChunkedJob& job, const runtime::Device& device, const JobFlags& flags, const Order& order,
             const TemporaryFile& sorted)
        : job_(job),
          flags_(flags),
          order_(order),
          key_size_(element_size(job.array().type)),
          sort_(need_device(Sort::create(device.context(), order.desc))),
          sorted_(sorted) {}

    SlotSize slot_size(uint32_t count) const override { return {uint64_t{count} * key_size_, parts(count).size}; }

    bool run(Slot& slot, uint32_t number) override {
        const Chunk    chunk = job_.chunks().chunk(number);
        const uint64_t size  = uint64_t{chunk.count} * key_size_;
        job_.array().take(chunk.begin, chunk.count, slot.host());
        Sort::Args args;
        args.keys = args.output_keys = slot.at(0);
        args.temporary               = slot.at(parts(job_.chunks().chunk(0).count).temporary);
        args.count                   = chunk.count;
        args.begin_bit               = order_.bits.begin;
        args.end_bit                 = order_.bits.end;
        slot.submit({0, 0, size}, [&](VkCommandBuffer commands) { record_valid(sort_, &Sort::record, commands, args); },
                    {0, 0, size});
        if (!flags_.no_check) check(chunk, slot.host());
        need_file(sorted_.write(chunk.begin * key_size_, slot.host(), size));
        return true;
    }

private:
    struct Parts {
        uint64_t temporary, size;
    };

    Parts parts(uint32_t count) const {
        Layout layout;
        layout.place(uint64_t{count} * key_size_);
        const uint64_t temporary = layout.place(harness::temporary_size_of(sort_, count));
        return {temporary, layout.size()};
    }

    /// One chunk at a time, since the CPU's sort takes 36 bytes for each key.
    void check(const Chunk& chunk, const uint8_t* got) const {
        static std::mutex     mutex;
        const std::lock_guard lock(mutex);
        const uint8_t* const  keys = job_.array().at(chunk.begin);
        const auto order = harness::reference_sort(order_.desc, keys, chunk.count, order_.bits.begin, order_.bits.end);
        for (uint64_t i = 0; i < chunk.count; ++i) {
            if (std::memcmp(keys + uint64_t{order[i]} * key_size_, got + i * key_size_, key_size_) == 0) continue;
            job_.require_right("key " + std::to_string(i) + " of the sorted chunk that begins at " +
                               std::to_string(chunk.begin) + " is not the one that the CPU has there");
        }
        job_.array().release(chunk.begin, chunk.count);
    }

    ChunkedJob&          job_;
    const JobFlags&      flags_;
    const Order&         order_;
    uint32_t             key_size_; ///< bytes
    Sort                 sort_;
    const TemporaryFile& sorted_;
};

constexpr uint64_t merge_memory = 64u << 20; ///< bytes of all buffers of a merge, about
constexpr uint32_t most_keys    = 1u << 24;  ///< of a chunk: check() takes 36 bytes for each

/// Reads a sorted chunk, from its first key to its last.
class Run {
public:
    Run(const TemporaryFile& file, uint64_t begin, uint64_t end, uint64_t buffer_size)
        : file_(file), next_(begin), end_(end), buffer_size_(buffer_size) {}

    /// The next key's bytes; null at the end.
    const uint8_t* key(uint32_t size) {
        if (at_ == buffer_.size()) {
            buffer_.resize(std::min(buffer_size_, end_ - next_));
            if (buffer_.empty()) return nullptr;
            need_file(file_.read(next_, buffer_.data(), buffer_.size()));
            next_ += buffer_.size();
            at_ = 0;
        }
        at_ += size;
        return buffer_.data() + at_ - size;
    }

private:
    const TemporaryFile& file_;
    uint64_t             next_, end_, buffer_size_;
    std::vector<uint8_t> buffer_;
    size_t               at_ = 0;
};

/// Writes the keys of all sorted chunks in their order, from byte `at` of `output` on. Of equal keys, those of the first chunk are first.
void merge(ChunkedJob& job, const Order& order, const TemporaryFile& sorted, const OutputFile& output, uint64_t at) {
    const uint32_t   size = element_size(job.array().type), chunks = job.chunks().count();
    const uint64_t   buffer_size = std::max<uint64_t>(merge_memory / (chunks + 1) / 8 * 8, 4096);
    std::vector<Run> runs;
    struct Head {
        uint64_t       order;
        uint32_t       run;
        const uint8_t* key;
        bool operator>(const Head& other) const { return std::pair(order, run) > std::pair(other.order, other.run); }
    };
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    const auto                                                   push = [&](uint32_t run) {
        const uint8_t* const key = runs[run].key(size);
        if (key == nullptr) return;
        uint64_t bits = 0;
        std::memcpy(&bits, key, size);
        heads.push({harness::sort_order(order.desc, bits, order.bits.begin, order.bits.end), run, key});
    };
    for (uint32_t number = 0; number < chunks; ++number) {
        const Chunk chunk = job.chunks().chunk(number);
        runs.emplace_back(sorted, chunk.begin * size, (chunk.begin + chunk.count) * size, buffer_size);
    }
    for (uint32_t number = 0; number < chunks; ++number) push(number);

    std::vector<uint8_t> merged;
    const uint64_t       all   = job.array().count * size;
    const auto           flush = [&] {
        need_file(output.write(at, merged.data(), merged.size()));
        at += merged.size();
        merged.clear();
    };
    for (uint64_t done = 0; !heads.empty(); done += size) {
        const Head head = heads.top();
        heads.pop();
        merged.insert(merged.end(), head.key, head.key + size);
        push(head.run);
        if (merged.size() < buffer_size) continue;
        flush();
        job.show("merge", done, all);
    }
    flush();
}

} // namespace

void sort_in_chunks(ChunkedJob& job, const JobFlags& flags, const BitRange& bits, bool descending,
                    const std::string& output) {
    const MappedArray& array = job.array();
    const uint64_t     size  = array.count * element_size(array.type);
    const std::string  head  = npy_head(array.type, {array.count});
    OutputFile         file  = need_file(OutputFile::create(output, head.size() + size));
    need_file(file.write(0, head.data(), head.size()));
    const TemporaryFile sorted = need_file(file.create_beside(size)); // for the sorted chunks

    Order order;
    order.desc.key        = read_type(array.type);
    order.desc.descending = descending;
    order.bits            = bits;
    const auto make       = [&](const runtime::Device& device) {
        return std::make_unique<SortWork>(job, device, flags, order, sorted);
    };
    job.prepare(make, most_keys);
    job.run();
    merge(job, order, sorted, file, head.size());
    job.finish();
    need_file(file.commit());
}

} // namespace vkprim::tools
