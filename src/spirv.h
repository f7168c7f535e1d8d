// Adapts SPIR-V to a device: adds what a module may contain only if the device supports it.
#pragma once

#include "pipeline.h"

#include <optional>
#include <vector>

namespace vkprim {

/// The module, which has one entry point, with float operations of 32 bits declared to round to nearest, ties to even
/// (RoundingModeRTE of float controls, part of SPIR-V from 1.4 on).
std::vector<uint32_t> rounding_to_even(const Shader& shader);

/// The default of the specialization constant with that number, of one word; nothing if the module has none, or is no module.
std::optional<uint32_t> constant_default(const Shader& shader, uint32_t number);

} // namespace vkprim
