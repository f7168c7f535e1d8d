// The exact sum of floats, rounded once.
#include "long_sum.h"
#include "processors.h"
#include "references.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

namespace vkprim::harness {
namespace {

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
