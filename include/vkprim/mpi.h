// Primitives on an array whose parts lie on several devices, of one machine or of several: each rank of an MPI communicator has a part,
// and a device. vkprim::mpi (option VKPRIM_MPI) is the only library that links MPI.
//
// Array      The array consists of the ranks' parts, in the order of ranks. Their counts may differ, and any of them may be 0. Results
//            have the bits that the core's primitives give for the whole array in one piece, for any parts and devices.
// Calls      create() and run() are collective: all ranks of the communicator call them, in the same order, with the same Desc. Counts
//            and places may differ, and devices may be of different kinds. Objects are destroyed on all ranks in the same order, too.
//            run() returns once the rank's output is complete: no work is left in flight.
// Errors     All ranks return an error, or none does, so no rank waits for one that has given up. The first rank that failed returns
//            its reason; the others name that rank. Errors of MPI itself are the exception: they go to the communicator's error handler,
//            and the default one ends all ranks. With MPI_ERRORS_RETURN, run() returns MPI's error.
// MPI        The caller calls MPI_Init(), and MPI_Finalize() after the last object has been destroyed. Only the thread that calls
//            create() and run() uses MPI (MPI_THREAD_FUNNELED). Each object has a communicator of its own, so its messages cannot be
//            confused with the caller's.
// Device     A runtime::Device, which must outlive the object. A bare Context is not enough: between two steps the host waits for the device
//            and moves data between it and MPI. MPI never sees memory of a device (no GPU-aware MPI). run() submits to queue 0 of the
//            device. Work that wrote the inputs must have been submitted there before, or the host must have waited for it. No other
//            thread may use the Device during run().
// Memory     The caller owns inputs and outputs, which must not overlap, except where Args says so. An object allocates the other memory
//            that it needs, and keeps it for the next run() until it is destroyed. Each rank's part and that memory must fit into the
//            rank's device.
#pragma once

// C++ bindings of MPI, which compilers warn of, are not used.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <vkprim/chunked_reduce.h>
#include <vkprim/chunked_scan.h>
#include <vkprim/histogram.h>
#include <vkprim/runtime.h>
#include <vkprim/sort.h>

namespace vkprim::mpi {

/// Where a rank's elements lie. Without elements, the buffer may be null.
struct Place {
    const runtime::Buffer* buffer = nullptr; ///< of the object's device
    VkDeviceSize           offset = 0;       ///< bytes; a multiple of the element's size
};

/// The reduction of the array: what Reduce (reduce.h) gives for it, on every rank.
///
/// Each rank runs ChunkedReduce (chunked_reduce.h) on its part. The totals go to all ranks, 512 KiB at most, and each rank combines them.
/// Each element is read once. A group of chunk_step elements is computed on one device. If a group lies in the parts of several ranks, the
/// rank that has its first element computes it, and receives the other ranks' elements through host memory: fewer than chunk_step at each
/// border.
/// If each part begins at a multiple of chunk_step, no elements move.
class Reduce {
public:
    using Desc = ChunkedReduce::Desc;

    struct Args {
        Place    input;     ///< read: count elements
        Place    output;    ///< written, on every rank: as Reduce::Args::output of the core
        uint64_t count = 0; ///< elements of this rank
    };

    /// Fails with a reason where ChunkedReduce::create() does on any rank, or where MPI has not been initialized.
    static Result<Reduce> create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc);

    /// Fails with a reason where a rank's Args are wrong (ErrorKind::invalid_args), the array is too large (chunks.h), memory runs out,
    /// or a device fails.
    Result<void> run(const Args& args);

private:
    struct State;
    explicit Reduce(detail::Owned<State> state) : state_(std::move(state)) {}
    detail::Owned<State> state_;
};

/// The scan of the array: each rank gets the outputs of its elements, as Scan (scan.h) gives them for the whole array.
///
/// Each rank runs ChunkedScan (chunked_scan.h), and the totals of groups of elements go to all ranks. The input is read twice, and with
/// few registers (profile.h) three times. Each element of the output is written once. If a group of chunk_step elements lies in the parts
/// of several ranks, one rank computes it, as with Reduce, and sends the outputs back.
class Scan {
public:
    using Desc = ChunkedScan::Desc;

    struct Args {
        Place input;  ///< read: count elements
        Place output; ///< written: count elements of output_type(type); may be exactly `input` if that is the same type
        uint64_t count = 0; ///< elements of this rank
    };

    /// Fail as those of Reduce.
    static Result<Scan> create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc);
    Result<void>        run(const Args& args);

private:
    struct State;
    explicit Scan(detail::Owned<State> state) : state_(std::move(state)) {}
    detail::Owned<State> state_;
};

/// The histogram of the array, on every rank: counts of 64 bits, each the sum of the ranks' counts (MPI_Allreduce), modulo 2^64.
class Histogram {
public:
    /// Desc::wide is ignored: counts have 64 bits. Without Desc::segments.
    using Desc = vkprim::Histogram::Desc;

    struct Args {
        Place           input;       ///< read: count samples
        Place           output;      ///< written, on every rank: uint64 for each bin of each counted channel
        uint64_t        count   = 0; ///< samples of this rank, of all channels; a multiple of Desc::channels
        VkDeviceAddress weights = 0; ///< with Desc::weights: the weights of this rank's samples, on its device
        /// With Desc::levels: all of them, on each rank's device; the same numbers on all ranks.
        VkDeviceAddress levels = 0;
    };

    /// Fail as those of Reduce.
    static Result<Histogram> create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc);
    Result<void>             run(const Args& args);

private:
    struct State;
    explicit Histogram(detail::Owned<State> state) : state_(std::move(state)) {}
    detail::Owned<State> state_;
};

/// The array's keys, sorted in the order of Sort (sort.h). Each rank keeps its count: the first rank gets the first keys, and so on.
///
/// Each rank sorts its keys on its device. A bisection over the bits of a key finds exactly where each rank's output begins, with two
/// MPI_Allreduce for each bit: one agrees that no rank has failed, one adds up the counts. So no rank gets more keys than it has room for,
/// however skewed they are. Equal keys are distributed in the order of ranks. MPI_Alltoallv moves the keys that change ranks. Each rank then
/// sorts its keys again. Host memory: twice the size of the keys that leave the rank.
class Sort {
public:
    struct Desc {
        ElementType key        = ElementType::u32; ///< as in the core's Sort::Desc
        bool        descending = false;
    };

    struct Args {
        Place    keys;      ///< read: count keys
        Place    output;    ///< written: count keys; may be exactly `keys`
        uint64_t count = 0; ///< keys of this rank, up to 2^31 - 1
    };

    /// Fail as those of Reduce.
    static Result<Sort> create(const runtime::Device& device, MPI_Comm communicator, const Desc& desc);
    Result<void>        run(const Args& args);

private:
    struct State;
    explicit Sort(detail::Owned<State> state) : state_(std::move(state)) {}
    detail::Owned<State> state_;
};

} // namespace vkprim::mpi
