// When two results of an operation count as the same, without a device.
#include <cmath>
#include <limits>
#include <vector>

#include "float_bits.h"
#include "harness/laws.h"
#include "support/catch.h"

using namespace vkprim;
using namespace vkprim::harness;

namespace {

using Words = std::vector<uint32_t>;

const ElementLayout layout{2, {'f', 'u'}};

Words element(float value, uint32_t word = 7) { return {bits_of(value), word}; }

bool same(const Words& one, const Words& other, const std::vector<Words>& of_the_trial) {
    Floats floats;
    for (const Words& given : of_the_trial) floats.add(layout, given.data());
    return is_same(layout, one.data(), other.data(), floats);
}

} // namespace

TEST_CASE("laws: floats differ by rounding alone", "[laws]") {
    const std::vector<Words> trial = {element(1.5f), element(-3.25f)};
    CHECK(same(element(1.5f), element(1.5f), trial));
    CHECK(same(element(1.0f), element(1.0f + 3.25f * 0x1p-10f), trial));
    CHECK_FALSE(same(element(1.0f), element(1.0f + 3.26f * 0x1p-10f), trial));
    CHECK(same(element(0.0f), element(-0.0f), trial));
    CHECK_FALSE(same(element(1.5f, 7), element(1.5f, 8), trial)); // an integer
}

TEST_CASE("laws: of whole numbers, nothing is rounded", "[laws]") {
    CHECK_FALSE(same(element(1.0f), element(1.0009765625f), {element(3), element(4194303)}));
    CHECK(same(element(1.0f), element(1.0009765625f), {element(3), element(4194304)})); // 2^22
}

TEST_CASE("laws: what is not finite has no rounding", "[laws]") {
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(same(element(infinity), element(infinity), {element(infinity)}));
    CHECK_FALSE(same(element(infinity), element(1), {element(infinity)}));
    CHECK_FALSE(same(element(1.5f), element(1.5001f), {element(infinity)}));
}

TEST_CASE("laws: the same bits, but for zeros and NaN", "[laws]") {
    const auto alike = [](const Words& one, const Words& other) {
        return has_same_bits(layout, one.data(), other.data());
    };
    CHECK(alike({0x7fc00000, 1}, {0x7f800001, 1})); // two NaN
    CHECK(alike(element(0.0f), element(-0.0f)));
    CHECK_FALSE(alike(element(1.0f), element(std::nextafter(1.0f, 2.0f))));
    CHECK_FALSE(alike(element(1.0f, 0), element(1.0f, 0x80000000)));
}

TEST_CASE("laws: random words are of their families", "[laws]") {
    Random random(3);
    for (uint32_t i = 0; i < 10000; ++i) {
        const float whole = std::fabs(float_of(random_word('f', 0, random)));
        CHECK((whole >= 1 && whole <= 8 && whole == std::trunc(whole)));
        const float near_one = std::fabs(float_of(random_word('f', 1, random)));
        CHECK((near_one >= 0.5f && near_one < 2));
        const float wide = std::fabs(float_of(random_word('f', 2, random)));
        CHECK((wide >= 0x1p-10f && wide < 0x1p11f));
        CHECK(random_word('u', 0, random) < 4);
        CHECK(random_word('u', 1, random) <= 1000);
        const auto small = static_cast<int32_t>(random_word('i', 1, random));
        CHECK((small >= -1000 && small <= 1000));
    }
}
