// A primitive on an array that is larger than memory: chunk by chunk, on one or several devices. This part decides the chunks, shares them
// among devices, and moves data. A primitive says what is recorded for a chunk (ChunkWork), and puts the results together.
//
// Each device has up to three threads. Each of them has a chunk under way and memory for it. Threads take the device's queues in turn: so one
// chunk is uploaded while another is computed, and the results of a third are written.
#pragma once

#include <vkprim/chunks.h>
#include <vkprim/runtime.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chunk_list.h"
#include "chunk_sizes.h"
#include "tools/cli/array_job.h"
#include "tools/cli/files/mapped_file.h"

namespace vkprim::tools {

/// --memory and --chunks.
void add_chunk_flags(Options& options, ChunkFlags& flags);

/// The array to work on in chunks: where a flag asks for them, or where it has more elements than one operation takes, or needs more memory
/// than there is. Nothing where one piece does. `whole`: what needs the array in one piece, as "--axis"; then there is nothing, and a
/// Failure where a flag asks for chunks; or empty.
/// `wide`: integers take 64 bits.
std::optional<MappedArray> array_for_chunks(const JobFlags& flags, const std::string& whole, bool wide = false);

/// The type of a file's elements as devices read them: bool as u8, whose bytes numpy has as 0 and 1.
ElementType read_type(NumberType type);

/// Places parts of a slot's device memory one behind the other.
class Layout {
public:
    /// Where `size` bytes begin, at a multiple of 256.
    uint64_t place(uint64_t size) {
        const uint64_t begin = size_;
        size_                = (size_ + size + 255) / 256 * 256;
        return begin;
    }
    uint64_t size() const { return size_; }

private:
    uint64_t size_ = 0;
};

/// Memory for one chunk at a time, on the host and on a device. The device's begins as zeros.
class Slot {
public:
    Slot(const runtime::Device& device, uint32_t queue, const SlotSize& size);

    uint8_t*        host() const { return static_cast<uint8_t*>(host_.data()); }
    VkDeviceAddress at(uint64_t offset) const { return device_memory_.address() + offset; }

    /// Copies `up` from host to device memory, does what `record` records, copies `down` back, and waits. Copies of no bytes are left out.
    void submit(const runtime::CopyRange& up, const std::function<void(VkCommandBuffer)>& record,
                const runtime::CopyRange& down);

private:
    const runtime::Device* device_;
    uint32_t               queue_;
    runtime::Buffer        host_, device_memory_;
};

/// Records `args` by `record`, a member function. A Failure where they are not valid.
template <class Primitive, class Args>
void record_valid(const Primitive& primitive, void (Primitive::*record)(VkCommandBuffer, const Args&) const,
                  VkCommandBuffer commands, const Args& args) {
    if (const auto valid = primitive.validate(args); !valid) throw Failure{exit_usage, valid.error().reason};
    (primitive.*record)(commands, args);
}

/// What a primitive does with chunks on one device. Several threads use it at once, each with a slot of its own.
class ChunkWork {
public:
    virtual ~ChunkWork() = default;

    /// For a chunk of `count` elements.
    virtual SlotSize slot_size(uint32_t count) const = 0;

    /// All of a chunk, from the file to the result. A Failure with exit_device leaves the device out, and others do the chunk; any other one
    /// ends the job. False: the chunk is to be given back, as ChunkList::wait_until() says.
    virtual bool run(Slot& slot, uint32_t number) = 0;
};

/// How a device takes the elements of an array: as they are in the file, or widened to 32 bits where it cannot read bytes.
class ElementsForDevice {
public:
    enum class As : uint32_t { in_file, widened, wide }; ///< widened: on every device; wide: integers to 64 bits

    ElementsForDevice(const MappedArray& array, const runtime::Device& device, As as = As::in_file);

    ElementType type() const { return type_; }
    uint64_t    size(uint32_t count) const { return uint64_t{count} * size_; } ///< bytes

    /// Writes the chunk's elements to `target`.
    void load(const Chunk& chunk, uint8_t* target) const;

private:
    const MappedArray& array_;
    ElementType        type_;
    uint32_t           size_;
    bool               widened_, wide_;
};

/// Words of elements in the types that results have, for the CPU references: harness::LoadElements. `wide`: integers of up to 32 bits have 64.
class LoadFrom {
public:
    explicit LoadFrom(const MappedArray& array, bool wide = false) : array_(&array), wide_(wide) {}
    void operator()(uint64_t begin, uint32_t count, uint32_t* words) const;

private:
    const MappedArray* array_;
    bool               wide_;
};

class ChunkedJob {
public:
    using MakeWork = std::function<std::unique_ptr<ChunkWork>(const runtime::Device& device)>;

    /// Opens the devices that `flags` name. `flags` and `array` must outlive the job.
    ChunkedJob(const JobFlags& flags, const std::string& label, const MappedArray& array);

    /// Makes the work of each device, and the chunks, of up to `most` elements unless a flag says how many chunks. A device where that
    /// fails is left out.
    void prepare(const MakeWork& make, uint32_t most = UINT32_MAX);

    ChunkList&         chunks() { return *chunks_; } ///< since prepare()
    const MappedArray& array() const { return array_; }

    /// Does all chunks. A Failure where no device is left.
    void run();

    /// Calls `work` with one device, and where that fails with the next one.
    void on_one_device(const std::function<void(const runtime::Device& device)>& work);

    /// Says what the job does now, where that is not run(): `done` of `total`.
    void show(const std::string& step, uint64_t done = 0, uint64_t total = 0) { progress_.update(step, done, total); }

    /// A Failure where `what` is not empty: with exit_wrong, unless the file has changed meanwhile.
    void require_right(const std::string& what) const;

    /// A Failure where the file has become shorter, or the validation layers had something to say. Prints on standard error which devices failed.
    void finish();

    /// device, devices, chunks, total_ms, gb_per_s and checked; or "7 chunks, 812.3 ms, 1.2 GB/s, on A + B; right to the bit, as the CPU
    /// computes it".
    Account account() const;

private:
    struct Member {
        explicit Member(runtime::Device opened) : device(std::move(opened)) {}

        runtime::Device            device;
        std::unique_ptr<ChunkWork> work;
        std::vector<Slot>          slots;
        std::atomic<bool>          failed{false};
        std::string                reason;         ///< why it failed
        uint32_t                   done       = 0; ///< chunks
        uint32_t                   given_back = 0;

        std::string name() const;
    };

    void        leave_out(Member& member, const Failure& failure);
    uint64_t    memory_of(const Member& member) const;
    void        work(Member& member, Slot& slot);
    std::string names() const;
    void        need_a_device() const; ///< a Failure where all have failed

    const JobFlags&                       flags_;
    const MappedArray&                    array_;
    Progress                              progress_;
    std::vector<std::unique_ptr<Member>>  members_;
    std::unique_ptr<ChunkList>            chunks_;
    std::mutex                            mutex_; ///< of what follows, and of each member's counts and reason
    std::exception_ptr                    error_; ///< what ended the job
    uint64_t                              elements_done_ = 0;
    std::chrono::steady_clock::time_point began_;
    double                                total_ms_ = 0;
};

} // namespace vkprim::tools
