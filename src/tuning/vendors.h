// VkPhysicalDeviceProperties::vendorID of the vendors that the tuning distinguishes.
#pragma once

#include <cstdint>

namespace vkprim::vendors {

constexpr uint32_t nvidia = 0x10de, apple = 0x106b, arm = 0x13b5, intel = 0x8086, qualcomm = 0x5143;

} // namespace vkprim::vendors
