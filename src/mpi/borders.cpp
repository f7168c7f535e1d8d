#include "borders.h"

#include <algorithm>

namespace vkprim::mpi {

namespace {

using Bytes = std::vector<uint8_t>;

/// Bytes that go between this rank and another.
struct Message {
    int   rank = 0; ///< the other
    Bytes bytes;
};

/// Collective, where any rank sends or receives. Each message has less than 8 MiB.
Result<void> exchange(const Ranks& ranks, const std::vector<Message>& sent, std::vector<Message>& received) {
    std::vector<MPI_Request> requests;
    for (Message& message : received) {
        const int code = MPI_Irecv(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, message.rank,
                                   0, ranks.handle(), &requests.emplace_back());
        if (auto begun = check_mpi(code, "MPI_Irecv"); !begun) return begun;
    }
    for (const Message& message : sent) {
        const int code = MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, message.rank,
                                   0, ranks.handle(), &requests.emplace_back());
        if (auto begun = check_mpi(code, "MPI_Isend"); !begun) return begun;
    }
    return check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                     "MPI_Waitall");
}

} // namespace

Result<void> Borders::gather(const Ranks& ranks, const runtime::Device& device, const Place& input, uint64_t count,
                             uint32_t size) {
    const auto counts = ranks.gather(count);
    if (!counts) return counts.error();
    parts_ = parts_of(*counts);
    rank_  = static_cast<size_t>(ranks.rank());
    input_ = input;
    size_  = size;

    std::vector<Message> sent, received;
    const RankPart&      mine = part();
    auto                 read = ranks.on_all([&]() -> Result<void> {
        for (const RankPart& other : parts_) {
            if (other.head_owner != ranks.rank()) continue;
            received.push_back({static_cast<int>(&other - parts_.data()), Bytes(other.head.count() * size)});
        }
        if (mine.tail.count() > 0) {
            if (auto grown = grow(tail_input_, device, mine.tail.count() * size); !grown) return grown;
        }
        if (mine.head.count() == 0) return {};
        sent.push_back({mine.head_owner, Bytes(mine.head.count() * size)});
        return device.download(*input.buffer, input.offset, sent[0].bytes.data(), sent[0].bytes.size());
    });
    if (!read) return read;
    if (auto moved = exchange(ranks, sent, received); !moved) return moved;
    return ranks.on_all([&]() -> Result<void> {
        if (mine.tail.count() == 0) return {};
        const Range share{mine.tail.begin, mine.own.end};
        auto        copied = submit(device, [&](runtime::Commands& commands) {
            commands.copy(*input.buffer, tail_input_,
                                 {input.offset + (share.begin - mine.own.begin) * size, 0, share.count() * size});
        });
        if (!copied) return copied;
        for (const Message& message : received) {
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
    std::vector<Message> sent, received;
    const RankPart&      mine = part();
    auto                 read = ranks.on_all([&]() -> Result<void> {
        if (mine.head.count() > 0) received.push_back({mine.head_owner, Bytes(mine.head.count() * size)});
        if (mine.tail.count() == 0) return {};
        const Range share{mine.tail.begin, mine.own.end};
        auto        copied = submit(device, [&](runtime::Commands& commands) {
            commands.copy(tail_output_, *output.buffer,
                                                 {0, output.offset + (share.begin - mine.own.begin) * size, share.count() * size});
        });
        if (!copied) return copied;
        for (const RankPart& other : parts_) {
            if (other.head_owner != ranks.rank()) continue;
            Message& message = sent.emplace_back();
            message.rank     = static_cast<int>(&other - parts_.data());
            message.bytes.resize(other.head.count() * size);
            auto downloaded = device.download(tail_output_, (other.head.begin - share.begin) * size,
                                                              message.bytes.data(), message.bytes.size());
            if (!downloaded) return downloaded;
        }
        return {};
    });
    if (!read) return read;
    if (auto moved = exchange(ranks, sent, received); !moved) return moved;
    return ranks.on_all([&]() -> Result<void> {
        if (received.empty()) return {};
        return device.upload(*output.buffer, output.offset, received[0].bytes.data(), received[0].bytes.size());
    });
}

} // namespace vkprim::mpi
