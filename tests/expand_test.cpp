// What is particular to Expand. Its results: verify_test.cpp.
#include <vkprim/compact.h>
#include <vkprim/expand.h>

#include <algorithm>

#include "harness/harness.h"
#include "support/memory.h"

namespace vkprim::tests {
namespace {

using Values = Expand::Values;

/// Addresses that nothing is at, for commands that are never submitted.
Expand::Args expand_nowhere(const Sizes& size) {
    Expand::Args args;
    args.segments.offsets = 1ull << 40;
    args.values           = 2ull << 40;
    args.output           = 3ull << 40;
    size.put_into(args);
    return args;
}

} // namespace

TEST_CASE("expand: the inverse of a compaction's runs", "[device][contract]") {
    const uint32_t        count = 100003;
    std::vector<uint32_t> keys;
    harness::Random       random(3);
    for (uint32_t run = 0; keys.size() < count; ++run)
        keys.insert(keys.end(), std::min<size_t>(1 + random.below(run % 50 == 0 ? 3000 : 9), count - keys.size()), run);

    Compact::Desc desc;
    desc.key                      = KeyType::u32;
    desc.keep                     = Compact::Keep::run_heads;
    desc.copy                     = Compact::Copy::keys_and_indices;
    desc.indices_end              = true;
    const auto            compact = value_of(Compact::create(device().context(), desc));
    const auto            expand  = value_of(Expand::create(device().context(), {}));
    const runtime::Buffer input = buffer_with(keys), unique = buffer_of_zeros(4 * count),
                          indices = buffer_of_zeros(4 * count + 4), kept = buffer_of_zeros(4),
                          output = buffer_of_zeros(4 * count), scratch = scratch_of(scratch_size_of(compact, count));
    Compact::Args runs;
    runs.keys    = input.address();
    runs.output  = unique.address();
    runs.indices = indices.address();
    runs.kept    = kept.address();
    runs.scratch = scratch.address();
    runs.count   = count;
    Expand::Args args;
    args.segments.offsets = indices.address();
    args.values           = unique.address();
    args.output           = output.address();
    Sizes{count, count}.put_into(args); // at most as many runs as keys
    args.segments.count_address = kept.address();
    require(expand.validate(args));
    submit([&](runtime::Commands& commands) {
        compact.record(commands.handle(), runs);
        commands.barrier();
        expand.record(commands.handle(), args);
    });
    CHECK(content_of(output) == keys);
}

// What is written stays within bounds, which the guard words see; elements are undefined.
TEST_CASE("expand: offsets that descend, or lie beyond the output", "[device][contract]") {
    const uint32_t count = 20000, segments = 6000, guard = 77, guards = 4096;
    // All tiles in one workgroup, or each in one.
    Profile one_workgroup                     = profile_of_device();
    one_workgroup.values["expand.share"]      = 16;
    one_workgroup.values["expand.workgroups"] = 1;
    for (Values which : {Values::indices, Values::bytes4, Values::bytes16}) {
        for (bool profiled : {false, true}) {
            Context context = device().context();
            if (profiled) context.profile = &one_workgroup;
            const auto     expand     = value_of(Expand::create(context, {which}));
            const uint32_t words_each = which == Values::bytes16 ? 4 : 1,
                           first      = which == Values::indices ? 0 : 1000000;
            std::vector<uint32_t> values(segments * words_each);
            for (uint32_t i = 0; i < values.size(); ++i) values[i] = first + i / words_each;
            harness::Random random(5);
            for (int round = 0; round < 5; ++round) {
                // Falling; random; every other one 0; beyond the output; and those that are fine.
                std::vector<uint32_t> offsets(segments + 1);
                for (uint32_t i = 0; i <= segments; ++i) {
                    offsets[i] = round == 0   ? count - std::min(count, i * 3)
                                 : round == 1 ? random.below(count + 1)
                                 : round == 2 ? i % 2 * random.below(count)
                                 : round == 3 ? 0xfffff000u + i % 4096
                                              : i * 3;
                }
                const uint32_t        size  = count * words_each;
                const runtime::Buffer where = buffer_with(offsets), what = buffer_with(values),
                                      output =
                                          buffer_with(std::vector<uint32_t>(size + 2 * guards, guard + (1u << 31)));
                Expand::Args args;
                args.segments.offsets = where.address();
                args.values           = what.address();
                args.output           = output.address() + guards * 4;
                Sizes{count, segments}.put_into(args);
                submit([&](runtime::Commands& commands) { expand.record(commands.handle(), args); });
                const std::vector<uint32_t> words = content_of(output);
                CAPTURE(round, words_each, profiled);
                const auto is_guard = [&](uint32_t word) { return word == guard + (1u << 31); };
                CHECK(std::all_of(words.begin(), words.begin() + guards, is_guard));
                CHECK(std::all_of(words.end() - guards, words.end(), is_guard));
                for (uint32_t i = 0; i < size; ++i) {
                    const uint32_t word = words[guards + i];
                    if (!is_guard(word) && word - first >= segments) FAIL("element " << i << " is no value: " << word);
                    const uint32_t segment = i / words_each / 3;
                    if (round == 4 && segment < segments && word != first + segment)
                        FAIL("element " << i << ": " << word);
                }
            }
        }
    }
}

TEST_CASE("expand: what create refuses", "[device][contract]") {
    check_error(Expand::create(device().context(), {static_cast<Values>(4)}), ErrorKind::invalid_desc, "Values");
    Profile profile                = profile_of_device();
    profile.values["expand.share"] = 17;
    Context context                = device().context();
    context.profile                = &profile;
    check_error(Expand::create(context, {}), ErrorKind::invalid_profile, "expand.share");
}

TEST_CASE("expand: what validate finds", "[device][contract]") {
    const auto wide    = value_of(Expand::create(device().context(), {Values::bytes16}));
    const auto indices = value_of(Expand::create(device().context(), {Values::indices}));
    require(wide.validate(expand_nowhere({1000000, 1000})));
    Expand::Args nothing;
    nothing.segments.count = 0;
    require(wide.validate(nothing));
    check_error(wide.validate({}), ErrorKind::invalid_args, "expand: segments.offsets is null");
    Expand::Args without_values = expand_nowhere({1000000, 1000});
    without_values.values       = 0;
    require(indices.validate(without_values));
    const auto check = [&](const std::string& reason, const std::function<void(Expand::Args&)>& change) {
        Expand::Args args = expand_nowhere({100000, 1000});
        change(args);
        check_error(wide.validate(args), ErrorKind::invalid_args, "expand: " + reason);
    };
    using Args = Expand::Args;
    check("segments.offsets is null", [](Args& args) { args.segments.offsets = 0; });
    check("segments.offset_size is 8", [](Args& args) { args.segments.offset_size = 8; });
    check("segments.offset_size is 2", [](Args& args) { args.segments.offset_size = 2; });
    check("segments.pitch is 16", [](Args& args) { args.segments.pitch = 16; });
    check("values is null", [](Args& args) { args.values = 0; });
    check("output is null", [](Args& args) { args.output = 0; });
    check("segments.offsets is 0x", [](Args& args) { args.segments.offsets += 2; });
    check("values is 0x", [](Args& args) { args.values += 8; });
    check("output is 0x", [](Args& args) { args.output += 4; });
    check("output overlaps values", [](Args& args) { args.output = args.values + 15984; });
    check("output overlaps segments.offsets", [](Args& args) { args.output = args.segments.offsets - 1599984; });
    check("segments.count_address is 0x", [](Args& args) { args.segments.count_address = (5ull << 40) + 2; });
    check("Part::number is 3", [](Args& args) { args.part = {3, 3}; });
    check("4294967295 segments with count 100000", [](Args& args) { args.segments.count = UINT32_MAX; });
}

} // namespace vkprim::tests
