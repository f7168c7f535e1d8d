// The harness's cases as tests, a test case for each way of setting up the device. Its sections are the subjects, so
// `-c scan` runs one of them. VKPRIM_TEST_FULL=1 takes the full extent.
#include "harness/harness.h"

#include "support/catch.h"
#include "support/device.h"

namespace vkprim::tests {
namespace {

void verify(const runtime::Device& device, const std::string& only) {
    harness::VerifyOptions options;
    options.extent = environment("VKPRIM_TEST_FULL") == "1" ? harness::Extent::full : harness::Extent::quick;
    for (const harness::Subject& subject : harness::subjects()) {
        if (!subject.verify) continue;
        DYNAMIC_SECTION(subject.name) {
            options.only = subject.name + only;
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
            CHECK((cases > 0 || !only.empty()));
        }
    }
}

} // namespace

TEST_CASE("verify", "[device][verify]") { verify(device(), ""); }

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

} // namespace vkprim::tests
