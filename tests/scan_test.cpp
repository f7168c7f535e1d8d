// What is particular to Scan. Its results: verify_test.cpp; its contract: contract_test.cpp; look-back alone:
// lookback_test.cpp.
#include <vkprim/chunked_scan.h>
#include <vkprim/scan.h>
#include <vkprim/segmented_scan.h>

#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {

TEST_CASE("scan: pairs of type and operation that do not exist", "[device][contract]") {
    for (Operation operation : {Operation::bit_and, Operation::bit_or, Operation::bit_xor}) {
        const auto scan = Scan::create(device().context(), {ElementType::f32, operation, Scan::Kind::inclusive});
        REQUIRE_FALSE(scan);
        CHECK(scan.error().kind == ErrorKind::invalid_desc);
        CHECK(scan.error().reason.find("f32 elements have no bit operations") != std::string::npos);
    }
}

TEST_CASE("scans: a kind that does not exist", "[device][contract]") {
    const auto check = [](const auto& scan) {
        REQUIRE_FALSE(scan);
        CHECK(scan.error().kind == ErrorKind::invalid_desc);
        CHECK(scan.error().reason == "Desc::kind is not a Kind");
    };
    const Context& context = device().context();
    const auto     kind    = static_cast<Scan::Kind>(2);
    check(Scan::create(context, {ElementType::u32, Operation::add, kind}));
    check(ChunkedScan::create(context, {ElementType::u32, Operation::add, kind}));
    SegmentedScan::Desc desc;
    desc.kind = kind;
    check(SegmentedScan::create(context, desc));
}

namespace {

/// Scan's tiles under a profile, as the grids that it records say.
class Tiles {
public:
    explicit Tiles(const Profile& profile) : scan_(value_of(Scan::create(context_of(spy_, profile), {}))) {
        spy_.forwards_commands = false;
    }

    uint64_t of(uint32_t count) {
        scan_.record(reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}), args(count));
        return uint64_t{spy_.last_grid[0]} * spy_.last_grid[1];
    }

    uint32_t elements(uint32_t count) const { return scan_.grid(args(count)).elements; }

private:
    static Context context_of(const Spy& spy, const Profile& profile) {
        Context context = spy.context();
        context.profile = &profile;
        return context;
    }

    static Scan::Args args(uint32_t count) {
        Scan::Args args;
        args.input = args.output = 1ull << 40;
        args.scratch             = 2ull << 40;
        args.count               = count;
        return args;
    }

    Spy  spy_{device().context()};
    Scan scan_;
};

} // namespace

TEST_CASE("scan: small_tiles of a profile", "[device][contract]") {
    Profile profile                = profile_of_device();
    profile.values["scan.blocks"]  = 2;
    profile.values["scan.aligned"] = 1;
    for (uint32_t small_tiles : {1u, 2u, 256u}) {
        CAPTURE(small_tiles);
        profile.values["scan.small_tiles"] = small_tiles;
        Tiles tiles(profile);
        CHECK(tiles.of(small_tiles * 4096) == small_tiles);
        CHECK(tiles.of(small_tiles * 4096 + 1) == small_tiles / 2 + 1);
    }
}

TEST_CASE("scan: tiles of one block, if a profile says so", "[device][contract]") {
    Profile profile               = profile_of_device();
    profile.values["scan.blocks"] = 1;
    Tiles scan(profile);
    for (uint32_t tiles : {1u, 2u, 257u, 70000u}) {
        CAPTURE(tiles);
        CHECK(scan.elements(tiles * 4096) == 4096);
        CHECK(scan.of(tiles * 4096) >= tiles);
    }
}

TEST_CASE("scan: scratch is a small part of the data", "[device][contract]") {
    Profile profile = profile_of_device();
    Context context = device().context();
    context.profile = &profile;
    for (const uint32_t blocks : {1u, 2u}) {
        profile.values["scan.blocks"] = blocks;
        const auto scan               = value_of(Scan::create(context, {}));
        for (uint32_t count : {0u, 1u, 4096u, 4097u, 1u << 20, 1u << 28, 0x7fffffffu, 0xffffffffu}) {
            CAPTURE(blocks, count);
            CHECK(scratch_size_of(scan, count) <= count / (blocks == 1 ? 170 : 256) + (1u << 20));
        }
    }
}

TEST_CASE("scan: a count of 0 records nothing", "[device][contract]") {
    const auto scan = value_of(Scan::create(device().context(), {}));
    scan.record(VK_NULL_HANDLE, {}); // no addresses, not even a command buffer
    SUCCEED();
}

} // namespace vkprim::tests
