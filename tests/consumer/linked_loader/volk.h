// In volk's place: the program's calls go to the loader that it links, and there is nothing to load.
#pragma once

#include <vulkan/vulkan.h>

inline VkResult volkInitialize() { return VK_SUCCESS; }
inline void     volkLoadInstance(VkInstance) {}
inline void     volkLoadDevice(VkDevice) {}
