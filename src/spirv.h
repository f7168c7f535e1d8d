// Reads SPIR-V, which may come from anywhere (Desc::own), and adapts it to a device: adds what a module may contain only if the device
// supports it.
#pragma once

#include "pipeline.h"

#include <optional>
#include <string>
#include <vector>

namespace vkprim {

/// What is wrong with a module, as the end of a sentence; empty if the functions below understand it, and so its instructions have the
/// sizes that they say, and it has one entry point, `main` of a compute shader. What else it says is checked by the validation layers.
std::string why_malformed(const Shader& module);

/// The module with float operations of 32 bits declared to round to nearest, ties to even (RoundingModeRTE of float controls, part of
/// SPIR-V from 1.4 on). It is not malformed.
std::vector<uint32_t> rounding_to_even(const Shader& module);

/// The default of the specialization constant with that number, of one word; nothing if the module has none. It is not malformed.
std::optional<uint32_t> constant_default(const Shader& module, uint32_t number);

} // namespace vkprim
