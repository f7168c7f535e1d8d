// The program on arrays: standard input and output, rows along an axis, numpy's small types, either order in memory.
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <thread>

#include "../tools/cli/array_job.h"
#include "support/program.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

Setting from(const std::string& path) {
    Setting setting;
    setting.in = path;
    return setting;
}

/// What the program writes to standard output, as an array. What it says goes to standard error.
Array written(const std::vector<std::string>& arguments, const Setting& setting = {}) {
    const Outcome outcome = run(arguments, setting);
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.find("standard output: ") != std::string::npos);
    const Result<Array> array =
        parse_npy(reinterpret_cast<const uint8_t*>(outcome.out.data()), outcome.out.size(), "output");
    REQUIRE(array);
    return *array;
}

/// Floats whose sums round.
std::vector<float> floats(size_t count) {
    std::vector<float> elements;
    for (size_t i = 0; i < count; ++i) elements.push_back(std::sin(static_cast<float>(i)) / 3);
    return elements;
}

/// Of `elements` in the C order of `shape` those of row (i, k) along axis 1 of three.
template <class T>
std::vector<T> middle_row(const std::vector<T>& elements, const Shape& shape, uint64_t i, uint64_t k) {
    std::vector<T> row;
    for (uint64_t j = 0; j < shape[1]; ++j) row.push_back(elements[(i * shape[1] + j) * shape[2] + k]);
    return row;
}

} // namespace

TEST_CASE("program: standard input", "[arrays]") {
    const Folder      folder;
    uint64_t          sum  = 0;
    const std::string file = folder.npy("a.npy", NumberType::u32, many()), raw = folder.file("a.bin", bytes_of(many()));
    for (const uint32_t element : many()) sum += element;
    const std::string total = std::to_string(sum) + "\n";
    CHECK(good({"reduce", "-"}, from(file)) == total);
    CHECK(good({"reduce", "-", "--type", "u32"}, from(file)) == total);
    CHECK(good({"reduce", "-", "--type", "u32"}, from(raw)) == total);
    CHECK(good({"reduce", "-", "--type", "u32", "--raw", "--op", "max"}, from(folder.file("b.bin", "\x93NUMPY12"))) ==
          "1297436307\n");
    CHECK(good_json({"histogram", "-", "--type", "u8"}, from(folder.file("b.txt", "hello"))).at("counts").at('l') == 2);
    const std::string gray = folder.file("a.pgm", "P5 3 1 255\n" + std::string("\0\1\1", 3));
    CHECK(good_json({"histogram", "-"}, from(gray)).at("channels").at("gray").at(1) == 2);

    // A pipe, of which nobody knows the size, and which cannot be read twice.
    const std::string pipe = folder.path("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto piped = [&](const std::string& from_file, const std::vector<std::string>& arguments) {
        std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << content_of(from_file); });
        std::string out = good(arguments, arguments[1] == "-" ? from(pipe) : Setting());
        writer.join();
        return out;
    };
    CHECK(piped(file, {"reduce", "-"}) == total);
    CHECK(piped(raw, {"reduce", "-", "--type", "u32"}) == total);
    CHECK(piped(file, {"reduce", pipe}) == total); // by its name, too

    check_fails(2, {"reduce", "-"}, {"standard input: is neither a .npy file", "--type"});
    check_fails(2, {"reduce", "-"}, {"standard input: is a picture"}, from(gray));
    check_fails(2, {"reduce", "-", "--type", "f32"}, {"standard input: 5 bytes"}, from(folder.file("c.bin", "12345")));
    check_fails(2, {"reduce", "-"}, {"standard input: truncated"},
                from(folder.file("cut", content_of(file).substr(0, 200))));
    CHECK(good({"reduce", "-", "--type", "f32"}) == "0\n"); // of nothing
}

// numpy.sum, which gives int64 and uint64.
TEST_CASE("program: sums of integers do not wrap", "[arrays]") {
    const Folder      folder;
    const std::string three = folder.npy("i4.npy", NumberType::i32, std::vector<int32_t>(3, INT32_MAX)),
                      bytes = folder.npy("u1.npy", NumberType::u8, std::vector<uint8_t>(17u << 20, 255)),
                      table = folder.npy("t.npy", NumberType::i32, std::vector<int32_t>(6, INT32_MIN), {2, 3}),
                      parts = folder.npy("o.npy", NumberType::u32, std::vector<uint32_t>{0, 2, 2, 3});
    CHECK(good({"reduce", three}) == "6442450941\n");
    CHECK(good({"reduce", folder.npy("two.npy", NumberType::i32, std::vector<int32_t>(2, INT32_MAX)), "--op", "mul"}) ==
          "4611686014132420609\n");
    CHECK(good({"reduce", three, "--op", "max"}) == "2147483647\n");
    CHECK(good_json({"reduce", three}).at("type") == "i64");
    CHECK(good_json({"reduce", three, "--op", "max"}).at("type") == "i32");
    CHECK(good({"reduce", three, "--chunks", "1"}) == "6442450941\n");
    CHECK(good({"reduce", bytes}) == "4545576960\n");
    for (const char* const chunks : {"1", "3"}) { // of 17, and of 6, 6 and 5 steps
        const Json json = good_json({"reduce", bytes, "--chunks", chunks});
        CHECK(json.at("result") == 4545576960);
        CHECK(json.at("type") == "u64");
        CHECK(json.at("checked") == true);
    }
    CHECK(elements_of<int64_t>(written({"reduce", table, "--axis", "1", "-o", "-"}), NumberType::i64) ==
          std::vector<int64_t>{-6442450944, -6442450944});
    CHECK(good({"reduce", three, "--offsets", parts}) == "4294967294\n0\n2147483647\n");
    CHECK(good({"group", table, "--values", table}) == "-2147483648 -12884901888\n");
    CHECK(good_json({"group", three, "--values", three}).at("type") == "i64");
    CHECK(good({"group", three, "--values", three, "--op", "min"}) == "2147483647 2147483647\n");
}

// numpy.cumsum gives int64 and uint64: here that is --wide.
TEST_CASE("program: a scan says that a sum wrapped", "[arrays]") {
    const Folder      folder;
    const std::string three = folder.npy("i4.npy", NumberType::i32, std::vector<int32_t>(3, INT32_MAX)),
                      out   = folder.path("out.npy");
    const auto said         = [&](const std::vector<std::string>& flags) {
        std::vector<std::string> all = {"scan", three, "-o", out};
        all.insert(all.end(), flags.begin(), flags.end());
        return good(all);
    };
    const std::string words = "a sum wrapped: it is outside of i32; --wide";
    CHECK(said({"--inclusive"}).find(words) != std::string::npos);
    CHECK(elements_of<int32_t>(out, NumberType::i32) == std::vector<int32_t>{INT32_MAX, -2, INT32_MAX - 2});
    CHECK(said({"--inclusive", "--no-check"}).find(words) != std::string::npos);
    CHECK(said({"--inclusive", "--chunks", "1"}).find(words) != std::string::npos);
    CHECK(said({"--inclusive", "--op", "max"}).find("wrapped") == std::string::npos);
    for (const char* const way : {"--axis=0", "--parts=1", "--chunks=1"}) {
        CAPTURE(way);
        CHECK(said({"--inclusive", "--wide", way}).find("wrapped") == std::string::npos);
        CHECK(elements_of<int64_t>(out, NumberType::i64) ==
              std::vector<int64_t>{INT32_MAX, 2 * int64_t{INT32_MAX}, 3 * int64_t{INT32_MAX}});
    }
    CHECK(said({"--wide"}).find("wrapped") == std::string::npos);

    const auto wrapped = [&](NumberType type, const auto& elements, std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"scan", folder.npy("a.npy", type, elements), "-o", out});
        return good_json(flags).at("wrapped").get<bool>();
    };
    // Neither the first element nor the sum of all shows it; an exclusive scan does not write the sum of all.
    const std::vector<int32_t>  up = {INT32_MAX, 1, -5}, at_end = {INT32_MIN, -1};
    const std::vector<uint32_t> most = {1, UINT32_MAX - 1, 0}, over = {1, UINT32_MAX, 0};
    for (const std::vector<std::string>& way : {std::vector<std::string>(), {"--chunks", "1"}}) {
        CAPTURE(way);
        const auto with = [&](const char* kind) {
            std::vector<std::string> flags = way;
            flags.push_back(kind);
            return flags;
        };
        CHECK(wrapped(NumberType::i32, up, with("--exclusive")));
        CHECK(wrapped(NumberType::i32, at_end, with("--inclusive")));
        CHECK_FALSE(wrapped(NumberType::i32, at_end, with("--exclusive")));
        CHECK_FALSE(wrapped(NumberType::u32, most, with("--inclusive")));
        CHECK(wrapped(NumberType::u32, over, with("--inclusive")));
        CHECK_FALSE(wrapped(NumberType::u8, std::vector<uint8_t>(1000, 255), with("--inclusive")));
    }
    // Each row and each segment begins again.
    const std::string offsets = folder.npy("o.npy", NumberType::u32, std::vector<uint32_t>{0, 1, 2, 3});
    CHECK(said({"--inclusive", "--offsets", offsets}).find("wrapped") == std::string::npos);
    const std::string column = folder.npy("c.npy", NumberType::i32, std::vector<int32_t>(3, INT32_MAX), {3, 1});
    CHECK_FALSE(good_json({"scan", column, "--axis", "1", "--inclusive", "-o", out}).at("wrapped").get<bool>());
    CHECK(good_json({"scan", column, "--axis", "0", "--inclusive", "-o", out}).at("wrapped").get<bool>());
    CHECK(wrapped(NumberType::u16, std::vector<uint16_t>(80000, 65535), {}));
    // The elements of each chunk have a sum of 32 bits.
    const std::string many_bytes = folder.npy("i1.npy", NumberType::i8, std::vector<int8_t>((16u << 20) + 2, -128));
    for (const char* const chunks : {"1", "5"})
        CHECK(good_json({"scan", many_bytes, "--chunks", chunks, "-o", out}).at("wrapped").get<bool>());
    const Json wide = good_json({"scan", many_bytes, "--chunks", "5", "--wide", "-o", out});
    CHECK(wide.at("type") == "i64");
    CHECK(wide.at("result") == -128 * int64_t{(16 << 20) + 1});
    CHECK(wide.at("checked") == true);
    CHECK_FALSE(wide.contains("wrapped"));
    check_fails(2, {"scan", folder.npy("f.npy", NumberType::f32, std::vector<float>{1}), "--wide", "-o", out},
                {"--wide is for integers", "f32"});
}

TEST_CASE("program: standard output", "[arrays]") {
    const Folder          folder;
    const std::string     file = folder.npy("a.npy", NumberType::u32, many());
    std::vector<uint32_t> exclusive;
    uint32_t              sum = 0;
    for (const uint32_t element : many()) {
        exclusive.push_back(sum);
        sum += element;
    }
    CHECK(elements_of<uint32_t>(written({"scan", file, "-o", "-"}), NumberType::u32) == exclusive);
    CHECK(elements_of<uint32_t>(written({"scan", "-", "-o", "-"}, from(file)), NumberType::u32) == exclusive);
    const auto total = std::accumulate(many().begin(), many().end(), uint64_t{0});
    CHECK(elements_of<uint64_t>(written({"reduce", file, "--axis", "0", "-o", "-"}), NumberType::u64) ==
          std::vector<uint64_t>{total});
    check_fails(2, {"scan", file, "-o", "-", "--json"}, {"-o - and --json", "standard output"});
    check_fails(2, {"reduce", file, "--axis", "0", "-o", "-", "--json"}, {"-o - and --json", "standard output"});
    Setting full;
    full.out            = "/dev/full";
    const Outcome fails = run({"scan", file, "-o", "-"}, full);
    CHECK(fails.exit_code == 2);
    CHECK(fails.err.find("vkprim: error: standard output: cannot write: no space left") != std::string::npos);
    CHECK(folder.entries() == 1);
}

TEST_CASE("program: sums in any order", "[arrays]") {
    const Folder       folder;
    std::vector<float> elements = floats(5003);
    const std::string  file     = folder.npy("a.npy", NumberType::f32, elements);
    std::reverse(elements.begin(), elements.end());
    const std::string reversed = folder.npy("b.npy", NumberType::f32, elements);
    const Json        sum      = good_json({"reduce", file, "--order", "any"});
    CHECK(sum.at("checked") == true);
    CHECK(good_json({"reduce", reversed, "--order", "any", "--parts", "3"}).at("result_bits") == sum.at("result_bits"));

    const std::string small =
        folder.npy("c.npy", NumberType::f64, std::vector<double>{1e300, 1, -1e300, 1, 1, 1}, {2, 3});
    CHECK(good({"reduce", small, "--order", "any"}) == "4\n");
    CHECK(good({"reduce", small, "--order", "any", "--axis", "1"}) == "1\n3\n");

    check_fails(2, {"reduce", file, "--order", "any", "--op", "max"}, {"--order any", "--op max of f32"});
    check_fails(2, {"reduce", file, "--order", "any", "--op", "mean"}, {"--order any", "--op mean"});
    check_fails(2, {"reduce", folder.npy("d.npy", NumberType::u32, many()), "--order", "any"},
                {"--order any", "of u32"});
    check_fails(2, {"reduce", file, "--order", "all"}, {"--order"});
}

TEST_CASE("program: reduce along an axis", "[arrays]") {
    const Folder             folder;
    const Shape              shape    = {3, 5000, 2};
    const std::vector<float> elements = floats(30000);
    const std::string        file = folder.npy("a.npy", NumberType::f32, elements, shape), out = folder.path("out.npy");

    // The same bits as of each row alone.
    std::vector<float> sums;
    for (uint64_t row = 0; row < 6; ++row) {
        const auto one = middle_row(elements, shape, row / 2, row % 2);
        const Json sum = good_json({"reduce", folder.npy("row.npy", NumberType::f32, one)});
        sums.push_back(sum.at("result").get<float>());
    }
    const std::string said = good({"reduce", file, "--axis", "1", "-o", out});
    CHECK(said.find(out + ": 6 f32, add along axis 1 of (3, 5000, 2)\n") == 0);
    CHECK(said.find("right to the bit") != std::string::npos);
    const Result<Array> array = read_npy(out);
    REQUIRE(array);
    CHECK(array->shape == Shape{3, 2});
    CHECK(elements_of<float>(*array, NumberType::f32) == sums);
    CHECK(elements_of<float>(written({"reduce", file, "--axis=-2", "-o", "-"}), NumberType::f32) == sums);
    CHECK(elements_of<float>(written({"reduce", file, "--axis", "-2", "--parts", "3", "-o", "-"}), NumberType::f32) ==
          sums);
    const Json json = good_json({"reduce", file, "--axis", "1"});
    CHECK(json.at("axis") == 1);
    CHECK(json.at("count") == 30000);
    CHECK(json.at("shape") == Json({3, 2}));
    CHECK(json.at("results").size() == 6);
    CHECK(json.at("results").at(5).get<float>() == sums[5]);
    CHECK(json.at("checked") == true);
    CHECK(json.count("result") == 0);
    CHECK(json.count("output") == 0);
    CHECK(good_json({"reduce", file, "--axis", "1", "-o", out}).at("output") == out);
    CHECK(good_json({"reduce", file, "--axis", "2"}).count("results") == 0); // too many for JSON

    const std::string small = folder.npy("b.npy", NumberType::i32, std::vector<int32_t>{5, -1, 7, 7, -9, 3}, {2, 3});
    CHECK(good({"reduce", small, "--axis", "0"}) == "12\n-10\n10\n");
    CHECK(good({"reduce", small, "--axis", "1"}) == "11\n1\n");
    CHECK(good({"reduce", small, "--axis", "1", "--op", "argmax"}) == "7 2\n7 0\n");
    CHECK(elements_of<uint32_t>(written({"reduce", small, "--axis", "1", "--op", "argmin", "-o", "-"}),
                                NumberType::u32) == std::vector<uint32_t>{1, 1});
    CHECK(good_json({"reduce", small, "--axis", "1", "--op", "argmin"}).at("indices") == Json({1, 1}));
    const Array single = written({"reduce", folder.npy("c.npy", NumberType::f64, std::vector<double>{1, 2}), "--axis",
                                  "0", "--op", "max", "-o", "-"});
    CHECK(single.shape.empty());
    CHECK(elements_of<double>(single, NumberType::f64) == std::vector<double>{2});

    // Rows without elements, and no rows.
    const std::string none = folder.npy("d.npy", NumberType::i32, std::vector<int32_t>{}, {2, 0});
    CHECK(good({"reduce", none, "--axis", "1"}) == "0\n0\n");
    CHECK(good({"reduce", none, "--axis", "0"}).empty());
    CHECK(written({"reduce", none, "--axis", "0", "-o", "-"}).shape == Shape{0});

    check_fails(2, {"reduce", small, "--axis", "2"}, {"b.npy", "--axis 2", "(2, 3)", "-2 to 1"});
    check_fails(2, {"reduce", small, "--axis", "x"}, {"--axis"});
    check_fails(2, {"reduce", small, "-o", out}, {"--output", "--axis", "--offsets"});
    check_fails(2, {"reduce", small, "--axis", "0", "-o", folder.path("a.txt")}, {"a.txt", ".npy"});
    check_fails(2, {"reduce", folder.npy("e.npy", NumberType::u32, std::vector<uint32_t>{1}, {}), "--axis", "0"},
                {"leave --axis away"});
}

TEST_CASE("program: reduce and scan segments between offsets", "[arrays]") {
    const Folder               folder;
    const std::vector<float>   elements = floats(30000);
    const std::string          file = folder.npy("a.npy", NumberType::f32, elements), out = folder.path("out.npy");
    const std::vector<int64_t> places{3, 3, 20, 20000, 20001, 29990, 29990};
    const std::string          offsets = folder.npy("offsets.npy", NumberType::i64, places);

    // The same bits as of each segment alone.
    std::vector<float> sums, scans = elements;
    for (size_t i = 0; i + 1 < places.size(); ++i) {
        const std::vector<float> one(elements.begin() + places[i], elements.begin() + places[i + 1]);
        const std::string        alone = folder.npy("one.npy", NumberType::f32, one);
        sums.push_back(good_json({"reduce", alone}).at("result").get<float>());
        const auto scan = elements_of<float>(written({"scan", alone, "-o", "-"}), NumberType::f32);
        std::copy(scan.begin(), scan.end(), scans.begin() + places[i]);
    }
    const std::string said = good({"reduce", file, "--offsets", offsets, "-o", out});
    CHECK(said.find(out + ": 6 f32, add of segments of 30000 elements\n") == 0);
    CHECK(said.find("right to the bit") != std::string::npos);
    CHECK(elements_of<float>(written({"reduce", file, "--offsets", offsets, "-o", "-"}), NumberType::f32) == sums);
    CHECK(elements_of<float>(written({"reduce", file, "--offsets", offsets, "--parts", "3", "-o", "-"}),
                             NumberType::f32) == sums);
    CHECK(elements_of<float>(written({"scan", file, "--offsets", offsets, "-o", "-"}), NumberType::f32) == scans);
    CHECK(good({"scan", file, "--offsets", offsets, "-o", out}).find("exclusive add of 6 segments\n") !=
          std::string::npos);
    const Json json = good_json({"reduce", file, "--offsets", offsets});
    CHECK(json.at("shape") == Json({6}));
    CHECK(json.at("results").at(2).get<float>() == sums[2]);
    CHECK(json.count("axis") == 0);
    CHECK(good_json({"scan", file, "--offsets", offsets, "-o", out}).at("segments") == 6);

    const std::string small = folder.npy("b.npy", NumberType::i32, std::vector<int32_t>{5, -1, 7, 7, -9, 3});
    const auto        with  = [&](const std::vector<uint32_t>& of) { return folder.npy("o.npy", NumberType::u32, of); };
    CHECK(good({"reduce", small, "--offsets", with({0, 2, 2, 6})}) == "4\n0\n8\n");
    CHECK(good({"reduce", small, "--offsets", with({0, 4, 6}), "--op", "argmax"}) == "7 2\n3 1\n");
    CHECK(good({"reduce", small, "--offsets", with({6})}).empty());

    check_fails(2, {"reduce", small, "--offsets", with({0, 4, 3, 6})}, {"o.npy", "offset 2 is 3", "descend"});
    check_fails(2, {"scan", small, "--offsets", with({0, 7}), "-o", out}, {"offset 1 is 7", "b.npy has 6 elements"});
    check_fails(2, {"reduce", small, "--offsets", folder.npy("n.npy", NumberType::i32, std::vector<int32_t>{-1, 2})},
                {"offset 0 is -1"});
    check_fails(2, {"reduce", small, "--offsets", folder.npy("f.npy", NumberType::f32, std::vector<float>{0, 2})},
                {"f.npy", "f32", "integers"});
    check_fails(2, {"reduce", small, "--offsets", with({})}, {"shape (0,)", "one more"});
    check_fails(2, {"reduce", small, "--offsets", with({0, 6}), "--op", "mean"}, {"--op mean", "--offsets"});
    check_fails(2, {"reduce", small, "--offsets", with({0, 6}), "--axis", "0"}, {"--axis"});
}

TEST_CASE("program: histogram along an axis", "[arrays]") {
    const Folder             folder;
    const Shape              shape    = {3, 5000, 2};
    const std::vector<float> elements = floats(30000);
    const std::string        file = folder.npy("a.npy", NumberType::f32, elements, shape), out = folder.path("out.npy");
    const auto               command = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = {"histogram", file, "--bins", "7", "--range", "-0.3", "0.2"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };

    // The same counts as of each row alone.
    std::vector<uint32_t> counts;
    uint64_t              outside = 0;
    for (uint64_t row = 0; row < 6; ++row) {
        const auto one  = middle_row(elements, shape, row / 2, row % 2);
        const Json json = good_json(
            {"histogram", folder.npy("row.npy", NumberType::f32, one), "--bins", "7", "--range", "-0.3", "0.2"});
        for (const Json& count : json.at("counts")) counts.push_back(count.get<uint32_t>());
        outside += json.at("outside").get<uint64_t>();
    }
    const std::string said = good(command({"--axis", "1", "-o", out}));
    CHECK(said.find(out + ": 6 rows of 5000 f32 samples along axis 1 of (3, 5000, 2) in 7 bins, ") == 0);
    CHECK(said.find("right to the bit") != std::string::npos);
    const Result<Array> array = read_npy(out);
    REQUIRE(array);
    CHECK(array->shape == Shape{3, 2, 7});
    CHECK(elements_of<uint32_t>(*array, NumberType::u32) == counts);
    CHECK(elements_of<uint32_t>(written(command({"--axis", "-2", "--parts", "4", "-o", "-"})), NumberType::u32) ==
          counts);
    const Json json = good_json(command({"--axis", "1"}));
    CHECK(json.at("axis") == 1);
    CHECK(json.at("count") == 30000);
    CHECK(json.at("shape") == Json({3, 2}));
    CHECK(json.at("outside") == outside);
    CHECK(json.at("counts").size() == 6);
    CHECK(json.at("counts").at(5).at(6) == counts[41]);
    CHECK(json.at("checked") == true);
    CHECK(good_json(command({"--axis", "2"})).count("counts") == 0); // too many for JSON
    check_fails(2, command({"--axis", "2"}), {"15000 rows of 7 bins", "-o"});

    const std::string small = folder.npy("b.npy", NumberType::u8, std::vector<uint8_t>{0, 2, 2, 1, 0, 9}, {2, 3});
    const auto        of    = [&](const std::string& path, const std::string& axis) {
        return good({"histogram", path, "--axis", axis, "--bins", "3", "--range", "0", "3"});
    };
    CHECK(of(small, "1") == "1 0 2\n1 1 0\n");
    CHECK(of(small, "0") == "1 1 0\n1 0 1\n0 0 1\n");
    // Rows without elements, and no rows.
    const std::string none = folder.npy("d.npy", NumberType::i32, std::vector<int32_t>{}, {2, 0});
    CHECK(of(none, "1") == "0 0 0\n0 0 0\n");
    CHECK(of(none, "0").empty());
    CHECK(written({"histogram", none, "--axis", "0", "-o", "-"}).shape == Shape{0, 256});

    check_fails(2, {"histogram", small, "--axis", "2"}, {"b.npy", "--axis 2", "(2, 3)", "-2 to 1"});
    check_fails(2, {"histogram", small, "--axis", "0", "-o", folder.path("a.csv")}, {"a.csv", ".npy"});
    check_fails(2, {"histogram", small, "--axis", "0", "--svg", folder.path("a.svg")}, {"--axis", "--svg"});
    check_fails(2, {"histogram", small, "--axis", "0", "-o", "-", "--json"}, {"-o - and --json"});
    const std::string gray = folder.file("a.pgm", "P5 3 1 255\n" + std::string("\0\1\1", 3));
    check_fails(2, {"histogram", gray, "--axis", "0"}, {"a.pgm", "picture", "--axis"});
}

TEST_CASE("program: scan along an axis", "[arrays]") {
    const Folder             folder;
    const Shape              shape    = {3, 5000, 2};
    const std::vector<float> elements = floats(30000);
    const std::string        file = folder.npy("a.npy", NumberType::f32, elements, shape), out = folder.path("out.npy");
    std::vector<float>       sums(elements.size());
    for (uint64_t row = 0; row < 6; ++row) {
        const auto one = middle_row(elements, shape, row / 2, row % 2);
        good({"scan", folder.npy("row.npy", NumberType::f32, one), "-o", out});
        const auto scanned = elements_of<float>(out, NumberType::f32);
        for (uint64_t j = 0; j < shape[1]; ++j) sums[(row / 2 * shape[1] + j) * shape[2] + row % 2] = scanned[j];
    }
    const std::string said = good({"scan", file, "--axis", "1", "-o", out});
    CHECK(said.find(out + ": 30000 f32, exclusive add along axis 1 of (3, 5000, 2)\n") == 0);
    const Result<Array> array = read_npy(out);
    REQUIRE(array);
    CHECK(array->shape == shape);
    CHECK(elements_of<float>(*array, NumberType::f32) == sums);
    CHECK(elements_of<float>(written({"scan", file, "--axis", "-2", "--parts", "3", "-o", "-"}), NumberType::f32) ==
          sums);

    const std::string small   = folder.npy("b.npy", NumberType::u64, std::vector<uint64_t>{1, 2, 3, 4, 5, 6}, {2, 3});
    const auto        scanned = [&](const char* axis) {
        return elements_of<uint64_t>(written({"scan", small, "--axis", axis, "--inclusive", "-o", "-"}),
                                     NumberType::u64);
    };
    CHECK(scanned("0") == std::vector<uint64_t>{1, 2, 3, 5, 7, 9});
    CHECK(scanned("1") == std::vector<uint64_t>{1, 3, 6, 4, 9, 15});
    const Array flat = written({"scan", small, "--inclusive", "-o", "-"});
    CHECK(flat.shape == Shape{6});
    CHECK(elements_of<uint64_t>(flat, NumberType::u64) == std::vector<uint64_t>{1, 3, 6, 10, 15, 21});
    const Json json = good_json({"scan", small, "--axis", "-1", "-o", out});
    CHECK(json.at("axis") == 1);
    CHECK(json.at("shape") == Json({2, 3}));
    CHECK(json.at("result") == 9);
    const std::string none = folder.npy("d.npy", NumberType::i32, std::vector<int32_t>{}, {2, 0, 3});
    CHECK(written({"scan", none, "--axis", "0", "-o", "-"}).shape == Shape{2, 0, 3});
    CHECK(written({"scan", none, "--axis", "1", "-o", "-"}).shape == Shape{2, 0, 3});
    check_fails(2, {"scan", small, "--axis", "-3", "-o", out}, {"--axis -3", "-2 to 1"});
}

TEST_CASE("program: more rows than a submission has", "[arrays]") {
    CHECK(rows_in_submission({1000000, 3, 1}) == 4096);
    CHECK(rows_in_submission({1000000, 0, 1}) == 4096);
    CHECK(rows_in_submission({1000000, 1u << 20, 1}) == 256);
    CHECK(rows_in_submission({2, UINT32_MAX, 1}) == 1);
    CHECK(rows_in_submission({1000000, 3, 2}) == 1);

    const Folder          folder;
    std::vector<uint32_t> elements;
    std::vector<uint64_t> sums;
    for (uint32_t row = 0; row < 5000; ++row) {
        elements.insert(elements.end(), {row, 7 * row, 1});
        sums.push_back(8 * row + 1);
    }
    const std::string file = folder.npy("a.npy", NumberType::u32, elements, {5000, 3});
    CHECK(elements_of<uint64_t>(written({"reduce", file, "--axis", "1", "-o", "-"}), NumberType::u64) == sums);
    for (size_t row = 0; row < 5000; ++row) {
        elements[row * 3 + 1] += elements[row * 3];
        elements[row * 3 + 2] = static_cast<uint32_t>(sums[row]);
    }
    CHECK(elements_of<uint32_t>(written({"scan", file, "--axis", "1", "--inclusive", "-o", "-"}), NumberType::u32) ==
          elements);
}

TEST_CASE("program: arrays in Fortran order", "[arrays]") {
    const Folder folder;
    // numpy.asfortranarray([[1, 2, 3], [4, 5, 6]])
    const std::vector<uint32_t> memory = {1, 4, 2, 5, 3, 6};
    const std::string           file   = folder.file("a.npy", npy_of("<u4", true, "(2, 3)", bytes_of(memory)));
    CHECK(good({"reduce", file, "--axis", "0"}) == "5\n7\n9\n");
    CHECK(good({"reduce", file, "--axis", "1"}) == "6\n15\n");
    CHECK(good({"reduce", file, "--op", "argmax"}) == "6 5\n");
    CHECK(good({"reduce", folder.file("b.npy", npy_of("<u4", true, "(2, 3)", bytes_of<uint32_t>({1, 4, 9, 5, 3, 6}))),
                "--op", "argmax"}) == "9 1\n"); // as numpy counts, and not where it lies in memory
    const auto scanned = [&](const std::vector<std::string>& flags) {
        std::vector<std::string> arguments = {"scan", file, "--inclusive", "-o", "-"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        return elements_of<uint32_t>(written(arguments), NumberType::u32);
    };
    CHECK(scanned({}) == std::vector<uint32_t>{1, 3, 6, 10, 15, 21});
    CHECK(scanned({"--axis", "0"}) == std::vector<uint32_t>{1, 2, 3, 5, 7, 9});
    CHECK(scanned({"--axis", "1"}) == std::vector<uint32_t>{1, 3, 6, 4, 9, 15});
    const std::string vector = folder.file("c.npy", npy_of("<u4", true, "(6,)", bytes_of(memory)));
    CHECK(good({"reduce", vector, "--op", "argmax"}) == "6 5\n");
    CHECK(good_json({"histogram", file, "--bins", "2", "--range", "0", "8"}).at("counts") == Json({3, 3}));
}

TEST_CASE("program: numpy's small types", "[arrays]") {
    const Folder folder;
    const auto   sum_of = [&](const std::string& descr, const std::string& data, size_t size) {
        const std::string path =
            folder.file("a.npy", npy_of(descr, false, "(" + std::to_string(data.size() / size) + ",)", data));
        const Json json = good_json({"reduce", path});
        return json.at("type").get<std::string>() + " " + json.at("result").dump();
    };
    CHECK(sum_of("|b1", std::string("\1\0\1\1", 4), 1) == "u64 3");
    CHECK(sum_of("|u1", "\xff\xff", 1) == "u64 510");
    CHECK(sum_of("<u2", "\xff\xff\xff\xff", 2) == "u64 131070");
    CHECK(sum_of("|i1", "\x80\x80\x7f", 1) == "i64 -129");
    CHECK(sum_of("<i2", std::string("\0\x80\0\x80", 4), 2) == "i64 -65536");
    CHECK(sum_of("<f2", std::string("\0\x3c\0\xc0\1\0", 6), 2) == "f32 -0.99999994"); // 1, -2, 2^-24

    const std::string halves = folder.file("b.npy", npy_of("<f2", false, "(2,)", std::string("\0\x3c\0\x3c", 4)));
    CHECK(elements_of<float>(written({"scan", halves, "-o", "-"}), NumberType::f32) == std::vector<float>{0, 1});
    CHECK(good({"reduce", folder.file("c.bin", "\xff\xfe"), "--type", "i8"}) == "-3\n");
    CHECK(good({"reduce", folder.file("c.bin", std::string("\0\2\1", 3)), "--type", "bool"}) == "2\n");
    check_fails(2, {"reduce", halves, "--op", "xor"}, {"xor", "f32"});
}
