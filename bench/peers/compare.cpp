#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vkprim::peers {
namespace {

template <class T>
T at(const Bytes& bytes, size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

/// A sum in double precision, and how far a float sum of the same may be off.
struct Sum {
    double value = 0, squares = 0;

    void add(float x) {
        value += double{x};
        squares += double{x} * double{x};
    }
    bool near(float other) const { return std::abs(double{other} - value) <= std::ldexp(std::sqrt(squares), -14); }
};

std::string differs(size_t index, double expected, float got) {
    return fmt::format("index {}: expected about {}, got {}", index, expected, got);
}

} // namespace

std::string compare_words(const Bytes& expected, const Bytes& got) {
    if (got.size() != expected.size()) return fmt::format("{} bytes instead of {}", got.size(), expected.size());
    if (expected.empty() || std::memcmp(expected.data(), got.data(), got.size()) == 0) return {};
    const auto   first = std::mismatch(expected.begin(), expected.end(), got.begin()).first;
    const size_t index = static_cast<size_t>(first - expected.begin()) / 4;
    return fmt::format("index {}: expected {}, got {}", index, at<uint32_t>(expected, index), at<uint32_t>(got, index));
}

std::string compare_selected(const Bytes& expected, const Bytes& got) {
    if (got.size() < expected.size() || expected.size() < 4) {
        return fmt::format("{} bytes instead of {} or more", got.size(), expected.size());
    }
    const auto kept = at<uint32_t>(expected, 0), got_kept = at<uint32_t>(got, got.size() / 4 - 1);
    if (kept != got_kept) return fmt::format("{} kept instead of {}", got_kept, kept);
    return compare_words(Bytes(expected.begin() + 4, expected.end()),
                         Bytes(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(expected.size() - 4)));
}

std::string compare_sum(const Bytes& input, const Bytes& got) {
    Sum sum;
    for (size_t i = 0; i < input.size() / 4; ++i) sum.add(at<float>(input, i));
    const auto value = at<float>(got, 0);
    return sum.near(value) ? std::string() : differs(0, sum.value, value);
}

std::string compare_exclusive_sums(const Bytes& input, const Bytes& got) {
    if (got.size() != input.size()) return fmt::format("{} bytes instead of {}", got.size(), input.size());
    Sum sum;
    for (size_t i = 0; i < input.size() / 4; ++i) {
        const auto value = at<float>(got, i);
        if (!sum.near(value)) return differs(i, sum.value, value);
        sum.add(at<float>(input, i));
    }
    return {};
}

} // namespace vkprim::peers
