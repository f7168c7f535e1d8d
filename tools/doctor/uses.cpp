// What the library chooses here: src/core_device.h, src/pipeline.cpp and src/tuning/ decide, and this says why they do.
#include <fmt/format.h>

#include <algorithm>

#include "doctor.h"
#include "tuning/histogram.h"
#include "tuning/lookback.h"
#include "tuning/reduce.h"
#include "tuning/rounding.h"

namespace vkprim::tools::doctor {

namespace {

Use words(const CoreDevice& device) {
    if (device.variant() == CoreDevice::plain) return {"words", "2x32-bit", "so it is without subgroups"};
    if (device.variant() == CoreDevice::word64)
        return {"words", "64-bit", "shaderInt64 and shaderBufferInt64Atomics are there"};
    if (device.features.shader_int64 && device.features.shader_buffer_int64_atomics) {
        return {"words", "2x32-bit", "the profile says so"};
    }
    const bool none = !device.features.shader_int64;
    return {"words", "2x32-bit", std::string(none ? "shaderInt64" : "shaderBufferInt64Atomics") + " is missing"};
}

Use integer_sums(const CoreDevice& device) {
    if (device.variant() == CoreDevice::word64)
        return {"sums of integers", "added up by arrivals", "64-bit words hold a count and a sum"};
    return {"sums of integers", "folded by the last to arrive", "there are no 64-bit words"};
}

Use subgroups(const CoreDevice& device) {
    const DeviceLimits& limits   = device.limits;
    const Features&     features = device.features;
    if (!limits.subgroup_operations) return {"subgroups", "not used", "they have no shuffles and votes"};
    if (!features.compute_full_subgroups) return {"subgroups", "not used", "computeFullSubgroups is missing"};
    const std::string size = fmt::format("{} invocations", limits.subgroup_size);
    if (limits.min_subgroup_size == limits.max_subgroup_size)
        return {"subgroups", size, "the device has no other size"};
    const std::string range = fmt::format("{} to {} are possible", limits.min_subgroup_size, limits.max_subgroup_size);
    if (device.has_subgroups()) return {"subgroups", size + ", pinned", range};
    if (device.pins_subgroup_size()) {
        return {"subgroups", "not used", fmt::format("a workgroup has {} at most", limits.workgroup_subgroups)};
    }
    return {"subgroups", "not used",
            range + (features.subgroup_size_control ? ", but compute pipelines cannot ask for one"
                                                    : ", but subgroupSizeControl is missing")};
}

Use rounding(const DeviceLimits& limits) {
    if (declares_rounding(limits)) {
        return {"float sums", "declared to round to nearest even", "shaderRoundingModeRTEFloat32 is there"};
    }
    return {"float sums", "rounded as the driver does",
            limits.rounds_to_even ? "it rounds to nearest even, and is faster if it is not told to"
                                  : "shaderRoundingModeRTEFloat32 is missing"};
}

Use exchange(const CoreDevice& device) {
    const DeviceLimits& limits = device.limits;
    constexpr uint32_t  team   = 32; // include/vkprim/glsl/detail/workgroup.glsl
    if (!device.has_subgroups()) return {"exchange in teams of 32", "shared memory", "subgroups are not used"};
    if (limits.subgroup_size >= team) return {"exchange in teams of 32", "shuffles", "a team lies within a subgroup"};
    return {"exchange in teams of 32", fmt::format("shuffles within {}, then shared memory", limits.subgroup_size),
            "a team is several subgroups"};
}

Use tiles(const DeviceLimits& limits, const LookbackTuning& tuning) {
    if (tuning.tickets == 0) return {"tiles of scan", "by workgroup number", "NVIDIA starts workgroups in that order"};
    return {"tiles of scan", "by ticket",
            limits.software ? "CPU drivers give each thread a range of workgroups"
                            : "Vulkan promises no order in which workgroups start"};
}

Use scan_sizes(const DeviceLimits& limits, const LookbackTuning& tuning) {
    const std::string ahead = tuning.prefetch_distance > 0
                                  ? fmt::format(", prefetch {} tiles ahead", tuning.prefetch_distance)
                                  : ", no prefetch";
    if (tuning.blocks == 1) {
        return {"sizes of scan", "one block a tile" + ahead,
                limits.software ? "a CPU compiles longer than it computes, so one pipeline does"
                                : "two take 32 elements' registers of an invocation"};
    }
    return {"sizes of scan", fmt::format("one block a tile up to {} blocks, then two{}", tuning.small_tiles, ahead),
            limits.multiprocessor_count > 0 ? fmt::format("{} multiprocessors", limits.multiprocessor_count)
                                            : "the number of multiprocessors is unknown"};
}

Use waiting(const LookbackTuning& tuning) {
    if (tuning.waits == 0)
        return {"dispatches of scan", "up to four", "this vendor's GPUs let running workgroups stand still"};
    return {"dispatches of scan", "one",
            "workgroups may wait for others, with help; Scan::Desc::waits = false: up to four"};
}

Use help() {
    return {"help in look-back", fmt::format("after {} polls", PipelineDesc().max_polls),
            "so that waiting is bounded, whatever progress the driver guarantees"};
}

Use small_histograms(const DeviceLimits& limits, const HistogramTuning& tuning) {
    const std::string why = limits.software ? "a CPU counts one sample after the other"
                                            : fmt::format("{} bytes of shared memory", limits.shared_memory_size);
    return {"histogram of 256 bins",
            fmt::format("{} in shared memory, up to {} workgroups of {}",
                        tuning.copies == 1 ? "one copy" : fmt::format("{} copies", tuning.copies), tuning.workgroups,
                        tuning.workgroup_size),
            why};
}

Use large_histograms(const DeviceLimits& limits, const HistogramTuning& tuning) {
    const uint32_t    most  = limits.shared_memory_size / 4 - 1; // one more counts what is outside
    const std::string start = fmt::format("up to {} bins in shared memory, then ", most);
    if (limits.software)
        return {"larger histograms", start + "atomics on the output", "a CPU gains nothing from ranges"};
    return {"larger histograms", fmt::format("{}by ranges of {}, or atomics on the output", start, tuning.range),
            fmt::format("ranges up to {} bins, from {} samples per bin on", 8 * tuning.range,
                        tuning.ranges_count / (most + 1))};
}

} // namespace

std::string known_crash(const runtime::DeviceInfo& info) {
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    if (!has(info.driver, "llvmpipe Mesa 26.") || !has(info.name, ", 512 bits)")) return {};
    return "Mesa 26's CPU driver overwrites its own stack while it compiles shaders for 512 bits (docs/devices.md): "
           "set LP_NATIVE_VECTOR_WIDTH=256";
}

std::vector<Use> uses_of(const CoreDevice& device) {
    const DeviceLimits& limits = device.limits;
    const auto          scan   = need_device(tune_lookback(limits, nullptr, "scan"));
    const auto          reduce = need_device(tune_reduce(limits, nullptr));
    // The last that fits into shared memory is one bin smaller.
    const auto small = need_device(tune_histogram(limits, nullptr, {256, 4}));
    const auto large = need_device(tune_histogram(limits, nullptr, {limits.shared_memory_size / 4, 4}));
    return {words(device),
            integer_sums(device),
            rounding(limits),
            subgroups(device),
            exchange(device),
            tiles(limits, scan),
            scan_sizes(limits, scan),
            waiting(scan),
            help(),
            {"rows of reduce", fmt::format("loaded {} at a time", reduce.batch),
             "elements of your own with a load() may have more"},
            small_histograms(limits, small),
            large_histograms(limits, large)};
}

} // namespace vkprim::tools::doctor
