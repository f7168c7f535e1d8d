// Counts of elements as flags give them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::tools {

/// Those of a flag in rising order: "1000", "2^20", with commas between, or "2^10..2^28" in steps of four times.
/// A Failure where `text` is none of these.
std::vector<uint32_t> parse_sizes(const std::string& text, const std::string& flag = "--sizes");

/// "2^20" for powers of two from 2^10 on.
std::string size_text(uint32_t count);

} // namespace vkprim::tools
