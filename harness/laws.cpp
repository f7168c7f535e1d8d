#include "laws.h"

#include <algorithm>
#include <cmath>

#include "float_bits.h"

namespace vkprim::harness {

void Floats::add(const ElementLayout& layout, const uint32_t* element) {
    for (uint32_t i = 0; i < layout.words; ++i) {
        if (layout.kinds[i] != 'f') continue;
        const float value = float_of(element[i]);
        finite            = finite && std::isfinite(value);
        whole             = whole && std::fabs(value) < 0x1p22f && value == std::trunc(value);
        largest           = std::max(largest, std::fabs(value));
    }
}

bool is_same(const ElementLayout& layout, const uint32_t* one, const uint32_t* other, const Floats& floats) {
    for (uint32_t i = 0; i < layout.words; ++i) {
        if (one[i] == other[i]) continue;
        if (layout.kinds[i] != 'f') return false;
        const float a = float_of(one[i]), b = float_of(other[i]);
        if (a == b) continue;
        if (floats.whole || !floats.finite || !(std::fabs(a - b) <= floats.largest * 0x1p-10f)) return false;
    }
    return true;
}

bool has_same_bits(const ElementLayout& layout, const uint32_t* one, const uint32_t* other) {
    for (uint32_t i = 0; i < layout.words; ++i) {
        const float a = float_of(one[i]), b = float_of(other[i]);
        const bool  alike = layout.kinds[i] == 'f' && (a == b || (std::isnan(a) && std::isnan(b)));
        if (one[i] != other[i] && !alike) return false;
    }
    return true;
}

uint32_t random_word(char kind, uint32_t family, Random& random) {
    const auto bits = static_cast<uint32_t>(random.next() >> 32);
    const auto sign = random.below(2) << 31;
    if (kind == 'f') {
        if (family == 0) return bits_of(static_cast<float>(1 + random.below(8))) | sign;
        const uint32_t exponent = family == 1 ? 126 + random.below(2) : 117 + random.below(21);
        return (bits & 0x7fffff) | exponent << 23 | sign;
    }
    const uint32_t bound = family == 0 ? 4 : 1001;
    if (family == 2) return bits;
    return kind == 'i' && sign ? 0 - random.below(bound) : random.below(bound);
}

} // namespace vkprim::harness
