// Hours of random operations in flight on all queues of a device, every result checked.
#pragma once

#include "batch.h"

#include <optional>

namespace vkprim::harness {

struct SoakOptions {
    VariantsDesc            variants; ///< and the seed of all
    double                  seconds = 60;
    std::optional<uint64_t> batch   = {}; ///< only this one, once in each command buffer in flight
    uint32_t rounds = 0; ///< how often a batch runs in its command buffer; 0: once on software devices, else often
};

struct SoakProgress {
    double   seconds    = 0;
    uint64_t operations = 0;
};

struct SoakMismatch {
    uint64_t    batch = 0; ///< its number, from which, with the seed, it can be made again
    std::string what;      ///< operation, and what is wrong with it
    Case        steps;     ///< the operation, after those before it on the same scratch
};

struct SoakResult {
    double                    seconds    = 0; ///< without the creation of primitives
    uint64_t                  batches    = 0;
    uint64_t                  operations = 0; ///< checked
    uint64_t                  bytes      = 0; ///< that they read and wrote, each element once
    uint64_t                  mismatches = 0; ///< operations and scratch ranges that were wrong
    uint32_t                  queues     = 0;
    uint32_t                  in_flight  = 0; ///< command buffers, on all queues together
    std::vector<SoakMismatch> shown;          ///< the first few
};

/// Queues to ask for in DeviceOptions.
constexpr uint32_t soak_queues = 8;

/// Runs batches until the time is over, or one is wrong. A batch is a function of the seed, its number and the kind of
/// device alone. An error where the device failed, or nothing is to be drawn. `on_progress` is called now and then, by the
/// thread that called soak(); by the end of it all objects and threads have gone.
Result<SoakResult> soak(const runtime::Device& device, const SoakOptions& options,
                        const std::function<void(const SoakProgress&)>& on_progress = {});

} // namespace vkprim::harness
