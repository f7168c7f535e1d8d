// What a command says of its result: once, as values with names. Text and JSON are made of the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/common/json.h"

namespace vkprim::tools {

/// `pattern` with values of `record` where their names stand, in fmt's formats: "{kept} of {count} kept in {seconds:.2f} s".
std::string filled(const std::string& pattern, const Json& record);

/// A line of CSV: the values of these names, nothing for those that `record` has not.
std::string csv_line(const std::vector<std::string>& names, const Json& record);

/// What is said of the work: device, times and check, as text and as values.
struct Account {
    std::string line;
    Json        values;
};

struct Record {
    Json                         values;     ///< in the order of --json
    std::string                  output;     ///< the file that was written; empty for none, "-" for standard output
    std::string                  text;       ///< a pattern of what is said of that file, in a line
    std::function<std::string()> lines = {}; ///< what is said where no file was written
};

/// Prints it: as JSON, or else as text, on standard error where the output went to standard output.
void tell(const Record& record, bool json, const Account& account);

} // namespace vkprim::tools
