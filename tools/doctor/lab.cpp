#include <fmt/format.h>

#include <algorithm>

#include "doctor.h"
#include "recorder.h"

namespace vkprim::tools::doctor {

namespace {

Properties query_properties(const Context& context) {
    const auto query = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        context.get_instance_proc_addr(context.instance, "vkGetPhysicalDeviceProperties2"));
    Properties properties;
    properties.driver.sType   = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    properties.subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    properties.floats.sType   = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
    properties.driver.pNext   = &properties.subgroup;
    properties.subgroup.pNext = &properties.floats;
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties.driver, {}};
    query(context.physical_device, &all);
    properties.core         = all.properties;
    properties.driver.pNext = properties.subgroup.pNext = nullptr;
    return properties;
}

Json list_of(const uint32_t (&values)[3]) { return Json({values[0], values[1], values[2]}); }

} // namespace

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::ok: return "ok";
        case Verdict::note: return "note";
        case Verdict::failed: return "FAILED";
        default: return "skipped";
    }
}

std::string expected_text(uint32_t expected, uint32_t got) {
    const std::string what = got == unwritten ? "nothing" : fmt::format("{} (0x{:08x})", got, got);
    return fmt::format("expected {} (0x{:08x}), got {}", expected, expected, what);
}

std::string polls_text(uint32_t polls) { return fmt::format("{} poll{}", polls, polls == 1 ? "" : "s"); }

Finding skip(const std::string& why) { return {Verdict::skipped, why}; }

Lab::Lab(const runtime::Device& device, bool quick)
    : device_(device),
      core_(need_device(CoreDevice::create(device.context()))),
      properties_(query_properties(device.context())),
      quick_(quick) {}

bool Lab::has_subgroup(VkSubgroupFeatureFlags operation) const {
    return (properties_.subgroup.supportedOperations & operation) == operation;
}

Pipeline Lab::prepare(const PipelineDesc& desc) const {
    PipelineDesc as_it_is = desc; // what the driver makes of constants is part of what is tried
    as_it_is.own          = true;
    auto pipeline         = Pipeline::create(core_, as_it_is);
    if (pipeline) return std::move(*pipeline);
    if (pipeline.error().code == VK_ERROR_DEVICE_LOST || out_of_memory(pipeline.error().code)) {
        throw Failure{exit_device, pipeline.error().reason};
    }
    throw Rejected{pipeline.error().reason};
}

double Lab::submit(const std::function<void(VkCommandBuffer)>& record) const {
    runtime::Commands commands = need_device(device_.begin_commands(2));
    commands.timestamp();
    record(commands.handle());
    commands.timestamp();
    return need_device(commands.submit_and_wait())[1];
}

void Lab::set_memory(const Words& contents, uint32_t words) {
    const uint64_t size = uint64_t{std::max(words, static_cast<uint32_t>(contents.size()))} * 4;
    if (memory_.size() < size) memory_ = need_device(device_.create_buffer(size));
    if (!contents.empty()) {
        need_device(device_.upload(memory_, 0, contents.data(), contents.size() * 4));
    } else if (words > 0) {
        need_device(device_.fill(memory_, 0, size, 0));
    }
}

void Lab::set_results(uint32_t words, uint32_t fill) {
    if (results_.size() < uint64_t{words} * 4) results_ = need_device(device_.create_buffer(uint64_t{words} * 4));
    need_device(device_.fill(results_, 0, uint64_t{words} * 4, fill));
}

Words Lab::results(uint32_t words) const {
    Words results(words);
    need_device(device_.download(results_, 0, results.data(), uint64_t{words} * 4));
    return results;
}

Answer Lab::run(const Pipeline& pipeline, const Experiment& experiment) {
    set_memory(experiment.memory, experiment.memory_words);
    set_results(experiment.result_words, unwritten);
    const DoctorPush push{memory_.address(), results_.address(), experiment.count, experiment.salt,
                          experiment.distance};
    Answer           answer;
    answer.ms = submit(
        [&](VkCommandBuffer commands) { record_dispatch(commands, core_, pipeline, &push, experiment.workgroups); });
    answer.results = results(experiment.result_words);
    return answer;
}

std::vector<Probe> all_probes() {
    std::vector<Probe> probes;
    for (const auto& topic : {memory_probes(), progress_probes(), subgroup_probes(), float_probes(), integer_probes(),
                              dispatch_probes(), timestamp_probes()}) {
        probes.insert(probes.end(), topic.begin(), topic.end());
    }
    return probes;
}

Json properties_json(const Properties& properties) {
    const VkPhysicalDeviceLimits& limits = properties.core.limits;
    const VkConformanceVersion&   tests  = properties.driver.conformanceVersion;
    Json                          json;
    json["driver"] = {
        {"id", properties.driver.driverID},
        {"name", properties.driver.driverName},
        {"info", properties.driver.driverInfo},
        {"version", properties.core.driverVersion},
        {"conformance", fmt::format("{}.{}.{}.{}", tests.major, tests.minor, tests.subminor, tests.patch)}};
    json["limits"]  = {{"max_compute_workgroup_count", list_of(limits.maxComputeWorkGroupCount)},
                       {"max_compute_workgroup_size", list_of(limits.maxComputeWorkGroupSize)},
                       {"max_compute_workgroup_invocations", limits.maxComputeWorkGroupInvocations},
                       {"max_compute_shared_memory_size", limits.maxComputeSharedMemorySize},
                       {"max_push_constants_size", limits.maxPushConstantsSize},
                       {"max_storage_buffer_range", limits.maxStorageBufferRange},
                       {"timestamp_compute_and_graphics", limits.timestampComputeAndGraphics != VK_FALSE}};
    Json operations = Json::array();
    using Named     = std::pair<VkSubgroupFeatureFlagBits, const char*>;
    for (const auto& [bit, name] :
         {Named{VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"}, Named{VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
          Named{VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"}, Named{VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
          Named{VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
          Named{VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "shuffle relative"},
          Named{VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "clustered"}, Named{VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"}}) {
        if (properties.subgroup.supportedOperations & bit) operations.push_back(name);
    }
    json["subgroup_operations"] = operations;
    const auto& floats          = properties.floats;
    json["float_controls"]      = {
             {"denorm_preserve_float32", floats.shaderDenormPreserveFloat32 != VK_FALSE},
             {"denorm_flush_to_zero_float32", floats.shaderDenormFlushToZeroFloat32 != VK_FALSE},
             {"rounding_mode_rte_float32", floats.shaderRoundingModeRTEFloat32 != VK_FALSE},
             {"signed_zero_inf_nan_preserve_float32", floats.shaderSignedZeroInfNanPreserveFloat32 != VK_FALSE}};
    return json;
}

} // namespace vkprim::tools::doctor
