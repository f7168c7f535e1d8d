// vkprim-mpi under mpirun, on ranks that are all on this machine. VKPRIM_MPI_PROGRAM and VKPRIM_MPIRUN name the two.
#include <signal.h>
#include <vkprim/chunks.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "../harness/elements.h"
#include "support/program.h"
#include "support/test_device.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tests;

namespace {

/// How vkprim-mpi is run with so many ranks.
Setting on_ranks(int ranks) {
    Setting setting;
    setting.command = {environment("VKPRIM_MPIRUN"), "-n", std::to_string(ranks), environment("VKPRIM_MPI_PROGRAM")};
    return setting;
}

/// Floats whose sums round, of a little more than three groups of elements.
const std::vector<float>& floats() {
    static const std::vector<float> all = [] {
        std::vector<float> elements;
        for (size_t i = 0; i < (3u << 20) + 777; ++i) elements.push_back(std::sin(static_cast<float>(i)) / 3);
        return elements;
    }();
    return all;
}

/// The process of a rank whose command line has `argument`, once it ends in a way of its own when mpirun ends it (SIGTERM); -1 before.
pid_t process_of(int rank, const std::string& argument) {
    constexpr uint64_t terminated = uint64_t{1} << (SIGTERM - 1);
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename(), folder = entry.path().string();
        if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
        const std::string variable = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
        if (content_of(folder + "/cmdline").find(argument) == std::string::npos) continue;
        if (content_of(folder + "/environ").find(variable) == std::string::npos) continue;
        const std::string status = content_of(folder + "/status");
        const size_t      caught = status.find("SigCgt:\t");
        if (caught == std::string::npos) continue;
        return std::stoull(status.substr(caught + 8, 16), nullptr, 16) & terminated ? std::stoi(name) : -1;
    }
    return -1;
}

} // namespace

TEST_CASE("mpi: scans have the same file on any number of ranks", "[mpi]") {
    const Folder      folder;
    const std::string input = folder.npy("a.npy", NumberType::f32, floats()), output = folder.path("out.npy");
    const Json        alone    = good_json({"scan", input, "-o", output, "--no-check"});
    const std::string expected = content_of(output);
    for (const int ranks : {1, 2, 3, 4, 7}) {
        CAPTURE(ranks);
        fs::remove(output);
        const Json json = good_json({"scan", input, "-o", output}, on_ranks(ranks));
        CHECK((content_of(output) == expected)); // not printed
        CHECK(json["ranks"] == ranks);
        CHECK(json["devices"].size() == static_cast<size_t>(ranks));
        for (const char* const same : {"op", "kind", "type", "count", "result", "result_bits", "output"})
            CHECK(json[same] == alone[same]);
    }
    CHECK(folder.entries() == 2);
}

TEST_CASE("mpi: reductions, sorts and histograms are those of one device", "[mpi]") {
    const Folder      folder;
    const std::string input = folder.npy("a.npy", NumberType::f32, floats()), output = folder.path("out.npy");
    for (const auto& [ranks, operation] : {std::pair(2, "add"), std::pair(4, "argmin"), std::pair(7, "mul")}) {
        CAPTURE(ranks, operation);
        const std::vector<std::string> arguments{"reduce", input, "--op", operation};
        const Setting                  setting = on_ranks(ranks);
        CHECK(good(arguments, setting) == good(arguments));
        const Json json = good_json(arguments, setting), alone = good_json(arguments);
        for (const char* const same : {"op", "type", "count", "result", "result_bits"})
            CHECK(json[same] == alone[same]);
    }
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"sort", input, "-o", output},
          {"sort", input, "--descending", "-o", output},
          {"histogram", input, "--range", "-0.2", "0.3", "--bins", "1000", "-o", output}}) {
        CAPTURE(arguments);
        good(arguments);
        const std::string expected = content_of(output);
        good(arguments, on_ranks(3));
        CHECK((content_of(output) == expected)); // not printed
    }
    const std::vector<std::string> histogram{"histogram", input, "--range", "-1", "1"};
    CHECK(good(histogram, on_ranks(4)) == good(histogram));
}

TEST_CASE("mpi: files of any type and size", "[mpi]") {
    const Folder folder;
    std::string  bytes;
    for (size_t i = 0; i < (2u << 20) + 16; ++i) bytes += static_cast<char>(i * 7919 >> 3);
    const std::string raw = folder.file("a.bin", bytes), few = folder.file("few.bin", bytes.substr(0, 16)),
                      none   = folder.npy("none.npy", NumberType::f64, std::vector<double>()),
                      output = folder.path("out.npy");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"scan", raw, "--type", "u8", "--inclusive"},
          {"scan", few, "--type", "i32"},
          {"scan", none},
          {"sort", raw, "--type", "f16"},
          {"sort", few, "--type", "i64"}}) {
        CAPTURE(arguments);
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"-o", output});
        good(all);
        const std::string expected = content_of(output);
        fs::remove(output);
        good(all, on_ranks(3));
        CHECK((content_of(output) == expected)); // not printed
    }
    CHECK(good({"reduce", none}, on_ranks(2)) == good({"reduce", none}));
    const std::vector<std::string> of_few{"reduce", few, "--type", "i32", "--op", "max"}; // most ranks have none
    CHECK(good(of_few, on_ranks(3)) == good(of_few));
    // Sums of 32 bits that wrap are told: here on the last rank, by what the others have added.
    const auto wrapped = [&](uint32_t value, uint32_t last, const char* kind) {
        std::vector<uint32_t> large(3 * chunk_step, value);
        large.back() = last;
        return good_json({"scan", folder.npy("large.npy", NumberType::u32, large), kind, "-o", output}, on_ranks(3))
            .at("wrapped");
    };
    CHECK(wrapped(1300, 1000, "--inclusive") == false);
    CHECK(wrapped(1300, 0x7fffffff, "--exclusive") == false);
    CHECK(wrapped(1300, 0x7fffffff, "--inclusive") == true);
    CHECK(wrapped(1500, 0, "--exclusive") == true);
}

TEST_CASE("mpi: the ranks' devices beside one", "[mpi]") {
    const std::string out = good({"bench", "--sizes", "2^14"}, on_ranks(2));
    CHECK(std::count(out.begin(), out.end(), '\n') == 4);
    for (const char* const name : {"operation", "reduce f32 add", "scan f32 add exclusive", "sort u32"}) {
        CAPTURE(name);
        CHECK(out.find(name) != std::string::npos);
    }
    const std::string scan = good({"bench", "--op", "scan", "--sizes", "2^14"}, on_ranks(2));
    CHECK(std::count(scan.begin(), scan.end(), '\n') == 2);
    CHECK(scan.find("scan f32 add exclusive") != std::string::npos);
}

TEST_CASE("mpi: what is wrong is said once, and no file is left", "[mpi]") {
    const Folder      folder;
    const std::string input  = folder.npy("a.npy", NumberType::f32, std::vector<float>(1000, 1)),
                      matrix = folder.file("m.npy", npy_of("<f4", true, "(2, 2)", std::string(16, 'x'))),
                      output = folder.path("out.npy");
    const auto fails = [&](int code, const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
        const Outcome outcome = run(arguments, on_ranks(3));
        const auto    lines   = own_lines(outcome.err);
        CAPTURE(arguments, outcome.err);
        CHECK(outcome.exit_code == code);
        CHECK(outcome.out.empty());
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].rfind("vkprim-mpi: error: ", 0) == 0);
        for (const std::string& word : words) CHECK(lines[0].find(word) != std::string::npos);
    };
    fails(2, {"add"}, {"there is no subcommand 'add'"});
    fails(2, {"reduce", folder.path("b.npy")}, {"b.npy", "cannot read"});
    fails(2, {"reduce", "-"}, {"standard input"});
    fails(2, {"reduce", input, "--op", "and"}, {"--op and does not take f32 elements"});
    fails(2, {"reduce", matrix}, {"Fortran order"});
    const std::vector<float> nan(5, std::numeric_limits<float>::quiet_NaN());
    fails(2, {"reduce", folder.npy("nan.npy", NumberType::f32, nan), "--op", "max"},
          {"no elements but NaN", "largest"});
    fails(2, {"reduce", folder.npy("nan.npy", NumberType::f32, std::vector<float>()), "--op", "argmin"},
          {"no elements", "smallest"});
    fails(2, {"histogram", input}, {"--range LO HI"});
    fails(2, {"scan", input, "-o", folder.path("no/out.npy")}, {"no/out.npy: cannot write"});
    fails(2, {"scan", input, "-o", "/dev/null.txt"}, {"ends in .npy"});
    fails(3, {"scan", input, "-o", output, "--device", "99"}, {"99"});
    CHECK(folder.entries() == 3);
}

TEST_CASE("mpi: what fails on one rank's device, the first rank says", "[mpi]") {
    const FaultyLayer layer;
    if (!layer.is_there()) return;
    const Folder      folder;
    const std::string input = folder.npy("a.npy", NumberType::f32, floats()), output = folder.path("out.npy");
    const std::vector<std::string> scan{"scan", input, "-o", output};
    const auto fails = [&](const std::string& fault, const std::string& value, const std::string& words) {
        // The first rank, and a second one with the fault.
        Setting setting = on_ranks(1);
        auto&   command = setting.command;
        command.insert(command.end(), scan.begin(), scan.end());
        command.insert(command.end(), {":", "-n", "1"});
        for (const auto& [name, of] : layer.with({{fault, value}}).environment)
            command.insert(command.end(), {"-x", name + "=" + of});
        command.push_back(environment("VKPRIM_MPI_PROGRAM"));
        const Outcome outcome = run(scan, setting);
        const auto    lines   = own_lines(outcome.err);
        CAPTURE(fault, value, outcome.err);
        CHECK(outcome.exit_code == 3);
        CHECK(outcome.out.empty());
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].rfind("vkprim-mpi: error: rank 1: ", 0) == 0);
        CHECK(lines[0].find(words) != std::string::npos);
        CHECK(folder.entries() == 1);
    };
    for (const int at : {0, 2, 3}) fails("FAULTY_LOSE_DEVICE_AT", std::to_string(at), "VK_ERROR_DEVICE_LOST");
    fails("FAULTY_LARGEST_MEMORY", "1000000", "each rank's part of the file must fit its device");
    fails("FAULTY_LARGEST_MEMORY", "4000000", "each rank's part of the file must fit its device");
}

TEST_CASE("mpi: a rank is killed in the middle", "[mpi]") {
    const Folder      folder;
    const std::string input = folder.npy("a.npy", NumberType::f32, floats()), output = folder.file("out.npy", "before");
    for (const int rank : {2, 0}) {
        CAPTURE(rank);
        Running    running({"scan", input, "-o", output}, on_ranks(3));
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        // The file beside the output is there, and all ranks know of it.
        const auto ready = [&] {
            return process_of(0, output) > 0 && process_of(1, output) > 0 && process_of(2, output) > 0;
        };
        while (!ready() && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(folder.entries() == 3);
        const pid_t victim = process_of(rank, output);
        REQUIRE(victim > 0);
        REQUIRE(::kill(victim, SIGKILL) == 0);
        const Outcome outcome = running.wait();
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 128 + SIGKILL);
        CHECK(outcome.out.empty());
        CHECK(outcome.err.find("exited on signal 9") != std::string::npos); // mpirun's words
        const std::vector<std::string> lines = own_lines(outcome.err);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0] ==
              "vkprim-mpi: error: " + output + ": not written, for the ranks were ended before it was complete");
        CHECK(content_of(output) == "before");
        CHECK(folder.entries() == 2);
    }
}
