// vkprim compact, beside the plain loop.
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "support/program.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

template <class T>
std::vector<T> filtered(const std::vector<T>& elements, const std::function<bool(T)>& keep) {
    std::vector<T> kept;
    for (const T element : elements) {
        if (keep(element)) kept.push_back(element);
    }
    return kept;
}

template <class T>
std::vector<uint32_t> indices(const std::vector<T>& elements, const std::function<bool(T)>& keep) {
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < elements.size(); ++i) {
        if (keep(elements[i])) kept.push_back(i);
    }
    return kept;
}

} // namespace

TEST_CASE("program: compact", "[program]") {
    const Folder      folder;
    const std::string out = folder.path("out.npy");
    const auto kept_of = [&](auto example, NumberType type, const std::string& file, std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"compact", file, "-o", out});
        const std::string said = good(flags);
        CHECK(said.find("right to the bit") != std::string::npos);
        return elements_of<decltype(example)>(out, type);
    };

    const std::string u32s   = folder.npy("u32.npy", NumberType::u32, many());
    const auto        of_u32 = [&](const std::vector<std::string>& flags) {
        return kept_of(uint32_t{}, NumberType::u32, u32s, flags);
    };
    const auto half = [](uint32_t key) { return key > 2147483648u; };
    CHECK(of_u32({"--above", "2147483648"}) == filtered<uint32_t>(many(), half));
    CHECK(of_u32({"--above", "2654435761"}) ==
          filtered<uint32_t>(many(), [](uint32_t key) { return key > 2654435761u; })); // one of them
    CHECK(of_u32({"--above", "2147483647.5"}) ==
          filtered<uint32_t>(many(), [](uint32_t key) { return key > 2147483647u; }));
    CHECK(of_u32({"--below", "1e9", "--parts", "5"}) ==
          filtered<uint32_t>(many(), [](uint32_t key) { return key < 1000000000u; }));
    CHECK(of_u32({"--above", "1e9", "--below", "2654435761"}) ==
          filtered<uint32_t>(many(), [](uint32_t key) { return key > 1000000000u && key < 2654435761u; }));
    const auto middle = [](uint32_t key) { return key >= 5 && key <= 2654435761u; };
    CHECK(of_u32({"--between", "5", "2654435761"}) == filtered<uint32_t>(many(), middle));
    CHECK(of_u32({"--outside", "5", "2654435761"}) ==
          filtered<uint32_t>(many(), [&](uint32_t key) { return !middle(key); }));
    CHECK(of_u32({"--above", "4294967295"}).empty());
    CHECK(of_u32({"--above", "-1"}) == many());
    CHECK(of_u32({"--below", "inf"}) == many());
    CHECK(of_u32({"--indices", "--above", "2147483648"}) == indices<uint32_t>(many(), half));
    CHECK(of_u32({}) == filtered<uint32_t>(many(), [](uint32_t key) { return key != 0; }));

    const std::string said = good({"compact", u32s, "--above", "2147483648", "-o", out});
    const std::string kept = std::to_string(filtered<uint32_t>(many(), half).size());
    CHECK(said.find(out + ": " + kept + " of 70001 kept, above 2147483648; u32\n") == 0);
    const Json json = good_json({"compact", u32s, "--above", "2147483648", "--no-check", "-o", out});
    CHECK(json.at("op") == "compact");
    CHECK(json.at("keep") == "above 2147483648");
    CHECK(json.at("key_type") == "u32");
    CHECK(json.at("type") == "u32");
    CHECK(json.at("count") == 70001);
    CHECK(json.at("kept").dump() == kept);
    CHECK(json.at("output") == out);
    CHECK(json.at("checked") == false);

    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> specials = {0.0f, -0.0f, 0.1f, -0.1f, infinity, -infinity, nan, 1e-45f, 3e38f, 0.5f};
    const std::string        floats   = folder.npy("f32.npy", NumberType::f32, specials);
    const auto               of_f32   = [&](std::vector<std::string> flags) {
        flags.push_back("--indices");
        return kept_of(uint32_t{}, NumberType::u32, floats, flags);
    };
    CHECK(of_f32({}) == std::vector<uint32_t>{2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(of_f32({"--above", "0"}) == std::vector<uint32_t>{2, 4, 7, 8, 9});
    CHECK(of_f32({"--above", "0.1"}) == std::vector<uint32_t>{4, 8, 9}); // the nearest float itself is not
    CHECK(of_f32({"--below", "0.1"}) == std::vector<uint32_t>{0, 1, 3, 5, 7});
    CHECK(of_f32({"--between", "0.1", "0.5"}) == std::vector<uint32_t>{2, 9});
    CHECK(of_f32({"--outside", "-1", "1"}) == std::vector<uint32_t>{4, 5, 6, 8});
    CHECK(of_f32({"--above", "inf"}).empty());
    CHECK(of_f32({"--below", "-inf"}).empty());
    CHECK(of_f32({"--above", "-inf"}) == std::vector<uint32_t>{0, 1, 2, 3, 4, 7, 8, 9});
    CHECK(of_f32({"--between", "0", "inf"}) == std::vector<uint32_t>{0, 1, 2, 4, 7, 8, 9});
    CHECK(kept_of(0.0f, NumberType::f32, floats, {"--above", "0"}) ==
          std::vector<float>{0.1f, infinity, 1e-45f, 3e38f, 0.5f});
    const std::string negative = folder.npy("i32.npy", NumberType::i32, std::vector<int32_t>{-5, -1, 0, 5});
    CHECK(kept_of(int32_t{}, NumberType::i32, negative, {"--below", "0"}) == std::vector<int32_t>{-5, -1});

    // All bits count: both zeros, and NaN.
    const std::string runs = folder.npy("runs.npy", NumberType::f32,
                                        std::vector<float>{0.0f, -0.0f, -0.0f, 1.0f, 1.0f, nan, nan, 1.0f, 0.0f});
    CHECK(kept_of(uint32_t{}, NumberType::u32, runs, {"--unique", "--indices"}) ==
          std::vector<uint32_t>{0, 1, 3, 5, 7, 8});
    CHECK(kept_of(int32_t{}, NumberType::i32, negative, {"--unique"}) == std::vector<int32_t>{-5, -1, 0, 5});
    CHECK(good({"compact", runs, "--unique", "-o", out}).find("6 of 9 kept, unlike the one before; f32\n") !=
          std::string::npos);
    std::vector<uint32_t> thirds = many();
    for (size_t i = 0; i < thirds.size(); ++i) thirds[i] = static_cast<uint32_t>(i / 3);
    std::vector<uint32_t> each(thirds.size() / 3 + 1);
    for (size_t i = 0; i < each.size(); ++i) each[i] = static_cast<uint32_t>(i);
    const std::string in_threes = folder.npy("thirds.npy", NumberType::u32, thirds);
    CHECK(kept_of(uint32_t{}, NumberType::u32, in_threes, {"--unique", "--parts", "3"}) == each);
}

TEST_CASE("program: compact of small types keeps them", "[program]") {
    const Folder folder;
    const auto   kept_of = [&](NumberType type, auto elements, std::vector<std::string> flags) {
        const std::string out = folder.path("out.npy");
        flags.insert(flags.begin(), {"compact", folder.npy("a.npy", type, elements), "-o", out});
        good(flags);
        return elements_of<typename decltype(elements)::value_type>(out, type);
    };
    CHECK(kept_of(NumberType::u8, std::vector<uint8_t>{3, 0, 255, 7}, {}) == std::vector<uint8_t>{3, 255, 7});
    CHECK(kept_of(NumberType::u8, std::vector<uint8_t>{3, 0, 255, 7}, {"--above", "3"}) ==
          std::vector<uint8_t>{255, 7});
    CHECK(kept_of(NumberType::boolean, std::vector<uint8_t>{1, 0, 1}, {}) == std::vector<uint8_t>{1, 1});
    CHECK(kept_of(NumberType::u8, std::vector<uint8_t>{3, 3, 0, 255, 255, 3}, {"--unique"}) ==
          std::vector<uint8_t>{3, 0, 255, 3});
    CHECK(kept_of(NumberType::i8, std::vector<int8_t>{3, -1, -128}, {"--below", "0"}) == std::vector<int8_t>{-1, -128});
    CHECK(kept_of(NumberType::u16, std::vector<uint16_t>{3, 65535}, {"--above", "3"}) == std::vector<uint16_t>{65535});
    CHECK(kept_of(NumberType::i16, std::vector<int16_t>{3, -5}, {"--below", "3"}) == std::vector<int16_t>{-5});
    // 1, -2, NaN with a payload, 2^-24
    CHECK(kept_of(NumberType::f16, std::vector<uint16_t>{0x3c00, 0xc000, 0x7e01, 1}, {"--outside", "0", "0.5"}) ==
          std::vector<uint16_t>{0x3c00, 0xc000, 0x7e01});
}

TEST_CASE("program: compact finds runs of keys of 8 bytes", "[program]") {
    const Folder      folder;
    const std::string out = folder.path("out.npy");
    const auto kept_of = [&](auto example, NumberType type, const std::string& file, std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"compact", file, "--unique", "-o", out});
        const std::string said = good(flags);
        CHECK(said.find("right to the bit") != std::string::npos);
        return elements_of<decltype(example)>(out, type);
    };
    // Runs of three, of which one differs from the next in the lower word, or in the upper one.
    std::vector<int64_t>  keys, each;
    std::vector<uint32_t> heads;
    for (uint32_t i = 0; i < 30001; ++i) {
        const int64_t key = int64_t{i / 6} * (int64_t{1} << 32) - int64_t{i / 3 % 2};
        if (i % 3 == 0) {
            each.push_back(key);
            heads.push_back(i);
        }
        keys.push_back(key);
    }
    const std::string file = folder.npy("i64.npy", NumberType::i64, keys);
    CHECK(kept_of(int64_t{}, NumberType::i64, file, {}) == each);
    CHECK(kept_of(int64_t{}, NumberType::i64, file, {"--parts", "3"}) == each);
    CHECK(kept_of(uint32_t{}, NumberType::u32, file, {"--indices"}) == heads);
    const Json json = good_json({"compact", file, "--unique", "-o", out});
    CHECK(json.at("key_type") == "i64");
    CHECK(json.at("type") == "i64");
    CHECK(json.at("count") == 30001);
    CHECK(json.at("kept") == 10001);
    CHECK(kept_of(uint64_t{}, NumberType::u64,
                  folder.file("u64.bin", bytes_of<uint64_t>({1, 1, 1ull << 32, 1ull << 32, 1})),
                  {"--type", "u64"}) == std::vector<uint64_t>{1, 1ull << 32, 1});

    constexpr double  nan    = std::numeric_limits<double>::quiet_NaN();
    const std::string floats = folder.npy("f64.npy", NumberType::f64,
                                          std::vector<double>{0.0, -0.0, -0.0, 1.0, 1.0 + 0x1p-52, nan, nan, 0.0, 0.0});
    CHECK(kept_of(uint32_t{}, NumberType::u32, floats, {"--indices"}) == std::vector<uint32_t>{0, 1, 3, 4, 5, 7});

    // Elements of at most 4 bytes by such keys.
    const std::string small = folder.npy("i8.npy", NumberType::i8, std::vector<int8_t>{1, 2, 3, 4, 5, 6, 7, 8, -9});
    CHECK(kept_of(int8_t{}, NumberType::i8, small, {"--keys", floats}) == std::vector<int8_t>{1, 2, 4, 5, 6, 8});
    CHECK(kept_of(int64_t{}, NumberType::i64, folder.npy("none.npy", NumberType::i64, std::vector<int64_t>{}), {})
              .empty());
    check_fails(2, {"compact", floats, "--keys", small, "--unique", "-o", out},
                {"f64.npy", "holds f64", "a.astype('f4')"});
    check_fails(2, {"compact", small, "--keys", floats, "-o", out}, {"f64.npy", "holds f64", "only keys of --unique"});
}

TEST_CASE("program: compact by keys of their own", "[program]") {
    const Folder         folder;
    const std::string    out = folder.path("out.npy");
    std::vector<float>   elements, expected;
    std::vector<uint8_t> mask;
    for (const uint32_t key : many()) {
        elements.push_back(static_cast<float>(key));
        mask.push_back(key % 3 == 0 ? 1 : 0);
        if (key % 3 == 0) expected.push_back(elements.back());
    }
    const std::string file = folder.npy("a.npy", NumberType::f32, elements);
    good({"compact", file, "--keys", folder.npy("mask.npy", NumberType::boolean, mask), "-o", out});
    CHECK(elements_of<float>(out, NumberType::f32) == expected);
    good({"compact", file, "--keys", folder.file("mask.bin", bytes_of(mask)), "--keys-type", "u8", "-o", out});
    CHECK(elements_of<float>(out, NumberType::f32) == expected);
    Setting setting;
    setting.in = folder.path("mask.npy");
    good({"compact", file, "--keys", "-", "-o", out}, setting);
    CHECK(elements_of<float>(out, NumberType::f32) == expected);
    setting.in            = file;
    const Outcome outcome = run({"compact", "-", "--keys", folder.path("mask.npy"), "-o", "-"}, setting);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == content_of(out));
    CHECK(outcome.err.find("standard output: ") != std::string::npos);

    // Of several dimensions, in either order: as numpy's a[mask].
    const std::string fortran =
        folder.file("b.npy", npy_of("<u4", true, "(2, 3)", bytes_of<uint32_t>({1, 4, 2, 5, 3, 6})));
    const std::string flags = folder.npy("c.npy", NumberType::u8, std::vector<uint8_t>{1, 0, 0, 1, 0, 1}, {2, 3});
    good({"compact", fortran, "--keys", flags, "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == std::vector<uint32_t>{1, 4, 6});

    check_fails(2, {"compact", file, "--keys", flags, "-o", out}, {"c.npy", "6 keys", "70001 elements"});
    check_fails(2,
                {"compact", folder.npy("rows.npy", NumberType::u32, std::vector<uint32_t>(6), {2, 3}), "--keys",
                 folder.npy("columns.npy", NumberType::u8, std::vector<uint8_t>(6), {3, 2}), "-o", out},
                {"columns.npy", "(3, 2)", "rows.npy", "(2, 3)"});
    check_fails(2, {"compact", "-", "--keys", "-", "-o", out}, {"standard input"});
    check_fails(2, {"compact", file, "--keys", folder.path("none.npy"), "-o", out}, {"none.npy", "no such file"});
    check_fails(2, {"compact", file, "--keys", flags, "--indices", "-o", out}, {"--keys", "--indices"});
    check_fails(2, {"compact", file, "--keys-type", "u8", "-o", out}, {"--keys-type", "--keys"});
}

TEST_CASE("program: compact of nothing, and what it refuses", "[program]") {
    const Folder      folder;
    const std::string none = folder.npy("none.npy", NumberType::i32, std::vector<int32_t>{}),
                      out  = folder.path("out.npy");
    CHECK(good_json({"compact", none, "-o", out}).at("kept") == 0);
    CHECK(elements_of<int32_t>(out, NumberType::i32).empty());
    fs::remove(out);

    const std::string file  = folder.npy("a.npy", NumberType::u32, many());
    const auto        fails = [&](std::vector<std::string> flags, const std::vector<std::string>& words) {
        flags.insert(flags.begin(), {"compact", file, "-o", out});
        check_fails(2, flags, words);
    };
    fails({"--above", "nan"}, {"--above nan", "number"});
    fails({"--below", "x"}, {"--below"});
    fails({"--between", "2", "1"}, {"--between 2 1", "LO must not be above HI"});
    fails({"--outside", "nan", "1"}, {"--outside nan 1"});
    fails({"--between", "1"}, {"--between"});
    fails({"--between", "1", "2", "--above", "1"}, {"--between", "--above"});
    fails({"--between", "1", "2", "--outside", "1", "2"}, {"--between", "--outside"});
    fails({"--unique", "--above", "2"}, {"--unique", "--above"});
    check_fails(2, {"compact", file}, {"--output"});
    check_fails(2, {"compact", file, "-o", folder.path("a.txt")}, {"a.txt", ".npy"});
    check_fails(2, {"compact", file, "-o", "-", "--json"}, {"-o - and --json"});
    check_fails(2, {"compact", folder.npy("d.npy", NumberType::f64, std::vector<double>{1}), "-o", out},
                {"d.npy", "holds f64", "a.astype('f4')"});
    check_fails(2, {"compact", folder.file("a.pgm", "P5 1 1 255\nx"), "-o", out}, {"a.pgm", "picture"});
    check_fails(3, {"compact", file, "-o", out, "--device", "77"}, {"77"});
    CHECK_FALSE(fs::exists(out));
}
