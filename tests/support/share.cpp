#include "share.h"

#include <cstdio>
#include <numeric>
#include <stdexcept>

#include "catch.h"
#include "test_device.h"

namespace vkprim::tests {

bool is_pairs() { return environment("VKPRIM_TEST_EXTENT") == "pairs"; }

TestShare share_of_environment() {
    TestShare         share;
    const std::string text = environment("VKPRIM_TEST_SHARE");
    if (text.empty()) return share;
    if (std::sscanf(text.c_str(), "%u/%u", &share.number, &share.of) != 2 || share.number >= share.of) {
        throw std::runtime_error("VKPRIM_TEST_SHARE is '" + text + "'");
    }
    return share;
}

size_t shift_of_test() {
    const std::string name = Catch::getResultCapture().getCurrentTestName();
    return std::accumulate(name.begin(), name.end(), size_t{0},
                           [](size_t sum, char c) { return sum + static_cast<unsigned char>(c); });
}

} // namespace vkprim::tests
