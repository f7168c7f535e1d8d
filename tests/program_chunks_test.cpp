// The program on arrays in chunks, on one or several devices: the same bits as in one piece.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include "../tools/cli/stream/chunk_list.h"
#include "support/program.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

constexpr uint32_t step = chunk_step;

/// Numbers without a pattern.
template <class T>
std::vector<T> scattered(size_t count, T (*of)(uint32_t bits)) {
    std::vector<T> elements(count);
    uint32_t       bits = 1;
    for (T& element : elements) {
        bits    = bits * 1664525u + 1013904223u;
        element = of(bits);
    }
    return elements;
}

float    share(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
uint32_t same(uint32_t bits) { return bits; }
uint8_t  byte(uint32_t bits) { return static_cast<uint8_t>(bits >> 24); }
int64_t  wide(uint32_t bits) { return static_cast<int64_t>(uint64_t{bits} * 0x9e3779b97f4a7c15u) >> 3; }
uint16_t half(uint32_t bits) { return static_cast<uint16_t>(bits >> 16 & 0x3bffu); } ///< from 0 to below 1

using Arguments = std::vector<std::string>;

Arguments operator+(Arguments words, const Arguments& others) {
    words.insert(words.end(), others.begin(), others.end());
    return words;
}

/// What JSON says that does not depend on how it was computed.
Json result_of(const Json& json) {
    Json result;
    for (const char* name : {"op", "kind", "type", "count", "result", "result_bits", "index", "counts", "outside"}) {
        if (json.contains(name)) result[name] = json.at(name);
    }
    return result;
}

/// Runs the command in one piece and with each of `ways`, which ask for chunks: to the same result, and the same file OUT if it writes one.
void check_ways(const Arguments& command, const std::vector<Arguments>& ways, const Setting& setting = {}) {
    const Folder      outputs;
    const std::string out = outputs.path("out.npy");
    const Arguments   to  = command[0] == "reduce" ? Arguments() : Arguments{"-o", out};
    CAPTURE(command);
    const Json        whole = good_json(command + to);
    const std::string bytes = to.empty() ? "" : content_of(out);
    CHECK_FALSE(whole.contains("chunks"));
    for (const Arguments& way : ways) {
        CAPTURE(way);
        fs::remove(out);
        const Json json = good_json(command + to + way, setting);
        CHECK(result_of(json) == result_of(whole));
        CHECK(json.at("checked") == true);
        CHECK(json.contains("chunks"));
        CHECK(json.at("gb_per_s") >= 0);
        if (!to.empty()) CHECK((content_of(out) == bytes)); // not printed where they differ
        CHECK(outputs.entries() == (to.empty() ? 0 : 1));
    }
}

/// A second driver beside those of the environment, or nothing where there is none.
std::optional<Setting> two_drivers() {
    const char* const second = std::getenv("VKPRIM_TEST_SECOND_ICD");
    if (second == nullptr || !fs::exists(second)) {
        WARN("SKIPPED: VKPRIM_TEST_SECOND_ICD names no second driver");
        return std::nullopt;
    }
    const char* const first = std::getenv("VK_DRIVER_FILES");
    Setting           setting;
    setting.environment = {first == nullptr ? std::pair<std::string, std::string>("VK_ADD_DRIVER_FILES", second)
                                            : std::pair("VK_DRIVER_FILES", std::string(first) + ":" + second)};
    return setting;
}

/// The one whose name has `part`, of a job's devices.
Json device_of(const Json& json, const std::string& part) {
    for (const Json& device : json.at("devices")) {
        if (device.at("name").get<std::string>().find(part) != std::string::npos) return device;
    }
    return {};
}

/// Whether it happens within a minute.
bool comes(const std::function<bool()>& what) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!what() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return what();
}

std::string own_file(const Running& running, const std::string& name) {
    return "/proc/" + std::to_string(running.process()) + "/" + name;
}

/// Whether the process has a part of the file in its memory.
bool maps(const Running& running, const std::string& file) {
    return content_of(own_file(running, "maps")).find(file) != std::string::npos;
}

/// How many files in the folder the process has open, with a name or without.
size_t open_files(const Running& running, const std::string& folder) {
    size_t          count = 0;
    std::error_code ended;
    for (const auto& entry : fs::directory_iterator(own_file(running, "fd"), ended)) {
        if (fs::read_symlink(entry.path(), ended).string().rfind(folder, 0) == 0) ++count;
    }
    return count;
}

} // namespace

TEST_CASE("chunks: a list that threads share", "[host][files]") {
    ChunkList list(uint64_t{5} * step + 3, 2 * step);
    REQUIRE(list.count() == 3);
    CHECK(list.chunk(0).begin == 0);
    CHECK(list.chunk(1).begin == 2 * step);
    CHECK(list.chunk(1).count == 2 * step);
    CHECK(list.chunk(2).count == step + 3);
    CHECK(list.take() == 0u);
    CHECK(list.take() == 1u);
    list.give_back(0);
    CHECK_FALSE(list.wait_until(1, [] { return false; })); // nobody works on what it waits for
    CHECK(list.wait_until(1, [] { return true; }));
    CHECK(list.take() == 0u);
    CHECK(list.take() == 2u);
    // The last ones are at work: who is idle waits, since they may come back.
    std::thread idle([&] {
        const auto number = list.take();
        CHECK(number == 2u);
        if (number) list.done();
        CHECK_FALSE(list.take().has_value());
    });
    list.done();
    list.give_back(2);
    list.done();
    idle.join();
    CHECK(list.all_done());

    ChunkList none(0, step);
    CHECK(none.count() == 0);
    CHECK_FALSE(none.take().has_value());
    CHECK(none.all_done());
}

TEST_CASE("program: arrays in chunks have the bits of one piece", "[arrays]") {
    const Folder                 folder;
    const std::vector<Arguments> ways  = {{"--chunks", "1"}, {"--chunks", "7"}};
    const std::string            large = folder.npy("large.npy", NumberType::f32, scattered(6 * step + 12345, share));
    check_ways({"reduce", large}, ways);
    check_ways({"scan", large}, ways);
    check_ways({"scan", large, "--inclusive", "--op", "max"}, {{"--chunks", "7"}});
    CHECK(good_json({"reduce", large, "--chunks", "7"}).at("chunks") == 7);
    // Little memory makes chunks, too, and enough memory none.
    check_ways({"reduce", large}, {{"--memory", "20M"}});
    CHECK_FALSE(good_json({"reduce", large, "--memory", "1G"}).contains("chunks"));
    CHECK(good({"reduce", large, "--chunks", "7"}) == good({"reduce", large}));
    const std::string out = folder.path("out.npy");
    CHECK(good({"scan", large, "--chunks", "7", "-o", out}).find(out + ": 6303801 f32, exclusive add\n7 chunks, ") ==
          0);

    // About the borders of chunks.
    for (const uint32_t count : {0u, 1u, step, step + 1}) {
        const std::string file = folder.npy("a.npy", NumberType::u32, scattered(count, same));
        check_ways({"reduce", file, "--op", "xor"}, {{"--chunks", "7"}});
        check_ways({"scan", file}, {{"--chunks", "7"}});
        check_ways({"histogram", file}, {{"--chunks", "7"}});
        if (count != step) check_ways({"sort", file}, {{"--chunks", "7"}});
    }
    const std::string bytes = folder.npy("b.npy", NumberType::u8, scattered(2 * step + 5, byte));
    const std::string bools = folder.npy("c.npy", NumberType::boolean, scattered(step + 5, byte));
    const std::string wides = folder.npy("d.npy", NumberType::i64, scattered(step + 5, wide));
    const std::string halfs = folder.npy("e.npy", NumberType::f16, scattered(step + 5, half));
    for (const std::string& file : {bytes, bools, wides, halfs}) {
        check_ways({"reduce", file}, {{"--chunks", "7"}});
        check_ways({"scan", file, "--inclusive"}, {{"--chunks", "7"}});
    }
    check_ways({"sort", bytes}, {{"--chunks", "7"}});
    check_ways({"sort", halfs, "--descending"}, {{"--chunks", "7"}});
    check_ways({"histogram", large, "--range", "0", "1", "--bins", "100"}, ways);
    check_ways({"histogram", bytes}, ways);
    // Equal bits keep their order across chunks.
    check_ways({"sort", folder.npy("a.npy", NumberType::u32, scattered(2 * step + 5, same)), "--bits", "28", "31"},
               ways);
    // Bytes as they are, without a header.
    const std::string raw = folder.file("a.bin", bytes_of(scattered(step + 77, same)));
    check_ways({"reduce", raw, "--type", "u32", "--op", "min"}, ways);
}

TEST_CASE("program: the best of chunks, and where it is", "[arrays]") {
    const Folder       folder;
    std::vector<float> elements = scattered(2 * step + 5, share);
    elements[step + 7] = elements[2 * step + 1] = 5;
    elements[3] = elements[step + 3] = -5;
    elements[0]                      = std::nanf("");
    const std::string file           = folder.npy("a.npy", NumberType::f32, elements);
    check_ways({"reduce", file, "--op", "argmax"}, {{"--chunks", "7"}, {"--chunks", "1"}});
    check_ways({"reduce", file, "--op", "argmin"}, {{"--chunks", "7"}});
    CHECK(good({"reduce", file, "--op", "argmax", "--chunks", "7"}) == "5 1048583\n");
    const std::string bytes = folder.npy("b.npy", NumberType::u8, scattered(step + 5, byte));
    check_ways({"reduce", bytes, "--op", "argmax"}, {{"--chunks", "7"}});
    // Chunks without a number lose against one that has no better number than they begin with.
    std::vector<float> nothing(step + 5, std::nanf(""));
    check_fails(2, {"reduce", folder.npy("a.npy", NumberType::f32, nothing), "--op", "argmin", "--chunks", "7"},
                {"a.npy: has no elements but NaN, so there is no smallest one"});
    nothing[step + 3] = INFINITY;
    check_ways({"reduce", folder.npy("a.npy", NumberType::f32, nothing), "--op", "argmin"}, {{"--chunks", "7"}});
}

TEST_CASE("program: what does not come in chunks", "[arrays]") {
    const Folder      folder;
    const std::string file = folder.npy("a.npy", NumberType::f32, scattered(step + 5, share)),
                      out  = folder.path("b.npy");
    check_fails(2, {"reduce", file, "--op", "var", "--chunks", "2"}, {file, "--op var", "leave --chunks away"});
    check_fails(2, {"reduce", file, "--axis", "0", "--device", "0,1"}, {"--axis", "leave --device 0,1 away"});
    check_fails(2, {"scan", file, "--offsets", file, "--memory", "1G", "-o", out}, {"--offsets", "--memory"});
    check_fails(2, {"scan", file, "--chunks", "2", "-o", "-"}, {"-o -", "--chunks"});
    check_fails(2, {"sort", file, "--argsort", "--chunks", "2", "-o", out}, {"--argsort", "--chunks"});
    check_fails(2, {"reduce", file, "--parts", "3", "--chunks", "2"}, {"chunks", "leave --parts away"});
    check_fails(2, {"scan", file, "--inject", "late=1%", "--chunks", "2", "-o", out}, {"--inject", "--chunks"});
    check_fails(2, {"reduce", "-", "--type", "u8", "--chunks", "2"}, {"standard input", "no file"});
    check_fails(2, {"top", file, "-k", "1", "--device", "all"}, {"--device all", "only reduce, scan"});
    check_fails(2, {"reduce", file, "--device", "0,0"}, {"--device 0,0", "different numbers"});
    check_fails(2, {"reduce", file, "--memory", "3X"}, {"--memory 3X", "512M"});
    check_fails(2, {"reduce", file, "--memory", "0"}, {"--memory 0"});
    check_fails(2, {"reduce", file, "--memory", "3M"}, {"--memory 3M", "too little", "takes 8"});
    check_fails(2, {"reduce", file, "--chunks", "0"}, {"--chunks"});
    check_fails(2, {"reduce", file, "--type", "u32", "--chunks", "2"}, {"holds f32", "u32"});
    check_fails(3, {"reduce", file, "--device", "0,77"}, {"77"});
    // Inputs that are not what they say.
    const std::string content = content_of(file);
    check_fails(2, {"reduce", folder.file("c.npy", content.substr(0, content.size() - 1)), "--chunks", "2"},
                {"c.npy", "truncated"});
    check_fails(2, {"reduce", folder.file("c.npy", content + "x"), "--chunks", "2"}, {"c.npy", "mislabelled"});
    check_fails(2, {"reduce", folder.file("c.npy", ""), "--chunks", "2"}, {"c.npy", "empty"});
    check_fails(2, {"reduce", folder.file("c.bin", "abcde"), "--type", "u32", "--chunks", "2"}, {"5 bytes"});
    check_fails(2, {"reduce", folder.path("none.npy"), "--chunks", "2"}, {"none.npy"});
    const std::string columns = folder.file("c.npy", npy_of("<f4", true, "(2, 2)", std::string(16, '\0')));
    check_fails(2, {"reduce", columns, "--chunks", "2"}, {"Fortran order", "--chunks"});
    // No room for the output, which is found before any work is done.
    Setting full;
    full.file_size          = 16u << 20;
    const std::string large = folder.npy("large.npy", NumberType::u32, scattered(5 * step, same));
    check_fails(2, {"scan", large, "--chunks", "2", "-o", out}, {"b.npy", "cannot write"}, full);
    check_fails(2, {"sort", large, "--chunks", "2", "-o", large}, {"large.npy", "cannot write"}, full);
    CHECK(fs::file_size(large) == 20 * step + 128);
    CHECK(folder.entries() == 4);
}

TEST_CASE("program: what ends a job in chunks leaves no file", "[arrays]") {
    const Folder      folder, outputs;
    const std::string file = folder.file("a.bin", ""), out = outputs.path("out.npy");
    const Arguments   sort = {"sort", file, "--type", "u32", "--chunks", "7", "-o", out},
                    scan   = {"scan", file, "--type", "u32", "--chunks", "7", "-o", out},
                    reduce = {"reduce", file, "--type", "u8", "--chunks", "7"};
    const uint64_t size    = (uint64_t{64} << 20) + 100;
    const auto     renew   = [&] {
        fs::resize_file(file, 0);
        fs::resize_file(file, size); // all of it a hole
    };
    renew();
    for (const int signal : {SIGHUP, SIGQUIT, SIGKILL}) {
        if (signal == SIGKILL && !outputs.has_nameless_files()) continue;
        CAPTURE(signal);
        Running running(sort, {});
        CHECK(comes([&] { return open_files(running, outputs.path("")) == 2; }));
        REQUIRE(::kill(running.process(), signal) == 0);
        CHECK(running.wait().exit_code == -1);
        CHECK(outputs.entries() == 0);
    }
    // The input is cut: by much, and by less than a page.
    for (const Arguments& command : {sort, scan, reduce}) {
        for (const uint64_t left : {uint64_t{4096}, size - 4}) {
            if (left > 4096 && command != reduce) continue; // which goes on to the end, and reduce is the fastest
            CAPTURE(command, left);
            renew();
            Running running(command, {});
            CHECK(comes([&] { return maps(running, file); }));
            fs::resize_file(file, left);
            const Outcome outcome = running.wait();
            CHECK(outcome.exit_code == 2);
            CHECK(outcome.out.empty());
            CHECK(own_lines(outcome.err) ==
                  Arguments{"vkprim: error: " + file + ": has become shorter while it was read; " +
                            "run it again when nothing writes to it"});
            CHECK(outputs.entries() == 0);
        }
    }
}

TEST_CASE("program: several devices do one array's chunks", "[arrays]") {
    const auto both = two_drivers();
    if (!both) return;
    const Folder                 folder;
    const std::vector<Arguments> ways = {{"--device", "all", "--chunks", "7"}};
    const std::string            few  = folder.npy("a.npy", NumberType::f32, scattered(2 * step + 5, share));
    check_ways({"reduce", few}, ways, *both);
    check_ways({"reduce", few, "--op", "argmin"}, ways, *both);
    check_ways({"scan", few}, ways, *both);
    check_ways({"histogram", few, "--range", "0", "1"}, ways, *both);
    // One of the devices may read no bytes.
    const std::string bytes = folder.npy("b.npy", NumberType::u8, scattered(2 * step + 5, byte));
    check_ways({"reduce", bytes}, ways, *both);
    check_ways({"histogram", bytes}, ways, *both);
    const Json json = good_json({"reduce", few, "--device", "0,1", "--chunks", "7"}, *both);
    CHECK(json.at("devices").size() == 2);
    CHECK(json.at("devices").at(0).at("chunks").get<int>() + json.at("devices").at(1).at("chunks").get<int>() == 3);
}

TEST_CASE("program: a device that fails in the middle of chunks", "[arrays]") {
    const FaultyLayer layer;
    if (!layer.is_there()) return;
    const Folder                 folder, outputs;
    const std::string            file     = folder.npy("a.npy", NumberType::u32, scattered(4 * step + 5, same));
    const std::string            out      = outputs.path("a.npy");
    const Arguments              chunks   = {"--chunks", "7"};
    const std::vector<Arguments> commands = {{"reduce", file},
                                             {"reduce", file, "--op", "argmax"},
                                             {"scan", file, "-o", out},
                                             {"histogram", file, "-o", out},
                                             {"sort", file, "-o", out}};
    // Alone: nobody else can do its chunks.
    for (const Arguments& command : commands) {
        for (const char* at : {"0", "4"}) {
            check_fails(3, command + chunks, {"VK_ERROR_DEVICE_LOST"}, layer.with({{"FAULTY_LOSE_DEVICE_AT", at}}));
        }
        check_fails(1, command + chunks, {"wrong result"}, layer.with({{"FAULTY_SKIP_DISPATCH", "1"}}));
    }
    check_fails(3, commands[0] + chunks, {"VK_ERROR_OUT_OF_DEVICE_MEMORY"},
                layer.with({{"FAULTY_LARGEST_MEMORY", "100000"}}));
    CHECK(outputs.entries() == 0);

    const auto both = two_drivers();
    if (!both) return;
    const Json        devices = Json::parse(run({"info", "--json"}, *both).out).at("devices");
    const std::string lost    = "SwiftShader";
    REQUIRE(devices.size() == 2);
    const std::string            few        = folder.npy("b.npy", NumberType::u32, scattered(3 * step + 5, same));
    const std::vector<Arguments> short_ones = {
        {"reduce", few}, {"scan", few, "-o", out}, {"histogram", few, "-o", out}};
    for (const Arguments& command : short_ones) {
        const bool writes = command.size() > 2;
        const Json whole  = good_json(command);
        const auto bytes  = writes ? content_of(out) : "";
        // The device's memory is filled three times before the first chunk. A scan submits twice for a chunk.
        for (const std::string& at : Arguments{"0", "3", "4"}) {
            if (at == "4" && command[0] != "scan") continue;
            CAPTURE(command, at);
            Setting setting = layer.with({{"FAULTY_LOSE_DEVICE_AT", at}, {"FAULTY_DEVICE", lost}});
            setting.environment.insert(setting.environment.end(), both->environment.begin(), both->environment.end());
            const Outcome outcome = run(command + chunks + Arguments{"--device", "all", "--json"}, setting);
            CAPTURE(outcome.err);
            REQUIRE(outcome.exit_code == 0);
            const Json json = Json::parse(outcome.out);
            CHECK(result_of(json) == result_of(whole));
            if (writes) CHECK((content_of(out) == bytes));
            CHECK(device_of(json, lost).at("failed").get<std::string>().find("VK_ERROR_DEVICE_LOST") !=
                  std::string::npos);
            const Arguments said = own_lines(outcome.err);
            REQUIRE(said.size() == 1);
            CHECK(said[0].find(lost) != std::string::npos);
            CHECK(said[0].find(at == "0" ? "it was left out" : "done by the others") != std::string::npos);
        }
        // Both.
        Setting setting = layer.with({{"FAULTY_LOSE_DEVICE_AT", "7"}});
        setting.environment.insert(setting.environment.end(), both->environment.begin(), both->environment.end());
        fs::remove(out);
        check_fails(3, command + chunks + Arguments{"--device", "all"},
                    {"all devices failed", lost, "VK_ERROR_DEVICE_LOST"}, setting);
        CHECK(outputs.entries() == 0);
    }
}
