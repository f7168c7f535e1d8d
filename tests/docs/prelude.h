// What blocks of C++ in README.md and docs/ may take for granted: the engine around them. Nothing here is defined.
#pragma once

#include <vkprim/chunked_reduce.h>
#include <vkprim/chunked_scan.h>
#include <vkprim/compact.h>
#include <vkprim/compiler.h>
#include <vkprim/expand.h>
#include <vkprim/histogram.h>
#include <vkprim/indirect.h>
#if __has_include(<mpi.h>)
#include <vkprim/mpi.h>
#endif
#include <vkprim/profile.h>
#include <vkprim/reduce.h>
#include <vkprim/requirements.h>
#include <vkprim/scan.h>
#include <vkprim/segmented_reduce.h>
#include <vkprim/segmented_scan.h>
#include <vkprim/segmented_sort.h>
#include <vkprim/sort.h>
#include <vkprim/tiles.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

extern VkInstance                instance;
extern VkPhysicalDevice          physical_device;
extern VkDevice                  device;
extern VkPhysicalDeviceFeatures2 features; // with the structures that the engine chains to it
extern VkCommandBuffer           commands;
extern vkprim::Context           context; // all of these, and the features that are on
extern const uint32_t            count;   // elements
extern const VkDeviceAddress     input, output, data, scratch, count_address, totals, temporary;
extern const uint64_t            frame; // number

void fail(const std::string& reason);

// As in examples/hello.
struct Memory {
    VkBuffer        buffer;
    VkDeviceAddress address;
    uint32_t*       words;
    Memory(VkPhysicalDevice physical_device, VkDevice owner, VkDeviceSize size);
};
struct Commands {
    VkCommandBuffer handle;
    Commands(VkDevice owner, uint32_t queue_family);
    void run();
};
void     warn(const char* what, const char* effect);
VkDevice create_device(VkPhysicalDevice physical_device, const VkPhysicalDeviceFeatures2& features,
                       const std::vector<const char*>& extensions);
uint32_t compute_family(VkPhysicalDevice device);
uint32_t input_at(uint32_t i);

extern const std::string    text;  // of a file
extern std::vector<uint8_t> bytes; // of another

namespace vkprim::operations {
extern const OwnOperation aabb, on_screen;
}
