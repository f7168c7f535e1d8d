// Every step of every ladder agrees with the CPU; and what steps say of themselves.
#include "tools/ladder/ladder.h"

#include <filesystem>
#include <fstream>
#include <set>

#include "harness/elements.h"
#include "support/memory.h"

namespace vkprim::tools::ladder {
namespace {

namespace fs = std::filesystem;

const std::string folder = VKPRIM_SOURCE_DIR "/tools/ladder";

/// Runs a step, twice, so that the second finds what the first has left.
void check_step(const runtime::Device& device, const Problem& problem, const Step& step) {
    CAPTURE(step.name);
    const harness::Workload workload = tests::value_of(step.prepare(problem));
    for (int round = 0; round < 2; ++round) {
        auto commands = tests::value_of(device.begin_commands());
        workload.record(commands.handle());
        tests::value_of(commands.submit_and_wait());
        CHECK(workload.check() == "");
    }
}

/// How many steps of all problems ran; vkprim's own, which have tests of theirs and drivers that compile them for long, only if asked.
uint32_t check_steps(const runtime::Device& device, const std::vector<Problem>& problems, uint32_t size,
                     bool with_own = false) {
    uint32_t ran = 0;
    for (const Problem& problem : problems) {
        CAPTURE(problem.data, problem.count, size);
        for (const Step& step : problem.steps(device, size)) {
            if (!step.skipped.empty() || (step.own && !with_own)) continue;
            check_step(device, problem, step);
            ++ran;
        }
    }
    return ran;
}

} // namespace

TEST_CASE("ladder: every step agrees", "[device][ladder]") {
    const std::pair<uint32_t, uint32_t> counts_and_sizes[] = {{1, 2},    {1, 256},    {255, 2},
                                                              {255, 16}, {4097, 256}, {70001, 128}};
    for (const Ladder& ladder : ladders()) {
        DYNAMIC_SECTION(ladder.name) {
            uint32_t ran = 0;
            for (const auto& [count, size] : counts_and_sizes)
                ran += check_steps(tests::device(), ladder.problems({count}), size, count == 70001);
            CHECK(ran >= (ladder.name == "sort" ? 24 : 40));
        }
    }
}

// With 41 workgroups in rows of 40, the second row has 39 too many; what they would write lies behind the scratch of most steps.
TEST_CASE("ladder: rows of workgroups that are not full", "[device][ladder][accesses]") {
    Profile profile                          = tests::profile_of_device();
    profile.values["device.workgroup_count"] = 40;
    const runtime::Device& device            = tests::device_with_profile(profile);
    for (const Ladder& ladder : ladders()) {
        DYNAMIC_SECTION(ladder.name) {
            for (uint32_t elements : {1, 2, 4, 16}) // of an invocation
                CHECK(check_steps(device, ladder.problems({41 * 32 * elements}), 32) >=
                      (ladder.name == "sort" ? 4 : 8));
        }
    }
}

TEST_CASE("ladder: look-back that does not wait", "[device][ladder]") {
    for (uint32_t count : {100u, 4097u}) {
        Problem problem   = scan_ladder().problems({count})[0];
        problem.max_polls = 0;
        CHECK(check_steps(tests::device(), {problem}, 8) >= 8);
    }
}

TEST_CASE("ladder: masks of every radius", "[device][ladder]") {
    for (uint32_t radius = 1; radius <= LADDER_RADIUS; ++radius) {
        CAPTURE(radius);
        const std::vector<Problem> problems = convolution_ladder().problems({997, radius});
        CHECK(check_steps(tests::device(), problems, 256) >= 21);
        if (radius == LADDER_RADIUS && tests::device().info().max_workgroup_invocations >= 512)
            CHECK(check_steps(tests::device(), problems, 512) >= 21);
    }
}

TEST_CASE("ladder: letters of a text", "[host][ladder]") {
    const std::string text    = "It was the best of times, it was the worst of times; {and} `so` ON.";
    const auto        bytes   = std::make_shared<harness::Bytes>(text.begin(), text.end());
    const Problem     problem = histogram_ladder().problems({1, 0, bytes})[1];
    CHECK(problem.count == text.size());
    // abcd, efgh, ijkl, mnop, qrst, uvwx, yz: capitals count as well, and braces are no letters.
    CHECK(problem.expected == harness::bytes_of({5, 9, 4, 9, 16, 3, 0}));
}

TEST_CASE("ladder: a wrong result is one", "[device][ladder]") {
    for (const Ladder& ladder : ladders()) {
        CAPTURE(ladder.name);
        Problem problem = ladder.problems({1000})[0];
        problem.expected[0] ^= 1;
        const Step              step     = problem.steps(tests::device(), 64)[0];
        const harness::Workload workload = tests::value_of(step.prepare(problem));
        tests::submit([&](runtime::Commands& commands) { workload.record(commands.handle()); });
        CHECK(workload.check().find("index 0") != std::string::npos);
    }
}

TEST_CASE("ladder: every shader is a step, of 60 lines at most", "[host][ladder]") {
    uint32_t shaders = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".comp") continue;
        CAPTURE(entry.path().filename().string());
        std::ifstream file(entry.path());
        uint32_t      lines = 0;
        for (std::string line; std::getline(file, line);) ++lines;
        CHECK(lines <= 60);
        if (entry.path().parent_path().filename() != "common") ++shaders;
    }
    std::set<std::string> steps;
    for (const Kernel& kernel : all_kernels()) steps.insert(kernel.ladder + kernel.step);
    CHECK(steps.size() == shaders);
}

TEST_CASE("ladder: numbers of a shape", "[host][ladder]") {
    Kernel kernel;
    kernel.shape = "elements=4 results=workgroup barriers=2L+1 shared=8.25N+16";
    CHECK(kernel.text("results") == "workgroup");
    CHECK(kernel.text("result") == "");
    CHECK(kernel.number("elements", 256, 1) == 4);
    CHECK(kernel.number("barriers", 256, 0) == 17);
    CHECK(kernel.number("shared", 64, 0) == 8.25 * 64 + 16);
    CHECK(kernel.number("absent", 64, 7) == 7);
    kernel.shape = "barriers=0.5LL+1.5L+2";
    CHECK(kernel.number("barriers", 256, 0) == 46);
}

} // namespace vkprim::tools::ladder
