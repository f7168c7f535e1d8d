#include "ranks.h"

#include <algorithm>
#include <cstring>
#include <exception>
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
    Ranks ranks;
    if (auto made = check_mpi(MPI_Comm_dup(communicator, &ranks.communicator_), "MPI_Comm_dup"); !made)
        return made.error();
    MPI_Comm_rank(ranks.communicator_, &ranks.rank_);
    MPI_Comm_size(ranks.communicator_, &ranks.count_);
    return ranks;
}

Error Ranks::caught() noexcept {
    Error error;
    try {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            error.kind   = ErrorKind::vulkan;
            error.code   = VK_ERROR_OUT_OF_HOST_MEMORY;
            error.reason = "not enough memory on this rank's machine: use more ranks";
        } catch (const std::exception& other) {
            error.reason = other.what();
        }
    } catch (...) { // what is unknown, or there is no memory for the reason
    }
    return error;
}

Result<void> Ranks::agree(Result<void> mine) const {
    int  first  = mine ? count_ : rank_;
    auto agreed = check_mpi(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, communicator_), "MPI_Allreduce");
    if (!agreed) return agreed;
    if (first == count_) return {};

    // Nothing that takes memory before all ranks know.
    struct {
        ErrorKind kind;
        VkResult  code;
        size_t    size;
        char      reason[1000];
    } told{};
    if (!mine) {
        const Error& error = mine.error();
        told               = {error.kind, error.code, std::min(error.reason.size(), sizeof told.reason), {}};
        std::memcpy(told.reason, error.reason.data(), told.size);
    }
    auto sent = check_mpi(MPI_Bcast(&told, sizeof told, MPI_BYTE, first, communicator_), "MPI_Bcast");
    if (!sent) return sent;
    if (first == rank_) return mine;
    Error error;
    error.kind   = told.kind;
    error.code   = told.code;
    error.reason = "rank " + std::to_string(first) + ": " + std::string(told.reason, told.size);
    return error;
}

Result<std::vector<uint64_t>> Ranks::gather(uint64_t value) const {
    std::vector<uint64_t> values;
    const auto            made = on_all([&]() -> Result<void> {
        values.resize(static_cast<size_t>(count_));
        return {};
    });
    if (!made) return made.error();
    const int code = MPI_Allgather(&value, 1, MPI_UINT64_T, values.data(), 1, MPI_UINT64_T, communicator_);
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
