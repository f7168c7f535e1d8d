#include "chunked_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>

#include "harness/elements.h"
#include "tools/cli/files/output_file.h"
#include "tools/system/machine.h"

namespace vkprim::tools {

namespace {

constexpr uint32_t most_slots  = 3;         ///< of a device: one chunk each is uploaded, computed, written
constexpr uint64_t chunk_bytes = 64u << 20; ///< of a chunk in the file, at most: longer ones are not faster
constexpr uint64_t small_bytes = 64u << 20; ///< of a file that is always done in one piece
constexpr uint64_t one_piece   = 3;         ///< times its elements is what one piece takes on a device or on the host

uint64_t host_memory() { return system::physical_memory(); }

bool asks_for_chunks(const JobFlags& flags) {
    return flags.chunks.count > 0 || !flags.chunks.memory.empty() || names_several(flags.device.selector);
}

/// What reasons call the flag that asks for chunks.
std::string asking_flag(const JobFlags& flags) {
    if (names_several(flags.device.selector)) return "--device " + flags.device.selector;
    return flags.chunks.count > 0 ? "--chunks" : "--memory";
}

} // namespace

void add_chunk_flags(Options& options, ChunkFlags& flags) {
    options
        .add_option(
            "--memory", flags.memory,
            "the most memory for chunks, of each device and its part of the host together: bytes, or 512M, 2G;\n"
            "default: the device's free memory or the host's memory, whichever is less, of which chunks use up to\n"
            "half. A whole array in a .npy or raw file is done in chunks, with the same bits, if three times its\n"
            "elements need more. In chunks, --json has chunks, devices (index, name, chunks, failed) and\n"
            "gb_per_s instead of kernel_ms")
        .type_name("SIZE");
    options
        .add_option(
            "--chunks", flags.count,
            "in N chunks of a multiple of 2^20 elements: fewer if they come out even, more if N do\nnot fit the memory")
        .type_name("N")
        .within(1, 1 << 16);
}

ElementType read_type(NumberType type) {
    switch (type) {
        case NumberType::boolean:
        case NumberType::u8: return ElementType::u8;
        case NumberType::i8: return ElementType::i8;
        case NumberType::u16: return ElementType::u16;
        case NumberType::i16: return ElementType::i16;
        case NumberType::f16: return ElementType::f16;
        default: return computed_type(type);
    }
}

namespace {

MappedArray map_source(const Source& source, FileKind kind) {
    MappedFile  file  = need_file(MappedFile::open(source.path));
    MappedArray array = need_file(kind == FileKind::npy ? map_npy(std::move(file))
                                                        : map_raw(std::move(file), parse_number_type(source.type)));
    check_type(source, array.type);
    return array;
}

/// What one piece may take: where no flag says it, a device is opened to ask it.
uint64_t memory_of_one_piece(const JobFlags& flags) {
    if (!flags.chunks.memory.empty()) return parse_memory(flags.chunks.memory);
    return std::min(open_device(flags.device).info().available_memory, host_memory());
}

/// Whether one operation takes the array, and no flag forbids that.
bool goes_in_one_piece(const JobFlags& flags, const MappedArray& array, bool wide) {
    if (flags.chunks.count > 0 || names_several(flags.device.selector) || array.count > UINT32_MAX) return false;
    const uint64_t size = wide ? 8 : element_size(widened(array.type));
    return array.count * size <= memory_of_one_piece(flags) / one_piece;
}

} // namespace

std::optional<MappedArray> array_for_chunks(const JobFlags& flags, const std::string& whole, bool wide) {
    const std::string name    = name_of(flags.source);
    const auto        nothing = [&](const std::string& what) -> std::optional<MappedArray> {
        if (!asks_for_chunks(flags)) return std::nullopt;
        throw Failure{exit_usage, fmt::format("{}: {} takes one piece on one device; leave {} away", name, what,
                                                     asking_flag(flags))};
    };
    if (!whole.empty()) return nothing(whole);
    if (is_stream(flags.source.path)) return nothing("what is no file");
    Input input = open_input(flags.source);
    if (!asks_for_chunks(flags) && input.file.size().value_or(0) <= small_bytes) return std::nullopt;
    if (input.kind == FileKind::image) return nothing("a picture");
    if (!input.file.size() && !need_file(input.file.peek(1)).empty()) return nothing("what is no file"); // in /proc
    MappedArray array = map_source(flags.source, input.kind);
    if (goes_in_one_piece(flags, array, wide)) return std::nullopt;
    if (array.fortran_order) return nothing("an array in Fortran order");
    if (flags.parts > 0) {
        throw Failure{exit_usage, fmt::format("{}: is done in chunks, which have no parts; leave --parts away", name)};
    }
    return array;
}

Slot::Slot(const runtime::Device& device, uint32_t queue, const SlotSize& size)
    : device_(&device),
      queue_(queue),
      host_(need_device(device.create_host_buffer(size.host))),
      device_memory_(need_device(device.create_buffer((size.device + 3) / 4 * 4))) {
    need_device(device.fill(device_memory_, 0, device_memory_.size(), 0));
}

void Slot::submit(const runtime::CopyRange& up, const std::function<void(VkCommandBuffer)>& record,
                  const runtime::CopyRange& down) {
    runtime::Commands commands = need_device(device_->begin_commands(0, queue_));
    if (up.size > 0) {
        commands.copy(host_, device_memory_, up);
        commands.barrier();
    }
    record(commands.handle());
    if (down.size > 0) {
        commands.barrier();
        commands.copy(device_memory_, host_, down);
    }
    need_device(commands.submit_and_wait());
}

ElementsForDevice::ElementsForDevice(const MappedArray& array, const runtime::Device& device, As as)
    : array_(array), type_(read_type(array.type)), wide_(as == As::wide && harness::input_size(type_) < 8) {
    widened_ = wide_ || (harness::input_size(type_) < 4 && (as == As::widened || !harness::has_bytes(device)));
    if (widened_) type_ = wide_ ? harness::result_type({type_, Operation::add, true}) : output_type(type_);
    size_ = harness::input_size(type_);
}

void ElementsForDevice::load(const Chunk& chunk, uint8_t* target) const {
    if (!widened_) {
        array_.take(chunk.begin, chunk.count, target);
        if (array_.type != NumberType::boolean) return;
        std::transform(target, target + chunk.count, target,
                       [](uint8_t byte) { return static_cast<uint8_t>(byte != 0); });
        return;
    }
    const LoadFrom load(array_, wide_);
    for (uint32_t done = 0; done < chunk.count; done += chunk_step) {
        load(chunk.begin + done, std::min(chunk_step, chunk.count - done),
             reinterpret_cast<uint32_t*>(target + uint64_t{done} * size_));
    }
}

void LoadFrom::operator()(uint64_t begin, uint32_t count, uint32_t* words) const {
    widen_to(array_->type, array_->at(begin), count, reinterpret_cast<uint8_t*>(words));
    if (wide_) harness::widen_words(computed_type(widened(array_->type)), count, words);
    array_->release(begin, count);
}

std::string ChunkedJob::Member::name() const {
    return fmt::format("device {} ({})", device.info().index, device.info().name);
}

ChunkedJob::ChunkedJob(const JobFlags& flags, const std::string& label, const MappedArray& array)
    : flags_(flags), array_(array), progress_(label) {
    DeviceFlags one = flags.device;
    one.queues      = most_slots;
    for (const std::string& selector : device_selectors(flags.device.selector)) {
        one.selector = selector;
        members_.push_back(std::make_unique<Member>(open_device(one)));
    }
}

void ChunkedJob::leave_out(Member& member, const Failure& failure) {
    std::lock_guard lock(mutex_);
    if (!member.failed) member.reason = failure.reason;
    member.failed = true;
}

uint64_t ChunkedJob::memory_of(const Member& member) const {
    return flags_.chunks.memory.empty() ? std::min(member.device.info().available_memory, host_memory()) / 2
                                        : parse_memory(flags_.chunks.memory);
}

void ChunkedJob::prepare(const MakeWork& make, uint32_t most) {
    for (const auto& member : members_) {
        try {
            if (!member->failed) member->work = make(member->device);
        } catch (const Failure& failure) {
            if (failure.code != exit_device) throw;
            leave_out(*member, failure);
        }
    }
    need_a_device();
    std::vector<ChunkRoom> rooms;
    for (const auto& member : members_) {
        if (member->failed) continue;
        rooms.push_back({memory_of(*member), member->device.info().max_allocation_size,
                         [work = member->work.get()](uint32_t count) { return work->slot_size(count); }});
    }
    const uint64_t wanted = flags_.chunks.count > 0 ? (array_.count + flags_.chunks.count - 1) / flags_.chunks.count
                                                    : std::min<uint64_t>(most, chunk_bytes / element_size(array_.type));
    uint32_t       slots = most_slots, each = chunk_elements(array_.count, wanted, slots, rooms);
    while (each == 0 && slots > 1) each = chunk_elements(array_.count, wanted, --slots, rooms);
    if (each == 0) {
        uint64_t least = 0;
        for (const ChunkRoom& room : rooms) {
            const SlotSize size = room.slot_size(chunk_step);
            least               = std::max(least, size.host + size.device);
        }
        throw Failure{exit_usage, fmt::format("{} is too little: a chunk of 2^20 elements takes {} bytes",
                                              flags_.chunks.memory.empty() ? "the devices' memory"
                                                                           : "--memory " + flags_.chunks.memory,
                                              least)};
    }
    chunks_ = std::make_unique<ChunkList>(array_.count, each);
    for (const auto& member : members_) {
        if (member->failed) continue;
        const uint32_t used = std::min(slots, std::max(chunks_->count(), 1u));
        const SlotSize size = member->work->slot_size(static_cast<uint32_t>(std::min<uint64_t>(each, array_.count)));
        try {
            while (member->slots.size() < used) {
                const auto queue = static_cast<uint32_t>(member->slots.size()) % member->device.queue_count();
                member->slots.emplace_back(member->device, queue, size);
            }
        } catch (const Failure& failure) {
            if (failure.code != exit_device) throw;
            member->slots.clear();
            leave_out(*member, failure);
        }
    }
    need_a_device();
}

void ChunkedJob::work(Member& member, Slot& slot) {
    while (const std::optional<uint32_t> number = chunks_->take()) {
        bool done = false;
        try {
            if (!member.failed) done = member.work->run(slot, *number);
        } catch (const Failure& failure) {
            if (failure.code == exit_device) {
                leave_out(member, failure);
                std::lock_guard lock(mutex_);
                ++member.given_back;
            } else {
                std::lock_guard lock(mutex_);
                if (!error_) error_ = std::current_exception();
                chunks_->stop();
            }
        } catch (...) {
            std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
            chunks_->stop();
        }
        if (!done) {
            chunks_->give_back(*number);
            if (member.failed) return;
            continue;
        }
        {
            std::lock_guard lock(mutex_);
            ++member.done;
            elements_done_ += chunks_->chunk(*number).count;
            const double seconds = ms_since(began_) / 1000;
            const double bytes   = static_cast<double>(elements_done_ * element_size(array_.type));
            progress_.update(fmt::format("{:.2f} GB/s", bytes / seconds / 1e9), elements_done_, array_.count);
        }
        chunks_->done();
    }
}

void ChunkedJob::need_a_device() const {
    if (std::any_of(members_.begin(), members_.end(), [](const auto& member) { return !member->failed; })) return;
    if (members_.size() == 1) throw Failure{exit_device, members_[0]->reason};
    std::vector<std::string> reasons;
    for (const auto& member : members_) reasons.push_back(fmt::format("{}: {}", member->name(), member->reason));
    throw Failure{exit_device, fmt::format("all devices failed: {}", fmt::join(reasons, "; "))};
}

void ChunkedJob::run() {
    began_         = std::chrono::steady_clock::now();
    elements_done_ = 0;
    std::vector<std::thread> threads;
    try {
        for (const auto& member : members_) {
            for (Slot& slot : member->slots) {
                if (!member->failed) threads.emplace_back([&, one = member.get()] { work(*one, slot); });
            }
        }
    } catch (const std::system_error& error) { // those that began do all chunks
        if (threads.empty()) throw Failure{exit_device, std::string("cannot start a thread: ") + error.what()};
    }
    for (std::thread& thread : threads) thread.join();
    total_ms_ += ms_since(began_);
    if (error_) std::rethrow_exception(error_);
    if (!chunks_->all_done()) need_a_device();
    progress_.update("check"); // what most callers do next
}

void ChunkedJob::on_one_device(const std::function<void(const runtime::Device& device)>& work) {
    for (const auto& member : members_) {
        if (member->failed) continue;
        try {
            return work(member->device);
        } catch (const Failure& failure) {
            if (failure.code != exit_device) throw;
            leave_out(*member, failure);
        }
    }
    need_a_device();
}

std::string ChunkedJob::names() const {
    std::vector<std::string> names;
    for (const auto& member : members_) names.push_back(member->device.info().name);
    return fmt::format("{}", fmt::join(names, " + "));
}

void ChunkedJob::require_right(const std::string& what) const {
    if (what.empty()) return;
    need_file(array_.file.check_same(true)); // then the device is not to blame
    throw Failure{exit_wrong, "wrong result from " + names() + ": " + what};
}

void ChunkedJob::finish() {
    progress_.erase();
    need_file(array_.file.check_same());
    for (const auto& member : members_) {
        check_validation(member->device);
        if (!member->failed) continue;
        const std::string rest = member->given_back == 0 ? "it was left out"
                                 : member->given_back == 1
                                     ? "its chunk was done by the others"
                                     : fmt::format("its {} chunks were done by the others", member->given_back);
        print_aside(fmt::format("vkprim: {} failed: {}; {}\n", member->name(), member->reason, rest));
    }
}

Account ChunkedJob::account() const {
    Json devices = Json::array();
    for (const auto& member : members_) {
        Json one = {
            {"index", member->device.info().index}, {"name", member->device.info().name}, {"chunks", member->done}};
        if (member->failed) one["failed"] = member->reason;
        devices.push_back(one);
    }
    const auto bytes = static_cast<double>(array_.count * element_size(array_.type));
    const Json values{{"device", names()},
                      {"devices", devices},
                      {"chunks", chunks_->count()},
                      {"total_ms", total_ms_},
                      {"gb_per_s", bytes / std::max(total_ms_, 1e-3) / 1e6},
                      {"checked", !flags_.no_check}};
    return {filled(std::string("{chunks} chunk") + (chunks_->count() == 1 ? "" : "s") +
                       ", {total_ms:.3f} ms, {gb_per_s:.2f} GB/s, on {device}; " +
                       (flags_.no_check ? "not checked" : "right to the bit, as the CPU computes it"),
                   values),
            values};
}

} // namespace vkprim::tools
