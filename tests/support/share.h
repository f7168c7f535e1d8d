// What a run has of what can be parted: tests/CMakeLists.txt gives the short extent one share, and the full one the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::tests {

/// Of things with numbers, those whose number has the rest `number` when divided by `of`.
struct TestShare {
    uint32_t number = 0, of = 1;
};

/// What VKPRIM_TEST_SHARE says, "1/3"; all where it says nothing.
TestShare share_of_environment();

inline bool is_of_share(size_t number) { return number % share_of_environment().of == share_of_environment().number; }

/// Whether the running test has fewer cases than others of its kind: VKPRIM_TEST_EXTENT.
bool is_pairs();

/// A number of the running test, so that the shares of different tests do not all begin with the same.
size_t shift_of_test();

/// Those of `all` that the running test has.
template <class T>
std::vector<T> shared_out(const std::vector<T>& all) {
    std::vector<T> some;
    for (size_t i = 0; i < all.size(); ++i) {
        if (is_of_share(shift_of_test() + i)) some.push_back(all[i]);
    }
    return some;
}

} // namespace vkprim::tests
