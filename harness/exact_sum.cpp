// The exact sum of floats as one long integer, in plain arithmetic of the CPU.
#include "elements.h"
#include "processors.h"
#include "references.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

namespace vkprim::harness {
namespace {

constexpr int unit = -1126; ///< the least denormal double is 2^-1074, and has 53 bits here as all others

/// An integer times 2^unit: the sum of limb i times 2^(32 i).
class LongSum {
public:
    void add(double value) {
        int        exponent;
        const auto significand = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
        auto       magnitude   = static_cast<uint64_t>(significand < 0 ? -significand : significand);
        for (auto place = static_cast<uint32_t>(exponent - 53 - unit); magnitude > 0;) {
            const uint32_t shift = place % 32;
            const auto     part  = static_cast<int64_t>(magnitude << shift & 0xffffffffu);
            limbs_[place / 32] += significand < 0 ? -part : part;
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

    /// The nearest float, of two the even one.
    template <class T>
    T rounded() const {
        LongSum magnitude;
        for (size_t i = 0; i < limbs_.size(); ++i) magnitude.limbs_[i] = limbs_.back() < 0 ? -limbs_[i] : limbs_[i];
        magnitude.carry();
        const T sign    = limbs_.back() < 0 ? T(-1) : T(1);
        int     leading = static_cast<int>(32 * limbs_.size()) - 1;
        while (leading >= 0 && !magnitude.bit(leading)) --leading;
        if (leading < 0) return T(0);
        constexpr int precision = std::numeric_limits<T>::digits;
        constexpr int denormal  = std::numeric_limits<T>::min_exponent - precision - unit; // the least one's place
        const int     last      = std::max(leading - precision + 1, denormal);
        uint64_t      kept      = 0;
        for (int place = leading; place >= last; --place) kept = 2 * kept + magnitude.bit(place);
        bool rest = false;
        for (int place = 0; place < last - 1; ++place) rest = rest || magnitude.bit(place);
        if (magnitude.bit(last - 1) && (rest || kept % 2 == 1)) ++kept;
        return sign * std::ldexp(static_cast<T>(kept), last + unit);
    }

private:
    bool bit(int place) const { return (limbs_[static_cast<size_t>(place / 32)] >> place % 32 & 1) != 0; }

    std::array<int64_t, 70> limbs_{};
};

template <class T>
T exact_sum(const uint32_t* input, uint32_t count) {
    LongSum            sum;
    bool               plus = false, minus = false, nan = false;
    std::mutex         mutex;
    constexpr uint64_t share = uint64_t{1} << 20;
    on_all_processors(static_cast<uint32_t>((count + share - 1) / share), [&](uint32_t part) {
        LongSum of_part;
        bool    plus_here = false, minus_here = false, nan_here = false;
        for (uint64_t i = part * share; i < std::min<uint64_t>(count, (part + 1) * share); ++i) {
            T value;
            std::memcpy(&value, input + i * (sizeof value / 4), sizeof value);
            if (std::isfinite(value)) {
                of_part.add(double{value});
            } else {
                nan_here   = nan_here || std::isnan(value);
                plus_here  = plus_here || value > 0;
                minus_here = minus_here || value < 0;
            }
        }
        of_part.carry();
        const std::lock_guard<std::mutex> lock(mutex);
        sum.add(of_part);
        nan   = nan || nan_here;
        plus  = plus || plus_here;
        minus = minus || minus_here;
    });
    if (nan || (plus && minus)) return std::numeric_limits<T>::quiet_NaN();
    if (plus || minus) return plus ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    return sum.rounded<T>();
}

template <class T>
std::vector<uint32_t> words_of_sum(const uint32_t* input, uint32_t count) {
    const T               sum = exact_sum<T>(input, count);
    std::vector<uint32_t> words(sizeof sum / 4);
    std::memcpy(words.data(), &sum, sizeof sum);
    return words;
}

} // namespace

std::vector<uint32_t> reference_exact_sum(ElementType type, const uint32_t* input, uint32_t count) {
    return type == ElementType::f32 ? words_of_sum<float>(input, count) : words_of_sum<double>(input, count);
}

} // namespace vkprim::harness
