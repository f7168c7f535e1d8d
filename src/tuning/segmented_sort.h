// Numbers of the sort of segments that depend on the device class. Results never depend on them.
#pragma once

#include "sort.h"

namespace vkprim {

struct SegmentedSortTuning {
    bool      subgroups = false;    ///< as in SortTuning
    SortShape shape;                ///< of what sorts short segments
    uint32_t  workgroup_size = 256; ///< of what numbers and gathers the elements of others

    uint32_t longest() const {
        return shape.tile / 2;
    } ///< elements of a short segment, at most; a share has more places than that
};

/// Shared memory of a workgroup that sorts short segments, in bytes: shaders/segmented_sort/segmented_sort_short.comp.
inline uint32_t segmented_sort_memory(const DeviceLimits& limits, const SortCase& sort, bool subgroups,
                                      uint32_t workgroup_size, uint32_t tile) {
    return sort_memory(limits, sort, subgroups, workgroup_size, tile) + 4 * (tile / 16 + 2);
}

/// `rows`: segments are of one length; `key_words`: of a key in registers; `subgroups`: the device has them.
inline Result<SegmentedSortTuning> tune_segmented_sort(const DeviceLimits& limits, const Profile* profile, bool rows,
                                                       uint32_t key_words, bool subgroups) {
    SegmentedSortTuning tuning;
    // As in a sort of one dispatch: Adreno's compiler spills 16 keys of an invocation, Intel's 8, and Mali's 4 with their indices. Small
    // workgroups are faster (bench/NOTES.md), and rows that are too long for them are fast in Sort, too. Between offsets, longer segments
    // would take two sorts.
    uint32_t votes = subgroups ? 1 : 0, log2_workgroup = rows && limits.tuned_for == vendors::nvidia ? 7 : 8;
    uint32_t items = limits.tuned_for == vendors::nvidia  ? 16
                     : limits.tuned_for == vendors::intel ? 4
                     : limits.few_registers               ? 3
                                                          : 8;
    items /= key_words;
    const auto applied = apply_profile(limits, profile,
                                       {{"segmented_sort.items", &items, 1, 24},
                                        {"segmented_sort.log2_workgroup", &log2_workgroup, 7, 10},
                                        {"segmented_sort.votes", &votes, 0, votes}});
    if (!applied) return applied.error();

    const SortCase sort{key_words, 0, subgroups};
    const auto     fits = [&](bool votes_fit, uint32_t log2_size, uint32_t keys_each) {
        return 1u << log2_size <= limits.workgroup_size &&
               segmented_sort_memory(limits, sort, votes_fit, 1u << log2_size, keys_each << log2_size) <=
                   limits.shared_memory_size;
    };
    tuning.subgroups = votes != 0 && limits.subgroup_size >= 8 && fits(true, 7, 2);
    while (log2_workgroup > 7 && !fits(tuning.subgroups, log2_workgroup, 1)) --log2_workgroup;
    while (items > 1 && !fits(tuning.subgroups, log2_workgroup, items)) --items;
    tuning.shape          = {1u << log2_workgroup, items << log2_workgroup};
    tuning.workgroup_size = std::min(tuning.workgroup_size, limits.workgroup_size);
    return tuning;
}

} // namespace vkprim
