#pragma once

#include <string>
#include <vector>

namespace vkprim::tools {

/// A field of a CSV file, in quotes where it needs them (RFC 4180).
inline std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out.append(c == '"' ? 2 : 1, c);
    return out + '"';
}

/// The fields of a row without line breaks in them, as csv_field() writes them.
inline std::vector<std::string> csv_fields(const std::string& row) {
    std::vector<std::string> fields(1);
    bool                     quoted = false;
    for (size_t i = 0; i < row.size(); ++i) {
        const char c = row[i];
        if (c == '"' && quoted && i + 1 < row.size() && row[i + 1] == '"') {
            fields.back() += row[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

} // namespace vkprim::tools
