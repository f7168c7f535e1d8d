// What variants of a subject promise beyond their results.
#pragma once

#include <vkprim/core.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vkprim::harness {

/// Bounds of a number that a profile may set.
struct Knob {
    std::string name; ///< "scan.prefetch_distance"
    uint32_t    least = 0, most = 0;
    uint32_t    least_on_software = least; ///< create() refuses less on a CPU
    /// Fewer cases go so far on a CPU, whose driver unrolls the loop of a batch, and compiles 64 rows for 10 s.
    uint32_t most_on_software = most;
};

/// How a value of a profile shows in the last pipeline that create() makes.
struct KnobEffect {
    std::string name;
    uint32_t    value       = 0;
    uint32_t    constant_id = 0, constant = 0;
};

/// What one variant of a Property promises beyond its results, for tests that look at it through a spy. What is not said here is not
/// compared; all else that such tests look at is the same for every primitive.
struct Contract {
    std::string             variant;
    std::optional<uint32_t> pipelines; ///< that create() makes; fewer where the tuning for a device wants no more
    std::optional<uint32_t> pipelines_on_cpu; ///< the same on a CPU, if they are fewer

    std::map<std::string, uint32_t>
        all_shapes; ///< values of a profile with which it makes all of them, on a CPU as well

    std::optional<uint32_t> pipelines_without_waits; ///< the same without waiting
    std::optional<uint32_t> dispatches;              ///< that record() appends
    std::optional<uint32_t> barriers;

    /// Whatever the input's address: no vector is loaded that does not begin at a multiple of 16.
    std::optional<bool> one_pipeline;

    std::optional<bool> one_row; ///< however many elements: no more workgroups than any device's grid is wide

    uint32_t     most_elements = UINT32_MAX; ///< of an operation
    VkDeviceSize most_scratch  = 64 << 20;   ///< less than so many bytes are enough for these

    std::vector<Knob>         knobs; ///< all, if any are said
    std::optional<KnobEffect> effect;
};

/// Whether the floats of a variant are declared to round to nearest even, where a device has that.
struct Rounding {
    std::string variant;
    bool        declared = false;
};

} // namespace vkprim::harness
