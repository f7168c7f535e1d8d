// `vkprim reduce`, `scan` and `compact` with --operation: elements and operations, or a predicate, of a file of the user's.
#pragma once

#include <string>
#include <vector>

#include "operation_file.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools {

struct OwnFlags {
    std::string              file; ///< empty without --operation
    std::vector<std::string> parameters;
};

/// --operation and --parameter, of reduce and scan, and of compact.
void add_own_flags(Options& options, OwnFlags& flags);
void add_predicate_flags(Options& options, OwnFlags& flags);

/// The word of a --parameter: a number with a point, an exponent or a name is a float, any other an integer.
uint32_t parse_parameter(const std::string& text);

/// Elements of the operation in a file's array: as many as its bytes are; or where it loads by itself, the array's rows, each a number or
/// all numbers but for the first dimension. `name` is the file's.
uint32_t count_of(const Array& array, const std::string& name, const OperationFile& file, const OwnFlags& own);

ExitCode run_own_reduce(const JobFlags& job, const OwnFlags& own);
ExitCode run_own_compact(const JobFlags& job, const OwnFlags& own, bool indices, const std::string& output);
ExitCode run_own_scan(const JobFlags& job, const OwnFlags& own, bool inclusive, const std::string& output);

} // namespace vkprim::tools
