// Segments of an array between offsets, as files have them.
#pragma once

#include <vkprim/runtime.h>

#include <string>
#include <vector>

#include "array_job.h"

namespace vkprim::tools {

/// --offsets, by which the primitive does `what`.
Option add_offsets_flag(Options& options, std::string& path, const std::string& what);

/// The offsets in the .npy file `path`, of segments of the `count` elements of `name`: one more than there are segments. A Failure, which says
/// which one and what to do, where they are no integers of one dimension, descend, or are larger than the count. None, where the path is empty.
std::vector<uint32_t> read_offsets(const std::string& path, uint64_t count, const std::string& name);

/// Offsets on the device, and how many segments lie between them: into the Args of SegmentedReduce or SegmentedScan.
struct OffsetsOnDevice {
    runtime::Buffer buffer;
    uint32_t        segments;

    OffsetsOnDevice(ArrayJob& job, const std::vector<uint32_t>& offsets);

    template <class Args>
    void put_into(Args& args, uint64_t count) const {
        args.count            = static_cast<uint32_t>(count);
        args.segments.count   = segments;
        args.segments.offsets = buffer.address();
    }
};

} // namespace vkprim::tools
