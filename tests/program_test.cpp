// The program from the outside: what it prints, what it leaves behind, and how it exits. The environment variable
// VKPRIM_PROGRAM names it, and VKPRIM_FAULTY_LAYER the library made of faulty_layer/faulty_layer.cpp.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "../tools/cli/array_job.h"
#include "../tools/ladder/ladder.h"
#include "../tools/system/machine.h"
#include "support/program.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

TEST_CASE("program: differences are told by index, value and bits", "[program]") {
    const uint32_t expected[] = {1, 2, 0x3fc00000}, got[] = {1, 3, 0x3fc00001};
    CHECK(difference(ElementType::u32, expected, expected, 3).empty());
    CHECK(difference(ElementType::f32, expected, got, 1).empty());
    CHECK(difference(ElementType::u32, expected, got, 3) ==
          "index 1: expected 2 (0x00000002), got 3 (0x00000003); 2 of 3 differ");
    CHECK(difference(ElementType::f32, expected + 2, got + 2, 1) ==
          "index 0: expected 1.5 (0x3fc00000), got 1.5000001 (0x3fc00001); 1 of 1 differ");
    const uint32_t zeros[] = {0x00000000, 0x80000000};
    CHECK(difference(ElementType::f32, zeros, zeros + 1, 1) ==
          "index 0: expected 0 (0x00000000), got -0 (0x80000000); 1 of 1 differ");
}

TEST_CASE("program: values as JSON", "[program]") {
    CHECK(json_value(ElementType::u32, 0xffffffff).dump() == "4294967295");
    CHECK(json_value(ElementType::i32, 0xffffffff).dump() == "-1");
    CHECK(json_value(ElementType::f32, 0x3dcccccd).dump() == "0.1");
    CHECK(json_value(ElementType::f32, 0x80000000).dump() == "-0.0");
    CHECK(json_value(ElementType::f32, 0x7f800000).dump() == "\"inf\"");
    CHECK(json_value(ElementType::f32, 0xff800000).dump() == "\"-inf\"");
    CHECK(json_value(ElementType::f32, 0x7fc00000).dump() == "\"nan\"");
    CHECK(json_text(Json("\xff")) == "\"\xef\xbf\xbd\"\n");
}

TEST_CASE("program: words for the shell", "[program]") {
    CHECK(tools::system::shell_word("scan") == "scan");
    CHECK(tools::system::shell_word("") == "''");
    CHECK(tools::system::shell_word("scan f32 [0, 1)") == "'scan f32 [0, 1)'");
    CHECK(tools::system::shell_word("it's") == "'it'\\''s'");
}

TEST_CASE("program: help and usage", "[program]") {
    CHECK(good({"--help"}).find("Examples:") != std::string::npos);
    CHECK(good({"--version"}) == "vkprim " VKPRIM_VERSION_TEXT "\n");
    for (const char* name : {"info", "doctor", "verify", "bench", "tune", "pipelines", "reduce", "scan", "compact",
                             "histogram", "sort", "top", "ladder", "report"}) {
        CHECK(good({"--help"}).find(std::string("\n  ") + name) != std::string::npos);
        CHECK(good({name, "--help"}).find(std::string("\n  vkprim ") + name) != std::string::npos);
    }
    check_fails(2, {}, {"subcommand", "--help"});
    check_fails(2, {"shuffle"}, {"shuffle"});
    check_fails(2, {"info", "--jsn"}, {"--jsn", "vkprim info --help"});
    check_fails(2, {"reduce"}, {"FILE"});
    check_fails(2, {"reduce", "a.npy", "b.npy"}, {"b.npy"});
    check_fails(2, {"reduce", "a.npy", "--op", "avg"}, {"--op", "avg", "mul"});
    check_fails(2, {"scan", "a.npy"}, {"-o"});
    check_fails(2, {"scan", "a.npy", "-o", "b.npy", "--inclusive", "--exclusive"}, {"--inclusive", "--exclusive"});
    check_fails(2, {"verify", "--quick", "--full"}, {"--quick", "--full"});
    check_fails(2, {"verify", "--pairs", "--full"}, {"--pairs", "--full"});
    check_fails(2, {"verify", "--brief", "--pairs"}, {"--brief", "--pairs"});
    check_fails(2, {"verify", "--jobs", "0"}, {"--jobs"});
    check_fails(2, {"verify", "--jobs", "2", "--only", "x", "--after", "x"}, {"--jobs", "--after"});
    check_fails(2, {"verify", "--seed", "x"}, {"--seed"});
    check_fails(2, {"verify", "--soak", "0"}, {"--soak"});
    check_fails(2, {"verify", "--soak-batch", "-1"}, {"--soak-batch"});
    check_fails(2, {"verify", "--soak", "1", "--full"}, {"--soak", "--full"});
    check_fails(2, {"verify", "--soak", "1", "--random", "5"}, {"--soak", "--random"});
    check_fails(2, {"verify", "--random", "0"}, {"--random"});
    check_fails(2, {"bench", "--op", "shuffle"}, {"--op", "shuffle"});
    check_fails(2, {"pipelines", "--only"}, {"--only"});
    check_fails(2, {"doctor", "--json"}, {"--json"});
    check_fails(2, {"tune", "--op", "copy"}, {"--op", "copy"});
    check_fails(2, {"tune", "--profile", "a.json"}, {"--profile"});
    check_fails(2, {"bench", "--op", "scan", "--type", "u8"}, {"no benchmark of --op scan with --type u8"});
    check_fails(2, {"bench", "--op", "histogram", "--bound", "1000", "--indirect"}, {"no benchmark", "--indirect"});
    check_fails(2, {"bench", "--csv", "-", "--json", "-"}, {"standard output"});
    check_fails(2, {"ladder", "matrix"}, {"matrix", "reduce"});
    check_fails(2, {"ladder", "--count", "1,2"}, {"--count", "one number"});
    check_fails(2, {"ladder", "scan", "--count", "2^30"}, {"scan takes at most 100000000 elements"});
    check_fails(2, {"ladder", "--workgroup-size", "3"}, {"--workgroup-size"});
    check_fails(2, {"ladder", "--workgroup-size", "2", "--sweep-workgroup-size"}, {"--sweep-workgroup-size"});
    check_fails(2, {"ladder", "convolution", "--radius", "9"}, {"--radius"});
    check_fails(2, {"ladder", "--radius", "8"}, {"vkprim ladder convolution --radius 8"});
    check_fails(2, {"ladder", "scan", "--json", "/no/ladder.json"}, {"/no/ladder.json"});
    check_fails(2, {"ladder", "convolution", "--picture", "a.png", "--count", "5"}, {"--picture", "--count"});
    check_fails(2, {"ladder", "histogram", "--text", "/no/book.txt"}, {"/no/book.txt"});
    check_fails(2, {"ladder", "convolution", "--blurred", "a.png"}, {"--blurred", "--picture"});
    check_fails(2, {"ladder", "--picture", "a.png"}, {"vkprim ladder convolution --picture a.png"});
    check_fails(2, {"report"}, {"--output"});
    check_fails(2, {"report", "-o", "/no/report.html"}, {"/no/report.html"});
    check_fails(2, {"report", "-o", "/"}, {"is a folder"});
    check_fails(2, {"report", "-o", "a", "--csv", "a"}, {"-o and --csv are the same file, a"});
    check_fails(2, {"report", "-o", "-", "--json", "-"}, {"standard output"});
    // What is given and cannot be used is not left out in silence.
    for (const std::vector<std::string>& empty :
         std::initializer_list<std::vector<std::string>>{{"reduce", "a.npy", "--axis", ""},
                                                         {"reduce", "a.npy", "--offsets", ""},
                                                         {"compact", "a.npy", "--between", "", "3", "-o", "b.npy"},
                                                         {"verify", "--seed", ""},
                                                         {"verify", "--operation", ""},
                                                         {"bench", "--device", ""}}) {
        check_fails(2, empty, {"is empty"});
    }
    check_fails(2, {"verify", "--property", "x", "--seed", "7"}, {"--property", "--seed"});
    check_fails(2, {"pipelines", "--operation", "a.glsl", "--only", "x"}, {"--operation", "--only"});
    check_fails(2, {"pipelines", "--csv", "-", "--json", "-"}, {"standard output"});
    for (const char* command : {"pipelines", "bench"})
        check_fails(2, {command, "--csv", "a.csv", "--json", "./a.csv"},
                    {"--csv and --json are the same file, ./a.csv"});
    check_fails(2, {"histogram", "a.npy", "--svg", "-"}, {"--svg", "needs a file"});
    check_fails(2, {"ladder", "convolution", "--picture", "a.png", "--blurred", "-"}, {"--blurred", "needs a file"});
    for (const char* sizes :
         {"x", "0", "2^32", "4294967296", "2^10..", "..2^10", "2^12..2^10", "1,,2", "1,", "-1", "1.5", "2^"}) {
        check_fails(2, {"bench", std::string("--sizes=") + sizes}, {"--sizes", "2^10..2^28"});
    }
}

TEST_CASE("program: info", "[program]") {
    CHECK(good({"info"}).find("look-back") != std::string::npos);
    const Json json = Json::parse(good({"info", "--json"}));
    REQUIRE(json.at("devices").size() > 0);
    const Json& device = json.at("devices").at(0);
    CHECK(device.at("index") == 0);
    CHECK(device.at("subgroup_size") > 0);
    CHECK(device.at("usable").is_boolean());
    CHECK(device.at("features").size() == sizeof(Features)); // each is a bool
    CHECK((device.at("look_back_words") == "64-bit" || device.at("look_back_words") == "2x32-bit"));
}

TEST_CASE("program: doctor", "[program]") {
    const Folder      folder;
    const std::string path = folder.path("a.json"), out = good({"doctor", "--quick", "--json", path});
    CHECK(out.find("\nmemory\n") != std::string::npos);
    CHECK(out.find("\nwhat vkprim uses here, and why\n") != std::string::npos);
    const Json json   = Json::parse(content_of(path));
    const Json device = Json::parse(good({"info", "--json"})).at("devices");
    CHECK(json.at("extent") == "quick");
    CHECK(std::count(device.begin(), device.end(), json.at("device")) == 1);
    CHECK(json.at("limits").at("max_compute_workgroup_count").size() == 3);
    CHECK(json.at("driver").at("id") > 0);
    CHECK(json.at("uses").size() > 5);
    CHECK(json.count("error") == 0);
    CHECK(json.at("failed") == 0);
    CHECK(out.find("\n" + json.at("ok").dump() + " ok, " + json.at("notes").dump() + " notes, 0 failed") !=
          std::string::npos);
    CHECK(json.at("probes").size() ==
          json.at("ok").get<size_t>() + json.at("notes").get<size_t>() + json.at("skipped").get<size_t>());
    std::set<std::string> topics;
    for (const Json& probe : json.at("probes")) {
        CAPTURE(probe.dump());
        CHECK(out.find("\n  " + probe.at("name").get<std::string>() + " ") != std::string::npos);
        CHECK(out.find(probe.at("seen").get<std::string>() + "\n") != std::string::npos);
        CHECK(probe.at("numbers").empty() == (probe.at("result") == "skipped"));
        topics.insert(probe.at("topic"));
    }
    CHECK(topics.size() == 7);
}

TEST_CASE("program: reduce", "[program]") {
    const Folder folder;
    uint64_t     sum     = 0;
    int64_t      as_i32  = 0;
    uint32_t     highest = 0, bits = 0;
    for (const uint32_t element : many()) {
        sum += element;
        as_i32 += static_cast<int32_t>(element);
        highest = std::max(highest, element);
        bits ^= element;
    }
    const std::string file = folder.npy("many.npy", NumberType::u32, many());
    CHECK(good({"reduce", file}) == std::to_string(sum) + "\n");
    CHECK(good({"reduce", file, "--op", "max"}) == std::to_string(highest) + "\n");
    CHECK(good({"reduce", file, "--op", "xor", "--no-check"}) == std::to_string(bits) + "\n");
    CHECK(good({"reduce", file, "--type", "u32"}) == std::to_string(sum) + "\n");
    CHECK(good({"reduce", file, "--parts", "7"}) == std::to_string(sum) + "\n");
    const std::string raw = folder.file("many.bin", bytes_of(many()));
    CHECK(good({"reduce", raw, "--type", "i32"}) == std::to_string(as_i32) + "\n");

    const Json json = good_json({"reduce", file});
    CHECK(json.at("op") == "add");
    CHECK(json.at("type") == "u64");
    CHECK(json.at("count") == many().size());
    CHECK(json.at("result") == sum);
    CHECK(json.count("result_bits") == 0);
    CHECK(json.at("device").is_string());
    CHECK(json.at("kernel_ms") > 0);
    CHECK(json.at("total_ms") >= json.at("kernel_ms"));
    CHECK(json.at("checked") == true);
    CHECK(good_json({"reduce", file, "--no-check"}).at("checked") == false);
}

TEST_CASE("program: reduce of floats", "[program]") {
    const Folder    folder;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto      reduced  = [&](const std::vector<float>& elements, const std::string& op) {
        const Json json = good_json({"reduce", folder.npy("a.npy", NumberType::f32, elements), "--op", op});
        return json.at("result").dump() + " " + json.at("result_bits").get<std::string>();
    };
    CHECK(reduced({0.5f, 0.25f, -1.0f}, "add") == "-0.25 0xbe800000");
    CHECK(reduced({0.1f}, "mul") == "0.1 0x3dcccccd");
    CHECK(reduced({infinity, 1}, "add") == "\"inf\" 0x7f800000");
    CHECK(reduced({-infinity, 1}, "min") == "\"-inf\" 0xff800000");
    CHECK(reduced({infinity, -infinity}, "add") == "\"nan\" 0x7fc00000");
    CHECK(good({"reduce", folder.npy("b.npy", NumberType::f32, std::vector<float>{0.1f, 0.0f})}) == "0.1\n");
}

TEST_CASE("program: an empty array is no error", "[program]") {
    const Folder      folder;
    const std::string file = folder.npy("a.npy", NumberType::i32, std::vector<int32_t>{});
    CHECK(good({"reduce", file}) == "0\n");
    CHECK(good({"reduce", file, "--op", "mul"}) == "1\n");
    CHECK(good({"reduce", folder.file("a.bin", ""), "--type", "f32", "--op", "mul"}) == "1\n");
    good({"scan", file, "-o", folder.path("b.npy")});
    CHECK(elements_of<int32_t>(folder.path("b.npy"), NumberType::i32).empty());
    const Json json = good_json({"histogram", file, "--bins", "3"});
    CHECK(json.at("counts") == Json({0, 0, 0}));
    CHECK(json.at("count") == 0);
}

TEST_CASE("program: scan", "[program]") {
    const Folder          folder;
    const std::string     file = folder.npy("a.npy", NumberType::u32, many()), out = folder.path("out.npy");
    std::vector<uint32_t> exclusive, inclusive;
    uint32_t              sum = 0;
    for (const uint32_t element : many()) {
        exclusive.push_back(sum);
        inclusive.push_back(sum += element);
    }
    CHECK(good({"scan", file, "-o", out}).find(out + ": 70001 u32, exclusive add\n") == 0);
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == exclusive);
    good({"scan", file, "--inclusive", "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == inclusive);
    const Json json = good_json({"scan", file, "--exclusive", "-o", out});
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == exclusive);
    CHECK(json.at("op") == "add");
    CHECK(json.at("kind") == "exclusive");
    CHECK(json.at("count") == many().size());
    CHECK(json.at("result") == exclusive.back());
    CHECK(json.at("output") == out);
    CHECK(json.at("checked") == true);

    good({"scan", file, "--inclusive", "-o", file}); // onto itself
    CHECK(elements_of<uint32_t>(file, NumberType::u32) == inclusive);
    const std::string floats = folder.npy("f.npy", NumberType::f32, std::vector<float>{1, 2.5f, -1});
    CHECK(good_json({"scan", floats, "--inclusive", "--op", "max", "-o", out}).at("result_bits") == "0x40200000");
    CHECK(elements_of<float>(out, NumberType::f32) == std::vector<float>{1, 2.5f, 2.5f});
    CHECK(folder.entries() == 3);
}

TEST_CASE("program: histogram of raw bytes and arrays", "[program]") {
    const Folder      folder;
    const std::string text    = folder.file("book.txt", "hello, world");
    const Json        letters = good_json({"histogram", text, "--type", "u8"});
    CHECK(letters.at("op") == "histogram");
    CHECK(letters.at("bins") == 256);
    CHECK(letters.at("count") == 12);
    CHECK(letters.at("outside") == 0);
    CHECK(letters.at("counts").at('l') == 3);
    CHECK(letters.at("counts").at('o') == 2);
    CHECK(letters.at("checked") == true);
    CHECK(good({"histogram", text, "--type", "u8"}).find(" 108 ") != std::string::npos);

    const std::string small = folder.npy("u16.npy", NumberType::u16, std::vector<uint16_t>{0, 255, 256, 65535, 65535});
    CHECK(good_json({"histogram", small}).at("counts").at(255) == 2);
    CHECK(good_json({"histogram", small, "--bins", "2", "--range", "0", "512"}).at("counts") == Json({2, 1}));
    CHECK(good_json({"histogram", small, "--bins", "2", "--range", "0", "512"}).at("outside") == 2);
    const std::string negative = folder.npy("i32.npy", NumberType::i32, std::vector<int32_t>{-5, -1, 0, 5});
    CHECK(good_json({"histogram", negative, "--bins", "2"}).at("counts") == Json({2, 2}));
    CHECK(good_json({"histogram", negative, "--bins", "2", "--range", "-5", "5"}).at("counts") == Json({2, 1}));
    const std::string floats =
        folder.npy("f32.npy", NumberType::f32, std::vector<float>{-0.5f, 0.25f, 0.75f, std::nanf("")});
    CHECK(good_json({"histogram", floats, "--bins", "2", "--range", "-1", "1"}).at("counts") == Json({1, 2}));
    const std::string wide = folder.npy("u32.npy", NumberType::u32, many());
    CHECK(good_json({"histogram", wide, "--bins", "5000"}).count("counts") == 0);
    CHECK(good({"histogram", wide}).find("####") != std::string::npos);
}

// The edges that it prints, in any form, are those that it counts by.
TEST_CASE("program: a histogram's printed edges enclose its samples", "[program]") {
    const Folder      folder;
    const std::string one  = folder.npy("f64.npy", NumberType::f64, std::vector<double>{49.0});
    const Json        json = good_json({"histogram", one, "--bins", "2", "--range", "0", "98"});
    CHECK(json.at("counts") == Json({0, 1}));
    CHECK(json.at("edges") == Json({0.0, 49.0, 98.0}));
    CHECK(good({"histogram", one, "--bins", "2", "--range", "0", "98"}).find("1            49            98 ") !=
          std::string::npos);

    // Four tenths are a rounding below their edge, in numpy.histogram as well; what is printed says so.
    std::vector<double> tenths;
    for (int i = 200; i < 300; ++i) tenths.push_back(i / 10.0);
    const std::string decimal = folder.npy("tenths.npy", NumberType::f64, tenths), csv = folder.path("a.csv");
    const Json        of = good_json({"histogram", decimal, "--bins", "100", "--range", "20", "30"});
    for (uint32_t bin = 0; bin < 100; ++bin) {
        CAPTURE(bin);
        const auto from = of.at("edges").at(bin).get<double>(), to = of.at("edges").at(bin + 1).get<double>();
        CHECK(of.at("counts").at(bin) ==
              std::count_if(tenths.begin(), tenths.end(), [&](double x) { return x >= from && x < to; }));
    }
    CHECK(of.at("edges").at(82) == 28.200000000000003);
    good({"histogram", decimal, "--bins", "100", "--range", "20", "30", "-o", csv});
    CHECK(content_of(csv).find("\n3,20.3,20.4,1\n") != std::string::npos);
    CHECK(content_of(csv).find("\n82,28.200000000000003,28.3,0\n") != std::string::npos);

    // f32(25552.2345) is below it.
    const std::string single = folder.npy("f32.npy", NumberType::f32, std::vector<float>{25552.234f, 25552.236328125f});
    const std::vector<std::string> narrow = {"histogram", single, "--bins", "10", "--range", "25552.2345", "26200"};
    CHECK(good(narrow).find("1 samples are outside 25552.236328125 to 26200\n") != std::string::npos);
    std::vector<std::string> rows = narrow;
    rows.insert(rows.end(), {"--axis", "0"});
    for (const Json& both : {good_json(narrow), good_json(rows)}) {
        CHECK(both.at("outside") == 1);
        CHECK(both.at("lower") == 25552.236328125);
        CHECK(both.at("edges").size() == 11);
        CHECK(both.at("edges").at(0) == both.at("lower"));
        CHECK(both.at("edges").at(10) == both.at("upper"));
    }
    const std::string thirds = folder.npy("u8.npy", NumberType::u8, std::vector<uint8_t>{3, 4});
    CHECK(good_json({"histogram", thirds, "--bins", "3", "--range", "0", "10"}).at("counts") == Json({1, 1, 0}));
    CHECK(good({"histogram", thirds, "--bins", "3", "--range", "0", "10"}).find("  3.3333333333333335  ") !=
          std::string::npos);
}

TEST_CASE("program: histogram into files", "[program]") {
    const Folder      folder;
    const std::string text = folder.file("book.txt", "aab"), npy = folder.path("a.npy"), csv = folder.path("a.csv"),
                      svg                  = folder.path("a.svg");
    const std::vector<std::string> command = {"histogram", text, "--type", "u8", "--bins", "4", "--range", "96", "100"};
    const auto                     with    = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        return more;
    };
    good(with({"-o", npy}));
    CHECK(elements_of<uint32_t>(npy, NumberType::u32) == std::vector<uint32_t>{0, 2, 1, 0});
    good(with({"-o", csv, "--svg", svg}));
    CHECK(content_of(csv) == "bin,lower,upper,count\n0,96,97,0\n1,97,98,2\n2,98,99,1\n3,99,100,0\n");
    CHECK(content_of(svg).find("<svg") == 0);
    const Json json = good_json(with({"-o", csv, "--svg", svg}));
    CHECK(json.at("output") == csv);
    CHECK(json.at("svg") == svg);
}

TEST_CASE("program: histogram of pictures", "[program]") {
    const Folder      folder;
    const std::string gray = folder.file("a.pgm", "P5 3 1 255\n" + std::string("\0\1\1", 3));
    const Json        one  = good_json({"histogram", gray});
    CHECK(one.at("channels").size() == 1);
    CHECK(one.at("channels").at("gray").at(1) == 2);

    const std::string colour = folder.file("a.ppm", "P6 2 1 255\n" + std::string("\1\2\3\1\5\xff", 6));
    const std::string npy = folder.path("a.npy"), csv = folder.path("a.csv");
    const Json        json = good_json({"histogram", colour, "-o", csv});
    CHECK(json.at("count") == 6);
    CHECK(json.at("width") == 2);
    CHECK(json.at("height") == 1);
    CHECK(json.at("channels").at("red").at(1) == 2);
    CHECK(json.at("channels").at("green").at(5) == 1);
    CHECK(json.at("channels").at("blue").at(255) == 1);
    CHECK(content_of(csv).rfind("bin,lower,upper,red,green,blue\n0,0,1,0,0,0\n1,1,2,2,0,0\n", 0) == 0);
    good({"histogram", colour, "-o", npy});
    const auto counts = elements_of<uint32_t>(npy, NumberType::u32);
    REQUIRE(counts.size() == 3 * 256);
    CHECK(counts[1] == 2);
    CHECK(counts[256 + 5] == 1);
    CHECK(counts[512 + 255] == 1);
    CHECK(good_json({"histogram", colour, "--raw", "--type", "u8"}).at("counts").at('P') == 1);
    // So many bins that the channels do not fit into one pass.
    CHECK(good_json({"histogram", colour, "-o", npy, "--bins", "1000000"}).at("outside") == 0);
    const auto fine = elements_of<uint32_t>(npy, NumberType::u32);
    REQUIRE(fine.size() == 3000000);
    CHECK(fine[1 * 1000000 / 256] == 2);
    CHECK(fine[1000000 + 2 * 1000000 / 256] == 1);
    CHECK(fine[2000000 + 3 * 1000000 / 256] == 1);
    CHECK(fine[2000000 + 255 * 1000000 / 256] == 1);
}

TEST_CASE("program: ladder", "[program]") {
    const size_t      textbook = ladder::kernels_of("reduce", "pass").size();
    const Folder      folder;
    const std::string path = folder.path("a.json"), out = good({"ladder", "reduce", "--count", "1000", "--json", path});
    const Json        steps = Json::parse(content_of(path)).at("devices").at(0).at("steps");
    CHECK(steps.size() == textbook + 1);
    for (const Json& step : steps) {
        CAPTURE(step.dump());
        CHECK(out.find("\n" + step.at("step").get<std::string>() + " ") != std::string::npos);
        if (step.count("skipped") == 0) CHECK(step.at("agrees") == true);
        CHECK(step.at("count") == 1000);
    }
    // The sweep has a line for each size, and one for vkprim's.
    const Json sweep =
        Json::parse(good({"ladder", "reduce", "--count", "1000", "--sweep-workgroup-size", "--json", "-"}));
    CHECK(sweep.at("devices").at(0).at("steps").size() == textbook * 10 + 1);

    const std::string book = folder.file("book.txt", "Call me Ishmael.");
    CHECK(good({"ladder", "histogram", "--count", "100", "--text", book}).find(" 16 elements, text") !=
          std::string::npos);
    check_fails(2, {"ladder", "histogram", "--text", folder.file("empty.txt", "")}, {"empty.txt", "empty"});
}

TEST_CASE("program: report refuses bad tables before it measures", "[program]") {
    const Folder      folder;
    const std::string out = folder.path("a.html");
    for (const char* row : {"reduce,add,0,1", "reduce,add,x,1", "reduce,add,5000000000,1", "reduce,add,1000,nan"}) {
        const std::string peers = folder.file("peers.csv", std::string("op,name,count,ratio\n") + row + "\n");
        check_fails(2, {"report", "-o", out, "--peers", peers}, {"peers.csv", "no number above 0"});
    }
    check_fails(2, {"report", "-o", out, "--peers", folder.file("b.csv", "op,name\n")}, {"b.csv", "no column 'count'"});
    check_fails(2, {"report", "-o", out, "--peers", folder.file("c.csv", "op,name,count,ratio\nreduce,add\n")},
                {"c.csv", "2 fields"});
    check_fails(2, {"report", "-o", out, "--peers", folder.path("none.csv")}, {"none.csv", "no such file"});
    CHECK(folder.entries() == 3);
}

TEST_CASE("program: ladder blurs a picture", "[program]") {
    const Folder folder;
    Image        picture{5, 4, 3, std::vector<uint8_t>(5 * 4 * 3)};
    const auto   sample = [](Image& of, uint32_t x, uint32_t y, uint32_t channel) -> uint8_t& {
        return of.samples[(y * of.width + x) * of.channels + channel];
    };
    sample(picture, 2, 2, 1) = 160; // in the middle, green
    sample(picture, 0, 0, 2) = 160; // in the corner, blue: the mirror has more of it
    const std::string in = folder.path("in.png"), out = folder.path("out.png");
    REQUIRE(write_png(in, picture));
    good({"ladder", "convolution", "--picture", in, "--radius", "1", "--blurred", out});
    Result<Image> blurred = read_image(out);
    REQUIRE(blurred);
    REQUIRE(blurred->samples.size() == picture.samples.size());
    CHECK(std::accumulate(blurred->samples.begin(), blurred->samples.end(), 0) == 320);
    CHECK(sample(*blurred, 2, 2, 1) == 40);
    CHECK(sample(*blurred, 1, 2, 1) == 20);
    CHECK(sample(*blurred, 3, 3, 1) == 10);
    CHECK(sample(*blurred, 0, 0, 2) == 90);
    CHECK(sample(*blurred, 1, 0, 2) == 30);
    CHECK(sample(*blurred, 1, 1, 2) == 10);
}

TEST_CASE("program: bad input", "[program]") {
    const Folder      folder;
    const std::string good_file = folder.npy("good.npy", NumberType::f32, std::vector<float>{1, 2});
    const std::string out       = folder.path("out.npy");
    const auto        bad       = [&](const std::string& file, const std::vector<std::string>& words,
                         const std::vector<std::string>& flags = {}) {
        for (std::vector<std::string> command : {std::vector<std::string>{"reduce", file},
                                                 {"scan", file, "-o", out},
                                                 {"histogram", file, "--range", "0", "1", "-o", out}}) {
            command.insert(command.end(), flags.begin(), flags.end());
            check_fails(2, command, words);
            CHECK_FALSE(fs::exists(out));
        }
    };
    const auto npy = [&](const std::string& header, const std::string& data) {
        std::string bytes = std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0';
        return folder.file("bad.npy", bytes + header + data);
    };
    bad(folder.path("missing.npy"), {"missing.npy", "no such file"});
    bad(folder.path(""), {"directory"});
    bad(folder.file("empty.npy", ""), {"empty.npy", "empty"});
    bad(folder.file("text.npy", "hello"), {"not a .npy file"});
    bad(folder.file("text.npy", "hello"), {"not a .npy file"}, {"--type", "f32"});
    bad(folder.file("cut.npy", content_of(good_file).substr(0, 132)), {"truncated"});
    bad(folder.file("cut.npy", content_of(good_file).substr(0, 20)), {"truncated"});
    bad(folder.file("long.npy", content_of(good_file) + "1234"), {"mislabelled"});
    bad(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "1234"), {"objects"});
    bad(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "1234"), {"big-endian"});
    bad(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "12345678"), {"<c8"});
    bad(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,), }", "1234"), {"4294967296"});
    bad(good_file, {"f32", "--type says u32"}, {"--type", "u32"});
    bad(good_file, {"--type f128", "f16"}, {"--type", "f128"});
    bad(good_file, {"--raw needs --type"}, {"--raw"});
    bad(folder.file("odd.bin", "12345"), {"--type"});
    bad(folder.file("odd.bin", "12345"), {"5 bytes"}, {"--type", "f32"});
    bad(folder.file("cut.ppm", "P6 2 2 255\n123"), {"cut.ppm"}, {"--type", "u8"});
    const std::string big = folder.file("big.bin", "");
    fs::resize_file(big, (uint64_t{1} << 34));
    check_fails(2, {"reduce", big, "--type", "u32", "--op", "minmax"}, {"4294967295"}); // others take it in chunks

    const std::string cut = folder.file("cut.ppm", "P6 2 2 255\n123");
    check_fails(2, {"histogram", cut}, {"cut.ppm", "damaged"});
    check_fails(2, {"reduce", folder.file("a.pgm", "P5 1 1 255\nx")}, {"a.pgm", "picture", "histogram"});
    check_fails(2, {"reduce", good_file, "--op", "xor"}, {"xor", "f32"});
    check_fails(2, {"histogram", folder.npy("i16.npy", NumberType::i16, std::vector<int16_t>{1})},
                {"i16", "a.astype('i4')"});
    check_fails(2, {"histogram", folder.npy("u64.npy", NumberType::u64, std::vector<uint64_t>{1})},
                {"u64", "a.astype('f8'), which rounds values beyond 2^53"});
    check_fails(2, {"histogram", folder.npy("f64.npy", NumberType::f64, std::vector<double>{1})}, {"f64", "--range"});
}

TEST_CASE("program: bad bins and ranges", "[program]") {
    const Folder      folder;
    const std::string floats = folder.npy("f32.npy", NumberType::f32, std::vector<float>{1, 2});
    const std::string bytes  = folder.npy("u8.npy", NumberType::u8, std::vector<uint8_t>{1, 2});
    for (const char* bins : {"0", "1048577", "-1", "1.5", "x"}) {
        check_fails(2, {"histogram", bytes, "--bins", bins}, {"--bins"});
    }
    check_fails(2, {"histogram", floats}, {"--range"});
    check_fails(2, {"histogram", floats, "--range", "1"}, {"--range"});
    check_fails(2, {"histogram", floats, "--range", "1", "1"}, {"empty"});
    check_fails(2, {"histogram", floats, "--range", "2", "1"}, {"empty"});
    check_fails(2, {"histogram", floats, "--range", "nan", "1"}, {"finite"});
    check_fails(2, {"histogram", floats, "--range", "0", "inf"}, {"finite"});
    check_fails(2, {"histogram", floats, "--range", "0", "x"}, {"--range"});
    check_fails(2, {"histogram", floats, "--range", "1", "1.000000001"}, {"range", "single precision"});
    check_fails(2, {"histogram", bytes, "--range", "0", "257"}, {"range"});
    check_fails(2, {"histogram", bytes, "--range", "0.5", "3"}, {"range", "whole"});
    check_fails(2, {"histogram", bytes, "--range", "-1", "3"}, {"range"});
}

TEST_CASE("program: outputs that cannot be written leave nothing behind", "[program]") {
    const Folder      folder;
    const std::string file = folder.npy("a.npy", NumberType::u32, many());
    check_fails(2, {"scan", file, "-o", folder.path("none/out.npy")}, {"none/out.npy"});
    check_fails(2, {"scan", file, "-o", file + "/out.npy"}, {"out.npy"});
    check_fails(2, {"scan", file, "-o", folder.path("out.txt")}, {"out.txt", ".npy"});
    check_fails(2, {"histogram", file, "-o", folder.path("out.txt")}, {"out.txt", ".csv"});
    check_fails(2, {"histogram", file, "-o", folder.path("a.csv"), "--svg", folder.path("a.csv")}, {"same file"});
    check_fails(2, {"histogram", file, "--svg", folder.path("none/a.svg")}, {"a.svg"});
    check_fails(2, {"bench", "--op", "copy", "--sizes", "1000", "--csv", folder.path("none/a.csv"), "--json", "-"},
                {"a.csv"});
    check_fails(2, {"ladder", "reduce", "--json", folder.path(std::string(300, 'n'))}, {"nnn", "name too long"});
    CHECK(folder.entries() == 1);

    // A full disk, as far as the program can tell. Less would be too little for the files in memory of one driver.
    constexpr uint32_t limit = 16u << 20;
    Setting            full;
    full.file_size           = limit;
    const std::string large  = folder.npy("large.npy", NumberType::u32, std::vector<uint32_t>(limit / 4, 1));
    const std::string before = content_of(large);
    check_fails(2, {"scan", large, "-o", folder.path("out.npy")}, {"out.npy"}, full);
    check_fails(2, {"scan", large, "-o", large}, {"large.npy"}, full);
    CHECK(content_of(large) == before);
    CHECK(folder.entries() == 2);
    fs::create_symlink("/dev/full", folder.path("full.npy"));
    check_fails(2, {"scan", file, "-o", folder.path("full.npy")}, {"full.npy", "space"});

    Setting full_out;
    full_out.out = "/dev/full";
    check_fails(2, {"reduce", file}, {"standard output", "space"}, full_out);
    check_fails(2, {"info"}, {"standard output"}, full_out);
    check_fails(2, {"--help"}, {"standard output"}, full_out);
}

TEST_CASE("program: no device", "[program]") {
    const Folder      folder;
    const std::string file = folder.npy("a.npy", NumberType::u32, many()), out = folder.path("out.npy");
    Setting           none;
    none.environment = {{"VK_DRIVER_FILES", folder.path("none.json")}, {"VK_ICD_FILENAMES", folder.path("none.json")}};
    for (const Setting& setting : {none, Setting()}) {
        const std::string device = setting.environment.empty() ? "no such device" : "";
        const auto        fails  = [&](std::vector<std::string> command) {
            if (!device.empty()) command.insert(command.end(), {"--device", device});
            check_fails(3, command, {device.empty() ? "Vulkan" : device}, setting);
        };
        fails({"reduce", file});
        fails({"scan", file, "-o", out});
        fails({"histogram", file, "-o", out});
        fails({"doctor"});
        fails({"verify"});
        fails({"bench"});
        fails({"tune"});
    }
    check_fails(3, {"reduce", file, "--device", "77"}, {"77"});
    check_fails(3, {"info"}, {"Vulkan"}, none);
    CHECK(run({"info", "--json"}, none).exit_code == 3);
    CHECK_FALSE(fs::exists(out));
}

// As MoltenVK is one. The loader hides it from who does not ask for it.
TEST_CASE("program: a driver that lacks parts of Vulkan", "[program]") {
    const Folder      folder;
    const char* const path   = std::getenv("VK_DRIVER_FILES");
    std::string       driver = path != nullptr ? content_of(path) : "";
    const size_t      within = driver.find('{', driver.find("\"ICD\""));
    if (within == std::string::npos) {
        WARN("SKIPPED: no driver's file is named");
        return;
    }
    driver.insert(within + 1, "\"is_portability_driver\": true, ");
    Setting portable;
    portable.environment = {{"VK_DRIVER_FILES", folder.file("portable.json", driver)},
                            {"VK_ICD_FILENAMES", folder.path("portable.json")}};
    const Outcome info   = run({"info"}, portable);
    CHECK(info.exit_code == 0);
    CHECK(info.out == run({"info"}).out);
    CHECK(run({"reduce", folder.npy("a.npy", NumberType::u32, many())}, portable).exit_code == 0);
}

TEST_CASE("program: a driver that fails in the middle", "[program]") {
    const FaultyLayer layer;
    if (!layer.is_there()) return;
    const Folder      folder, outputs;
    const std::string file = folder.npy("a.npy", NumberType::u32, many());
    const auto with = [&](const std::string& name, const std::string& value) { return layer.with({{name, value}}); };
    const std::vector<std::string> scan      = {"scan", file, "-o", outputs.path("a.npy")},
                                   histogram = {"histogram",           file,    "-o",
                                                outputs.path("a.csv"), "--svg", outputs.path("a.svg")};
    const std::vector<std::string> compact   = {"compact", file, "--above", "5", "-o", outputs.path("a.npy")};
    // One dispatch: without the first of several, others would move keys to places that nobody has computed.
    const std::string              few  = folder.npy("few.npy", NumberType::u32, std::vector<uint32_t>{3, 1, 2});
    const std::vector<std::string> sort = {"sort", few, "-o", outputs.path("a.npy")};

    for (const char* at : {"0", "1", "2"}) {
        check_fails(3, {"reduce", file}, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", at));
        check_fails(3, scan, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", at));
        check_fails(3, histogram, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", at));
        check_fails(3, compact, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", at));
        check_fails(3, sort, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", at));
    }
    check_fails(3, {"reduce", file, "--parts", "9"}, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", "8"));
    const std::vector<std::string> verify = {"verify", "--only", "reduce u32 add", "--json", "-"};
    check_fails(3, verify, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", "10"));
    // A measurement submits twice, after the upload.
    check_fails(3, {"bench", "--op", "copy", "--sizes", "1000", "--csv", "-"}, {"VK_ERROR_DEVICE_LOST"},
                with("FAULTY_LOSE_DEVICE_AT", "2"));

    check_fails(3, scan, {"memory", "VK_ERROR_OUT_OF_DEVICE_MEMORY"}, with("FAULTY_LARGEST_MEMORY", "100000"));
    const Outcome bench =
        run({"bench", "--op", "copy", "--sizes", "1000,2^20"}, with("FAULTY_LARGEST_MEMORY", "1000000"));
    CHECK(bench.exit_code == 0);
    CHECK(bench.out.find("does not fit into memory") != std::string::npos);

    // Memory that is not coherent with the host's.
    good({"reduce", file}, with("FAULTY_INCOHERENT", "256"));

    // Bytes take no more memory than the file.
    const std::string bytes  = folder.npy("bytes.npy", NumberType::u8, std::vector<uint8_t>(300000, 7), {3000, 100});
    const Setting     little = with("FAULTY_LARGEST_MEMORY", "400000");
    CHECK(run({"top", bytes, "-k", "1"}, little).out == "7 0\n");
    CHECK(run({"sort", bytes, "--axis", "1", "-o", folder.path("sorted.npy")}, little).exit_code == 0);

    const Setting wrong = with("FAULTY_SKIP_DISPATCH", "1");
    check_fails(1, {"reduce", file}, {"wrong result", "index 0", "expected", "got", "(0x"}, wrong);
    check_fails(1, scan, {"wrong result", "index", "expected", "got", "(0x"}, wrong);
    check_fails(1, histogram, {"wrong result", "index", "expected", "got", "(0x"}, wrong);
    check_fails(1, compact, {"wrong result", "expected", "kept, got"}, wrong);
    check_fails(1, sort, {"wrong result", "index 0", "expected 1 ", "got 3 "}, wrong);
    check_fails(1, {"reduce", file, "--axis", "0"}, {"wrong result", "row 0, index 0", "expected"}, wrong);
    check_fails(1, {"top", few, "-k", "2"}, {"wrong result", "row 0"}, wrong);
    CHECK(outputs.entries() == 0);
    const Outcome verified = run({"verify", "--seed", "5", "--only", "reduce u32 add count=33 offset=4"}, wrong);
    CHECK(verified.exit_code == 1);
    CHECK(verified.out.find("vkprim verify --device 0 --seed 5 --only 'reduce u32 add count=33 offset=4'\n") !=
          std::string::npos);
    CHECK(verified.out.find("\n0 passed, 1 failed\n") != std::string::npos);
    const Outcome lesser = run({"verify", "--levels", "--only", "reduce u32 add count=33 offset=4"}, wrong);
    CHECK(lesser.exit_code == 1);
    CHECK(lesser.out.find("--set device.subgroups=0 --seed 1 --only 'reduce u32 add count=33 offset=4'\n") !=
          std::string::npos);
    // A case that is to come before, and that there is not.
    for (const char* const extent : {"--brief", "--levels"}) {
        const Outcome after = run({"verify", extent, "--only", "reduce u32 add count=33", "--after", "reduce"});
        CHECK(after.exit_code == 2);
        CHECK(after.err.find("no case is called 'reduce'") != std::string::npos);
    }
    // The second case, which takes two dispatches as the first does.
    const std::string first = "reduce u32 add count=33 offset=0", second = "reduce u32 add count=33 offset=4";
    const Outcome     depends =
        run({"verify", "--only", "reduce u32 add count=33 offset", "--json", outputs.path("c.json")},
            with("FAULTY_SKIP_DISPATCH_AT", "2"));
    CHECK(depends.exit_code == 1);
    CHECK(depends.out.find("        after " + first + ", on the same scratch\n") != std::string::npos);
    CHECK(depends.out.find(" --seed 1 --after '" + first + "' --only '" + second + "'\n") != std::string::npos);
    const Json shown = Json::parse(content_of(outputs.path("c.json"))).at("groups").at(0).at("mismatches").at(0);
    CHECK(shown.at("case") == second);
    CHECK(shown.at("after") == first);
    const Outcome both = run({"verify", "--after", first, "--only", second});
    CHECK(both.exit_code == 0);
    CHECK(both.out.find("\n2 passed, 0 failed\n") != std::string::npos);
    check_fails(2, {"verify", "--after", "reduce", "--only", second, "--json", "-"}, {"'reduce'"});
    // The same cases, whoever runs them.
    const auto groups_of = [&](const char* jobs) {
        const Outcome outcome =
            run({"verify", "--pairs", "--only", "chunked", "--sizes", "33", "--jobs", jobs, "--json", "-"});
        CHECK(outcome.exit_code == 0);
        Json groups = Json::parse(outcome.out).at("groups");
        for (Json& group : groups) group.erase("seconds");
        return groups;
    };
    const Json alone = groups_of("1");
    CHECK(alone.size() > 1);
    CHECK(groups_of("3") == alone);
    const std::vector<std::string> side_by_side = {"verify", "--only", "reduce u32 add", "--jobs", "2", "--json", "-"};
    check_fails(3, side_by_side, {"VK_ERROR_DEVICE_LOST"}, with("FAULTY_LOSE_DEVICE_AT", "10"));
    // A driver that crashes leaves the case that ran.
    const std::string report = outputs.path("d.json");
    const auto        left   = [&](std::vector<std::string> arguments, const std::string& at) {
        arguments.insert(arguments.begin(), "verify");
        arguments.insert(arguments.end(), {"--json", report});
        const Outcome crashed = run(arguments, with("FAULTY_CRASH_AT", at));
        CHECK(crashed.exit_code == -1);
        const Json json = Json::parse(content_of(report));
        CHECK(json.at("device").at("index") == 0);
        CHECK(json.count("groups") == 0);
        return json.at("running");
    };
    const Json running = left({"--only", "reduce u32 add count=33"}, "30");
    const auto name    = running.at("case").get<std::string>();
    CHECK(name.rfind("reduce u32 add count=33 ", 0) == 0);
    CHECK(running.at("after").get<std::string>().rfind("reduce u32 add count=33 ", 0) == 0);
    CHECK(running.at("repeat").get<std::string>().find(" --only '" + name + "'") != std::string::npos);
    CHECK(left({"--random", "3", "--only", "reduce u32 add"}, "0")
              .at("repeat")
              .get<std::string>()
              .find("verify --device 0 --property 'reduce u32 add ") != std::string::npos);
    CHECK(left({"--levels", "--only", "reduce u32 add count=33"}, "0").at("case") ==
          "reduce u32 add count=33 offset=0");
    // Whatever fails, fails with nothing to do.
    const std::string smallest = "--property 'reduce u32 add count=0 data=zeros'\n";
    const Outcome     random   = run({"verify", "--random", "3", "--only", "reduce u32 add"}, wrong);
    CHECK(random.exit_code == 1);
    CHECK(random.out.find("vkprim verify --device 0 " + smallest) != std::string::npos);
    CHECK(random.out.find("\n0 passed, 3 failed\n") != std::string::npos);
    CHECK(run({"verify", "--property", "reduce u32 add count=0 data=zeros"}, wrong).exit_code == 1);
    const Outcome soak = run({"verify", "--soak", "1", "--seed", "5", "--only", "reduce u32 add"}, wrong);
    CHECK(soak.exit_code == 1);
    CHECK(soak.out.find("vkprim verify --device 0 --seed 5 --only 'reduce u32 add' --soak-batch ") !=
          std::string::npos);
    CHECK(soak.out.find("vkprim verify --device 0 " + smallest) != std::string::npos);
    CHECK(soak.out.find(", 0 mismatches") == std::string::npos);
    check_fails(3, {"verify", "--soak", "1", "--only", "reduce u32 add", "--json", "-"}, {"VK_ERROR_DEVICE_LOST"},
                with("FAULTY_LOSE_DEVICE_AT", "10"));
    CHECK(run({"bench", "--op", "reduce", "--type", "f32", "--sizes", "1000"}, wrong).exit_code == 1);
    const Outcome doctor = run({"doctor", "--quick", "--json", outputs.path("a.json")}, wrong);
    CHECK(doctor.exit_code == 1);
    const Json found = Json::parse(content_of(outputs.path("a.json")));
    for (const Json& probe : found.at("probes")) {
        CAPTURE(probe.dump());
        const std::string result = probe.at("result");
        // Time goes by even where nothing is done.
        CHECK((result == "FAILED" || result == "skipped" || probe.at("topic") == "timestamps"));
    }
    CHECK(found.at("failed") > 20);
    // A device that is lost on the way: the report has what was found until then.
    const Outcome lost =
        run({"doctor", "--quick", "--json", outputs.path("b.json")}, with("FAULTY_LOSE_DEVICE_AT", "40"));
    CHECK(lost.exit_code == 3);
    const Json partial = Json::parse(content_of(outputs.path("b.json")));
    CHECK(partial.at("probes").size() > 0);
    CHECK(partial.at("error").at("reason").get<std::string>().find("VK_ERROR_DEVICE_LOST") != std::string::npos);
    check_fails(1, {"tune", "--op", "reduce", "-o", "-"}, {"wrong"}, wrong);
}

TEST_CASE("program: verify", "[program]") {
    const Folder      folder;
    const std::string out = good({"verify", "--only", "reduce u32 add count=1", "--json", folder.path("a.json")});
    CHECK(out.find("\nreduce u32 add ") != std::string::npos);
    const Json json = Json::parse(content_of(folder.path("a.json")));
    CHECK(json.at("failed") == 0);
    CHECK(json.at("groups").size() == 1);
    CHECK(out.find("\n" + json.at("passed").dump() + " passed, 0 failed\n") != std::string::npos);
    check_fails(2, {"verify", "--only", "shuffle", "--json", "-"}, {"shuffle"});
}

TEST_CASE("program: verify --levels", "[program]") {
    const Folder                   folder;
    const std::vector<std::string> levels = {"verify", "--levels", "--sizes", "1000", "--json"};
    const auto                     with   = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> all = levels;
        all.insert(all.end(), more);
        return all;
    };
    const std::string out = good(with({folder.path("a.json"), "--only", "reduce u32 add"}));
    CHECK(out.find("\nno subgroups ") != std::string::npos);
    const Json json = Json::parse(content_of(folder.path("a.json")));
    CHECK(json.at("levels").at(0).at("name") == "all that it can");
    CHECK(json.at("levels").at(0).at("reduce").at("passed") > 0);
    CHECK(json.at("failed") == 0);
    CHECK(out.find("\n" + json.at("passed").dump() + " passed, 0 failed\n") != std::string::npos);
    check_fails(2, with({"-", "--only", "shuffle"}), {"shuffle"});
}

TEST_CASE("program: verify of random cases", "[program]") {
    const std::string out = good({"verify", "--random", "5", "--seed", "3", "--only", "reduce u32"});
    CHECK(out.find("\nrandom cases ") != std::string::npos);
    CHECK(out.find("\n5 passed, 0 failed\n") != std::string::npos);
    const Json json =
        Json::parse(good({"verify", "--property", "reduce u32 add count=7; reduce u32 add count=0", "--json", "-"}));
    CHECK(json.at("passed") == 1);
    CHECK(json.at("failed") == 0);
    check_fails(2, {"verify", "--random", "5", "--only", "shuffle", "--json", "-"}, {"shuffle"});
    check_fails(2, {"verify", "--property", "reduce u32 add count=x", "--json", "-"}, {"reduce u32 add count=x"});
    check_fails(2, {"verify", "--property", "histogram u8 bins=0 range=0,256 count=1", "--json", "-"}, {"bins"});
}

TEST_CASE("program: verify --soak", "[program]") {
    const Folder      folder;
    const std::string out =
        good({"verify", "--soak", "0.005", "--only", "reduce u32 add", "--json", folder.path("a.json")});
    CHECK(out.find("\nsoak: 0.") != std::string::npos);
    CHECK(out.find(" command buffers in flight, 0 mismatches\n") != std::string::npos);
    const Json json = Json::parse(content_of(folder.path("a.json")));
    CHECK(json.at("failed") == 0);
    CHECK(json.at("seed") == 1);
    CHECK(json.at("operations") > 0);
    CHECK(json.at("bytes") > 0);
    CHECK(json.at("command_buffers") >= json.at("queues"));
    CHECK(good({"verify", "--soak-batch", "3", "--only", "reduce u32 add"}).find(", 0 mismatches\n") !=
          std::string::npos);
    check_fails(2, {"verify", "--soak", "0.01", "--only", "shuffle", "--json", "-"}, {"shuffle"});
}

TEST_CASE("program: bench", "[program]") {
    const Folder      folder;
    const std::string csv = folder.path("a.csv");
    const std::string out = good({"bench", "--op", "reduce", "--type", "u32", "--sizes", "1,1000,2^12", "--csv", csv});
    CHECK(out.find("2^12") != std::string::npos);
    CHECK(out.find("WRONG") == std::string::npos);
    CHECK(content_of(csv).rfind("op,name,type,count,median_ms", 0) == 0);
    const std::string indirect = good({"bench", "--type", "u8", "--sizes", "1000", "--bound", "9000", "--indirect"});
    CHECK(indirect.find("u8 nonzero elements, 1 % kept, bound 9000, indirect  ") != std::string::npos);
    CHECK(indirect.find("histogram") == std::string::npos);
    CHECK(indirect.find("WRONG") == std::string::npos);
    const Json json = Json::parse(good({"bench", "--op", "copy", "--sizes", "4096", "--json", "-"}));
    CHECK(json.at("copy").at("gbps") > 0);
    CHECK(json.at("results").at(0).at("right") == true);
    CHECK(json.at("results").at(0).at("count") == 4096);
}

TEST_CASE("program: tune, and profiles", "[program]") {
    const Folder      folder;
    const std::string path = folder.path("a.json"), array = folder.npy("a.npy", NumberType::u32, many());
    const std::string out = good({"tune", "--op", "reduce", "-o", path});
    CHECK(out.find("\nreduce.batch ") != std::string::npos);
    CHECK(out.find("WRONG") == std::string::npos);
    size_t chosen = 0;
    for (size_t at = 0; (at = out.find("<- chosen\n", at)) != std::string::npos; ++at) ++chosen;
    CHECK(chosen == 4); // one for each number
    const Json tuned = Json::parse(content_of(path));
    CHECK(tuned.at("vkprim_profile") == 1);
    for (const auto& item : tuned.at("values").items()) CHECK(item.key().rfind("reduce.", 0) == 0);
    const std::vector<std::string> verify = {"verify", "--only", "reduce u32 add count=1", "--profile"};
    const auto                     with   = [&](const std::string& profile) {
        std::vector<std::string> command = verify;
        command.push_back(profile);
        return command;
    };
    CHECK(good(with(path)).find(", 0 failed\n") != std::string::npos);

    Json edited                   = tuned;
    edited["values"]["scan.frob"] = 1;
    const std::string unknown     = folder.file("unknown.json", json_text(edited));
    check_fails(2, with(unknown), {"unknown.json", "scan.frob", "scan.prefetch_distance"});
    CHECK(good({"reduce", array, "--profile", unknown}) == good({"reduce", array})); // another primitive's affair
    edited                           = tuned;
    edited["values"]["reduce.batch"] = 65;
    const std::string large          = folder.file("large.json", json_text(edited));
    check_fails(2, with(large), {"large.json", "reduce.batch is 65", "1 to 64"});
    check_fails(2, {"reduce", array, "--profile", large}, {"reduce.batch is 65", "1 to 64"});
    good({"bench", "--op", "reduce", "--sizes", "1", "--type", "f32"}); // where the copy kernel has nothing to copy
    check_fails(2, {"bench", "--op", "reduce", "--sizes", "1", "--csv", "-", "--profile", large},
                {"reduce.batch is 65", "1 to 64"});
    edited                    = tuned;
    edited["vendor_id"]       = 0x1234;
    edited["device_id"]       = 0xabcd;
    const std::string foreign = folder.file("foreign.json", json_text(edited));
    check_fails(2, with(foreign), {"foreign.json", "1234:abcd", "vkprim tune"});
    check_fails(2, {"reduce", array, "--profile", foreign}, {"foreign.json", "1234:abcd", "vkprim tune"});
    check_fails(2, with(folder.path("missing.json")), {"missing.json", "no such file"});
    check_fails(2, with(folder.file("cut.json", content_of(path).substr(0, 30))), {"cut.json", "not JSON", "line 3"});
    check_fails(2, with(folder.file("empty.json", "")), {"empty.json", "not JSON"});
}
