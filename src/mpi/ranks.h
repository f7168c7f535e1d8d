// The ranks of a communicator, and how they agree.
#pragma once

#include <vkprim/mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace vkprim::mpi {

/// What an MPI call returned, as a Result.
Result<void> check_mpi(int code, const char* call);

/// A communicator of its own. All functions are collective unless they say otherwise.
class Ranks {
public:
    static Result<Ranks> create(MPI_Comm communicator);

    Ranks() = default; ///< of no communicator

    int      rank() const { return rank_; }
    int      count() const { return count_; }
    MPI_Comm handle() const { return communicator_; }

    /// Does `work` on this rank, and returns the same on all ranks: an error if any had one, or threw something. `work` does not wait for
    /// other ranks. What may throw between two collective calls belongs in here: else a rank is gone, and the others wait for it.
    template <class Work>
    Result<void> on_all(const Work& work) const {
        Result<void> mine;
        try {
            mine = work();
        } catch (...) {
            mine = caught();
        }
        return agree(std::move(mine));
    }

    /// The same for what `make` creates: Result<T>.
    template <class Make>
    auto create_on_all(const Make& make) const -> decltype(make()) {
        decltype(make()) made = Error{};
        const auto       done = on_all([&]() -> Result<void> {
            made = make();
            return made ? Result<void>() : made.error();
        });
        if (!done) return done.error();
        return made;
    }

    /// The `value` of each rank.
    Result<std::vector<uint64_t>> gather(uint64_t value) const;

    /// Replaces each value by the sum of the ranks'.
    Result<void> add_up(std::vector<uint64_t>& values) const;

    Ranks(Ranks&& other) noexcept;
    Ranks& operator=(Ranks&& other) noexcept;
    ~Ranks();

private:
    /// What was thrown, and is being handled.
    static Error caught() noexcept;

    /// The error of the first rank that has one, on all ranks.
    Result<void> agree(Result<void> mine) const;

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int      rank_ = 0, count_ = 1;
};

} // namespace vkprim::mpi
