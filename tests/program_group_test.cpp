// vkprim group, beside a std::map.
#include <algorithm>
#include <map>

#include "support/program.h"

using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

TEST_CASE("program: group", "[program]") {
    const Folder          folder;
    std::vector<uint32_t> keys = many();
    std::vector<float>    values;
    for (uint32_t& key : keys) {
        key = key % 1000 * 5 + 3;
        values.push_back(static_cast<float>(values.size() % 1024)); // whose sums are exact
    }
    std::map<uint32_t, uint32_t> counts;
    std::map<uint32_t, float>    sums, largest;
    for (size_t i = 0; i < keys.size(); ++i) {
        ++counts[keys[i]];
        sums[keys[i]] += values[i];
        largest[keys[i]] = std::max(largest[keys[i]], values[i]);
    }
    const auto second = [](const auto& map) {
        std::vector<std::decay_t<decltype(map.begin()->second)>> all;
        for (const auto& one : map) all.push_back(one.second);
        return all;
    };
    std::vector<uint32_t> different;
    for (const auto& one : counts) different.push_back(one.first);

    const std::string file = folder.npy("keys.npy", NumberType::u32, keys),
                      of = folder.npy("values.npy", NumberType::f32, values), out = folder.path("out.npy"),
                      unique = folder.path("unique.npy");
    const std::string said   = good({"group", file, "-o", out, "--keys-output", unique});
    CHECK(said.find(out + ": count of each of 1000 groups of 70001 u32 keys\n") == 0);
    CHECK(said.find("right to the bit") != std::string::npos);
    CHECK(elements_of<uint32_t>(unique, NumberType::u32) == different);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == second(counts));

    good({"group", file, "--values", of, "-o", out, "--keys-output", unique});
    CHECK(elements_of<float>(out, NumberType::f32) == second(sums));
    const Json json = good_json({"group", file, "--values", of, "--op", "max"});
    CHECK(json.at("op") == "max");
    CHECK(json.at("key_type") == "u32");
    CHECK(json.at("type") == "f32");
    CHECK(json.at("count") == 70001);
    CHECK(json.at("groups") == 1000);
    CHECK(json.at("keys") == Json(different));
    CHECK(json.at("results") == Json(second(largest)));
    CHECK(json.at("checked") == true);
}

TEST_CASE("program: group by keys of few bytes, negative ones and floats", "[program]") {
    const Folder      folder;
    const std::string small = folder.npy("i8.npy", NumberType::i8, std::vector<int8_t>{3, -1, 3, -128, -1, 3}),
                      wide  = folder.npy("u64.npy", NumberType::u64, std::vector<uint64_t>{1, 2, 1ull << 40, 4, 5, 6});
    CHECK(good({"group", small}) == "-128 1\n-1 2\n3 3\n");
    CHECK(good({"group", small, "--values", wide}) == "-128 4\n-1 7\n3 1099511627783\n");
    CHECK(good({"group", small, "--values", wide, "--op", "min"}) == "-128 4\n-1 2\n3 1\n");
    const std::string unique = folder.path("unique.npy"), out = folder.path("out.npy");
    good({"group", small, "--keys-output", unique, "-o", out});
    CHECK(elements_of<int8_t>(unique, NumberType::i8) == std::vector<int8_t>{-128, -1, 3});
    const std::string halves = folder.npy("f16.npy", NumberType::f16, std::vector<uint16_t>{0x3c00, 0x3800, 0x3c00});
    CHECK(good({"group", halves}) == "0.5 1\n1 2\n");
    good({"group", halves, "--keys-output", unique, "-o", out});
    CHECK(elements_of<uint16_t>(unique, NumberType::f16) == std::vector<uint16_t>{0x3800, 0x3c00});
    const std::string one    = folder.npy("one.npy", NumberType::u32, std::vector<uint32_t>{9}),
                      scalar = folder.npy("scalar.npy", NumberType::f32, std::vector<float>{7}, Shape{});
    CHECK(good({"group", one, "--values", scalar}) == "9 7\n");
    const std::string floats =
        folder.npy("f32.npy", NumberType::f32, std::vector<float>{0.5f, -0.0f, 0.0f, -2.0f, 0.5f});
    CHECK(good({"group", floats}) == "-2 1\n-0 1\n0 1\n0.5 2\n");
    CHECK(good({"group", folder.npy("none.npy", NumberType::u32, std::vector<uint32_t>{})}) == "");
}

TEST_CASE("program: group by keys of 8 bytes", "[program]") {
    const Folder         folder;
    std::vector<int64_t> keys;
    std::vector<float>   values;
    for (const uint32_t key : many()) { // which differ in the lower word, in the upper one, or in both
        keys.push_back(int64_t{key % 30} * (int64_t{1} << 32) - int64_t{key / 30 % 20});
        values.push_back(static_cast<float>(values.size() % 1024)); // whose sums are exact
    }
    std::map<int64_t, uint32_t> counts;
    std::map<int64_t, float>    sums;
    for (size_t i = 0; i < keys.size(); ++i) {
        ++counts[keys[i]];
        sums[keys[i]] += values[i];
    }
    std::vector<int64_t>  different;
    std::vector<uint32_t> of_each;
    std::vector<float>    sum_of_each;
    for (const auto& [key, count] : counts) {
        different.push_back(key);
        of_each.push_back(count);
        sum_of_each.push_back(sums[key]);
    }
    const std::string file = folder.npy("keys.npy", NumberType::i64, keys),
                      of = folder.npy("values.npy", NumberType::f32, values), out = folder.path("out.npy"),
                      unique = folder.path("unique.npy");
    const std::string said   = good({"group", file, "-o", out, "--keys-output", unique});
    CHECK(said.find(out + ": count of each of 600 groups of 70001 i64 keys\n") == 0);
    CHECK(said.find("right to the bit") != std::string::npos);
    CHECK(elements_of<int64_t>(unique, NumberType::i64) == different);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == of_each);
    const Json json = good_json({"group", file, "--values", of});
    CHECK(json.at("key_type") == "i64");
    CHECK(json.at("keys") == Json(different));
    CHECK(json.at("results") == Json(sum_of_each));

    const std::string big = folder.npy("u64.npy", NumberType::u64, std::vector<uint64_t>{~0ull, 1ull << 40, ~0ull, 7});
    CHECK(good({"group", big}) == "7 1\n1099511627776 1\n18446744073709551615 2\n");
    CHECK(good({"group", big, "--values", big, "--op", "max"}) ==
          "7 7\n1099511627776 1099511627776\n18446744073709551615 18446744073709551615\n");
    const std::string floats = folder.npy("f64.npy", NumberType::f64, std::vector<double>{0.5, -0.0, 0.0, -2.0, 0.5});
    CHECK(good({"group", floats}) == "-2 1\n-0 1\n0 1\n0.5 2\n");
    CHECK(good({"group", folder.npy("none.npy", NumberType::i64, std::vector<int64_t>{})}) == "");
}

TEST_CASE("program: what group refuses", "[program]") {
    const Folder          folder;
    const std::string     keys = folder.npy("keys.npy", NumberType::u32, many()), out = folder.path("out.npy");
    std::vector<uint32_t> all(5000);
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    check_fails(exit_usage, {"group", folder.npy("all.npy", NumberType::u32, all)}, {"there are 5000 groups"});
    check_fails(exit_usage, {"group", keys, "-o", out}, {"-o and --keys-output go together"});
    check_fails(exit_usage, {"group", keys, "-o", out, "--keys-output", "-"},
                {"--keys-output cannot be standard output"});
    check_fails(exit_usage, {"group", keys, "-o", out, "--keys-output", out}, {"are the same file"});
    check_fails(exit_usage, {"group", keys, "-o", out, "--keys-output", folder.path("keys.txt")}, {"keys.txt"});
    check_fails(exit_usage, {"group", keys, "--op", "max"}, {"--op reduces values"});
    check_fails(exit_usage, {"group", "-", "--values", "-"}, {"cannot share standard input"});
    const std::string three = folder.npy("three.npy", NumberType::f32, std::vector<float>{1, 2, 3});
    check_fails(exit_usage, {"group", keys, "--values", three}, {"each needs a value"});
    const std::vector<uint32_t> six(6);
    const std::string           rows = folder.npy("rows.npy", NumberType::u32, six, {2, 3}),
                      columns        = folder.npy("columns.npy", NumberType::u32, six, {3, 2});
    check_fails(exit_usage, {"group", rows, "--values", columns}, {"columns.npy", "(3, 2)", "rows.npy", "(2, 3)"});
    good({"group", rows, "--values", folder.file("six.bin", std::string(24, '\0')), "--values-type", "u32"});
    check_fails(exit_usage, {"group", three, "--values", three, "--op", "xor"}, {"--op xor does not take f32"});
}
