// Numbers of the histogram that depend on the device class. Results never depend on them.
#pragma once

#include "../knobs.h"
#include "vendors.h"

#include <algorithm>

namespace vkprim {

/// How samples are counted.
enum class HistogramWay {
    shared,   ///< all of them in shared memory, of which scratch adds the workgroups' counts
    rows,     ///< likewise, with fewer copies and smaller workgroups, since a row may be short
    segments, ///< pieces between offsets in shared memory, or one by one in the output
    output,   ///< bins do not fit into shared memory: by atomics on the output
    ranges,   ///< likewise; many samples in ranges of bins, for each of which they are read again
};

struct HistogramTuning {
    HistogramWay way            = HistogramWay::shared;
    uint32_t     workgroup_size = 0;
    /// The most workgroups, also for each row; if copies is not 0, each costs a pass over its counters.
    uint32_t workgroups  = 0;
    uint32_t vectors     = 0; ///< of 16 bytes, that an invocation loads before it counts the first
    uint32_t tiles       = 0; ///< of samples, for which there is another workgroup
    uint32_t copies      = 0; ///< of the histogram in shared memory, a power of two; 0 if not even one fits
    uint32_t few_bytes   = 0; ///< of samples, up to which smaller workgroups count them, or one a row; 0: never
    uint32_t few_size    = 0; ///< invocations of these
    uint32_t few_vectors = 0; ///< that one of these loads
    uint32_t few_copies  = 0; ///< that these have
    /// Up to so many rows, a row may have several workgroups; if there are more rows, each has one.
    uint32_t most_rows        = 0;
    uint32_t most_tiles       = 0;     ///< of a row that one workgroup counts
    bool     gathers          = false; ///< equal samples of a subgroup before they are added to one of many bins
    uint32_t range            = 0;     ///< bins that a workgroup counts in 16 bits each, if copies is 0
    uint32_t ranges           = 0;     ///< into which the bins are divided; 0 if there would be too many
    uint32_t range_workgroups = 0;     ///< of all ranges together
    uint32_t ranges_count     = 0;     ///< samples from which on ranges are faster than atomics on the output

    /// For segments between offsets. A place is a sample, or a part of a segment's additional cost.
    uint32_t share_workgroups = 0; ///< that places are shared by, where shares are neither small nor large then
    uint32_t least_share = 0, most_share = 0; ///< of a workgroup: places
    uint32_t direct = 0;                      ///< samples of a piece up to which each is added to the output by itself

    /// Whether the bins fit into shared memory.
    bool is_shared() const { return way < HistogramWay::output; }
};

struct HistogramCase {
    uint32_t bins = 0, sample_size = 0;
    uint32_t counter_words = 1;     ///< in shared memory
    uint32_t table_words   = 0;     ///< there, besides
    bool     weighted      = false; ///< what is added to a counter is any number
    bool     levels        = false; ///< bins are searched for
    bool     rows          = false; ///< many histograms in one dispatch
    bool     offsets       = false; ///< likewise, of segments between offsets
};

/// Words of a copy of the histogram in shared memory. One more bin is for samples outside the range.
inline uint32_t histogram_copy_words(const HistogramCase& histogram) {
    return (histogram.bins + 1) * histogram.counter_words;
}

/// Words of shared memory for copies and table: 33 KiB is room for 32 copies of 256 bins, and for several workgroups on a multiprocessor.
inline uint32_t histogram_shared_words(const DeviceLimits& limits, const HistogramCase& histogram) {
    return std::min(limits.shared_memory_size / 4,
                    std::max(257 * 32u, histogram_copy_words(histogram)) + histogram.table_words);
}

inline HistogramWay histogram_way(const DeviceLimits& limits, const HistogramCase& histogram, uint32_t range) {
    if (histogram_copy_words(histogram) + histogram.table_words <= histogram_shared_words(limits, histogram)) {
        return histogram.offsets ? HistogramWay::segments : histogram.rows ? HistogramWay::rows : HistogramWay::shared;
    }
    // A CPU gains nothing from reading samples once more. Weights do not fit into 16 bits, and to search once is enough. Of many rows, few
    // are long enough.
    constexpr uint32_t most_ranges = 8;
    const bool counts_once = limits.tuned_for_cpu() || histogram.weighted || histogram.levels || histogram.rows ||
                             histogram.offsets || (histogram.bins - 1) / range + 1 > most_ranges;
    return counts_once ? HistogramWay::output : HistogramWay::ranges;
}

/// As many copies as fit, but no more than 2 to the power of `log2_copies`.
inline void tune_shared(HistogramTuning& tuning, const DeviceLimits& limits, const HistogramCase& histogram,
                        uint32_t log2_copies) {
    const uint32_t copy = histogram_copy_words(histogram), words = histogram_shared_words(limits, histogram);
    tuning.copies = 1;
    while (tuning.copies < 1u << log2_copies && copy * tuning.copies * 2 + histogram.table_words <= words)
        tuning.copies *= 2;
    tuning.few_size    = histogram.bins <= 512 ? 256 : 512; // with more bins, an invocation has more to add up
    tuning.few_vectors = histogram.bins <= 512 ? tuning.vectors : 1;
    tuning.few_copies  = tuning.copies;
}

/// A short row has few samples to count, so its workgroup must not have much more to clear and to add up.
inline void tune_short_rows(HistogramTuning& tuning, const HistogramCase& histogram) {
    tuning.few_size = std::min(tuning.few_size, tuning.workgroup_size);
    while (tuning.few_copies > 1 && tuning.few_copies * histogram.bins * histogram.counter_words > 4 * tuning.few_size)
        tuning.few_copies /= 2;
}

inline void tune_output(HistogramTuning& tuning, const DeviceLimits& limits, const HistogramCase& histogram,
                        uint32_t multiprocessors, uint32_t range) {
    tuning.few_bytes  = 0;
    tuning.workgroups = 16 * multiprocessors;
    // A CPU counts one sample after the other. Sums of weights may not fit into the word that a subgroup has for them.
    tuning.gathers      = !limits.tuned_for_cpu() && histogram.counter_words == 1;
    tuning.range        = range;
    tuning.ranges_count = 64 * histogram.bins;
}

inline Result<HistogramTuning> tune_histogram(const DeviceLimits& limits, const Profile* profile,
                                              const HistogramCase& histogram) {
    const uint32_t  bins = histogram.bins;
    HistogramTuning tuning;
    tuning.workgroup_size = limits.workgroup_size >= 1024 ? 1024 : 256;
    // Adreno's compiler spills in histogram_ranges.comp if 1024 invocations share the registers.
    if (limits.tuned_for == vendors::qualcomm) tuning.workgroup_size = std::min(tuning.workgroup_size, 512u);
    // On NVIDIA GPUs, a multiprocessor has 64 KiB of shared memory for Vulkan, which one workgroup of 1024 and 32 copies of
    // 256 bins fills. Elsewhere, enough workgroups for any device of its time.
    const uint32_t multiprocessors = limits.multiprocessor_count ? limits.multiprocessor_count : 256;
    tuning.workgroups              = multiprocessors;
    tuning.vectors                 = limits.multiprocessor_count ? 4 : 1;
    tuning.tiles                   = limits.tuned_for_cpu() ? 4 : 1;
    uint32_t log2_copies           = limits.tuned_for_cpu() ? 0 : 5; // at most
    // On NVIDIA GPUs, small workgroups clear, add up and arrive faster; but more samples take up to a fifth longer with them (bench/NOTES.md,
    // "Histogram").
    if (limits.tuned_for == vendors::nvidia) tuning.few_bytes = 1 << 22;

    // Mesa's CPU driver gives a shader's loops 65535 rounds, which a few workgroups with all samples would exceed.
    const uint32_t least_workgroups = limits.software ? tuning.workgroups : 1;
    const auto     applied          = apply_profile(limits, profile,
                                                    {{"histogram.vectors", &tuning.vectors, 1, 16},
                                                     {"histogram.workgroups", &tuning.workgroups, least_workgroups, 65535},
                                                     {"histogram.few_bytes", &tuning.few_bytes, 0, 1u << 30},
                                                     {"histogram.log2_copies", &log2_copies, 0, 5}});
    if (!applied) return applied.error();

    // Each row takes scratch of its own, so no more rows have several workgroups than it takes to occupy a device.
    tuning.most_rows  = multiprocessors;
    tuning.most_tiles = limits.software ? 2048 : UINT32_MAX;
    // Searching is a loop for each sample, and Mesa's CPU driver counts the rounds of all of them.
    if (histogram.levels && limits.software) {
        tuning.workgroups *= 16;
        tuning.most_tiles = 64;
    }
    // For each piece in shared memory, as many counters as there are bins are zeroed and added to the output.
    tuning.direct           = std::max(bins, 64u);
    tuning.share_workgroups = limits.tuned_for_cpu() ? 32 : 16 * multiprocessors;
    tuning.most_share       = !limits.software ? 1 << 16 : histogram.levels ? 1 << 12 : 1 << 14;
    tuning.least_share      = std::clamp(4 * bins, 2048u, tuning.most_share);

    const uint32_t range = (limits.shared_memory_size - 32 * 4) / 2 & ~1u;
    tuning.way           = histogram_way(limits, histogram, range);
    switch (tuning.way) {
        case HistogramWay::shared:
            tune_shared(tuning, limits, histogram, log2_copies);
            if (bins > 1024) tuning.few_bytes /= 16;
            if (bins > 2048 || tuning.few_size >= tuning.workgroup_size) tuning.few_bytes = 0;
            break;
        case HistogramWay::rows:
            tune_shared(tuning, limits, histogram, log2_copies);
            tune_short_rows(tuning, histogram);
            tuning.few_bytes = 1 << 16;
            break;
        case HistogramWay::segments:
            tune_shared(tuning, limits, histogram, log2_copies);
            tune_short_rows(tuning, histogram); // pieces are short rows
            tuning.few_bytes      = 0;
            tuning.workgroup_size = tuning.few_size;
            tuning.vectors        = tuning.few_vectors;
            tuning.copies         = tuning.few_copies;
            break;
        case HistogramWay::output:
            tune_output(tuning, limits, histogram, multiprocessors, range);
            if (histogram.offsets) tuning.workgroup_size = std::min(tuning.workgroup_size, 256u);
            break;
        case HistogramWay::ranges:
            tune_output(tuning, limits, histogram, multiprocessors, range);
            tuning.ranges = (bins - 1) / tuning.range + 1;
            // No more than 2^15 samples in a tile.
            tuning.vectors = std::min(tuning.vectors, 32768 / (tuning.workgroup_size * 16 / histogram.sample_size));
            tuning.range_workgroups = std::max(multiprocessors / tuning.ranges, 1u) * tuning.ranges;
            break;
    }
    return tuning;
}

} // namespace vkprim
