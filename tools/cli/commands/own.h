// `vkprim reduce` and `vkprim scan` with --operation: elements and operations of a file of the user's.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/array_job.h"

namespace vkprim::tools {

struct OwnFlags {
    std::string              file; ///< empty without --operation
    std::vector<std::string> parameters;
};

/// --operation and --parameter.
void add_own_flags(CLI::App& app, OwnFlags& flags);

ExitCode run_own_reduce(const JobFlags& job, const OwnFlags& own);
ExitCode run_own_scan(const JobFlags& job, const OwnFlags& own, bool inclusive, const std::string& output);

} // namespace vkprim::tools
