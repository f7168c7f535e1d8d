// Look-back alone: that nobody has to wait for anybody, and that every level of it works. Scan is what it is looked at
// through; the spy changes the shader's constants and the grid.
#include <vkprim/operations/watched.h>
#include <vkprim/scan.h>

#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/scratch.h>
#include <vkprim/glsl/detail/tile.h>
#include "../shaders/scan/scan_push.h"
#include "harness/elements.h"
#include "harness/references.h"
#include "support/memory.h"
#include "support/share.h"
#include "support/spy.h"

#include <iostream>
#include <set>

namespace vkprim::tests {
namespace {

constexpr uint32_t most_invocations = 1024; // of a workgroup

constexpr uint32_t group       = VKPRIM_TILE_BLOCK * VKPRIM_TILE_FAN; // elements
constexpr uint32_t large_count = group - 5;                           // of which tiles are two blocks on every device

struct Setup {
    ElementType type     = ElementType::u32;
    Scan::Kind  kind     = Scan::Kind::exclusive;
    bool        word64   = true;
    bool        in_place = false;
    uint32_t    blocks   = 2;

    bool few_registers = false;

    uint32_t words() const { return harness::words_in(type); }     ///< of an element
    uint32_t block() const { return VKPRIM_TILE_BLOCK / words(); } ///< elements
    uint32_t tile() const { return blocks * block(); }             ///< elements of a large one
    uint32_t group_size() const { return group / words(); }        ///< elements
    uint32_t large() const { return large_count / words(); }       ///< elements
};

std::vector<Setup> setups() {
    std::vector<Setup> all;
    for (ElementType type : {ElementType::u32, ElementType::f32}) {
        for (bool word64 : {false, true}) {
            if (word64 && !device().info().features.shader_buffer_int64_atomics) continue;
            for (bool in_place : {false, true}) {
                // Of floats one of each kind of word, which is enough and half of the time.
                if (type == ElementType::f32 && in_place != word64) continue;
                // Between them, both kinds meet all the rest.
                const Scan::Kind kind = in_place == word64 ? Scan::Kind::inclusive : Scan::Kind::exclusive;
                all.push_back({type, kind, word64, in_place, 2});
                if (in_place == word64) all.push_back({type, kind, word64, in_place, 1});
            }
        }
    }
    // A tile that is loaded again where its output comes.
    all.push_back({ElementType::f32, Scan::Kind::exclusive, false, true, 1, true});
    // An element in two words: one place for each kind of word.
    all.push_back({ElementType::u64, Scan::Kind::exclusive, false, true, 2});
    if (device().info().features.shader_buffer_int64_atomics) {
        all.push_back({ElementType::u64, Scan::Kind::inclusive, true, false, 1});
    }
    return all;
}

/// The setups of this share, for tests that change constants. Without specialization, all modules have 64-bit integers: says on standard output
/// that there are no setups where the device has none.
std::vector<Setup> setups_with_constants() {
    if (device().info().features.shader_int64) return shared_out(setups());
    std::cout << "skipped: the device has no 64-bit integers, which modules have whose constants can be changed\n";
    return {};
}

std::string name_of(const Setup& setup) {
    return harness::name_of(setup.type) + (setup.kind == Scan::Kind::inclusive ? " inclusive" : " exclusive") +
           (setup.word64 ? ", 64-bit words" : ", 32-bit words") + (setup.in_place ? ", in place" : "") +
           (setup.blocks == 1 ? ", tiles of a block" : "") + (setup.few_registers ? ", few registers" : "");
}

std::vector<uint32_t> elements_for(const Setup& setup, uint32_t count) {
    return harness::random_elements({setup.type, Operation::add}, count, harness::Random(count));
}

std::vector<uint32_t> reference_of(const Setup& setup, const std::vector<uint32_t>& elements) {
    std::vector<uint32_t> output(elements.size());
    harness::reference_scan(setup.type, Operation::add, setup.kind, elements.data(), output.data(),
                            static_cast<uint32_t>(elements.size() / setup.words()));
    return output;
}

Result<Scan> create(const Spy& spy, const Setup& setup) {
    Profile profile = profile_of_device();
    profile.values  = {{"scan.blocks", setup.blocks}, {"scan.aligned", setup.blocks - 1}};
    if (!setup.word64) profile.values["device.word64"] = 0;
    if (setup.few_registers) profile.values["device.few_registers"] = 1;
    if (!spy.constants.empty()) profile.values["device.specializes"] = 0; // or they come too late
    Context context = spy.context();
    context.profile = &profile;
    return Scan::create(context, {setup.type, Operation::add, setup.kind});
}

/// Runs one scan. `scratch` holds what it begins with and must be ready for another in the end; from element `first` on, the
/// output must be the CPU reference's.
void check_scan(const Scan& scan, const Setup& setup, uint32_t count, std::vector<uint32_t> scratch, uint32_t first) {
    const std::vector<uint32_t> elements = elements_for(setup, count);
    std::vector<uint32_t>       expected = reference_of(setup, elements);
    const runtime::Buffer       input = buffer_with(elements), words = scratch_with(std::move(scratch));
    const runtime::Buffer       output = buffer_of_zeros(setup.in_place ? 4 : elements.size() * 4);
    const runtime::Buffer&      target = setup.in_place ? input : output;
    submit([&](runtime::Commands& commands) {
        scan.record(commands.handle(), {input.address(), target.address(), words.address(), count, 0});
    });
    // What nobody wrote: the input where that is in place, else zeros.
    for (uint32_t i = 0; i < first * setup.words(); ++i) expected[i] = setup.in_place ? elements[i] : 0;
    check_same(content_of(target), expected);
    check_ready(words);
}

/// The counter of arrivals before an operation: in the first turn, in the second, in the last before it wraps.
constexpr uint32_t turns[] = {0, VKPRIM_SCRATCH_ARRIVALS, 0u - VKPRIM_SCRATCH_ARRIVALS};

/// Scratch of `words` words in a stripe. After a scan of as many, if there is `litter` in the stripe that it had.
std::vector<uint32_t> scratch_in(uint32_t turn, uint32_t words, bool litter) {
    std::vector<uint32_t> scratch(vkprim_scratch_bytes(words) / 4);
    scratch[0] = turn;
    if (!litter) return scratch;
    const uint32_t stripe = 1 - turn / VKPRIM_SCRATCH_ARRIVALS % 2;
    scratch[1 + stripe]   = vkprim_scratch_sign(words);
    for (uint32_t word = 0; word < words; ++word) {
        scratch[vkprim_scratch_offset(stripe, word) / 4] = scratch[vkprim_scratch_offset(stripe, word) / 4 + 1] =
            0x10000 + word;
    }
    return scratch;
}

} // namespace

// One poll is the least there can be: whoever finds a word missing then helps.
TEST_CASE("look-back with one poll", "[device][lookback]") {
    for (const Setup& setup : setups_with_constants()) {
        DYNAMIC_SECTION(name_of(setup)) {
            for (uint32_t tickets : {0u, 1u}) {
                Spy spy(device().context());
                spy.constants[VKPRIM_MAX_POLLS_ID] = 1;
                spy.constants[VKPRIM_TICKETS_ID]   = tickets;
                const auto scan                    = value_of(create(spy, setup));
                uint32_t   run                     = 0;
                for (uint32_t count : {setup.block() + 1, setup.block() * 7, setup.large(), setup.group_size(),
                                       setup.group_size() + 1, setup.group_size() * 2 + 5}) {
                    const uint32_t turn = turns[run++ % 3];
                    CAPTURE(tickets, count, turn);
                    // More litter than the two tiles of the first count zero in one round.
                    check_scan(scan, setup, count, scratch_in(turn, 2 * most_invocations + 77 * run, true), 0);
                }
            }
        }
    }
}

// A driver may stop a workgroup at any moment, and run the others first. Here the first ones stop for good, right after
// they took their tickets, and the others must do without them.
TEST_CASE("look-back with workgroups that never go on", "[device][lookback]") {
    struct Stall {
        uint32_t tile, tiles, stalled;
    };
    // The last: a whole group of tiles is missing, so one level up there is a word that nobody publishes.
    for (const Setup& setup : setups_with_constants()) {
        const uint32_t tile     = setup.tile();
        const Stall    stalls[] = {{setup.block(), 2, 1},
                                   {setup.block(), 9, 3},
                                   {tile, setup.large() / tile + 1, 5},
                                   {tile, setup.group_size() / tile + 4, setup.group_size() / tile}};
        DYNAMIC_SECTION(name_of(setup)) {
            for (uint32_t max_polls : {1u, 512u}) {
                Spy spy(device().context());
                spy.constants[VKPRIM_MAX_POLLS_ID] = max_polls;
                spy.constants[VKPRIM_TICKETS_ID]   = 1;
                const auto scan                    = value_of(create(spy, setup));
                for (const Stall& stall : stalls) {
                    CAPTURE(max_polls, stall.tiles, stall.stalled);
                    const uint32_t        count   = stall.tiles * stall.tile - 3;
                    const uint32_t        turn    = turns[(stall.stalled + max_polls) % 3];
                    std::vector<uint32_t> scratch = scratch_in(turn, 300 * setup.words(), false);
                    scratch[0] += stall.stalled; // have arrived
                    if (setup.type != ElementType::f32) {
                        // The first one stopped between the two halves of its word, or between the two words of its element.
                        const std::vector<uint32_t> elements = elements_for(setup, count);
                        const uint32_t              sum =
                            harness::reference_reduce(setup.type, Operation::add, elements.data(), stall.tile)[0];
                        const uint32_t stripe = turn / VKPRIM_SCRATCH_ARRIVALS % 2,
                                       place  = vkprim_scratch_offset(stripe, 0) / 4;
                        const bool second     = setup.words() == 2;
                        if (!setup.word64) scratch[place] = 0x10000 | (sum & 0xffff);
                        if (!setup.word64 && second) scratch[place + 1] = 0x10000 | sum >> 16;
                        if (setup.word64 && second) scratch[place] = sum, scratch[place + 1] = 1;
                    }
                    spy.workgroups = stall.tiles - stall.stalled;
                    check_scan(scan, setup, count, scratch, stall.stalled * stall.tile);
                }
            }
        }
    }
}

// In place, what a helper loads is the tile's input only as long as the tile's word is missing. Here owners publish late, and helpers
// load later still, when the output is there: they must look at the word again, and leave it.
TEST_CASE("look-back with helpers that load a tile's output", "[device][lookback]") {
    constexpr uint32_t tiles = 120;
    for (const Setup& setup : setups_with_constants()) {
        if (!setup.in_place) continue;
        DYNAMIC_SECTION(name_of(setup)) {
            Spy spy(device().context());
            spy.constants[VKPRIM_MAX_POLLS_ID]   = 512;
            spy.constants[VKPRIM_TICKETS_ID]     = 1;
            spy.constants[VKPRIM_FAULT_ID]       = VKPRIM_FAULT_DAWDLE;
            spy.constants[VKPRIM_FAULT_SHARE_ID] = 65536;
            const auto scan                      = value_of(create(spy, setup));
            for (uint32_t round = 0; round < 2; ++round) { // whether a helper comes too late is a matter of luck
                CAPTURE(round);
                check_scan(scan, setup, tiles * setup.tile() - 3,
                           scratch_in(turns[round % 3], 300 * setup.words(), false), 0);
            }
        }
    }
}

// With full groups, the third level begins at 2^28 elements; with small ones, at a size for every day.
TEST_CASE("look-back over three levels", "[device][lookback]") {
    constexpr uint32_t small_fan = 8;
    for (const Setup& setup : setups_with_constants()) {
        const uint32_t tile = setup.tile(), small_group = small_fan / setup.blocks; // tiles
        if (setup.type == ElementType::f32) continue; // the order of float sums is that of full groups
        DYNAMIC_SECTION(name_of(setup)) {
            // The last: the whole first group of the second supergroup is missing, too, which those behind it find from two levels up.
            for (uint32_t stalled : {0u, 1u, small_group + 1, small_group * small_fan, small_group * small_fan + 1,
                                     small_group * (small_fan + 1)}) {
                Spy spy(device().context());
                spy.constants[SCAN_FAN_ID]         = small_fan;
                spy.constants[VKPRIM_MAX_POLLS_ID] = stalled == 0 ? 512 : 1;
                spy.constants[VKPRIM_TICKETS_ID]   = 1;
                const auto     scan                = value_of(create(spy, setup));
                const uint32_t tiles               = 5 * small_group * small_fan + 2 * small_group + 3;
                CAPTURE(tiles, stalled);
                REQUIRE(tiles * tile > setup.large());
                spy.workgroups = tiles - stalled;
                std::vector<uint32_t> scratch(
                    vkprim_scratch_bytes(setup.words() * vkprim_lookback_words(tiles, small_group, small_fan)) / 4);
                scratch[0] = stalled; // have arrived
                check_scan(scan, setup, tiles * tile - 1, scratch, stalled * tile);
            }
        }
    }
}

// The header of scratch that was never zero-filled may be just short of a turn's end. Then later workgroups look for words where there are none,
// and in the last stage nobody publishes those of groups.
TEST_CASE("look-back without waits, on scratch whose turn ends too early", "[device][lookback]") {
    const uint32_t count = 2 * group + 5;
    Scan::Desc     desc;
    desc.own                    = &operations::watched;
    desc.waits                  = false;
    const auto            scan  = value_of(Scan::create(device().context(), desc));
    const runtime::Buffer loads = buffer_of_zeros(4), order = buffer_of_zeros(count * 4),
                          output = buffer_of_zeros(count * 4);
    std::vector<uint32_t> words(scratch_size_of(scan, count) / 4);
    words[0]                      = VKPRIM_SCRATCH_ARRIVALS - 5;
    const runtime::Buffer scratch = scratch_with(words);
    Scan::Args            args;
    args.output     = output.address();
    args.scratch    = scratch.address();
    args.count      = count;
    args.parameters = {{loads.address(), order.address()}, {}};
    submit([&](runtime::Commands& commands) { scan.record(commands.handle(), args); });
    CHECK(content_of(loads)[0] == 2 * count);
}

// Both sizes of tiles and both kinds of addresses: one order of float sums.
TEST_CASE("look-back: float sums do not depend on the tile", "[device][lookback]") {
    for (const auto& [blocks, bound] :
         {std::pair(2u, large_count / 2), {2u, large_count}, {1u, large_count / 2}, {1u, 2 * group + 1}}) {
        Setup setup;
        setup.type   = ElementType::f32;
        setup.blocks = blocks;
        Spy                         spy(device().context());
        const auto                  scan     = value_of(create(spy, setup));
        const std::vector<uint32_t> elements = elements_for(setup, large_count / 2 - 77);
        const runtime::Buffer       input = buffer_with(elements), output = buffer_of_zeros(elements.size() * 4 + 16);
        const runtime::Buffer       words = scratch_of(scratch_size_of(scan, bound));
        const runtime::Buffer       count = buffer_with(std::vector<uint32_t>{static_cast<uint32_t>(elements.size())});
        for (uint32_t offset : {0u, 4u}) {
            CAPTURE(blocks, bound, offset);
            submit([&](runtime::Commands& commands) {
                scan.record(commands.handle(),
                            {input.address(), output.address() + offset, words.address(), bound, count.address()});
            });
            std::vector<uint32_t> got = content_of(output);
            got.erase(got.begin(), got.begin() + offset / 4);
            got.resize(elements.size());
            check_same(got, reference_of(setup, elements));
            check_ready(words);
        }
    }
}

TEST_CASE("the stripes of scratch take turns", "[host][lookback]") {
    CHECK(vkprim_scratch_bytes(0) == 16);
    CHECK(vkprim_scratch_bytes(1) == 16 + 3 * 256);
    CHECK(vkprim_scratch_bytes(32) == 16 + 3 * 256);
    CHECK(vkprim_scratch_bytes(33) == 16 + 6 * 256);
    std::set<uint32_t> places;
    for (uint32_t stripe = 0; stripe < VKPRIM_SCRATCH_STRIPES; ++stripe) {
        for (uint32_t word = 0; word < 100; ++word) {
            const uint32_t offset = vkprim_scratch_offset(stripe, word);
            CHECK(offset % 8 == 0);
            CHECK(offset + 8 <= vkprim_scratch_bytes(word + 1));
            places.insert(offset);
        }
    }
    CHECK(places.size() == VKPRIM_SCRATCH_STRIPES * 100);

    // What the checks after every operation would say.
    std::vector<uint32_t> scratch(vkprim_scratch_bytes(96) / 4);
    CHECK(harness::scratch_fault(scratch) == "");
    scratch[vkprim_scratch_offset(1, 35) / 4] = 7;
    CHECK(harness::scratch_fault(scratch) != ""); // not said to be there
    scratch[2] = 4;
    CHECK(harness::scratch_fault(scratch) != ""); // no count
    scratch[2] = vkprim_scratch_sign(36);
    CHECK(harness::scratch_fault(scratch) == "");
    scratch[2] = vkprim_scratch_sign(32);
    CHECK(harness::scratch_fault(scratch) != "");
    scratch[2] = vkprim_scratch_sign(36);
    scratch[0] = VKPRIM_SCRATCH_ARRIVALS;
    CHECK(harness::scratch_fault(scratch) != ""); // in the stripe whose turn it is
    scratch[0] = 2 * VKPRIM_SCRATCH_ARRIVALS + 1;
    CHECK(harness::scratch_fault(scratch) != "");
    scratch[0] = 2 * VKPRIM_SCRATCH_ARRIVALS;
    CHECK(harness::scratch_fault(scratch) == "");
    scratch[vkprim_scratch_offset(2, 39) / 4 + 1] = 1;
    CHECK(harness::scratch_fault(scratch) != "");
}

TEST_CASE("counts of words left, and what is none", "[host][lookback]") {
    for (uint32_t words : {0u, 32u, 544u, (1u << 20) + 4096, (1u << 26) - 32}) {
        CAPTURE(words);
        CHECK(vkprim_scratch_left(vkprim_scratch_sign(words)) == words);
        if (words > 0) CHECK(vkprim_scratch_left(vkprim_scratch_sign(words - 31)) == words); // whole runs
    }
    for (uint32_t garbage : {1u, 100000u, 0x3f800000u, 0xcdcdcdcdu, ~0u}) CHECK(vkprim_scratch_left(garbage) == 0);
    uint32_t passed = 0;
    for (uint32_t word = 0; word < 1u << 20; ++word) passed += vkprim_scratch_left(word * 0x9e3779b1u) != 0;
    CHECK(passed < 2u << 9); // one of 2048, and not of 1024
}

TEST_CASE("the layout of look-back's scratch", "[host][lookback]") {
    CHECK(vkprim_lookback_words_below(0, 1000, 256, 256) == 0);
    CHECK(vkprim_lookback_words_below(1, 1000, 256, 256) == 1000);
    CHECK(vkprim_lookback_words_below(2, 1000, 256, 256) == 1000 + 4);
    CHECK(vkprim_lookback_words(1000, 256, 256) == 1000 + 4 + 1);
    CHECK(vkprim_lookback_words(1000, 128, 256) == 1000 + 8 + 1);
    CHECK(vkprim_lookback_words(256, 256, 256) == 256 + 1 + 1);
    CHECK(vkprim_lookback_words(257, 256, 256) == 257 + 2 + 1);
    CHECK(vkprim_lookback_words(0, 256, 256) == 0);
    // 2^19 tiles, 2^12 groups, 2^4 supergroups.
    CHECK(vkprim_lookback_words(1u << 19, 128, 256) == (1u << 19) + (1u << 12) + (1u << 4));
    // Header words and levels have room for 2^32 elements of two words in tiles of 2048, and of four words in tiles of 512; of eight words,
    // in tiles of 256, for 2^30.
    CHECK((1u << 24) <= VKPRIM_SCRATCH_ARRIVALS);
    CHECK(2 * vkprim_lookback_words(1u << 21, 256, 256) < VKPRIM_SCRATCH_MOST_LEFT);
    CHECK(4 * vkprim_lookback_words(1u << 23, 256, 256) < VKPRIM_SCRATCH_MOST_LEFT);
    CHECK(8 * vkprim_lookback_words(1u << 22, 256, 256) < VKPRIM_SCRATCH_MOST_LEFT);
    CHECK(8 * vkprim_lookback_words(1u << 24, 256, 256) >= VKPRIM_SCRATCH_MOST_LEFT); // which Scan::validate() refuses
    CHECK((1u << 23) / 256 / 256 <= 256);
}

} // namespace vkprim::tests
