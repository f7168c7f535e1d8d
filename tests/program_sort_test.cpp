// vkprim sort, beside std::stable_sort.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "support/program.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

/// Where the elements of the sorted sequence come from.
template <class Less>
std::vector<uint32_t> places(size_t count, Less less) {
    std::vector<uint32_t> result(count);
    std::iota(result.begin(), result.end(), 0u);
    std::stable_sort(result.begin(), result.end(), less);
    return result;
}

} // namespace

TEST_CASE("program: sort", "[program]") {
    const Folder          folder;
    const std::string     file = folder.npy("a.npy", NumberType::u32, many()), out = folder.path("out.npy");
    std::vector<uint32_t> ascending = many();
    std::sort(ascending.begin(), ascending.end());
    const std::string said = good({"sort", file, "-o", out});
    CHECK(said.find(out + ": 70001 u32, ascending\n") == 0);
    CHECK(said.find("right to the bit") != std::string::npos);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == ascending);

    const Json json = good_json({"sort", file, "--descending", "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == std::vector<uint32_t>(ascending.rbegin(), ascending.rend()));
    CHECK(json.at("op") == "sort");
    CHECK(json.at("type") == "u32");
    CHECK(json.at("count") == 70001);
    CHECK(json.at("order") == "descending");
    CHECK(json.at("argsort") == false);
    CHECK(json.at("output") == out);
    CHECK(json.at("checked") == true);
    CHECK_FALSE(json.contains("by"));
    CHECK_FALSE(json.contains("bits"));

    // By some bits: many are equal then, and stay in their order.
    const auto digit    = [](uint32_t place) { return many()[place] >> 20 & 15; };
    const auto by_digit = places(many().size(), [&](uint32_t a, uint32_t b) { return digit(a) < digit(b); });
    CHECK(good({"sort", file, "--argsort", "--bits", "20", "24", "-o", out})
              .find(out + ": 70001 u32, bits 20 to 23, ascending; indices\n") == 0);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == by_digit);
    CHECK(good_json({"sort", file, "--bits", "20", "24", "--no-check", "-o", out}).at("bits") == Json({20, 24}));
    std::vector<uint32_t> expected;
    for (const uint32_t place : by_digit) expected.push_back(many()[place]);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == expected);

    // From standard input to standard output.
    Setting setting;
    setting.in            = folder.file("a.bin", bytes_of<int64_t>({5, -7, int64_t{1} << 40, -(int64_t{1} << 40), 5}));
    const Outcome outcome = run({"sort", "-", "--type", "i64", "-o", "-"}, setting);
    CHECK(outcome.exit_code == 0);
    const auto array = parse_npy(reinterpret_cast<const uint8_t*>(outcome.out.data()), outcome.out.size(), "output");
    REQUIRE(array);
    CHECK(elements_of<int64_t>(*array, NumberType::i64) ==
          std::vector<int64_t>{-(int64_t{1} << 40), -7, 5, 5, int64_t{1} << 40});
    CHECK(outcome.err.find("standard output: 5 i64, ascending") != std::string::npos);
}

TEST_CASE("program: sort of floats and small types, to the bit", "[program]") {
    const Folder      folder;
    const std::string out     = folder.path("out.npy");
    const auto        sort_of = [&](NumberType type, auto elements, std::vector<std::string> flags = {}) {
        flags.insert(flags.begin(), {"sort", folder.npy("a.npy", type, elements), "-o", out});
        good(flags);
        return elements_of<typename decltype(elements)::value_type>(out, type);
    };
    constexpr float          infinity = std::numeric_limits<float>::infinity();
    constexpr float          nan      = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> specials = {nan, 0.0f, -0.0f, infinity, 1, -infinity, -1e-45f, 0.0f};
    good({"sort", folder.npy("a.npy", NumberType::f32, specials), "--argsort", "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == std::vector<uint32_t>{5, 6, 2, 1, 7, 4, 3, 0});
    good({"sort", folder.path("a.npy"), "--argsort", "--descending", "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == std::vector<uint32_t>{0, 3, 4, 1, 7, 2, 6, 5});
    CHECK(sort_of(NumberType::f64, std::vector<double>{2, -1e300, 1e-300}) == std::vector<double>{-1e300, 1e-300, 2});

    CHECK(sort_of(NumberType::u8, std::vector<uint8_t>{3, 255, 0, 7}) == std::vector<uint8_t>{0, 3, 7, 255});
    CHECK(sort_of(NumberType::i8, std::vector<int8_t>{3, -1, -128, 127}, {"--descending"}) ==
          std::vector<int8_t>{127, 3, -1, -128});
    // 1, NaN with a payload, -2, -0, 0, 2^-24
    CHECK(sort_of(NumberType::f16, std::vector<uint16_t>{0x3c00, 0x7e01, 0xc000, 0x8000, 0, 1}) ==
          std::vector<uint16_t>{0xc000, 0x8000, 0, 1, 0x3c00, 0x7e01});
}

TEST_CASE("program: sort of a table by a column", "[program]") {
    constexpr uint32_t row_count = 20000;
    const Folder       folder;
    const std::string  out = folder.path("out.npy");
    std::vector<float> rows;
    for (uint32_t i = 0; i < row_count; ++i) {
        // Many rows have the same key in the middle, and all have another number behind it.
        rows.insert(rows.end(),
                    {-1.0f * static_cast<float>(i), std::sin(static_cast<float>(i % 100)), static_cast<float>(i)});
    }
    const std::string file = folder.npy("a.npy", NumberType::f32, rows, {row_count, 3});
    const auto order = places(row_count, [&](uint32_t a, uint32_t b) { return rows[3 * a + 1] < rows[3 * b + 1]; });
    std::vector<float> expected;
    for (const uint32_t place : order) expected.insert(expected.end(), &rows[3 * place], &rows[3 * place] + 3);
    const auto by_middle = [&](const std::string& column) {
        CHECK(good({"sort", file, "--by", column, "-o", out})
                  .find(out + ": 20000 rows of 3 f32 by column 1, ascending\n") == 0);
        const auto array = read_npy(out);
        REQUIRE(array);
        CHECK(array->shape == Shape{row_count, 3});
        CHECK(elements_of<float>(*array, NumberType::f32) == expected);
    };
    by_middle("1");
    by_middle("-2");
    const Json json = good_json({"sort", file, "--by", "1", "--argsort", "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == order);
    CHECK(json.at("count") == row_count);
    CHECK(json.at("by") == 1);
    CHECK(json.at("shape") == Json({row_count, 3}));
    CHECK(json.at("argsort") == true);

    // Small types, and the first index running fastest: the rows are 9 1, 8 2, 9 3.
    const std::string fortran =
        folder.file("b.npy", npy_of("|u1", true, "(3, 2)", bytes_of<uint8_t>({9, 8, 9, 1, 2, 3})));
    good({"sort", fortran, "--by", "0", "-o", out});
    CHECK(elements_of<uint8_t>(out, NumberType::u8) == std::vector<uint8_t>{8, 2, 9, 1, 9, 3});

    check_fails(2, {"sort", file, "--by", "3", "-o", out}, {"a.npy", "--by 3", "(20000, 3)", "-3 to 2"});
    check_fails(2, {"sort", file, "--by", "-4", "-o", out}, {"--by -4"});
    check_fails(2, {"sort", folder.npy("c.npy", NumberType::u32, many()), "--by", "0", "-o", out},
                {"c.npy", "(70001,)", "two dimensions"});
}

TEST_CASE("program: sort along an axis", "[program]") {
    constexpr uint32_t    outer = 3, length = 5000, inner = 2; // a row takes several tiles
    const Folder          folder;
    const std::string     out = folder.path("out.npy");
    std::vector<uint32_t> elements(many().begin(), many().begin() + outer * length * inner);
    for (uint32_t& element : elements) element %= 1000; // many are equal
    const std::string     file = folder.npy("a.npy", NumberType::u32, elements, {outer, length, inner});
    std::vector<uint32_t> expected(elements.size()), indices(elements.size());
    for (uint32_t row = 0; row < outer * inner; ++row) {
        const auto at    = [&](uint32_t i) { return (row / inner * length + i) * inner + row % inner; };
        const auto order = places(length, [&](uint32_t a, uint32_t b) { return elements[at(a)] < elements[at(b)]; });
        for (uint32_t i = 0; i < length; ++i) {
            expected[at(i)] = elements[at(order[i])];
            indices[at(i)]  = order[i];
        }
    }
    CHECK(good({"sort", file, "--axis", "1", "-o", out})
              .find(out + ": 30000 u32 along axis 1 of (3, 5000, 2), ascending\n") == 0);
    const auto array = read_npy(out);
    REQUIRE(array);
    CHECK(array->shape == Shape{outer, length, inner});
    CHECK(elements_of<uint32_t>(*array, NumberType::u32) == expected);
    const Json json = good_json({"sort", file, "--axis", "-2", "--argsort", "-o", out});
    CHECK(read_npy(out)->shape == Shape{outer, length, inner});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == indices);
    CHECK(json.at("axis") == 1);
    CHECK(json.at("rows") == 6);
    CHECK(json.at("count") == length);
    CHECK(json.at("shape") == Json({outer, length, inner}));

    // Many short rows share workgroups. With one for each, this took lavapipe 37 s.
    std::vector<float> triples(300000);
    for (uint32_t i = 0; i < triples.size(); ++i) triples[i] = static_cast<float>(i * 2654435761u % 1000);
    const std::string shorts  = folder.npy("c.npy", NumberType::f32, triples, {100000, 3});
    const Json        at_once = good_json({"sort", shorts, "--axis", "1", "-o", out});
    if (at_once.at("kernel_ms").is_number()) CHECK(at_once.at("kernel_ms") < 20000);
    for (auto row = triples.begin(); row != triples.end(); row += 3) std::sort(row, row + 3);
    CHECK((elements_of<float>(out, NumberType::f32) == triples)); // not printed where they differ

    // Small types keep their bits, and the file may be in Fortran order: the rows are 9 1, 8 2, 9 3.
    const std::string fortran =
        folder.file("b.npy", npy_of("|u1", true, "(3, 2)", bytes_of<uint8_t>({9, 8, 9, 1, 2, 3})));
    good({"sort", fortran, "--axis", "1", "-o", out});
    CHECK(elements_of<uint8_t>(out, NumberType::u8) == std::vector<uint8_t>{1, 9, 2, 8, 3, 9});
    good({"sort", fortran, "--axis", "0", "--descending", "-o", out});
    CHECK(elements_of<uint8_t>(out, NumberType::u8) == std::vector<uint8_t>{9, 3, 9, 2, 8, 1});

    for (const Shape& shape : {Shape{0, 2}, Shape{2, 0}, Shape{3u << 30, 0}}) {
        const std::string none = folder.npy("none.npy", NumberType::f32, std::vector<float>{}, shape);
        good({"sort", none, "--axis", "0", "-o", out});
        CHECK(read_npy(out)->shape == shape);
        good({"sort", none, "--axis", "1", "--argsort", "-o", out});
        CHECK(read_npy(out)->shape == shape);
    }
    check_fails(2, {"sort", file, "--axis", "3", "-o", out}, {"a.npy", "--axis 3", "-3 to 2"});
    check_fails(2, {"sort", file, "--axis", "0", "--by", "1", "-o", out}, {"--by", "--axis", "choose one"});
}

TEST_CASE("program: sort of nothing, and what it refuses", "[program]") {
    const Folder      folder;
    const std::string none = folder.npy("none.npy", NumberType::i32, std::vector<int32_t>{}, {0, 2}),
                      out  = folder.path("out.npy");
    CHECK(good_json({"sort", none, "--by", "1", "-o", out}).at("count") == 0);
    CHECK(read_npy(out)->shape == Shape{0, 2});
    good({"sort", none, "-o", out});
    CHECK(read_npy(out)->shape == Shape{0});
    fs::remove(out);

    const std::string file  = folder.npy("a.npy", NumberType::u32, many());
    const auto        fails = [&](std::vector<std::string> flags, const std::vector<std::string>& words) {
        flags.insert(flags.begin(), {"sort", file, "-o", out});
        check_fails(2, flags, words);
    };
    fails({"--bits", "5", "5"}, {"--bits 5 5", "BEGIN must be below END"});
    fails({"--bits", "0", "33"}, {"a.npy", "--bits 0 33", "32 bits"});
    fails({"--bits", "5"}, {"--bits"});
    fails({"--by", "x"}, {"--by"});
    fails({"--parts", "2"}, {"--parts"});
    check_fails(2, {"sort", folder.npy("b.npy", NumberType::f32, std::vector<float>{1}), "--bits", "0", "8", "-o", out},
                {"b.npy", "holds f32", "--bits"});
    check_fails(2, {"sort", folder.npy("c.npy", NumberType::i8, std::vector<int8_t>{1}), "--bits", "0", "8", "-o", out},
                {"c.npy", "holds i8", "--bits"});
    check_fails(2, {"sort", file}, {"--output"});
    check_fails(2, {"sort", file, "-o", folder.path("a.txt")}, {"a.txt", ".npy"});
    check_fails(2, {"sort", file, "-o", "-", "--json"}, {"-o - and --json"});
    check_fails(2, {"sort", folder.file("a.pgm", "P5 1 1 255\nx"), "-o", out}, {"a.pgm", "picture"});
    check_fails(3, {"sort", file, "-o", out, "--device", "77"}, {"77"});
    CHECK_FALSE(fs::exists(out));
}
