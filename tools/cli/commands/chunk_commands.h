// The subcommands that take arrays in chunks.
#pragma once

#include <vkprim/chunked_scan.h>
#include <vkprim/histogram.h>
#include <vkprim/sort.h>

#include <string>
#include <vector>

#include "tools/cli/stream/chunked_job.h"

namespace vkprim::tools {

/// What a reduction in chunks gives: an element, and of argmin and argmax its index.
struct ChunkedResult {
    uint64_t bits  = 0;
    uint64_t index = UINT32_MAX; ///< that of no element
};

/// Reduces the array by one of the library's operations. `reduction.type`: of widened elements.
ChunkedResult reduce_in_chunks(ChunkedJob& job, const JobFlags& flags, const harness::ElementCase& reduction);

struct ChunkedSums {
    uint64_t last    = 0;     ///< the bits of the last element
    bool     wrapped = false; ///< a sum of 32 bits
};

/// Writes the scan of the array to the .npy file `output`. desc.type has 64 bits if integers are to be widened to as many.
ChunkedSums scan_in_chunks(ChunkedJob& job, const JobFlags& flags, const ChunkedScan::Desc& desc,
                           const std::string& output);

/// Counts the samples of the array. `desc` has one channel.
std::vector<uint64_t> histogram_in_chunks(ChunkedJob& job, const JobFlags& flags, const Histogram::Desc& desc);

/// The bits by which integers are sorted, as Sort::Args has them.
struct BitRange {
    uint32_t begin = 0, end = 0;
};

/// Writes the elements in their order to the .npy file `output`.
void sort_in_chunks(ChunkedJob& job, const JobFlags& flags, const BitRange& bits, bool descending,
                    const std::string& output);

} // namespace vkprim::tools
