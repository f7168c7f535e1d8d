// VkPhysicalDeviceProperties::vendorID of the vendors that the tuning distinguishes.
#pragma once

#include <cstdint>

namespace vkprim::vendors {

constexpr uint32_t nvidia = 0x10de, apple = 0x106b, arm = 0x13b5, intel = 0x8086, qualcomm = 0x5143, broadcom = 0x14e4;

/// Whether their GPUs have 64 registers or fewer for each invocation.
constexpr bool have_few_registers(uint32_t vendor) { return vendor == arm || vendor == broadcom; }

} // namespace vkprim::vendors
