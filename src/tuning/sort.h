// Numbers of the sort that depend on the device class. Results never depend on them.
#pragma once

#include "../../shaders/sort/sort_push.h"
#include "../knobs.h"
#include "vendors.h"

#include <algorithm>

namespace vkprim {

/// A workgroup that sorts tiles.
struct SortShape {
    uint32_t workgroup_size = 0;
    uint32_t tile           = 0; ///< keys

    bool operator!=(const SortShape& other) const {
        return workgroup_size != other.workgroup_size || tile != other.tile;
    }
};

struct SortTuning {
    bool      subgroups = false;    ///< whether votes of subgroups rank keys; else atomics on shared memory
    SortShape tiny, small;          ///< of sorts in one dispatch: its tile is all keys
    SortShape usual, large;         ///< of others
    uint32_t  large_count    = 0;   ///< keys from which on tiles are large
    uint32_t  chunk          = 0;   ///< tiles, at most, that a workgroup counts
    uint32_t  chunks         = 0;   ///< below so many, it counts fewer
    uint32_t  unscanned      = 0;   ///< chunks up to which every workgroup adds up the others' counts by itself
    uint32_t  workgroup_size = 256; ///< that counts
    uint32_t  copies         = 0;   ///< of its counters, a power of two
    uint32_t  loads          = 0;   ///< keys that an invocation of it loads before it counts the first

    /// Of equal shapes, one does for both.
    bool has_tiny() const { return tiny != small; }
    bool has_large() const { return large != usual; }
};

struct SortCase {
    uint32_t key_words = 1, value_words = 0;
    bool     subgroups = false; ///< the device has them
};

/// Shared memory of a workgroup that sorts tiles, in bytes: shaders/sort/tile.glsl.
inline uint32_t sort_memory(const DeviceLimits& limits, const SortCase& sort, bool subgroups, uint32_t workgroup_size,
                            uint32_t tile) {
    const uint32_t team   = subgroups ? std::min(limits.subgroup_size, 32u) : 32;
    const uint32_t teams  = workgroup_size / team;
    const uint32_t ranks  = teams * SORT_DIGITS * (subgroups ? 1 : 2);
    const uint32_t staged = std::max(sort.key_words, sort.value_words) * tile;
    return 4 * (std::max(ranks, staged) + SORT_DIGITS + 2 * (subgroups ? teams : workgroup_size));
}

inline Result<SortTuning> tune_sort(const DeviceLimits& limits, const Profile* profile, const SortCase& sort) {
    SortTuning     tuning;
    const uint32_t words     = std::max(sort.key_words, sort.value_words);
    const bool     is_nvidia = limits.tuned_for == vendors::nvidia;
    const bool     has_few   = limits.few_registers || limits.tuned_for == vendors::intel;
    uint32_t       votes = sort.subgroups ? 1 : 0, log2_workgroup = 8, log2_copies = is_nvidia ? 1 : 3;
    // For a sort in one dispatch: Adreno's compiler spills 16 keys of an invocation, and Intel's and Mali's 8, or 4 of two words with the
    // numbers of their rows.
    uint32_t       log2_small  = is_nvidia ? 9 : 8;
    const uint32_t small_items = is_nvidia ? 16 : has_few ? 4 : 8;
    uint32_t       tiny_items  = has_few || limits.tuned_for_cpu() ? small_items / words : 4;
    // With large tiles, neighbours in the output go to memory together: on an H200, 256 x 20 keys are best, and with values 256 x 16.
    uint32_t items       = words == 1   ? 8
                           : words == 2 ? 6
                                        : 4,
             large_items = words == 2         ? 10
                           : words == 4       ? 5
                           : sort.value_words ? 16
                                              : 20;
    if (limits.few_registers) { // of more, Mali's compiler spills
        if (sort.value_words > 0) items = words == 1 ? 5 : words == 2 ? 4 : 3;
        large_items = items;
    }
    tuning.large_count = 1u << 21;
    tuning.chunk       = 12;
    tuning.chunks      = 1024;
    tuning.unscanned   = 64;
    tuning.loads       = limits.tuned_for_cpu() ? 4 : 10;
    // On CPU drivers, unrolled code takes long to compile, and is not faster; each copy costs a pass over the counters.
    if (limits.tuned_for_cpu()) {
        large_items = items;
        log2_copies = 0;
    }
    const auto applied = apply_profile(limits, profile,
                                       {{"sort.votes", &votes, 0, votes},
                                        {"sort.log2_workgroup", &log2_workgroup, 7, 8},
                                        {"sort.log2_small_workgroup", &log2_small, 7, 10},
                                        {"sort.tiny_items", &tiny_items, 1, 16},
                                        {"sort.items", &items, 2, 24},
                                        {"sort.large_items", &large_items, 2, 24},
                                        {"sort.large_count", &tuning.large_count, 1, UINT32_MAX},
                                        {"sort.chunk", &tuning.chunk, 1, 16},
                                        {"sort.chunks", &tuning.chunks, 1, 65535},
                                        {"sort.unscanned", &tuning.unscanned, 1, 1024},
                                        {"sort.log2_copies", &log2_copies, 0, 5},
                                        {"sort.loads", &tuning.loads, 1, 32}});
    if (!applied) return applied.error();

    // What does not fit becomes smaller: 16 KiB are enough for 128 invocations with atomics, and for votes of subgroups of 16 or more.
    const auto fits = [&](bool subgroups, uint32_t log2_size, uint32_t keys_each) {
        return 1u << log2_size <= limits.workgroup_size &&
               sort_memory(limits, sort, subgroups, 1u << log2_size, keys_each << log2_size) <=
                   limits.shared_memory_size;
    };
    tuning.subgroups = votes != 0 && limits.subgroup_size >= 8 && fits(true, 7, 2);
    const auto shape = [&](uint32_t log2_size, uint32_t keys_each) {
        while (log2_size > 7 && !fits(tuning.subgroups, log2_size, 1)) --log2_size;
        while (keys_each > 1 && !fits(tuning.subgroups, log2_size, keys_each)) --keys_each;
        return SortShape{1u << log2_size, keys_each << log2_size};
    };
    tuning.small = shape(log2_small, small_items / words);
    tuning.tiny  = shape(8, tiny_items);
    tuning.usual = shape(log2_workgroup, items);
    tuning.large = shape(log2_workgroup, large_items);
    // A chunk's counters have 16 bits. So that whole tiles are loaded in whole rounds, an invocation's keys are a multiple of `loads`.
    tuning.chunk = std::min(tuning.chunk, SORT_MOST_COUNTED / std::max(tuning.usual.tile, tuning.large.tile));
    const uint32_t keys_each = std::max(tuning.large.tile / tuning.workgroup_size, 1u);
    while (keys_each % tuning.loads != 0) --tuning.loads;
    while (log2_copies > 0 && SORT_DIGITS / 2 * 4 << log2_copies > limits.shared_memory_size / 2) --log2_copies;
    tuning.copies = 1u << log2_copies;
    return tuning;
}

} // namespace vkprim
