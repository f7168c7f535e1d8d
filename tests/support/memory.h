// Memory on the shared device, and work on it; what goes wrong there ends the test case.
#pragma once

#include <vkprim/runtime.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "harness/scratch.h"
#include "harness/sizes.h"
#include "test_device.h"

namespace vkprim::tests {

using harness::scratch_size_of;
using harness::Sizes;
using harness::temporary_size_of;

/// The value, or the end of the test case with the reason.
template <class T>
T value_of(Result<T> result) {
    if (!result) FAIL(result.error().reason);
    return *std::move(result);
}

/// The error is of this kind, with the code that goes with it, and its reason names `word`.
template <class T>
void check_error(const Result<T>& result, ErrorKind kind, const std::string& word) {
    CAPTURE(word);
    REQUIRE_FALSE(result);
    CAPTURE(result.error().reason);
    CHECK(result.error().kind == kind);
    CHECK(result.error().code == Error(kind, "").code);
    CHECK(result.error().reason.find(word) != std::string::npos);
}

/// For the shared device, without values.
inline Profile profile_of_device() { return {device().info().vendor_id, device().info().device_id, {}}; }

inline void require(const Result<void>& result) {
    if (!result) FAIL(result.error().reason);
}

template <class T>
runtime::Buffer buffer_with(const std::vector<T>& content) {
    auto buffer = value_of(device().create_buffer(content.size() * sizeof(T)));
    require(device().upload(buffer, 0, content.data(), content.size() * sizeof(T)));
    return buffer;
}

inline runtime::Buffer buffer_of_zeros(VkDeviceSize size) { return buffer_with(std::vector<uint32_t>((size + 3) / 4)); }

template <class T = uint32_t>
std::vector<T> content_of(const runtime::Buffer& buffer) {
    std::vector<T> content(buffer.size() / sizeof(T));
    require(device().download(buffer, 0, content.data(), content.size() * sizeof(T)));
    return content;
}

/// Scratch that holds `words`, with guard words behind.
inline runtime::Buffer scratch_with(std::vector<uint32_t> words) {
    words.insert(words.end(), harness::scratch_guard_words, harness::scratch_guard);
    return buffer_with(words);
}

/// Zero-filled scratch of exactly `size` bytes, with guard words behind.
inline runtime::Buffer scratch_of(VkDeviceSize size) { return scratch_with(std::vector<uint32_t>(size / 4)); }

/// Scratch that one of these two made is ready for the next operation, and its guard words are as they were.
inline void check_ready(const runtime::Buffer& scratch) {
    std::vector<uint32_t> words = content_of(scratch);
    const size_t          end   = words.size() - harness::scratch_guard_words;
    CHECK(harness::scratch_guard_fault(&words[end]) == "");
    words.resize(end);
    CHECK(harness::scratch_fault(words) == "");
}

inline void submit(const std::function<void(runtime::Commands&)>& record) {
    auto commands = value_of(device().begin_commands());
    record(commands);
    value_of(commands.submit_and_wait());
}

/// Compares without printing all of it.
template <class T>
void check_same(const std::vector<T>& got, const std::vector<T>& expected) {
    REQUIRE(got.size() == expected.size());
    const auto [g, e] = std::mismatch(got.begin(), got.end(), expected.begin());
    if (g == got.end()) {
        SUCCEED();
        return;
    }
    const auto index = g - got.begin();
    INFO("index " << index << " of " << got.size());
    CHECK(*g == *e);
}

} // namespace vkprim::tests
