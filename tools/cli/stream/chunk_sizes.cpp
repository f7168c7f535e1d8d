#include "chunk_sizes.h"

#include <fmt/format.h>
#include <vkprim/chunks.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "tools/common/failure.h"

namespace vkprim::tools {

uint64_t parse_memory(const std::string& text) {
    uint64_t          value = 0;
    const char* const end   = text.data() + text.size();
    const auto        read  = std::from_chars(text.data(), end, value);
    uint32_t          shift = 0;
    bool              good  = read.ec == std::errc() && value > 0;
    if (good && read.ptr != end) {
        constexpr std::string_view units = "KMGT";
        const size_t unit = units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(*read.ptr))));
        good              = unit != std::string_view::npos && read.ptr + 1 == end;
        shift             = good ? 10 * (static_cast<uint32_t>(unit) + 1) : 0;
    }
    if (!good || value > UINT64_MAX >> shift) {
        throw Failure{exit_usage,
                      fmt::format("--memory {}: expected bytes, or a number and K, M, G or T, as in 512M", text)};
    }
    return value << shift;
}

namespace {

/// How many steps of chunks so many elements are.
uint64_t steps_of(uint64_t elements) { return std::max<uint64_t>((elements + chunk_step - 1) / chunk_step, 1); }

} // namespace

uint32_t chunk_elements(uint64_t count, uint64_t wanted, uint32_t slots, const std::vector<ChunkRoom>& rooms) {
    const uint64_t all  = steps_of(count);
    const auto     fits = [&](uint64_t steps) {
        const uint64_t used = std::min<uint64_t>(slots, (all + steps - 1) / steps);
        return std::all_of(rooms.begin(), rooms.end(), [&](const ChunkRoom& room) {
            const SlotSize size = room.slot_size(static_cast<uint32_t>(steps * chunk_step));
            return size.device <= room.largest_allocation && size.host + size.device <= room.memory / used;
        });
    };
    const uint64_t largest = std::min({steps_of(wanted), all, uint64_t{UINT32_MAX / chunk_step}});
    if (fits(largest)) return static_cast<uint32_t>(largest * chunk_step);
    uint64_t good = 0, bad = largest;
    while (bad - good > 1) {
        const uint64_t middle       = (good + bad) / 2;
        (fits(middle) ? good : bad) = middle;
    }
    return static_cast<uint32_t>(good * chunk_step);
}

} // namespace vkprim::tools
