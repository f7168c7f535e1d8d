// Examples that make a picture: it must look like the one in their folder. VKPRIM_EXAMPLE names the program,
// VKPRIM_EXAMPLE_PICTURE that picture, VKPRIM_EXAMPLE_BY what runs a program for another system. With VKPRIM_TEST_VALIDATION it
// runs with validation.
#include <cstdlib>
#include <filesystem>

#include "support/catch.h"
#include "support/memory.h"
#include "support/test_device.h"
#include "support/validated.h"
#include "tools/cli/files/files.h"

namespace vkprim::tests {
namespace {

/// How far two pictures of the same size are from each other, in steps of a byte.
struct Distance {
    double mean = 0;
    size_t far  = 0; ///< bytes that differ by more than 8
};

Distance distance_of(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
    Distance distance;
    for (size_t i = 0; i < a.size(); ++i) {
        const int difference = std::abs(int{a[i]} - int{b[i]});
        distance.mean += static_cast<double>(difference) / static_cast<double>(a.size());
        distance.far += difference > 8;
    }
    return distance;
}

} // namespace

TEST_CASE("an example's picture", "[device][example]") {
    const std::string program = environment("VKPRIM_EXAMPLE"), reference = environment("VKPRIM_EXAMPLE_PICTURE");
    if (program.empty()) FAIL("the environment variable VKPRIM_EXAMPLE must name the program");
    const std::string out = program + "-" + device().info().name.substr(0, 4) + ".png";
    std::filesystem::remove(out);
    const std::string by = environment("VKPRIM_EXAMPLE_BY");
    run_validated((by.empty() ? "" : "'" + by + "' ") + "'" + program + "' '" + out + "'");
    const auto made = value_of(tools::read_image(out)), wanted = value_of(tools::read_image(reference));
    REQUIRE(made.width == wanted.width);
    REQUIRE(made.height == wanted.height);
    REQUIRE(made.channels == wanted.channels);
    // Drivers round sines, powers and logarithms differently, which moves an edge or the last bit of a color here and there.
    const Distance distance = distance_of(made.samples, wanted.samples);
    CAPTURE(distance.mean, distance.far);
    CHECK(distance.mean < 0.5);
    CHECK(distance.far < made.samples.size() / 1000);
}

} // namespace vkprim::tests
