#include "ranks.h"

#include <algorithm>
#include <limits>
#include <new>
#include <string>

namespace vkprim::mpi {

Result<void> check_mpi(int code, const char* call) {
    if (code == MPI_SUCCESS) return {};
    char text[MPI_MAX_ERROR_STRING] = {};
    int  size                       = 0;
    MPI_Error_string(code, text, &size);
    return Error{ErrorKind::other, std::string(call) + ": " + text};
}

Result<Ranks> Ranks::create(MPI_Comm communicator) {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (!initialized) {
        return Error{ErrorKind::invalid_context, "MPI has not been initialized: call MPI_Init() first"};
    }
    if (communicator == MPI_COMM_NULL) {
        return Error{ErrorKind::invalid_context, "the communicator is MPI_COMM_NULL"};
    }
    Ranks ranks(MPI_COMM_NULL);
    if (auto made = check_mpi(MPI_Comm_dup(communicator, &ranks.communicator_), "MPI_Comm_dup"); !made)
        return made.error();
    MPI_Comm_rank(ranks.communicator_, &ranks.rank_);
    MPI_Comm_size(ranks.communicator_, &ranks.count_);
    return ranks;
}

Result<void> Ranks::on_all(const std::function<Result<void>()>& work) const {
    Result<void> mine;
    try {
        mine = work();
    } catch (const std::bad_alloc&) {
        mine = Error{VK_ERROR_OUT_OF_HOST_MEMORY, "not enough memory on this rank's machine: use more ranks"};
    }
    int first = mine ? count_ : rank_;
    if (auto agreed =
            check_mpi(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, communicator_), "MPI_Allreduce");
        !agreed)
        return agreed;
    if (first == count_) return {};

    Error error;
    if (first == rank_) error = mine.error();
    int head[3] = {static_cast<int>(error.kind), error.code, static_cast<int>(error.reason.size())};
    if (auto sent = check_mpi(MPI_Bcast(head, 3, MPI_INT, first, communicator_), "MPI_Bcast"); !sent) return sent;
    error.kind = static_cast<ErrorKind>(head[0]);
    error.code = static_cast<VkResult>(head[1]);
    error.reason.resize(static_cast<size_t>(head[2]));
    if (auto sent = check_mpi(MPI_Bcast(error.reason.data(), head[2], MPI_BYTE, first, communicator_), "MPI_Bcast");
        !sent)
        return sent;
    if (first == rank_) return mine;
    error.reason = "rank " + std::to_string(first) + ": " + error.reason;
    return error;
}

Result<std::vector<uint64_t>> Ranks::gather(uint64_t value) const {
    std::vector<uint64_t> values(static_cast<size_t>(count_));
    const int             code = MPI_Allgather(&value, 1, MPI_UINT64_T, values.data(), 1, MPI_UINT64_T, communicator_);
    if (auto gathered = check_mpi(code, "MPI_Allgather"); !gathered) return gathered.error();
    return values;
}

Result<void> Ranks::add_up(std::vector<uint64_t>& values) const {
    const int count = static_cast<int>(values.size());
    const int code  = MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_UINT64_T, MPI_SUM, communicator_);
    return check_mpi(code, "MPI_Allreduce");
}

Ranks::Ranks(Ranks&& other) noexcept
    : communicator_(std::exchange(other.communicator_, MPI_COMM_NULL)), rank_(other.rank_), count_(other.count_) {}

Ranks& Ranks::operator=(Ranks&& other) noexcept {
    std::swap(communicator_, other.communicator_);
    std::swap(rank_, other.rank_);
    std::swap(count_, other.count_);
    return *this;
}

Ranks::~Ranks() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (communicator_ != MPI_COMM_NULL && !finalized) MPI_Comm_free(&communicator_);
}

} // namespace vkprim::mpi
