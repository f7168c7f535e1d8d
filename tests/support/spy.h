// Stands between the core and the driver: hands out wrappers for the entry points that the core may load, counts what
// goes through them, and changes it where a test asks for that.
#pragma once

#include <vkprim/core.h>

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "../../src/functions.h"

#define VKPRIM_SPY_CREATE(X) X(CreateShaderModule) X(CreatePipelineLayout) X(CreateComputePipelines)
#define VKPRIM_SPY_DESTROY(X) X(DestroyShaderModule) X(DestroyPipelineLayout) X(DestroyPipeline)
#define VKPRIM_SPY_COMMANDS(X) \
    X(CmdBindPipeline) X(CmdPushConstants) X(CmdDispatch) X(CmdDispatchIndirect) X(CmdPipelineBarrier)
#define VKPRIM_SPY_CALLS(X) VKPRIM_SPY_CREATE(X) VKPRIM_SPY_DESTROY(X) VKPRIM_SPY_COMMANDS(X)

namespace vkprim::tests {

/// One at a time. What is created through it must be destroyed before it, and everything must have gone by then; no
/// entry point beyond those of src/functions.h may have been asked for: its destructor checks both.
class Spy {
public:
    enum Call : uint32_t {
#define VKPRIM_SPY_CALL(name) name,
        VKPRIM_SPY_CALLS(VKPRIM_SPY_CALL)
#undef VKPRIM_SPY_CALL
            call_count
    };

    explicit Spy(const Context& real);
    ~Spy();
    Spy(const Spy&)            = delete;
    Spy& operator=(const Spy&) = delete;

    /// The real context with the spy's vkGetInstanceProcAddr.
    Context context() const;

    uint32_t calls(Call call) const { return calls_[call]; }
    uint32_t all_calls() const;
    void     forget_calls();
    int      live_objects() const { return live_objects_; }

    /// Names that were asked for, in vkGetInstanceProcAddr and vkGetDeviceProcAddr.
    std::vector<std::string> requested() const;

    /// Whether every create and destroy since forget_calls() was given `allocator`.
    bool all_used(const VkAllocationCallbacks* allocator) const;

    bool                         forwards_commands = true;    ///< false: commands are only counted
    std::string                  missing;                     ///< an entry point that is not to be had
    Call                         failing       = call_count;  ///< this call fails ...
    uint32_t                     failing_after = 0;           ///< ... after this many that do not,
    VkResult                     failing_with  = failure;     ///< ... with this code
    std::map<uint32_t, uint32_t> constants;                   ///< specialization constants to change, by id
    uint32_t                     workgroups = 0;              ///< if set: dispatch this many instead
    std::array<uint32_t, 3>      last_grid{};                 ///< of the last dispatch
    VkPipeline                   last_pipeline = {};          ///< that was bound
    std::map<uint32_t, uint32_t> last_constants;              ///< specialization constants of the last pipeline, by id
    std::vector<uint32_t>        last_module;                 ///< words of the last shader module
    uint32_t                     last_subgroup_size  = 0;     ///< that the last pipeline required; 0: none
    bool                         last_full_subgroups = false; ///< whether it required these
    std::function<void(VkPhysicalDeviceProperties2&)> edit_properties;

    static constexpr VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;

private:
    struct Wrappers;
    bool fails(Call call);
    void count(Call call) { ++calls_[call]; }
    void note_request(const char* name);
    void note_allocator(const VkAllocationCallbacks* allocator);

    Context                                       real_;
    InstanceFunctions                             instance_functions_;
    DeviceFunctions                               device_functions_;
    std::array<std::atomic<uint32_t>, call_count> calls_{};
    std::atomic<int>                              live_objects_{0};
    mutable std::mutex                            mutex_; ///< of what follows
    std::vector<std::string>                      requested_, unexpected_;
    std::vector<const VkAllocationCallbacks*>     allocators_;
};

} // namespace vkprim::tests
