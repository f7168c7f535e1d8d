// Where a device class changes a number of the sort. Results never depend on it.
#pragma once

#include "../../shaders/sort/sort_push.h"
#include "../knobs.h"
#include "vendors.h"

#include <algorithm>

namespace vkprim {

struct SortTuning {
    bool     subgroups            = false; ///< whether votes of subgroups rank keys; else atomics on shared memory
    uint32_t workgroup_size       = 0;
    uint32_t tile                 = 0; ///< keys that a workgroup sorts at a time
    uint32_t small_workgroup_size = 0;
    uint32_t small_tile           = 0; ///< the most keys of a sort in one dispatch
    uint32_t chunk                = 0; ///< tiles, at most, that a workgroup counts
    uint32_t chunks               = 0; ///< below so many, it counts fewer
    uint32_t unscanned            = 0; ///< chunks up to which every workgroup adds up the others' counts by itself
    uint32_t count_workgroup_size = 256;
    uint32_t copies = 0; ///< of the counters of a workgroup that counts, a power of two
    uint32_t loads  = 0; ///< keys that an invocation of it loads before it counts the first
};

struct SortCase {
    uint32_t key_words = 1, value_words = 0;
    bool     subgroups = false; ///< the device has them
};

/// Shared memory of a workgroup that sorts tiles, in bytes: shaders/sort/tile.glsl.
inline uint32_t sort_memory(const DeviceLimits& limits, const SortCase& sort, bool subgroups, uint32_t workgroup_size,
                            uint32_t tile) {
    const uint32_t     team   = subgroups ? std::min(limits.subgroup_size, 32u) : 32;
    const uint32_t     teams  = workgroup_size / team;
    const uint32_t     ranks  = teams * SORT_DIGITS * (subgroups ? 1 : 2);
    const uint32_t     staged = std::max(sort.key_words, sort.value_words) * tile;
    return 4 * (std::max(ranks, staged) + SORT_DIGITS + (subgroups ? teams : workgroup_size));
}

inline Result<SortTuning> tune_sort(const DeviceLimits& limits, const Profile* profile, const SortCase& sort) {
    SortTuning     tuning;
    const uint32_t words = std::max(sort.key_words, sort.value_words);
    uint32_t       votes = sort.subgroups ? 1 : 0, log2_workgroup = 8, log2_small = 9, log2_copies = 5;
    uint32_t       items = words == 1 ? 16 : words == 2 ? 10 : 5;
    tuning.chunk         = 8;
    tuning.chunks        = 1024;
    tuning.unscanned     = 64;
    tuning.loads         = limits.tuned_for_cpu() ? 4 : 10;
    if (limits.tuned_for_cpu()) log2_copies = 0; // each costs a pass over the counters
    const auto applied = apply_profile(limits, profile,
                                       {{"sort.votes", &votes, 0, votes},
                                        {"sort.log2_workgroup", &log2_workgroup, 7, 8},
                                        {"sort.log2_small_workgroup", &log2_small, 7, 10},
                                        {"sort.items", &items, 2, 24},
                                        {"sort.chunk", &tuning.chunk, 1, 16},
                                        {"sort.chunks", &tuning.chunks, 1, 65535},
                                        {"sort.unscanned", &tuning.unscanned, 1, 1024},
                                        {"sort.log2_copies", &log2_copies, 0, 5},
                                        {"sort.loads", &tuning.loads, 1, 32}});
    if (!applied) return applied.error();

    // What does not fit becomes smaller: 16 KiB are enough for 128 invocations with atomics, and for votes of subgroups of 16 or more.
    const auto fits = [&](bool subgroups, uint32_t log2_size, uint32_t tile) {
        return 1u << log2_size <= limits.workgroup_size &&
               sort_memory(limits, sort, subgroups, 1u << log2_size, tile) <= limits.shared_memory_size;
    };
    tuning.subgroups = votes != 0 && limits.subgroup_size >= 8 && fits(true, 7, 2 * 128);
    while (log2_workgroup > 7 && !fits(tuning.subgroups, log2_workgroup, 2 << log2_workgroup)) --log2_workgroup;
    while (items > 2 && !fits(tuning.subgroups, log2_workgroup, items << log2_workgroup)) --items;
    tuning.workgroup_size = 1u << log2_workgroup;
    tuning.tile           = items << log2_workgroup;

    // So that whole tiles are loaded in whole rounds.
    const uint32_t keys_each = std::max(tuning.tile / tuning.count_workgroup_size, 1u);
    while (keys_each % tuning.loads != 0) --tuning.loads;
    // A chunk's counters have 16 bits.
    tuning.chunk = std::min(tuning.chunk, SORT_MOST_COUNTED / tuning.tile);
    while (log2_copies > 0 && SORT_DIGITS / 2 * 4 << log2_copies > limits.shared_memory_size / 2) --log2_copies;
    tuning.copies = 1u << log2_copies;

    uint32_t small_items = 16 / words;
    while (log2_small > 7 && !fits(tuning.subgroups, log2_small, small_items << log2_small)) --log2_small;
    while (small_items > 1 && !fits(tuning.subgroups, log2_small, small_items << log2_small)) --small_items;
    tuning.small_workgroup_size = 1u << log2_small;
    tuning.small_tile           = small_items << log2_small;
    return tuning;
}

} // namespace vkprim
