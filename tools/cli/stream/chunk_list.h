// The chunks of an array, which the threads of several devices share.
#pragma once

#include <vkprim/chunks.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>

namespace vkprim::tools {

class ChunkList {
public:
    /// Those of an array of `whole` elements, `each` in every chunk but the last; `each` is a multiple of chunk_step.
    ChunkList(uint64_t whole, uint32_t each);

    uint32_t count() const { return count_; }
    Chunk    chunk(uint32_t number) const;

    /// The first that nobody works on. Where others work on all that are left, it waits for one that comes back. Nothing where
    /// all are done, or after stop().
    std::optional<uint32_t> take();

    void done();                     ///< one that was taken
    void give_back(uint32_t number); ///< one that was taken, for others
    void stop();                     ///< nobody is to begin another one

    bool all_done() const;

    /// Changes what wait_until() asks about.
    void change(const std::function<void()>& what);

    /// Waits until ready(); one thread at a time calls it. False if the caller must give chunk `number` back: stop() was called, or nobody
    /// works on a chunk before it, so that waiting for that one could last forever.
    bool wait_until(uint32_t number, const std::function<bool()>& ready);

private:
    const uint64_t          whole_;
    const uint32_t          each_, count_;
    mutable std::mutex      mutex_; ///< of all below
    std::condition_variable changed_;
    std::set<uint32_t>      free_; ///< that nobody works on
    uint32_t                taken_ = 0, done_ = 0;
    bool                    stopped_ = false;
};

} // namespace vkprim::tools
