#include "segments.h"

#include <algorithm>

namespace vkprim::harness {

Offsets offsets_of(Cut cut, uint32_t count, Random random, uint32_t most) {
    const uint32_t ends = cut == Cut::gaps ? std::min(count / 4, 1000u) : 0, end = count - ends;
    Offsets        offsets{ends};
    const auto     add = [&](uint64_t length) { offsets.push_back(std::min<uint64_t>(offsets.back() + length, end)); };
    if (cut == Cut::one) add(count);
    if (cut == Cut::empty) {
        offsets.insert(offsets.end(), 3000, 0);
        add(count);
        offsets.insert(offsets.end(), 3000, count);
    }
    if (cut == Cut::first) add(count / 2);
    while (offsets.back() < end && offsets.size() <= most) {
        const uint32_t bits = random.below(1u << 13);
        uint32_t       size = 1;
        while (cut == Cut::skewed && size <= 1u << 12 && (bits & size) == 0) size *= 2;
        const uint32_t length = cut == Cut::ones     ? 1
                                : cut == Cut::middle ? random.below(200)
                                : cut == Cut::many   ? random.below(1500)
                                : cut == Cut::tiles  ? 1025 + random.below(7975)
                                : cut == Cut::skewed ? random.below(4 * size)
                                                     : random.below(21);
        add(length);
    }
    return offsets;
}

} // namespace vkprim::harness
