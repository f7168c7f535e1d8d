#pragma once

#include <string>

namespace vkprim::tools {

/// A field of a CSV file, in quotes where it needs them (RFC 4180).
inline std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out.append(c == '"' ? 2 : 1, c);
    return out + '"';
}

} // namespace vkprim::tools
