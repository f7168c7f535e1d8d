#include "sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "program.h"

namespace vkprim::tools {
namespace {

/// A number, or 2^E. Nothing where `text` is neither, or not within uint32_t.
std::optional<uint32_t> parse_size(std::string_view text) {
    const bool power = text.substr(0, 2) == "2^";
    if (power) text.remove_prefix(2);
    uint32_t   value  = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
    if (!power) return value;
    return value < 32 ? std::optional<uint32_t>(1u << value) : std::nullopt;
}

} // namespace

std::vector<uint32_t> parse_sizes(const std::string& text, const std::string& flag) {
    const Failure failure{exit_usage, fmt::format("{} {}: expected numbers from 1 to 4294967295 like 1000 or 2^20, "
                                                  "or ranges like 2^10..2^28, with commas between",
                                                  flag, text)};
    std::vector<uint32_t> sizes;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t           end  = std::min(text.find(',', begin), text.size());
        const std::string_view item = std::string_view(text).substr(begin, end - begin);
        begin                       = end + 1;
        const size_t dots           = item.find("..");
        const auto   first          = parse_size(item.substr(0, dots));
        const auto   last           = dots == std::string_view::npos ? first : parse_size(item.substr(dots + 2));
        if (!first || !last || *first == 0 || *first > *last) throw failure;
        for (uint64_t size = *first; size < *last; size *= 4) sizes.push_back(static_cast<uint32_t>(size));
        sizes.push_back(*last);
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::string size_text(uint32_t count) {
    for (uint32_t exponent = 10; exponent < 32; ++exponent) {
        if (count == 1u << exponent) return fmt::format("2^{}", exponent);
    }
    return fmt::format("{}", count);
}

} // namespace vkprim::tools
