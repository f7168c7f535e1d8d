// A sum of floats as one long integer, in plain arithmetic of the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace vkprim::harness {

/// An integer times 2^unit: the sum of limb i times 2^(32 i).
class LongSum {
public:
    void add(double value) {
        int          exponent;
        const double fraction = std::frexp(value, &exponent);
        add(static_cast<int64_t>(std::ldexp(fraction, 53)), exponent - 53);
    }

    /// `number` times 2^exponent, which is at least -1126.
    void add(int64_t number, int exponent) {
        auto magnitude = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
        for (auto place = static_cast<uint32_t>(exponent - unit); magnitude > 0;) {
            const uint32_t shift = place % 32;
            const auto     part  = static_cast<int64_t>(magnitude << shift & 0xffffffffu);
            limbs_[place / 32] += number < 0 ? -part : part;
            magnitude >>= 32 - shift;
            place += 32 - shift;
        }
    }

    void add(const LongSum& other) {
        for (size_t i = 0; i < limbs_.size(); ++i) limbs_[i] += other.limbs_[i];
        carry();
    }

    /// Each limb but the last from 0 to 2^32 - 1.
    void carry() {
        for (size_t i = 0; i + 1 < limbs_.size(); ++i) {
            const auto digit = static_cast<int64_t>(static_cast<uint64_t>(limbs_[i]) & 0xffffffffu);
            limbs_[i + 1] += (limbs_[i] - digit) / (int64_t{1} << 32);
            limbs_[i] = digit;
        }
    }

    /// The float that is nearest to the sum divided by `divisor`, which is less than 2^63; of two the even one. After carry().
    template <class T>
    T rounded(uint64_t divisor = 1) const {
        const bool negative  = limbs_.back() < 0;
        LongSum    magnitude = *this;
        if (negative) {
            for (int64_t& limb : magnitude.limbs_) limb = -limb;
            magnitude.carry();
        }
        constexpr int precision = std::numeric_limits<T>::digits;
        constexpr int denormal  = std::numeric_limits<T>::min_exponent - precision - unit; // the least one's place
        auto          top       = static_cast<int>(limbs_.size()) - 1;
        while (top > 0 && magnitude.limbs_[static_cast<size_t>(top)] == 0) --top;

        int        place = 32 * top + 31, last = denormal; // bits of the quotient
        uint64_t   kept = 0, rest = 0;
        const auto next_bit = [&] {
            rest           = 2 * rest + magnitude.bit(place);
            const bool bit = rest >= divisor;
            if (bit) rest -= divisor;
            return bit;
        };
        for (; place >= last; --place) {
            const bool bit = next_bit();
            if (bit && kept == 0) last = std::max(denormal, place - precision + 1);
            kept = 2 * kept + bit;
        }
        // Now place is last - 1; where all is smaller, it still is what it was.
        if (place == last - 1 && next_bit() && (rest != 0 || magnitude.any_below(place) || kept % 2 == 1)) ++kept;
        if (kept == 0) return T(0);
        return (negative ? T(-1) : T(1)) * std::ldexp(static_cast<T>(kept), last + unit);
    }

private:
    static constexpr int unit = -1126; ///< the least denormal double is 2^-1074, and has 53 bits here as all others

    bool bit(int place) const { return (limbs_[static_cast<size_t>(place / 32)] >> place % 32 & 1) != 0; }
    bool any_below(int place) const {
        const auto whole = static_cast<size_t>(place / 32);
        return (limbs_[whole] & ((int64_t{1} << place % 32) - 1)) != 0 ||
               std::any_of(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(whole),
                           [](int64_t limb) { return limb != 0; });
    }

    std::array<int64_t, 70> limbs_{};
};

} // namespace vkprim::harness
