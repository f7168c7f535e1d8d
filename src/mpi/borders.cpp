#include "borders.h"

#include <algorithm>
#include <memory>

namespace vkprim::mpi {

namespace {

using Bytes = std::vector<uint8_t>;

/// Bytes that go between this rank and another.
struct Message {
    int   rank = 0; ///< the other
    Bytes bytes;
};

/// Those of one exchange. Each has less than 8 MiB.
struct Messages {
    std::vector<Message>     sent, received;
    std::vector<MPI_Request> requests;

    /// Makes room, so that begin() takes no memory.
    void reserve() { requests.reserve(sent.size() + received.size()); }

    /// Begins all, and waits for none.
    Result<void> begin(MPI_Comm communicator, int tag) {
        for (Message& message : received) {
            const int code = MPI_Irecv(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE,
                                       message.rank, tag, communicator, &requests.emplace_back(MPI_REQUEST_NULL));
            if (auto begun = check_mpi(code, "MPI_Irecv"); !begun) return forget_last(begun);
        }
        for (const Message& message : sent) {
            const int code = MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE,
                                       message.rank, tag, communicator, &requests.emplace_back(MPI_REQUEST_NULL));
            if (auto begun = check_mpi(code, "MPI_Isend"); !begun) return forget_last(begun);
        }
        return {};
    }

    Result<void> wait() {
        return check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                         "MPI_Waitall");
    }

    /// After an error, when some may never end: waits for none.
    void give_up() {
        for (size_t i = 0; i < requests.size(); ++i) {
            if (requests[i] == MPI_REQUEST_NULL) continue;
            if (i < received.size()) MPI_Cancel(&requests[i]);
            MPI_Request_free(&requests[i]);
        }
    }

private:
    /// A request that was not begun.
    Result<void> forget_last(Result<void> error) {
        requests.pop_back();
        return error;
    }
};

/// Collective, where any rank sends or receives. `tag`: another one than that of an exchange that failed, whose messages may still arrive.
Result<void> exchange(const Ranks& ranks, std::unique_ptr<Messages>& messages, int tag) {
    auto done = ranks.on_all([&] { return messages->begin(ranks.handle(), tag); });
    if (done) done = ranks.on_all([&] { return messages->wait(); });
    if (done) return done;
    messages->give_up();
    static_cast<void>(messages.release()); // MPI may still read and write their bytes
    return done;
}

} // namespace

Result<void> Borders::gather(const Ranks& ranks, const runtime::Device& device, const Place& input, uint64_t count,
                             uint32_t size) {
    const auto counts = ranks.gather(count);
    if (!counts) return counts.error();
    rank_  = static_cast<size_t>(ranks.rank());
    input_ = input;
    size_  = size;

    std::unique_ptr<Messages> messages;
    auto                      read = ranks.on_all([&]() -> Result<void> {
        parts_               = parts_of(*counts);
        messages             = std::make_unique<Messages>();
        const RankPart& mine = part();
        for (const RankPart& other : parts_) {
            if (other.head_owner != ranks.rank()) continue;
            messages->received.push_back({static_cast<int>(&other - parts_.data()), Bytes(other.head.count() * size)});
        }
        if (mine.head.count() > 0) messages->sent.push_back({mine.head_owner, Bytes(mine.head.count() * size)});
        messages->reserve();
        if (mine.tail.count() > 0) {
            if (auto grown = grow(tail_input_, device, mine.tail.count() * size); !grown) return grown;
        }
        if (mine.head.count() == 0) return {};
        Bytes& head = messages->sent[0].bytes;
        return device.download(*input.buffer, input.offset, head.data(), head.size());
    });
    if (!read) return read;
    if (auto moved = exchange(ranks, messages, next_tag()); !moved) return moved;
    return ranks.on_all([&]() -> Result<void> {
        const RankPart& mine = part();
        if (mine.tail.count() == 0) return {};
        const Range share{mine.tail.begin, mine.own.end};
        auto        copied = submit(device, [&](runtime::Commands& commands) {
            commands.copy(*input.buffer, tail_input_,
                                 {input.offset + (share.begin - mine.own.begin) * size, 0, share.count() * size});
        });
        if (!copied) return copied;
        for (const Message& message : messages->received) {
            const Range head     = parts_[static_cast<size_t>(message.rank)].head;
            auto        uploaded = device.upload(tail_input_, (head.begin - share.begin) * size, message.bytes.data(),
                                                 message.bytes.size());
            if (!uploaded) return uploaded;
        }
        return {};
    });
}

std::vector<Borders::Work> Borders::work() const {
    std::vector<Work> all;
    for (const Chunk& chunk : chunks_of(part())) {
        const bool tail = chunk.begin == part().tail.begin && part().tail.count() > 0;
        all.push_back(
            {chunk, tail ? tail_input_.address() : address_of(input_) + (chunk.begin - part().own.begin) * size_});
    }
    return all;
}

Result<VkDeviceAddress> Borders::output_of(const Work& work, const runtime::Device& device, const Place& output,
                                           uint32_t size) {
    const bool tail = work.chunk.begin == part().tail.begin && part().tail.count() > 0;
    if (!tail) return address_of(output) + (work.chunk.begin - part().own.begin) * size;
    if (auto grown = grow(tail_output_, device, part().tail.count() * size); !grown) return grown.error();
    return tail_output_.address();
}

Result<void> Borders::scatter(const Ranks& ranks, const runtime::Device& device, const Place& output, uint32_t size) {
    std::unique_ptr<Messages> messages;
    const RankPart&           mine = part();
    auto                      read = ranks.on_all([&]() -> Result<void> {
        messages = std::make_unique<Messages>();
        if (mine.head.count() > 0) messages->received.push_back({mine.head_owner, Bytes(mine.head.count() * size)});
        messages->reserve();
        if (mine.tail.count() == 0) return {};
        const Range share{mine.tail.begin, mine.own.end};
        auto        copied = submit(device, [&](runtime::Commands& commands) {
            commands.copy(tail_output_, *output.buffer,
                                                      {0, output.offset + (share.begin - mine.own.begin) * size, share.count() * size});
        });
        if (!copied) return copied;
        for (const RankPart& other : parts_) {
            if (other.head_owner != ranks.rank()) continue;
            Message& message = messages->sent.emplace_back();
            message.rank     = static_cast<int>(&other - parts_.data());
            message.bytes.resize(other.head.count() * size);
            auto downloaded = device.download(tail_output_, (other.head.begin - share.begin) * size,
                                                                   message.bytes.data(), message.bytes.size());
            if (!downloaded) return downloaded;
        }
        messages->reserve();
        return {};
    });
    if (!read) return read;
    if (auto moved = exchange(ranks, messages, next_tag()); !moved) return moved;
    return ranks.on_all([&]() -> Result<void> {
        if (messages->received.empty()) return {};
        const Bytes& head = messages->received[0].bytes;
        return device.upload(*output.buffer, output.offset, head.data(), head.size());
    });
}

} // namespace vkprim::mpi
