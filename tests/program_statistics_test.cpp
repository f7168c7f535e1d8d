// The program's statistics: means, variances, the smallest and the largest, also of what is empty or has only NaN.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "../tools/cli/array_job.h"
#include "support/program.h"

using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

double statistic(const std::string& op, const std::string& file) {
    return std::stod(good({"reduce", file, "--op", op}));
}

double mean(const std::string& file) { return statistic("mean", file); }
double variance(const std::string& file) { return statistic("var", file); }

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

} // namespace

TEST_CASE("program: variances of large numbers that differ little", "[arrays]") {
    const Folder folder;
    CHECK(variance(folder.npy("a.npy", NumberType::f64, std::vector<double>{1e9, 1e9 + 1, 1e9 + 2})) == 2.0 / 3);
    // The mean is no double: the bound is some roundings of doubles about zero.
    const double unit = 0x1p-13, expected = std::ldexp(14.0 / 9, -26); // 1e12's last bit
    const auto   last = folder.npy("a.npy", NumberType::f64, std::vector<double>{1e12, 1e12 + unit, 1e12 + 3 * unit});
    CHECK(std::abs(variance(last) - expected) <= 4 * 0x1p-53 * expected);
    CHECK(variance(folder.npy("a.npy", NumberType::f64, std::vector<double>{-1.5e308, 1.5e308})) == HUGE_VAL);
    // Rows of which one has nothing to do with the others.
    const std::vector<double> doubles{0x1p500, 0x1.8p501, 0x1p501, 0x1p-500, 0x1.8p-499, 0x1p-499,
                                      5,       5,         5,       1,        HUGE_VAL,   1};
    const std::string         file = folder.npy("a.npy", NumberType::f64, doubles, {4, 3});
    const Json                all  = good_json({"reduce", file, "--op", "var", "--axis", "1"});
    CHECK(all.at("results") == Json({std::ldexp(2.0 / 3, 1000), std::ldexp(2.0 / 3, -1000), 0.0, "nan"}));
    CHECK(all.at("checked") == true);
    CHECK(good_json({"reduce", file, "--op", "mean", "--axis", "1"}).at("results") ==
          Json({0x1p501, 0x1p-499, 5.0, "inf"}));
    // Doubles do not tell some of these from each other; the last are as far apart as 64 bits let them be.
    const int64_t              high = int64_t{1} << 62;
    const std::vector<int64_t> integers{1700000000000, 1700000000500, 1700000001000, high,      high + 1,  high + 2,
                                        1 - high,      -high,         2 - high,      INT64_MIN, INT64_MAX, -1};
    const std::string          signs = folder.npy("a.npy", NumberType::i64, integers, {4, 3});
    CHECK(good_json({"reduce", signs, "--op", "var", "--axis", "1"}).at("results") ==
          Json({500000.0 / 3, 2.0 / 3, 2.0 / 3, std::ldexp(2.0 / 3, 126)}));
    const uint64_t most = UINT64_MAX;
    CHECK(variance(folder.npy("a.npy", NumberType::u64, std::vector<uint64_t>{most - 1, most, most - 2})) == 2.0 / 3);
    CHECK(variance(folder.npy("a.npy", NumberType::i32, std::vector<int32_t>{INT32_MIN, INT32_MAX, 0, -1})) ==
          0x1p61 - 0x1p30);
    CHECK(variance(folder.npy("a.npy", NumberType::u8, std::vector<uint8_t>{250, 255, 254})) == 14.0 / 3);
}

TEST_CASE("program: means whose sum does not fit", "[arrays]") {
    const Folder                folder;
    const uint64_t              most  = UINT64_MAX;
    const int64_t               least = INT64_MIN, low = UINT32_MAX;
    const std::vector<uint64_t> many_high{most, most, most, most >> 32};
    const std::vector<int64_t>  many_low{least, least, low, low};
    CHECK(mean(folder.npy("u.npy", NumberType::u64, many_high)) == (0x1.8p65 + 0x1p32 - 4) / 4);
    CHECK(mean(folder.npy("i.npy", NumberType::i64, many_low)) == (-0x1p64 + 0x1p33 - 2) / 4);
    CHECK(mean(folder.npy("f.npy", NumberType::f64, std::vector<double>(3, 1.5e308))) == 1.5e308);
    // Rounded once, of two to the even one, and zero has no sign.
    const float              tiny = std::numeric_limits<float>::denorm_min(), infinity = INFINITY;
    const std::vector<float> floats{3e38f, 3e38f, -3 * tiny, 0, 1, infinity, -infinity, infinity, -tiny, 0};
    const std::string        file  = folder.npy("f.npy", NumberType::f32, floats, {5, 2});
    const Json               json  = good_json({"reduce", file, "--op", "mean", "--axis", "1"});
    const Json               means = json.at("results");
    CHECK(json.at("type") == "f32");
    CHECK(means.at(0).get<float>() == 3e38f);
    CHECK(means.at(1).get<float>() == -2 * tiny);
    CHECK(means.at(2) == "inf");
    CHECK(means.at(3) == "nan");
    CHECK(means.at(4).dump() == "0.0");
    // Longer than what goes to the device at once, by more than a piece of the CPU's.
    std::vector<uint8_t> bytes((1 << 23) + (1 << 19) + 5, 200);
    bytes.front() = bytes.back() = 255;
    const auto count             = static_cast<double>(bytes.size());
    CHECK(mean(folder.npy("b.npy", NumberType::u8, bytes)) == (200 * count + 110) / count);
}

TEST_CASE("program: statistics of nothing", "[arrays]") {
    const Folder      folder;
    const std::string singles = folder.npy("a.npy", NumberType::f32, std::vector<float>{}),
                      doubles = folder.npy("b.npy", NumberType::f64, std::vector<double>{}),
                      rows    = folder.npy("c.npy", NumberType::i32, std::vector<int32_t>{}, {2, 0});
    for (const std::string& file : {singles, doubles, folder.npy("d.npy", NumberType::u64, std::vector<uint64_t>{})}) {
        for (const char* op : {"mean", "var"}) {
            const Json json = good_json({"reduce", file, "--op", op});
            CHECK(json.at("result") == "nan");
            CHECK(json.at("result_bits") == (json.at("type") == "f32" ? "0x7fc00000" : "0x7ff8000000000000"));
        }
    }
    CHECK(good({"reduce", singles, "--op", "mean"}) == "nan\n");
    CHECK(good({"reduce", rows, "--axis", "1", "--op", "var"}) == "nan\nnan\n");
    const std::string out = folder.path("out.npy");
    good({"reduce", rows, "--axis", "1", "--op", "mean", "-o", out});
    CHECK(elements_of<uint64_t>(Array{NumberType::u64, read_npy(out)->bytes, {2}}, NumberType::u64) ==
          std::vector<uint64_t>(2, 0x7ff8000000000000));
    CHECK(good({"reduce", rows, "--axis", "1"}) == "0\n0\n");
    CHECK(good({"reduce", rows, "--axis", "1", "--op", "mul"}) == "1\n1\n");
    CHECK(good({"reduce", doubles, "--order", "any"}) == "0\n");
    for (const char* op : {"min", "max", "minmax", "argmin", "argmax"}) {
        check_fails(2, {"reduce", singles, "--op", op}, {"a.npy: has no elements, so there is no"});
        check_fails(2, {"reduce", rows, "--axis", "1", "--op", op}, {"c.npy: row 0 along axis 1 has no elements"});
        CHECK(good({"reduce", rows, "--axis", "0", "--op", op}).empty()); // no rows
    }
    check_fails(2, {"reduce", doubles, "--op", "min"}, {"no smallest one; --op add and mul"});
    check_fails(2, {"reduce", doubles, "--op", "minmax"}, {"no smallest or largest one"});
    check_fails(2, {"reduce", doubles, "--op", "max", "--chunks", "2"}, {"b.npy: has no elements", "no largest one"});
}

TEST_CASE("program: the largest of nothing but NaN", "[arrays]") {
    const Folder      folder;
    const std::string file = folder.npy("a.npy", NumberType::f32, std::vector<float>(5, no_number)),
                      rows = folder.npy("b.npy", NumberType::f64,
                                        std::vector<double>{no_number, 1, -HUGE_VAL, no_number, no_number, no_number},
                                        {3, 2});
    for (const char* op : {"min", "max", "minmax", "argmin", "argmax"}) {
        check_fails(2, {"reduce", file, "--op", op},
                    {"a.npy: has no elements but NaN", "replace NaN by numbers first"});
        if (op[0] != 'm') continue; // argmin and argmax are for 32 bits
        check_fails(2, {"reduce", file, "--op", op}, {"so there is no"});
        check_fails(2, {"reduce", rows, "--op", op, "--axis", "1"},
                    {"b.npy: row 2 along axis 1 has no elements but NaN"});
    }
    check_fails(2, {"reduce", file, "--op", "argmax"}, {"there is no largest one"});
    check_fails(2, {"reduce", file, "--op", "argmax", "--chunks", "2"}, {"there is no largest one"});
    check_fails(2, {"reduce", file, "--op", "min", "--chunks", "2"}, {"there is no smallest one"});
    // What loses against all others is a number.
    CHECK(good({"reduce", rows, "--op", "max", "--axis", "0"}) == "-inf\n1\n");
    CHECK(good({"reduce", folder.npy("c.npy", NumberType::f32, std::vector<float>{no_number, -INFINITY}), "--op",
                "argmax"}) == "-inf 1\n");
}

TEST_CASE("program: statistics of many short rows", "[arrays]") {
    const FaultyLayer layer;
    if (!layer.is_there()) return;
    const Folder        folder;
    std::vector<double> elements, cancelling;
    for (int i = 0; i < 5000; ++i) {
        elements.insert(elements.end(), {i + 3.0, i + 0.5, 7});
        cancelling.insert(cancelling.end(), {1e300, i + 0.5, -1e300});
    }
    const std::string file  = folder.npy("a.npy", NumberType::f64, elements, {5000, 3}),
                      exact = folder.npy("b.npy", NumberType::f64, cancelling, {5000, 3});
    // A few dispatches for all: with one for each row, most of them would do nothing.
    const Setting few = layer.with({{"FAULTY_SKIP_DISPATCH_AT", "100"}});
    CHECK(good_json({"reduce", file, "--axis", "1", "--op", "mean"}, few).at("checked") == true);
    good({"reduce", file, "--axis", "1", "--op", "var"}, few);
    std::string sums;
    for (int i = 0; i < 5000; ++i) sums += fmt::format("{}\n", i + 0.5);
    CHECK(good({"reduce", exact, "--axis", "1", "--order", "any"}, few) == sums);
    check_fails(1, {"reduce", file, "--axis", "1", "--op", "mean"}, {"wrong result", "row 0, digits"},
                layer.with({{"FAULTY_SKIP_DISPATCH", "1"}}));
}

TEST_CASE("program: means and variances take little of a device's memory", "[arrays]") {
    const FaultyLayer layer;
    if (!layer.is_there()) return;
    const Folder      folder;
    const std::string file  = folder.npy("a.npy", NumberType::u8, std::vector<uint8_t>(9000000, 7));
    const Setting     small = layer.with({{"FAULTY_LARGEST_MEMORY", "70000000"}}); // 8 bytes for each do not fit
    CHECK(good({"reduce", file, "--op", "mean"}, small) == "7\n");
    CHECK(good({"reduce", file, "--op", "var"}, small) == "0\n");
}
