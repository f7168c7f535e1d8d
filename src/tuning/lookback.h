// Numbers of the primitives whose tiles look back that depend on the device class. Results never depend on them.
#pragma once

#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/tile.h>
#include "../knobs.h"
#include "vendors.h"

#include <algorithm>

namespace vkprim {

struct LookbackTuning {
    uint32_t blocks = 1; ///< in a tile: 1 or 2
    /// With blocks == 2: up to this many blocks, each block is a tile of its own; at most one group.
    uint32_t small_tiles       = 0;
    uint32_t aligned           = 1; ///< whether multiples of 16 have pipelines apart from all other addresses: 0 or 1
    uint32_t prefetch_distance = 0; ///< tiles from one to the one that it prefetches; 0: none
    uint32_t first_wave_tiles  = 0; ///< tiles that start at once, so that none of them is worth a prefetch

    uint32_t tickets = 1; ///< whether workgroups take their tiles by ticket, in the order in which they start: 0 or 1
    uint32_t waits   = 1; ///< 0: several dispatches, in which no workgroup waits for another
    uint32_t fault   = 0; ///< for tests: the fault of some workgroups, VKPRIM_FAULT_...
    uint32_t fault_share = 0; ///< how many of 65536 workgroups have it
};

/// The numbers that all primitives share: `tickets`, `waits`, and faults. A profile names them "lookback.waits" and so on.
inline Result<LookbackTuning> tune_waits(const DeviceLimits& limits, const Profile* profile) {
    constexpr uint32_t honeykrisp = 26; // VK_DRIVER_ID_MESA_HONEYKRISP, which older headers lack
    LookbackTuning     tuning;
    // NVIDIA GPUs start workgroups in the order of their numbers.
    if (limits.tuned_for == vendors::nvidia && !limits.software) tuning.tickets = 0;
    // On GPUs of Apple and ARM, a running workgroup may be stalled while others wait for it (Smith, Levien, Owens, "Decoupled Fallback",
    // SPAA 2025). With helpers, results are right there, too, but it is slow.
    // Asahi, a driver for Apple's GPUs, reports Mesa's number as its vendor.
    const bool is_apple = limits.tuned_for == vendors::apple || limits.driver_id == honeykrisp;
    if (is_apple || limits.tuned_for == vendors::arm) tuning.waits = 0;
    // V3D's compiler had not ended after 400 s with what waits (Raspberry Pi 4, Mesa 26.1).
    if (limits.tuned_for == vendors::broadcom) tuning.waits = 0;
    // CPU drivers give each thread a range of tiles. Without tickets, the second thread would help with all of the first
    // one's, in more rounds than Mesa's driver gives a shader's loops.
    const uint32_t least_tickets = limits.software ? 1 : 0;
    const auto     applied       = apply_profile(limits, profile,
                                                 {{"lookback.tickets", &tuning.tickets, least_tickets, 1},
                                                  {"lookback.waits", &tuning.waits, 0, 1},
                                                  {"lookback.fault", &tuning.fault, 0, VKPRIM_FAULT_DAWDLE},
                                                  {"lookback.fault_share", &tuning.fault_share, 0, 65536}});
    if (!applied) return applied.error();
    return tuning;
}

/// All numbers of `primitive`, such as "scan", whose own a profile names "scan.prefetch_distance" and so on. `inputs`: arrays that a tile loads.
/// `any_address`: whether its pipelines have the same code for all addresses.
inline Result<LookbackTuning> tune_lookback(const DeviceLimits& limits, const Profile* profile,
                                            const std::string& primitive, uint32_t inputs = 1,
                                            bool any_address = false) {
    const uint32_t multiprocessors = limits.multiprocessor_count ? limits.multiprocessor_count : 64;
    auto           tuned           = tune_waits(limits, profile);
    if (!tuned) return tuned.error();
    LookbackTuning& tuning = *tuned;
    tuning.small_tiles     = std::min(multiprocessors, VKPRIM_TILE_FAN);
    if (limits.tuned_for == vendors::nvidia) {
        // With tiles of two blocks, an invocation has 32 elements, for which others lack registers: the compilers for Intel's GPUs, Adreno and
        // Radeon RX 7000 spill (scripts/check-vendors.sh).
        tuning.blocks = 2;
        // Four workgroups run on a multiprocessor; the next ones start while one waits. bench/NOTES.md has the sweep.
        tuning.prefetch_distance = inputs > 1 ? multiprocessors * 5 / 2 : multiprocessors * 7 / 4;
        tuning.first_wave_tiles  = multiprocessors * 4;
    }
    // On a CPU, most of the time goes into compiling a pipeline, and it loads vectors no faster than words: one does for all addresses and
    // counts (bench/NOTES.md).
    if (limits.tuned_for_cpu() || any_address) tuning.aligned = 0;
    const auto own = apply_profile(limits, profile,
                                   {{primitive + ".small_tiles", &tuning.small_tiles, 1, VKPRIM_TILE_FAN},
                                    {primitive + ".blocks", &tuning.blocks, 1, 2},
                                    {primitive + ".aligned", &tuning.aligned, 0, 1},
                                    {primitive + ".prefetch_distance", &tuning.prefetch_distance, 0, 65535}});
    if (!own) return own.error();
    return tuned;
}

} // namespace vkprim
