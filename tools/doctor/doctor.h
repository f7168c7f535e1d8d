// What `vkprim doctor` probes a device with.
//
// A probe runs a small shader, and a function without a device judges what came back; the tests hand it wrong answers. Each file
// of this folder holds the probes of one topic and their judgements.
#pragma once

#include <vkprim/runtime.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipeline.h"
#include "tools/common/failure.h"
#include "tools/common/json.h"
#include "tools/doctor/doctor_push.h"

namespace vkprim::tools::doctor {

using Words = std::vector<uint32_t>;

enum class Verdict {
    ok,     ///< as Vulkan or vkprim wants it
    note,   ///< either way is right; good to know
    failed, ///< vkprim's results may be wrong here
    skipped ///< the device lacks what the probe needs
};

const char* name_of(Verdict verdict);

struct Finding {
    Verdict     verdict = Verdict::ok;
    std::string seen;                     ///< a line
    Json        numbers = Json::object(); ///< for the report
};

/// What of the device's properties no other part of vkprim reads.
struct Properties {
    VkPhysicalDeviceProperties              core{};
    VkPhysicalDeviceDriverProperties        driver{};
    VkPhysicalDeviceSubgroupProperties      subgroup{};
    VkPhysicalDeviceFloatControlsProperties floats{};
};

/// What to run, and on what.
struct Experiment {
    uint32_t workgroups   = 1;
    Words    memory       = {}; ///< what the shader finds in its memory
    uint32_t memory_words = 0;  ///< zeros instead, if memory is empty
    uint32_t result_words = 1;
    uint32_t count        = 0;
    uint32_t salt         = 0;
    uint32_t distance     = 0;
};

struct Answer {
    Words  results; ///< `unwritten` where the shader wrote nothing
    double ms = 0;  ///< that it took; 0 without timestamps
};

constexpr uint32_t unwritten = 0xa5a5a5a5;

/// Invocations in a workgroup of the probes' that need many.
constexpr uint32_t workgroup_size = 256;

/// The device, with the memory that the probes work on.
class Lab {
public:
    Lab(const runtime::Device& device, bool quick);

    const runtime::Device& device() const { return device_; }
    const CoreDevice&      core() const { return core_; }
    const Properties&      properties() const { return properties_; }
    bool                   quick() const { return quick_; }
    bool                   has_subgroup(VkSubgroupFeatureFlags operation) const;

    /// Throws Rejected where the driver does not take the shader.
    Pipeline prepare(const PipelineDesc& desc) const;

    Answer run(const Pipeline& pipeline, const Experiment& experiment);

    /// Records `record` between two timestamps. Milliseconds; 0 without timestamps.
    double submit(const std::function<void(VkCommandBuffer)>& record) const;

    /// A buffer of at least that many words, all set to `fill`; or with `contents`.
    void     set_memory(const Words& contents, uint32_t words);
    void     set_results(uint32_t words, uint32_t fill);
    Words    results(uint32_t words) const;
    uint64_t memory_address() const { return memory_.address(); }
    uint64_t results_address() const { return results_.address(); }

private:
    const runtime::Device& device_;
    CoreDevice             core_;
    Properties             properties_;
    bool                   quick_;
    runtime::Buffer        memory_, results_;
};

/// The driver does not take a probe's shader.
struct Rejected {
    std::string reason;
};

struct Probe {
    std::string topic; ///< "memory"
    std::string name;  ///< unique
    std::string about; ///< what is tried, and what of vkprim depends on it

    std::function<Finding(Lab& lab)> run;
};

// The probes of each topic, in the order in which they run.
std::vector<Probe> memory_probes();
std::vector<Probe> progress_probes();
std::vector<Probe> subgroup_probes();
std::vector<Probe> float_probes();
std::vector<Probe> integer_probes();
std::vector<Probe> dispatch_probes();
std::vector<Probe> timestamp_probes();
std::vector<Probe> all_probes();

/// A choice that the library makes on this device.
struct Use {
    std::string what, choice, why;
};

std::vector<Use> uses_of(const CoreDevice& device);

/// A mistake of this driver that ends the process, so that no probe lives to tell of it. Empty if none is known.
std::string known_crash(const runtime::DeviceInfo& info);

/// Device, driver, limits and features, for the report.
Json properties_json(const Properties& properties);

/// `got` where something else was expected, for a finding that failed: "expected 2 (0x00000002), got 3 (0x00000003)".
std::string expected_text(uint32_t expected, uint32_t got);

/// "1 poll", "2 polls".
std::string polls_text(uint32_t polls);

Finding skip(const std::string& why);

} // namespace vkprim::tools::doctor
