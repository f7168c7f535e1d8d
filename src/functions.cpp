#include "functions.h"

namespace vkprim {
namespace {

Error missing(const char* name) {
    return {ErrorKind::invalid_context,
            std::string(name) +
                " is not to be had from the given vkGetInstanceProcAddr: pass the one that belongs to the "
                "instance and device (volk's, the loader's, or the engine's own)"};
}

} // namespace

Result<InstanceFunctions> load_instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance) {
    if (!get) return Error{ErrorKind::invalid_context, "get_instance_proc_addr is null"};
    if (!instance) return Error{ErrorKind::invalid_context, "instance is null"};
    InstanceFunctions functions;
#define VKPRIM_LOAD(name)                                                       \
    functions.name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name)); \
    if (!functions.name) return missing("vk" #name);
    VKPRIM_LOAD(GetPhysicalDeviceProperties2)
    VKPRIM_LOAD(GetPhysicalDeviceFeatures2)
    VKPRIM_LOAD(EnumerateDeviceExtensionProperties)
    VKPRIM_LOAD(GetDeviceProcAddr)
#undef VKPRIM_LOAD
    return functions;
}

Result<DeviceFunctions> load_device_functions(const InstanceFunctions& instance_functions, VkDevice device) {
    if (!device) return Error{ErrorKind::invalid_context, "device is null"};
    DeviceFunctions functions;
#define VKPRIM_LOAD(name)                                                                                      \
    functions.name = reinterpret_cast<PFN_vk##name>(instance_functions.GetDeviceProcAddr(device, "vk" #name)); \
    if (!functions.name) return missing("vk" #name);
    VKPRIM_LOAD(CreateShaderModule)
    VKPRIM_LOAD(DestroyShaderModule)
    VKPRIM_LOAD(CreatePipelineLayout)
    VKPRIM_LOAD(DestroyPipelineLayout)
    VKPRIM_LOAD(CreateComputePipelines)
    VKPRIM_LOAD(DestroyPipeline)
    VKPRIM_LOAD(CmdBindPipeline)
    VKPRIM_LOAD(CmdPushConstants)
    VKPRIM_LOAD(CmdDispatch)
    VKPRIM_LOAD(CmdDispatchIndirect)
    VKPRIM_LOAD(CmdPipelineBarrier)
#undef VKPRIM_LOAD
    return functions;
}

} // namespace vkprim
