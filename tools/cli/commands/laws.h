// `vkprim verify --operation`: whether an operation of the user's is what reduce and scan take it for.
#pragma once

#include "own.h"
#include "tools/cli/input.h"

namespace vkprim::tools {

struct LawFlags {
    OwnFlags    own;
    Source      elements; ///< elements to try it with; without a path, random ones
    uint64_t    seed = 1;
    std::string json;
    DeviceFlags device;
};

/// What --help says of it.
extern const char* const laws_help;

ExitCode verify_laws(const LawFlags& flags);

} // namespace vkprim::tools
