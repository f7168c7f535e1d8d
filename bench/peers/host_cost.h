// What calls of vkprim cost the CPU.
#pragma once

#include "harness/harness.h"
#include "plan.h"
#include "table.h"

namespace vkprim::peers {

/// Those whose name, with "host" ahead of it, `filter` takes. To be called before anything else was created on the device: a driver may keep
/// what it compiled once.
std::vector<HostCost> host_costs(const runtime::Device& device, const Filter& filter);

/// Keeps drivers from taking pipelines out of caches on disk. To be called before the device is created.
void switch_off_disk_caches();

} // namespace vkprim::peers
