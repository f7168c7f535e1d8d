// The core's private table of Vulkan entry points. Nothing is loaded through a linked loader, nothing is global.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

struct InstanceFunctions {
    PFN_vkGetPhysicalDeviceProperties2       GetPhysicalDeviceProperties2       = nullptr;
    PFN_vkGetPhysicalDeviceFeatures2         GetPhysicalDeviceFeatures2         = nullptr;
    PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties = nullptr;
    PFN_vkGetDeviceProcAddr                  GetDeviceProcAddr                  = nullptr;
};

struct DeviceFunctions {
    PFN_vkCreateShaderModule     CreateShaderModule     = nullptr;
    PFN_vkDestroyShaderModule    DestroyShaderModule    = nullptr;
    PFN_vkCreatePipelineLayout   CreatePipelineLayout   = nullptr;
    PFN_vkDestroyPipelineLayout  DestroyPipelineLayout  = nullptr;
    PFN_vkCreateComputePipelines CreateComputePipelines = nullptr;
    PFN_vkDestroyPipeline        DestroyPipeline        = nullptr;
    PFN_vkCmdBindPipeline        CmdBindPipeline        = nullptr;
    PFN_vkCmdPushConstants       CmdPushConstants       = nullptr;
    PFN_vkCmdDispatch            CmdDispatch            = nullptr;
    PFN_vkCmdDispatchIndirect    CmdDispatchIndirect    = nullptr;
    PFN_vkCmdPipelineBarrier     CmdPipelineBarrier     = nullptr;
};

Result<InstanceFunctions> load_instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance);
Result<DeviceFunctions>   load_device_functions(const InstanceFunctions& instance_functions, VkDevice device);

} // namespace vkprim
