#include "parts.h"

#include <algorithm>

namespace vkprim::mpi {

namespace {

constexpr uint64_t step       = chunk_step;
constexpr uint64_t chunk_size = 1024 * step; ///< elements, so that no dispatch is long; each costs 30 us on an H100

uint64_t round_down(uint64_t count) { return count / step * step; }
uint64_t round_up(uint64_t count) { return round_down(count + step - 1); }

} // namespace

std::vector<RankPart> parts_of(const std::vector<uint64_t>& counts) {
    std::vector<RankPart> parts(counts.size());
    uint64_t              whole = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        parts[i].own = {whole, whole + counts[i]};
        whole += counts[i];
    }
    int opener = -1; // of the group in which the next part begins
    for (size_t i = 0; i < parts.size(); ++i) {
        RankPart&      part  = parts[i];
        const uint64_t begin = part.own.begin, end = part.own.end;
        const uint64_t first = std::min(round_up(begin), end);
        part.head            = {begin, first};
        if (part.head.count() > 0) part.head_owner = opener;
        const uint64_t last = end == whole ? end : std::max(round_down(end), first);
        part.body           = {first, last};
        part.tail           = {last, last};
        if (last < end) {
            part.tail.end = std::min(last + step, whole);
            opener        = static_cast<int>(i);
        }
    }
    return parts;
}

std::vector<Chunk> chunks_of(const RankPart& part) {
    std::vector<Chunk> chunks;
    for (uint64_t begin = part.body.begin; begin < part.body.end; begin += chunk_size) {
        chunks.push_back({begin, static_cast<uint32_t>(std::min(chunk_size, part.body.end - begin))});
    }
    if (part.tail.count() > 0) chunks.push_back({part.tail.begin, static_cast<uint32_t>(part.tail.count())});
    return chunks;
}

} // namespace vkprim::mpi
