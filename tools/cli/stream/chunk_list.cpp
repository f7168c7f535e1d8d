#include "chunk_list.h"

#include <algorithm>

namespace vkprim::tools {

ChunkList::ChunkList(uint64_t whole, uint32_t each)
    : whole_(whole), each_(each), count_(static_cast<uint32_t>((whole + each - 1) / each)) {
    for (uint32_t number = 0; number < count_; ++number) free_.insert(free_.end(), number);
}

Chunk ChunkList::chunk(uint32_t number) const {
    const uint64_t begin = uint64_t{number} * each_;
    return {begin, static_cast<uint32_t>(std::min<uint64_t>(each_, whole_ - begin))};
}

std::optional<uint32_t> ChunkList::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !free_.empty() || taken_ == 0; });
    if (stopped_ || free_.empty()) return std::nullopt;
    const uint32_t number = *free_.begin();
    free_.erase(free_.begin());
    ++taken_;
    return number;
}

void ChunkList::done() {
    change([&] {
        --taken_;
        ++done_;
    });
}

void ChunkList::give_back(uint32_t number) {
    change([&] {
        --taken_;
        free_.insert(number);
    });
}

void ChunkList::stop() {
    change([&] { stopped_ = true; });
}

bool ChunkList::all_done() const {
    std::lock_guard lock(mutex_);
    return done_ == count_;
}

void ChunkList::change(const std::function<void()>& what) {
    {
        std::lock_guard lock(mutex_);
        what();
    }
    changed_.notify_all();
}

bool ChunkList::wait_until(uint32_t number, const std::function<bool()>& ready) {
    std::unique_lock lock(mutex_);
    bool             is_ready = false;
    changed_.wait(lock, [&] {
        is_ready = ready();
        return is_ready || stopped_ || (!free_.empty() && *free_.begin() < number);
    });
    return is_ready && !stopped_;
}

} // namespace vkprim::tools
