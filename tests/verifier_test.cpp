// The verifier itself: what it must notice. The operations are reductions, of which one too many writes where nothing may be
// written.
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include "harness/harness.h"
#include "support/memory.h"

#include <vkprim/glsl/detail/scratch.h>
#include <vkprim/glsl/detail/tile.h>

namespace vkprim::tests {
namespace {

/// Where the operation writes beyond its output, and how it goes wrong otherwise.
struct Misdeed {
    uint32_t counted  = 0;     ///< elements, of `case_count`, that it takes no notice of
    bool     in_place = false; ///< the output is at the beginning of the input

    std::function<VkDeviceAddress(VkDeviceAddress output, VkDeviceAddress scratch)> also; ///< writes there, too

    uint32_t misalignment = 0; ///< bytes of the output behind a multiple of 256
};

constexpr uint32_t case_count = 100;

class Suspect {
public:
    Suspect() : reduce_(value_of(Reduce::create(device().context(), {}))), verifier_(device(), {}) {
        verifier_.group("reduce");
    }

    VkDeviceSize scratch_size() const { return scratch_size_of(reduce_, case_count); }

    /// What the verifier says of the operation; empty where it has no objections.
    std::string verdict_on(const Misdeed& misdeed) {
        REQUIRE(verifier_.wants(std::to_string(cases_++)));
        const std::vector<uint32_t> ones(case_count, 1);
        std::vector<uint32_t>       expected = {case_count};
        const harness::Range        input    = verifier_.input(ones.data(), ones.size() * 4, misdeed.misalignment);
        harness::Range              output   = verifier_.output(4, misdeed.misalignment);
        if (misdeed.in_place) {
            output = input;
            expected.resize(case_count, 1);
        }
        Reduce::Args args;
        args.input                      = input.address;
        args.output                     = output.address;
        args.count                      = case_count - misdeed.counted;
        args.scratch                    = verifier_.scratch(scratch_size());
        const runtime::Buffer own_input = buffer_with(ones);
        const auto            record    = [&](VkCommandBuffer commands, const Part& part) {
            Reduce::Args now = args;
            if (part.number == 1) {
                now.input  = own_input.address();
                now.output = misdeed.also(output.address, args.scratch);
            }
            now.part = {};
            reduce_.record(commands, now);
        };
        verifier_.run(record, {1, misdeed.also ? 2u : 1u});
        verifier_.expect(output, expected.data(), harness::Format::u32);
        return said();
    }

private:
    /// Of the last case.
    std::string said() {
        std::vector<harness::GroupResult> groups = verifier_.finish();
        verifier_.group("reduce");
        REQUIRE(groups.size() == 1);
        REQUIRE(groups[0].mismatches.size() == groups[0].failed);
        return groups[0].failed == 0 ? "" : groups[0].mismatches[0].what;
    }

    Reduce            reduce_;
    harness::Verifier verifier_;
    uint32_t          cases_ = 0;
};

/// A misdeed that also writes that many bytes behind the beginning of the output.
Misdeed beside(int64_t bytes) {
    Misdeed misdeed;
    misdeed.also = [=](VkDeviceAddress output, VkDeviceAddress) {
        return output + static_cast<VkDeviceAddress>(bytes);
    };
    return misdeed;
}

/// The same, of scratch.
Misdeed in_scratch(VkDeviceSize bytes) {
    Misdeed misdeed;
    misdeed.also = [=](VkDeviceAddress, VkDeviceAddress scratch) { return scratch + bytes; };
    return misdeed;
}

} // namespace

TEST_CASE("the verifier notices a word outside an output", "[device][property]") {
    Suspect suspect;
    CHECK(suspect.verdict_on({}) == "");
    CHECK(suspect.verdict_on(beside(0)) == ""); // where the output is
    for (uint32_t misalignment : {0u, 4u, 12u}) {
        CAPTURE(misalignment);
        const auto verdict_on = [&](int64_t bytes) {
            Misdeed misdeed      = beside(bytes);
            misdeed.misalignment = misalignment;
            return suspect.verdict_on(misdeed);
        };
        CHECK(verdict_on(-4) == "a guard byte was overwritten, 4 bytes before the output");
        CHECK(verdict_on(-256) == "a guard byte was overwritten, 256 bytes before the output");
        CHECK(verdict_on(4) == "a guard byte was overwritten, 1 bytes behind the output");
        CHECK(verdict_on(256) == "a guard byte was overwritten, 253 bytes behind the output");
        CHECK(verdict_on(0) == "");
    }
}

TEST_CASE("the verifier notices a word outside an output that is in place", "[device][property]") {
    Suspect    suspect;
    const auto verdict_on = [&](int64_t bytes) {
        Misdeed misdeed  = beside(bytes);
        misdeed.in_place = true;
        return suspect.verdict_on(misdeed);
    };
    CHECK(verdict_on(0) == "");
    CHECK(verdict_on(-4) == "a guard byte was overwritten, 4 bytes before the output");
    CHECK(verdict_on(-256) == "a guard byte was overwritten, 256 bytes before the output");
    CHECK(verdict_on(case_count * 4) == "a guard byte was overwritten, 1 bytes behind the output");
    CHECK(verdict_on(case_count * 4 + 252) == "a guard byte was overwritten, 253 bytes behind the output");
}

TEST_CASE("the verifier notices a wrong output", "[device][property]") {
    Suspect suspect;
    Misdeed misdeed;
    misdeed.counted = 1;
    CHECK(suspect.verdict_on(misdeed) == "index 0: expected 100 (0x00000064), got 99 (0x00000063); 1 of 1 differ");
    misdeed.counted  = 0;
    misdeed.in_place = true;
    misdeed.also     = [](VkDeviceAddress output, VkDeviceAddress) { return output + 4 * 70; };
    CHECK(suspect.verdict_on(misdeed) == "index 70: expected 1 (0x00000001), got 100 (0x00000064); 1 of 100 differ");
    CHECK(suspect.verdict_on({}) == "");
}

TEST_CASE("the verifier notices litter in scratch, and words behind it", "[device][property]") {
    Suspect suspect;
    for (VkDeviceSize place : {0u, 12u}) {
        CAPTURE(place); // of the header
        CHECK(suspect.verdict_on(in_scratch(place)).find("scratch is not ready for the next operation: ") == 0);
        CHECK(suspect.verdict_on({}) == ""); // once it has been noticed, it is gone
    }
    for (uint32_t stripe = 0; stripe < VKPRIM_SCRATCH_STRIPES; ++stripe) {
        CAPTURE(stripe);
        CHECK(suspect.verdict_on(in_scratch(vkprim_scratch_offset(stripe, 0))).find("scratch is not ready") == 0);
        CHECK(suspect.verdict_on({}) == "");
    }
    const VkDeviceSize end = suspect.scratch_size();
    CHECK(suspect.verdict_on(in_scratch(end - 4)).find("scratch is not ready") == 0);
    CHECK(suspect.verdict_on(in_scratch(end)) == "a guard word was overwritten, 0 bytes behind the end of scratch");
    CHECK(suspect.verdict_on(in_scratch(end + 764)) ==
          "a guard word was overwritten, 764 bytes behind the end of scratch");
    CHECK(suspect.verdict_on({}) == "");
}

namespace {

/// Two cases, of which the second is wrong only behind the first: it reads what that has left in scratch.
std::vector<harness::GroupResult> run_two_cases(const harness::VerifyOptions& options) {
    const auto                  scan   = value_of(Scan::create(device().context(), {}));
    const auto                  reduce = value_of(Reduce::create(device().context(), {}));
    const std::vector<uint32_t> zeros(3 * VKPRIM_TILE_BLOCK);
    const auto                  count = static_cast<uint32_t>(zeros.size());
    harness::Verifier           verifier(device(), options);
    verifier.group("two");
    if (verifier.wants("scan")) {
        const harness::Range  input   = verifier.input(zeros.data(), count * 4, 0);
        const harness::Range  output  = verifier.output(count * 4, 0);
        const VkDeviceAddress scratch = verifier.scratch(scratch_size_of(scan, count));
        verifier.run(
            [&](VkCommandBuffer commands, const Part&) {
                scan.record(commands, {input.address, output.address, scratch, count});
            },
            {});
        verifier.expect(output, zeros.data(), harness::Format::u32);
    }
    if (verifier.wants("reduce")) {
        const harness::Range  output  = verifier.output(4, 0);
        const VkDeviceAddress scratch = verifier.scratch(scratch_size_of(reduce, 1));
        verifier.run(
            [&](VkCommandBuffer commands, const Part&) {
                reduce.record(commands, {scratch, output.address, scratch, 1}); // of arrivals so far
            },
            {});
        verifier.expect(output, zeros.data(), harness::Format::u32);
    }
    return verifier.finish();
}

} // namespace

TEST_CASE("the verifier names the case that a wrong one may depend on", "[device][property]") {
    std::vector<std::pair<std::string, std::string>> ran;
    harness::VerifyOptions                           options;
    options.on_case = [&](const std::string& name, const std::string& after) { ran.emplace_back(name, after); };
    auto groups     = run_two_cases(options);
    REQUIRE(groups.size() == 1);
    REQUIRE(groups[0].mismatches.size() == 1);
    const harness::Mismatch mismatch = groups[0].mismatches[0];
    CHECK(mismatch.case_name == "two reduce");
    CHECK(mismatch.after == "two scan");
    CHECK(ran ==
          std::vector<std::pair<std::string, std::string>>{{"two", ""}, {"two scan", ""}, {"two reduce", "two scan"}});

    // Alone, it is right; behind the other, wrong in the same way.
    options.only = mismatch.case_name;
    groups       = run_two_cases(options);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].cases == 1);
    CHECK(groups[0].failed == 0);
    options.after = mismatch.after;
    groups        = run_two_cases(options);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].cases == 2);
    REQUIRE(groups[0].mismatches.size() == 1);
    CHECK(groups[0].mismatches[0].what == mismatch.what);
    CHECK(groups[0].mismatches[0].after == mismatch.after);
}

} // namespace vkprim::tests
