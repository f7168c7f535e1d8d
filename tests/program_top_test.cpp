// vkprim top, beside std::stable_sort.
#include <algorithm>
#include <limits>
#include <numeric>

#include "support/program.h"

using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

TEST_CASE("program: top", "[program]") {
    const Folder          folder;
    const std::string     file = folder.npy("a.npy", NumberType::u32, many()), out = folder.path("out.npy");
    std::vector<uint32_t> places(many().size());
    std::iota(places.begin(), places.end(), 0u);
    std::stable_sort(places.begin(), places.end(), [](uint32_t a, uint32_t b) { return many()[a] > many()[b]; });
    std::string lines;
    for (uint32_t i = 0; i < 3; ++i)
        lines += std::to_string(many()[places[i]]) + " " + std::to_string(places[i]) + "\n";
    CHECK(good({"top", file, "-k", "3"}) == lines);
    const Json json = good_json({"top", file, "-k", "3"});
    CHECK(json.at("op") == "top");
    CHECK(json.at("order") == "largest");
    CHECK(json.at("count") == 70001);
    CHECK(json.at("indices") == Json({places[0], places[1], places[2]}));
    CHECK(json.at("values")[2] == many()[places[2]]);
    CHECK(json.at("checked") == true);

    const std::string said = good({"top", file, "-k", "5000", "--argsort", "-o", out});
    CHECK(said.find(out + ": 5000 largest of 70001 u32; indices\n") == 0);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == std::vector<uint32_t>(places.begin(), places.begin() + 5000));

    const uint32_t middle = places[35000];
    CHECK(good({"top", file, "-k", "35001", "--nth"}) ==
          std::to_string(many()[middle]) + " " + std::to_string(middle) + "\n");
    CHECK(good({"top", file, "-k", "35001", "--nth", "--argsort", "-o", out})
              .find(out + ": number 35001 from the largest of 70001 u32; indices\n") == 0);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == std::vector<uint32_t>{middle});
}

TEST_CASE("program: top of rows, of small types and of less than is wanted", "[program]") {
    const Folder      folder;
    const std::string out  = folder.path("out.npy");
    const std::string rows = folder.npy("rows.npy", NumberType::u8, std::vector<uint8_t>{3, 9, 9, 0, 200, 7}, {2, 3});
    CHECK(good({"top", rows, "--axis", "1", "-k", "2"}) == "9 1\n9 2\n\n200 1\n7 2\n");
    CHECK(good_json({"top", rows, "--axis", "-1", "-k", "1"}).at("indices") == Json({{1}, {1}}));
    good({"top", rows, "--axis", "0", "-k", "1", "--smallest", "-o", out});
    const auto array = read_npy(out);
    REQUIRE(array);
    CHECK(array->shape == Shape{3, 1});
    CHECK(elements_of<uint8_t>(*array, NumberType::u8) == std::vector<uint8_t>{0, 9, 7});

    CHECK(good({"top", rows, "--axis", "1", "-k", "2", "--nth"}) == "9 2\n7 2\n");
    CHECK(good_json({"top", rows, "--axis", "1", "-k", "3", "--nth"}).at("values") == Json({{3}, {0}}));
    good({"top", rows, "--axis", "0", "-k", "2", "--nth", "-o", out});
    const auto second = read_npy(out);
    REQUIRE(second);
    CHECK(second->shape == Shape{3});
    CHECK(elements_of<uint8_t>(*second, NumberType::u8) == std::vector<uint8_t>{0, 9, 7});

    constexpr float   nan    = std::numeric_limits<float>::quiet_NaN();
    const std::string floats = folder.npy("f.npy", NumberType::f32, std::vector<float>{1.5f, nan, -2});
    CHECK(good({"top", floats}) == "nan 1\n1.5 0\n-2 2\n");
    CHECK(good({"top", floats, "--smallest", "-k", "1"}) == "-2 2\n");
    CHECK(good({"top", folder.npy("none.npy", NumberType::f64, std::vector<double>{})}).empty());
}

TEST_CASE("program: top of many short rows", "[program]") {
    std::vector<uint32_t> pairs(100000);
    for (uint32_t i = 0; i < pairs.size(); ++i) pairs[i] = i * 2654435761u % 100;
    const Folder          folder;
    const std::string     file = folder.npy("a.npy", NumberType::u32, pairs, {50000, 2}), out = folder.path("out.npy");
    std::vector<uint32_t> places(50000);
    for (uint32_t row = 0; row < places.size(); ++row) places[row] = pairs[2 * row] < pairs[2 * row + 1] ? 1 : 0;
    const Json json = good_json({"top", file, "--axis", "1", "-k", "1", "--argsort", "-o", out});
    if (json.at("kernel_ms").is_number()) CHECK(json.at("kernel_ms") < 10000); // alone each, twice that
    CHECK((elements_of<uint32_t>(out, NumberType::u32) == places));
    for (uint32_t& place : places) place = 1 - place;
    good({"top", file, "--axis", "1", "-k", "2", "--nth", "--argsort", "-o", out});
    CHECK((elements_of<uint32_t>(out, NumberType::u32) == places));
}

TEST_CASE("program: top refuses what it cannot do", "[program]") {
    const Folder      folder;
    const std::string file = folder.npy("a.npy", NumberType::u32, std::vector<uint32_t>(5000, 1));
    check_fails(2, {"top", file, "-k", "0"}, {"-k"});
    check_fails(2, {"top", file, "-k", "1048577", "-o", folder.path("out.npy")}, {"1048577", "1048576", "--nth"});
    check_fails(2, {"top", file, "-k", "5001", "--nth"}, {"a.npy", "5001", "5000"});
    check_fails(2, {"top", file, "-k", "4097"}, {"4097", "4096", "-o"});
    check_fails(2, {"top", file, "--argsort"}, {"--argsort", "-o"});
    check_fails(2, {"top", file, "--axis", "1"}, {"--axis 1"});
    check_fails(2, {"top", file, "-o", folder.path("out.txt")}, {"out.txt"});
}
