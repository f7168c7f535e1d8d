// What the subcommands of vkprim-mpi share: their flags, the ranks' devices, and files that all ranks read and write.
#pragma once

#include <vkprim/mpi.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mpi/ranks.h"
#include "tools/cli/files/files.h"
#include "tools/cli/files/output_file.h"
#include "tools/cli/input.h"
#include "tools/cli/program.h"
#include "tools/cli/record.h"

namespace vkprim::tools {

struct RankFlags {
    Source                 source;
    bool                   json = false;
    runtime::DeviceOptions device;
};

/// FILE, --type, --raw, --json and the flags of a device.
void add_rank_flags(Options& options, RankFlags& flags);

/// A Failure where `output` is no .npy file.
void check_rank_output(const std::string& output);

/// Which elements of a file a rank has.
struct Share {
    uint64_t begin = 0, count = 0;
};

/// A file and a device for each rank. All functions are collective, and fail on all ranks alike: with the Failure of the first rank that
/// has one.
class RankJob {
public:
    /// Finds out where the file's elements lie.
    explicit RankJob(const RankFlags& flags);

    /// Of an array without a file.
    RankJob(const RankFlags& flags, uint64_t count);

    bool              is_first() const { return ranks_.rank() == 0; }
    const mpi::Ranks& ranks() const { return ranks_; }
    NumberType        type() const { return type_; } ///< in the file
    uint64_t          count() const { return count_; }

    /// The share of each rank: as equal as multiples of `step` elements can be.
    Share share(uint64_t step) const { return share_of(ranks_.rank(), step); }

    /// Reads this rank's share.
    Array read(uint64_t step) const;

    /// Each rank's own: on a machine with several of the best kind, one for each rank there.
    const runtime::Device& open_device();
    const runtime::Device& device() const { return *device_; }

    /// Does `work` on each rank, without MPI. It may throw a Failure.
    void on_all(const std::function<void()>& work) const;

    /// A buffer of at least `size` bytes; with the elements of `bytes`; and the first `size` bytes of one.
    runtime::Buffer      buffer(uint64_t size) const;
    runtime::Buffer      upload(const std::vector<uint8_t>& bytes) const;
    std::vector<uint8_t> download(const runtime::Buffer& buffer, uint64_t size) const;

    /// A Failure where the validation layers had something to say on any rank.
    void check_validation() const;

    /// Ends the measurement that open_device() began: ranks, devices and total_ms; or says it in words.
    Json        values() const;
    std::string line() const;

private:
    Share share_of(int rank, uint64_t step) const;
    void  gather_names();

    const RankFlags&               flags_;
    mpi::Ranks                     ranks_;
    NumberType                     type_  = NumberType::u8;
    uint64_t                       begin_ = 0, count_ = 0; ///< bytes before the elements, and how many of them
    std::optional<runtime::Device> device_;
    std::vector<std::string>       names_; ///< of the ranks' devices, on the first rank

    std::chrono::steady_clock::time_point start_;
};

/// A .npy file of one dimension that all ranks write. It is written beside its path, and takes its place at the end.
class RankOutput {
public:
    /// Creates the file beside `path`, of `count` elements of `type`.
    RankOutput(const RankJob& job, const std::string& path, NumberType type, uint64_t count);
    ~RankOutput();
    RankOutput(const RankOutput&)            = delete;
    RankOutput& operator=(const RankOutput&) = delete;

    /// Writes each rank's elements, those from number `begin` on.
    void write(uint64_t begin, const std::vector<uint8_t>& elements);

    /// Gives the file its name.
    void commit();

private:
    const RankJob&            job_;
    std::string               path_;
    NumberType                type_;
    std::optional<OutputFile> file_;       ///< on the first rank
    std::optional<Unfinished> unfinished_; ///< on the others
    MPI_File                  shared_    = MPI_FILE_NULL;
    bool                      open_      = false; ///< on all ranks
    uint64_t                  head_size_ = 0;     ///< bytes before the elements
};

} // namespace vkprim::tools
