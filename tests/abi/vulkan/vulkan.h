// What vkprim.h needs of Vulkan, for scripts/check-abi.sh: the description of the interface must not depend on the version of the Vulkan
// headers.
#pragma once

#include <stdint.h>

typedef uint32_t VkBool32, VkFlags, VkPipelineCreateFlags;
typedef uint64_t VkDeviceAddress, VkDeviceSize;
typedef enum VkResult { VK_SUCCESS = 0, VK_RESULT_MAX_ENUM = 0x7fffffff } VkResult;
typedef enum VkStructureType { VK_STRUCTURE_TYPE_MAX_ENUM = 0x7fffffff } VkStructureType;

typedef struct VkInstance_T*             VkInstance;
typedef struct VkPhysicalDevice_T*       VkPhysicalDevice;
typedef struct VkDevice_T*               VkDevice;
typedef struct VkCommandBuffer_T*        VkCommandBuffer;
typedef struct VkBuffer_T*               VkBuffer;
typedef struct VkPipelineCache_T*        VkPipelineCache;
typedef struct VkAllocationCallbacks     VkAllocationCallbacks;
typedef struct VkPhysicalDeviceFeatures2 VkPhysicalDeviceFeatures2;

typedef void (*PFN_vkVoidFunction)(void);
typedef PFN_vkVoidFunction (*PFN_vkGetInstanceProcAddr)(VkInstance instance, const char* pName);
