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

/// A sum in a wider type, and how far a sum of T of the same may be off.
template <class T>
struct Sum {
    static constexpr int tolerance = sizeof(T) == 4 ? -14 : -43;

    long double value = 0, squares = 0;

    void add(T x) {
        value += static_cast<long double>(x);
        squares += static_cast<long double>(x) * static_cast<long double>(x);
    }
    bool near(T other) const {
        return std::abs(static_cast<long double>(other) - value) <= std::ldexp(std::sqrt(squares), tolerance);
    }
};

template <class T>
std::string differs(size_t index, long double expected, T got) {
    return fmt::format("index {}: expected about {}, got {}", index, static_cast<double>(expected), got);
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

std::string compare_partition(const Bytes& expected, const Bytes& got) {
    Bytes          turned = expected;
    const uint64_t kept = at<uint32_t>(expected, 0), others = expected.size() / 4 - 1 - kept;
    for (uint64_t i = 0; i < others; ++i) {
        std::memcpy(&turned[(1 + kept + i) * 4], &expected[(kept + others - i) * 4], 4);
    }
    return compare_selected(turned, got);
}

namespace {

/// Of `runs` runs with that expected: how many, and their keys. Behind their keys in `got` is a half for what else each has.
std::string compare_keys(const Bytes& expected, uint64_t runs, const Bytes& got) {
    const uint64_t half = (got.size() - 4) / 2;
    if (runs * 4 > half) return "room for another number of runs";
    const auto keys_end = expected.begin() + static_cast<std::ptrdiff_t>((1 + runs) * 4);
    Bytes      keys(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(half));
    keys.insert(keys.end(), got.end() - 4, got.end());
    return compare_selected(Bytes(expected.begin(), keys_end), keys);
}

} // namespace

std::string compare_runs(const Bytes& expected, const Bytes& got) {
    const uint64_t runs = at<uint32_t>(expected, 0), half = (got.size() - 4) / 2;
    if (expected.size() != (2 * runs + 2) * 4) return "room for another number of runs";
    if (std::string wrong = compare_keys(expected, runs, got); !wrong.empty()) return wrong;
    for (uint64_t i = 0; i < runs; ++i) {
        const uint32_t length     = at<uint32_t>(expected, runs + i + 2) - at<uint32_t>(expected, runs + i + 1);
        const uint32_t got_length = at<uint32_t>(got, half / 4 + i);
        if (length != got_length) return fmt::format("run {}: expected {} keys, got {}", i, length, got_length);
    }
    return {};
}

std::string compare_by_key(const Bytes& expected, const Bytes& got) {
    const uint64_t runs = at<uint32_t>(expected, 0), half = (got.size() - 4) / 2;
    if (expected.size() != (2 * runs + 1) * 4) return "room for another number of runs";
    if (std::string wrong = compare_keys(expected, runs, got); !wrong.empty()) return wrong;
    for (uint64_t i = 0; i < runs; ++i) {
        const uint32_t sum = at<uint32_t>(expected, runs + i + 1), got_sum = at<uint32_t>(got, half / 4 + i);
        if (sum != got_sum) return fmt::format("run {}: expected {}, got {}", i, sum, got_sum);
    }
    return {};
}

template <class T>
std::string compare_sum(const Bytes& input, const Bytes& got) {
    Sum<T> sum;
    for (size_t i = 0; i < input.size() / sizeof(T); ++i) sum.add(at<T>(input, i));
    const auto value = at<T>(got, 0);
    return sum.near(value) ? std::string() : differs(0, sum.value, value);
}

template <class T>
std::string compare_exclusive_sums(const Bytes& input, const Bytes& got) {
    if (got.size() != input.size()) return fmt::format("{} bytes instead of {}", got.size(), input.size());
    Sum<T> sum;
    for (size_t i = 0; i < input.size() / sizeof(T); ++i) {
        const auto value = at<T>(got, i);
        if (!sum.near(value)) return differs(i, sum.value, value);
        sum.add(at<T>(input, i));
    }
    return {};
}

std::string compare_segmented_sums(const Bytes& input, uint32_t row, const Bytes& got) {
    constexpr size_t offsets_at  = 4; // in words
    const size_t     segments    = row > 0 ? input.size() / 4 / row : at<uint32_t>(input, 0);
    const size_t     elements_at = row > 0 ? 0 : (offsets_at + segments + 1 + 3) / 4 * 4;
    const auto       offset      = [&](size_t segment) {
        return row > 0 ? segment * row : at<uint32_t>(input, offsets_at + segment);
    };
    if (got.size() != segments * 4) return fmt::format("{} bytes instead of {}", got.size(), segments * 4);
    for (size_t segment = 0; segment < segments; ++segment) {
        Sum<float> sum;
        for (size_t i = offset(segment); i < offset(segment + 1); ++i) sum.add(at<float>(input, elements_at + i));
        const auto value = at<float>(got, segment);
        if (!sum.near(value)) return differs(segment, sum.value, value);
    }
    return {};
}

template std::string compare_sum<float>(const Bytes&, const Bytes&);
template std::string compare_sum<double>(const Bytes&, const Bytes&);
template std::string compare_exclusive_sums<float>(const Bytes&, const Bytes&);
template std::string compare_exclusive_sums<double>(const Bytes&, const Bytes&);

} // namespace vkprim::peers
