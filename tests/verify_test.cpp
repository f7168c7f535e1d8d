// The harness's cases as tests, a test case for each way of setting up the device. Its sections are the subjects, so
// `-c scan` runs one of them. VKPRIM_TEST_EXTENT is pairs, few (quick's groups and shapes, of few counts), quick (so without it) or full.
// With VKPRIM_TEST_SHARE, "1/3", every third of a subject's groups alone, from number 1 on; on lesser and named devices, every third pair of a
// device and a group; of accesses, every third group. With VKPRIM_TEST_BLOCKS, 1 or 2, a CPU has the pipelines that GPUs have: 2, as
// NVIDIA's, 1, as all others'. With VKPRIM_TEST_REGISTERS, "few", those of GPUs with few registers.
#include "harness/harness.h"
#include "harness/levels.h"

#include <vkprim/glsl/detail/lookback_layout.h>
#include "support/catch.h"
#include "support/contract.h"
#include "support/share.h"
#include "support/test_device.h"

#include <algorithm>
#include <array>
#include <set>

namespace vkprim::tests {
namespace {

harness::VerifyOptions options_of_environment() {
    harness::VerifyOptions options;
    const std::string      extent = environment("VKPRIM_TEST_EXTENT");
    if (extent == "pairs")
        options.extent = harness::Extent::pairs;
    else if (extent == "few")
        options.counts = {1, 4097, 65537, 300001};
    else if (extent == "full")
        options.extent = harness::Extent::full;
    else if (!extent.empty() && extent != "quick")
        FAIL("VKPRIM_TEST_EXTENT is '" << extent << "'");
    const TestShare share = share_of_environment();
    options.group         = share.number;
    options.groups        = share.of;
    return options;
}

/// All groups, for a test that has a share of something else.
harness::VerifyOptions unshared_options() {
    harness::VerifyOptions options = options_of_environment();
    options.group                  = 0;
    options.groups                 = 1;
    return options;
}

/// The value: how many cases there were.
uint32_t verify_subject(const runtime::Device& device, const harness::Subject& subject,
                        const harness::VerifyOptions& options) {
    harness::Verifier verifier(device, options);
    subject.verify(verifier);
    uint32_t cases = 0;
    for (const harness::GroupResult& group : verifier.finish()) {
        cases += group.cases;
        UNSCOPED_INFO(group.name << ": " << group.failed << " of " << group.cases << " cases failed");
        for (const harness::Mismatch& mismatch : group.mismatches) {
            UNSCOPED_INFO(mismatch.case_name << ": " << mismatch.what);
        }
        CHECK(group.failed == 0);
    }
    return cases;
}

/// The cases of a subject whose name goes on with `only`. There must be some.
void verify_only(const runtime::Device& device, const harness::Subject& subject, const std::string& only,
                 harness::VerifyOptions options) {
    options.only = subject.name + " " + only;
    if (only.find("count=") != std::string::npos) { // one case, which need not be among few counts or the pairs
        options.counts.clear();
        if (options.extent == harness::Extent::pairs) options.extent = harness::Extent::quick;
    }
    uint32_t cases = verify_subject(device, subject, options);
    if (cases == 0 && options.extent == harness::Extent::pairs) { // the pairs leave the whole group out
        options.extent = harness::Extent::quick;
        cases          = verify_subject(device, subject, options);
    }
    CHECK(cases > 0);
}

using Names = std::vector<std::string>;

/// What a subject's Selection says; where none of it says anything, all cases.
Names selected(const harness::Subject& subject, Names harness::Selection::*names) {
    const harness::Selection& selection    = subject.selection;
    const bool                says_nothing = selection.accesses.empty() && selection.levels.empty() &&
                              selection.other_levels.empty() && selection.faults.empty();
    return says_nothing && names != &harness::Selection::other_levels ? Names{""} : selection.*names;
}

/// Primitives, that is: with cases, and created by name.
std::vector<const harness::Subject*> primitives() {
    std::vector<const harness::Subject*> some;
    for (const harness::Subject& subject : harness::subjects()) {
        if (subject.verify && subject.property.create) some.push_back(&subject);
    }
    return some;
}

/// Whether a profile may set such a number of the subject.
bool has_knob(const harness::Subject& subject, const std::string& name) {
    const auto is_it = [&](const harness::Knob& knob) { return knob.name == name; };
    return std::any_of(subject.contracts.begin(), subject.contracts.end(), [&](const harness::Contract& contract) {
        return std::any_of(contract.knobs.begin(), contract.knobs.end(), is_it);
    });
}

void verify(const runtime::Device& device, const std::string& only) {
    harness::VerifyOptions options = options_of_environment();
    for (const harness::Subject& subject : harness::subjects()) {
        if (!subject.verify) continue;
        DYNAMIC_SECTION(subject.name) {
            options.only         = subject.name + only;
            const uint32_t cases = verify_subject(device, subject, options);
            CHECK((cases > 0 || !only.empty()));
        }
    }
}

} // namespace

TEST_CASE("verify", "[device][verify]") {
    const std::string blocks = environment("VKPRIM_TEST_BLOCKS");
    if (blocks.empty()) return verify(device(), "");
    const auto count = static_cast<uint32_t>(std::stoul(blocks));
    const bool few   = environment("VKPRIM_TEST_REGISTERS") == "few";
    verify(device_with_profile(harness::with_shapes_of_gpus(device().info(), count, few)), "");
}

TEST_CASE("every pair of a group, a count and a shape is among the pairs", "[device][runtime]") {
    constexpr uint32_t     groups = 6, counts = 11, shapes = 8; // the fewest that a primitive has
    harness::VerifyOptions options;
    options.extent = harness::Extent::pairs;
    harness::Verifier                 verifier(device(), options);
    uint32_t                          cases = 0;
    std::set<std::array<uint32_t, 2>> group_count, group_shape, count_shape;
    for (uint32_t group = 0; group < groups; ++group) {
        REQUIRE(verifier.group("group " + std::to_string(group)));
        CHECK(verifier.wants("create"));
        for (uint32_t count = 0; count < counts; ++count) {
            for (uint32_t shape = 0; shape < shapes; ++shape) {
                if (!verifier.wants("count=" + std::to_string(count) + " shape " + std::to_string(shape))) continue;
                ++cases;
                group_count.insert({group, count});
                group_shape.insert({group, shape});
                count_shape.insert({count, shape});
            }
        }
    }
    CHECK(group_count.size() == groups * counts);
    CHECK(group_shape.size() == groups * shapes);
    CHECK(count_shape.size() == counts * shapes);
    CHECK(cases <= groups * counts * shapes / 5);
}

TEST_CASE("the brief extent has the first group of each way through the shaders", "[device][runtime]") {
    constexpr auto         cover = harness::Cover::all;
    harness::VerifyOptions options;
    options.extent = harness::Extent::brief;
    harness::Verifier verifier(device(), options);
    CHECK(verifier.group("a", cover, "one"));
    CHECK(verifier.wants("create"));
    CHECK_FALSE(verifier.group("b", cover, "one"));
    CHECK(verifier.group("c", cover, "another"));
    CHECK(verifier.wants("create"));
    CHECK(verifier.group("d")); // a way of its own
    CHECK(verifier.wants("create"));
    CHECK(verifier.finish().size() == 3);

    options.only = "b";
    harness::Verifier some(device(), options);
    CHECK_FALSE(some.group("a", cover, "one"));
    CHECK(some.group("b", cover, "one"));
}

TEST_CASE("groups that are parted among drivers are all there", "[device][runtime]") {
    harness::VerifyOptions options;
    std::vector<uint32_t>  times(7);
    for (options.groups = 3, options.group = 0; options.group < options.groups; ++options.group) {
        harness::Verifier verifier(device(), options);
        for (uint32_t group = 0; group < times.size(); ++group) {
            times[group] += verifier.group("group " + std::to_string(group)) && verifier.wants("create");
        }
        CHECK(verifier.finish().size() == (options.group == 0 ? 3 : 2));
    }
    CHECK(times == std::vector<uint32_t>(times.size(), 1));
}

// Floats have both kinds of register, so they stand for all types; SwiftShader runs all of them without 64-bit atomics.
TEST_CASE("verify without 64-bit atomics", "[device][verify]") {
    if (!device().info().features.shader_buffer_int64_atomics) {
        SUCCEED("so it is anyway");
        return;
    }
    verify(device_without_int64_atomics(), " f32");
}

TEST_CASE("verify without subgroup size control", "[device][verify]") {
    if (!device().info().features.subgroup_size_control) {
        SUCCEED("so it is anyway");
        return;
    }
    verify(device_without_subgroup_size_control(), " f32 add");
}

// That no access leaves a buffer, where GPU-assisted validation looks. It makes scan several times slower.
TEST_CASE("accesses", "[device][accesses]") {
    harness::VerifyOptions options = unshared_options();
    if (options.extent != harness::Extent::full) options.counts = {1, 4097, 65537};
    size_t number = 0;
    for (const harness::Subject* subject : primitives()) {
        for (const std::string& only : selected(*subject, &harness::Selection::accesses)) {
            if (is_of_share(number++)) verify_only(device(), *subject, only, options);
        }
    }
    // What touches the input of tiles ahead, which only GPUs do by themselves.
    options.counts = {65537};
    for (const harness::Subject* subject : primitives()) {
        const std::string distance = subject->name + ".prefetch_distance";
        if (!has_knob(*subject, distance)) continue;
        const Profile profile = {device().info().vendor_id, device().info().device_id, {{distance, 1}}};
        for (const std::string& only : selected(*subject, &harness::Selection::faults)) {
            verify_only(device_with_profile(profile), *subject, only, options);
        }
    }
}

namespace {

/// A group or two of each primitive, and few counts: one tile, several, and groups of them. Floats where their order could depend on
/// the level. SwiftShader takes a second for a scan of a million elements.
void verify_on_level(const harness::Level& level, const harness::Subject& subject, const std::string& name) {
    harness::VerifyOptions options = unshared_options();
    if (options.extent != harness::Extent::full) options.counts = {0, 1, 1000, 4097, 65537, 300001};
    verify_only(device_with_profile(level.profile), subject, name, options);
}

/// Most of the time goes into compiling, again for each level. So a run may have a share of the names: on the next level, it has others.
void verify_level(const std::vector<harness::Level>& levels, size_t number, bool all_kinds) {
    const harness::Level& level = levels[number];
    size_t                of_it = number;
    if (!level.skipped.empty()) {
        WARN("skipped: " << level.name << ": " << level.skipped);
        return;
    }
    for (const harness::Subject* subject : primitives()) {
        Names names = selected(*subject, &harness::Selection::levels);
        if (all_kinds) {
            for (const std::string& name : selected(*subject, &harness::Selection::other_levels)) names.push_back(name);
        }
        for (const std::string& name : names) {
            if (is_of_share(of_it++)) verify_on_level(level, *subject, name);
        }
    }
}

} // namespace

TEST_CASE("verify on lesser devices", "[device][levels]") {
    const std::vector<harness::Level> levels = harness::levels_of(device().info());
    for (size_t i = 0; i < levels.size(); ++i) {
        const std::string& name = levels[i].name;
        DYNAMIC_SECTION(name) { verify_level(levels, i, name == "no subgroups" || name == "no waiting"); }
    }
}

TEST_CASE("verify on named devices", "[device][named]") {
    const std::vector<harness::Level> levels = harness::named_levels_of(device().info());
    for (size_t i = 0; i < levels.size(); ++i) {
        DYNAMIC_SECTION(levels[i].name) { verify_level(levels, i, true); }
    }
}

TEST_CASE("verify with workgroups that withhold, dawdle or stall", "[device][levels]") {
    Profile                profile{device().info().vendor_id, device().info().device_id, {}};
    harness::VerifyOptions options = unshared_options();
    options.counts                 = {1, 4097, 65537, 300001, 1300001}; // 1 to 159 tiles, of which 128 are a group
    for (uint32_t fault : {VKPRIM_FAULT_WITHHOLD, VKPRIM_FAULT_LATE, VKPRIM_FAULT_STALL, VKPRIM_FAULT_DAWDLE}) {
        for (uint32_t share : {655u, 6554u, 65536u}) {
            // Each takes SwiftShader many seconds.
            const bool is_quick =
                fault != VKPRIM_FAULT_DAWDLE && (share == 6554 || (fault == VKPRIM_FAULT_WITHHOLD && share == 65536));
            if (!is_quick && options.extent != harness::Extent::full) continue;
            DYNAMIC_SECTION("fault " << fault << ", share " << share) {
                profile.values["lookback.fault"]       = fault;
                profile.values["lookback.fault_share"] = share;
                for (const harness::Subject* subject : primitives()) {
                    if (!looks_back(*subject)) continue;
                    for (const std::string& only : selected(*subject, &harness::Selection::faults)) {
                        verify_only(device_with_profile(profile), *subject, only, options);
                    }
                }
            }
        }
    }
}

} // namespace vkprim::tests
