// What validate() finds in Args, reason by reason. That record() asserts it: contract_test.cpp.
#include <vkprim/compact.h>
#include <vkprim/histogram.h>
#include <vkprim/indirect.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include "support/memory.h"
#include "support/spy.h"

namespace vkprim::tests {
namespace {

// Far enough from each other for any count.
constexpr VkDeviceAddress at(uint64_t place) { return place << 40; }
constexpr uint32_t        some_count = 50000;
const auto                somewhere  = reinterpret_cast<VkBuffer>(uintptr_t{0x40000});

Scan::Args good_args(const Scan&) {
    Scan::Args args;
    args.input   = at(1);
    args.output  = at(2);
    args.scratch = at(3);
    args.count   = some_count;
    return args;
}

Reduce::Args good_args(const Reduce&) {
    Reduce::Args args;
    args.input   = at(1);
    args.output  = at(2);
    args.scratch = at(3);
    args.count   = some_count;
    return args;
}

Compact::Args good_args(const Compact&) {
    Compact::Args args;
    args.keys     = at(1);
    args.output   = at(2);
    args.scratch  = at(3);
    args.elements = at(4);
    args.kept     = at(5);
    args.count    = some_count;
    return args;
}

Histogram::Args good_args(const Histogram&) {
    Histogram::Args args;
    args.input   = at(1);
    args.counts  = at(2);
    args.scratch = at(3);
    args.count   = some_count;
    return args;
}

IndirectCommand::Args good_args(const IndirectCommand&) {
    IndirectCommand::Args args;
    args.command       = at(1);
    args.count_address = at(2);
    return args;
}

/// Good Args, `edit` applied to them.
template <class Primitive, class Edit>
Result<void> validated(const Primitive& primitive, const Edit& edit) {
    auto args = good_args(primitive);
    edit(args);
    return primitive.validate(args);
}

template <class Primitive, class Edit>
void check_good(const Primitive& primitive, const Edit& edit) {
    const auto valid = validated(primitive, edit);
    CHECK((valid ? "" : valid.error().reason) == std::string());
}

template <class Primitive, class Edit>
void check_wrong(const Primitive& primitive, const std::string& reason, const Edit& edit) {
    CAPTURE(reason);
    const auto valid = validated(primitive, edit);
    CHECK_FALSE(valid);
    if (valid) return;
    CHECK(valid.error().kind == ErrorKind::invalid_args);
    CHECK(valid.error().reason.substr(0, reason.size()) == reason);
}

/// Null, not aligned, and beyond the last address.
template <class Primitive>
void check_address(const Primitive& primitive, const std::string& name, VkDeviceAddress Primitive::Args::*address,
                   uint32_t alignment) {
    using Args = typename Primitive::Args;
    check_wrong(primitive, name + " is null", [&](Args& args) { args.*address = 0; });
    if (alignment > 1) {
        check_wrong(primitive, name + " is 0x", [&](Args& args) { args.*address += alignment / 2; });
    }
    check_wrong(primitive, name + " goes beyond",
                [&](Args& args) { args.*address = ~VkDeviceAddress{0} - (alignment - 1); });
}

/// What all with a count have.
template <class Primitive>
void check_common(const Primitive& primitive, const std::string& name) {
    using Args = typename Primitive::Args;
    check_good(primitive, [](Args&) {});
    check_address(primitive, name + ": scratch", &Args::scratch, 16);
    check_wrong(primitive, name + ": count_address is 0x", [](Args& args) { args.count_address = at(9) + 2; });
    check_wrong(primitive, name + ": scratch overlaps count_address",
                [](Args& args) { args.count_address = args.scratch + 4; });
    check_good(primitive, [](Args& args) { args.count_address = at(9); });
    check_wrong(primitive, name + ": Part::parts is 0", [](Args& args) { args.part = {0, 0}; });
    check_wrong(primitive, name + ": Part::number is 3", [](Args& args) { args.part = {3, 3}; });
    check_good(primitive, [](Args& args) { args.part = {2, 3}; });
}

template <class Primitive>
void check_indirect(const Primitive& primitive, const std::string& name) {
    using Args = typename Primitive::Args;
    check_good(primitive, [](Args& args) {
        args.indirect      = {somewhere, 4};
        args.count_address = at(9);
    });
    check_wrong(primitive, name + ": indirect needs", [](Args& args) { args.indirect = {somewhere, 4}; });
    check_wrong(primitive, name + ": indirect with 2 parts", [](Args& args) {
        args.indirect      = {somewhere, 4};
        args.count_address = at(9);
        args.part          = {0, 2};
    });
    check_wrong(primitive, name + ": Indirect::offset is 6", [](Args& args) {
        args.indirect      = {somewhere, 6};
        args.count_address = at(9);
    });
}

/// A device whose grid is one row of 65535 workgroups.
template <class Primitive>
void check_grid(const typename Primitive::Desc& desc, const std::string& name) {
    using Args = typename Primitive::Args;
    Spy spy(device().context());
    spy.edit_properties = [](VkPhysicalDeviceProperties2& p) {
        p.properties.limits.maxComputeWorkGroupCount[0] = 65535;
        p.properties.limits.maxComputeWorkGroupCount[1] = 1;
    };
    const auto primitive = value_of(Primitive::create(spy.context(), desc));
    check_good(primitive, [](Args& args) { args.count = 1u << 24; });
    check_wrong(primitive, name + ": count 4294967295 takes", [](Args& args) { args.count = UINT32_MAX; });
    check_good(primitive, [](Args& args) {
        args.count = UINT32_MAX;
        args.part  = {1, 16};
    });
}

} // namespace

TEST_CASE("validate: scan", "[device][contract]") {
    using Args      = Scan::Args;
    const auto scan = value_of(Scan::create(device().context(), {}));
    check_common(scan, "scan");
    check_indirect(scan, "scan");
    check_grid<Scan>({}, "scan");
    check_address(scan, "scan: input", &Args::input, 4);
    check_address(scan, "scan: output", &Args::output, 4);
    check_good(scan, [](Args& args) { args.output = args.input; });
    check_good(scan, [](Args& args) { args = {}; }); // no elements
    check_good(scan, [](Args& args) { args.output = args.input + some_count * 4; });
    check_wrong(scan, "scan: output overlaps input", [](Args& args) { args.output = args.input + 4; });
    check_wrong(scan, "scan: output overlaps input", [](Args& args) { args.output = args.input + some_count * 4 - 4; });
    check_wrong(scan, "scan: output overlaps input", [](Args& args) { args.input = args.output + 400; });
    check_wrong(scan, "scan: scratch overlaps input",
                [](Args& args) { args.scratch = args.input + some_count * 4 - 16; });
    check_wrong(scan, "scan: scratch overlaps output", [](Args& args) { args.output = args.scratch + 16; });
    check_wrong(scan, "scan: output overlaps count_address", [](Args& args) { args.count_address = args.output; });
    // Of a count on the GPU the host knows that there may be one element.
    check_good(scan, [](Args& args) {
        args.count_address = at(9);
        args.output        = args.input + 4;
    });
}

TEST_CASE("validate: elements of 2 bytes", "[device][contract]") {
    if (!device().info().features.storage_buffer_8bit_access) {
        WARN("skipped: the device has no storageBuffer8BitAccess");
        return;
    }
    const auto scan = value_of(Scan::create(device().context(), {ElementType::u16}));
    check_address(scan, "scan: input", &Scan::Args::input, 2);
    check_address(scan, "scan: output", &Scan::Args::output, 4);
    // The input takes half of what the output does, which cannot lie in its place.
    check_wrong(scan, "scan: output overlaps input", [](Scan::Args& args) { args.output = args.input; });
    check_good(scan, [](Scan::Args& args) { args.output = args.input + some_count * 2; });
    check_good(scan, [](Scan::Args& args) { args.input = args.output + some_count * 4; });
    check_wrong(scan, "scan: output overlaps input",
                [](Scan::Args& args) { args.input = args.output + some_count * 4 - 2; });
    const auto reduce = value_of(Reduce::create(device().context(), {ElementType::u16}));
    check_address(reduce, "reduce: input", &Reduce::Args::input, 2);
    check_address(reduce, "reduce: output", &Reduce::Args::output, 4);
}

TEST_CASE("validate: reduce", "[device][contract]") {
    using Args        = Reduce::Args;
    const auto reduce = value_of(Reduce::create(device().context(), {}));
    check_common(reduce, "reduce");
    check_indirect(reduce, "reduce");
    check_grid<Reduce>({}, "reduce");
    check_address(reduce, "reduce: input", &Args::input, 4);
    check_address(reduce, "reduce: output", &Args::output, 4);
    check_good(reduce, [](Args& args) { args.input = args.count = 0; });
    check_wrong(reduce, "reduce: output overlaps input", [](Args& args) { args.output = args.input + 400; });
    check_wrong(reduce, "reduce: scratch overlaps output", [](Args& args) { args.output = args.scratch; });
    check_wrong(reduce, "reduce: scratch overlaps input", [](Args& args) { args.input = args.scratch; });
    check_wrong(reduce, "reduce: output overlaps count_address", [](Args& args) { args.count_address = args.output; });
}

TEST_CASE("validate: compact", "[device][contract]") {
    using Args          = Compact::Args;
    const auto& context = device().context();
    const auto  compact =
        value_of(Compact::create(context, {KeyType::u8, Compact::Keep::nonzero, Compact::Copy::elements}));
    check_common(compact, "compact");
    check_indirect(compact, "compact");
    check_grid<Compact>({}, "compact");
    check_address(compact, "compact: keys", &Args::keys, 1);
    check_address(compact, "compact: elements", &Args::elements, 4);
    check_address(compact, "compact: output", &Args::output, 4);
    check_address(compact, "compact: kept", &Args::kept, 4);
    check_good(compact, [](Args& args) { args.keys = args.elements = args.output = args.count = 0; });
    check_wrong(compact, "compact: kept is null",
                [](Args& args) { args.keys = args.elements = args.output = args.kept = args.count = 0; });
    check_wrong(compact, "compact: output overlaps keys", [](Args& args) { args.output = args.keys; });
    check_wrong(compact, "compact: output overlaps keys", [](Args& args) { args.output = args.keys + some_count - 4; });
    check_wrong(compact, "compact: output overlaps elements", [](Args& args) { args.output = args.elements; });
    check_wrong(compact, "compact: output overlaps elements", [](Args& args) { args.output = args.elements + 4; });
    check_wrong(compact, "compact: kept overlaps keys", [](Args& args) { args.kept = args.keys + 400; });
    check_wrong(compact, "compact: kept overlaps elements", [](Args& args) { args.kept = args.elements + 400; });
    check_wrong(compact, "compact: kept overlaps output", [](Args& args) { args.kept = args.output; });
    check_wrong(compact, "compact: kept overlaps count_address", [](Args& args) { args.count_address = args.kept; });
    check_wrong(compact, "compact: output overlaps count_address",
                [](Args& args) { args.count_address = args.output; });
    for (VkDeviceAddress Args::*address : {&Args::keys, &Args::elements, &Args::output, &Args::kept}) {
        check_wrong(compact, "compact: scratch overlaps", [=](Args& args) { args.*address = args.scratch + 16; });
    }
    // Others have no elements.
    const auto indices =
        value_of(Compact::create(context, {KeyType::u32, Compact::Keep::nonzero, Compact::Copy::indices}));
    check_good(indices, [](Args& args) { args.elements = 0; });
    check_good(indices, [](Args& args) { args.elements = args.output + 1; });
    check_wrong(indices, "compact: keys is 0x", [](Args& args) { args.keys += 2; });

    // Outputs that others do not have.
    Compact::Desc desc{KeyType::u32, Compact::Keep::run_heads, Compact::Copy::keys_and_indices};
    desc.rejected       = Compact::Rejected::packed;
    desc.indices_end    = true;
    const auto parted   = value_of(Compact::create(context, desc));
    const auto with_all = [](Args& args) {
        args.rejected = args.elements;
        args.indices  = args.elements + some_count * 2;
    };
    check_good(parted, with_all);
    check_wrong(parted, "compact: rejected is null", [=](Args& args) { with_all(args), args.rejected = 0; });
    check_wrong(parted, "compact: indices is 0x", [=](Args& args) { with_all(args), args.indices += 2; });
    check_wrong(parted, "compact: rejected overlaps", [=](Args& args) { with_all(args), args.rejected = args.output; });
    check_wrong(parted, "compact: rejected overlaps",
                [=](Args& args) { with_all(args), args.rejected = args.indices; });
    check_wrong(parted, "compact: rejected overlaps keys",
                [=](Args& args) { with_all(args), args.rejected = args.keys; });
    check_wrong(parted, "compact: kept overlaps rejected",
                [=](Args& args) { with_all(args), args.kept = args.rejected; });
    check_wrong(parted, "compact: indices is null", // which has an end, also of no indices
                [=](Args& args) { args.keys = args.output = args.rejected = args.indices = args.count = 0; });

    // Keys of 8 bytes, and their copies.
    desc.key        = KeyType::u64;
    const auto wide = value_of(Compact::create(context, desc));
    check_good(wide, [=](Args& args) { with_all(args), args.keys += 8, args.output += 4; });
    check_wrong(wide, "compact: keys is 0x", [=](Args& args) { with_all(args), args.keys += 4; });
    check_wrong(wide, "compact: keys goes beyond",
                [=](Args& args) { with_all(args), args.keys = ~VkDeviceAddress{0} - (some_count * 8 - 1) + 8; });
    check_wrong(wide, "compact: output overlaps keys",
                [=](Args& args) { with_all(args), args.output = args.keys + some_count * 8 - 4; });
    check_wrong(wide, "compact: output overlaps keys",
                [=](Args& args) { with_all(args), args.output = args.keys - 4; }); // with the first one's upper word
    check_wrong(wide, "compact: rejected overlaps keys",
                [=](Args& args) { with_all(args), args.rejected = args.keys - 4; });
    desc.aligned = true;
    check_wrong(value_of(Compact::create(context, desc)), "compact: keys is 0x",
                [=](Args& args) { with_all(args), args.keys += 8; });
}

// Desc::aligned: one pipeline fewer for each kind of dispatch, other addresses refused, and the same results.
TEST_CASE("validate: what Desc::aligned promises", "[device][contract]") {
    Spy     spy(device().context());
    Profile profile = profile_of_device();
    profile.values  = {
         {"scan.aligned", 1}, {"compact.aligned", 1}, {"reduce.aligned", 1}}; // CPUs have one pipeline anyway
    Context context      = spy.context();
    context.profile      = &profile;
    const auto pipelines = [&](const auto& make) {
        spy.forget_calls();
        value_of(make());
        return spy.calls(Spy::CreateComputePipelines);
    };
    for (const bool waits : {true, false}) {
        CAPTURE(waits);
        const auto create_scan = [&](bool aligned) {
            return Scan::create(context, {ElementType::u32, Operation::add, Scan::Kind::inclusive, waits, aligned});
        };
        const auto create_compact = [&](bool aligned) {
            return Compact::create(context,
                                   {KeyType::u8, Compact::Keep::nonzero, Compact::Copy::elements, waits, aligned});
        };
        CHECK(pipelines([&] { return create_scan(true); }) < pipelines([&] { return create_scan(false); }));
        CHECK(pipelines([&] { return create_compact(true); }) < pipelines([&] { return create_compact(false); }));

        const auto scan = value_of(create_scan(true));
        check_address(scan, "scan: input", &Scan::Args::input, 16);
        check_address(scan, "scan: output", &Scan::Args::output, 16);
        const auto compact = value_of(create_compact(true));
        check_address(compact, "compact: keys", &Compact::Args::keys, 4);
        check_address(compact, "compact: elements", &Compact::Args::elements, 16);

        std::vector<uint32_t> ones(some_count, 1), expected(some_count);
        for (uint32_t i = 0; i < some_count; ++i) expected[i] = i + 1;
        const runtime::Buffer input = buffer_with(ones), output = buffer_of_zeros(some_count * 4);
        const runtime::Buffer scratch = scratch_of(scratch_size_of(scan, some_count));
        submit([&](runtime::Commands& commands) {
            scan.record(commands.handle(), {input.address(), output.address(), scratch.address(), some_count, 0});
        });
        check_same(content_of(output), expected);
    }
    const auto create_reduce = [&](bool aligned) {
        return Reduce::create(context, {ElementType::u32, Operation::add, aligned});
    };
    CHECK(pipelines([&] { return create_reduce(true); }) < pipelines([&] { return create_reduce(false); }));
    check_address(value_of(create_reduce(true)), "reduce: input", &Reduce::Args::input, 16);
}

TEST_CASE("validate: histogram", "[device][contract]") {
    using Args           = Histogram::Args;
    const auto histogram = value_of(Histogram::create(device().context(), {SampleType::u16, 256, 0, 65536}));
    check_common(histogram, "histogram");
    check_address(histogram, "histogram: input", &Args::input, 2);
    check_address(histogram, "histogram: counts", &Args::counts, 4);
    check_good(histogram, [](Args& args) { args.input = args.count = 0; });
    check_good(histogram, [](Args& args) { args.counts = args.input + some_count * 2; });
    check_wrong(histogram, "histogram: counts overlaps input", [](Args& args) { args.counts = args.input; });
    check_wrong(histogram, "histogram: counts overlaps input",
                [](Args& args) { args.input = args.counts + 256 * 4 - 2; });
    check_wrong(histogram, "histogram: scratch overlaps input", [](Args& args) { args.input = args.scratch; });
    check_wrong(histogram, "histogram: scratch overlaps counts", [](Args& args) { args.counts = args.scratch; });
    check_wrong(histogram, "histogram: counts overlaps count_address",
                [](Args& args) { args.count_address = args.counts + 255 * 4; });
}

TEST_CASE("validate: histogram with weights and levels", "[device][contract]") {
    using Args = Histogram::Args;
    Histogram::Desc desc{SampleType::u16, 100, 0, 65536, 3, 2};
    desc.weights         = Weights::u32;
    desc.wide            = true;
    desc.levels          = true;
    const auto histogram = value_of(Histogram::create(device().context(), desc));
    const auto more      = [](const auto& edit) {
        return [edit](Args& args) {
            args.weights = at(4);
            args.levels  = at(5);
            edit(args);
        };
    };
    check_good(histogram, more([](Args&) {}));
    check_wrong(histogram, "histogram: weights is null", more([](Args& args) { args.weights = 0; }));
    check_wrong(histogram, "histogram: weights is 0x", more([](Args& args) { args.weights += 2; }));
    check_wrong(histogram, "histogram: levels is null", more([](Args& args) { args.levels = 0; }));
    check_wrong(histogram, "histogram: levels is null", more([](Args& args) { args.levels = args.count = 0; }));
    check_wrong(histogram, "histogram: levels is 0x", more([](Args& args) { args.levels += 2; }));
    check_wrong(histogram, "histogram: counts is 0x", more([](Args& args) { args.counts += 4; }));
    check_good(histogram, more([](Args& args) { args.weights = args.count = 0; }));
    // Pixels have a weight each, the last one, too, of which two samples are there.
    constexpr uint32_t pixels = (some_count + 2) / 3;
    static_assert(some_count % 3 == 2);
    check_good(histogram, more([](Args& args) { args.counts = args.weights + pixels * 4 + 4; }));
    check_wrong(histogram, "histogram: counts overlaps weights",
                more([](Args& args) { args.counts = args.weights + pixels * 4 - 4; }));
    check_good(histogram, more([](Args& args) { args.counts = args.levels + 101 * 4 + 4; }));
    check_wrong(histogram, "histogram: counts overlaps levels",
                more([](Args& args) { args.counts = args.levels + 100 * 4; }));
    check_good(histogram, more([](Args& args) { args.weights = args.counts + 200 * 8; }));
    check_wrong(histogram, "histogram: counts overlaps weights",
                more([](Args& args) { args.weights = args.counts + 199 * 8 + 4; }));
    check_wrong(histogram, "histogram: scratch overlaps weights",
                more([](Args& args) { args.scratch = args.weights; }));
    check_wrong(histogram, "histogram: scratch overlaps levels", more([](Args& args) { args.scratch = args.levels; }));
    check_good(histogram, more([](Args& args) { args.weights = args.input + 4; }));
}

TEST_CASE("validate: histogram of segments", "[device][contract]") {
    using Args = Histogram::Args;
    Histogram::Desc desc{SampleType::u16, 256, 0, 65536};
    desc.segments        = SegmentLayout::offsets;
    desc.weights         = Weights::u32;
    const auto histogram = value_of(Histogram::create(device().context(), desc));
    const auto more      = [](const auto& edit) {
        return [edit](Args& args) {
            args.weights          = at(4);
            args.segments.offsets = at(9);
            args.segments.count   = 10;
            edit(args);
        };
    };
    check_good(histogram, more([](Args&) {}));
    check_good(histogram, more([](Args& args) { args.segments.offset_size = 8; }));
    check_wrong(histogram, "histogram: segments.offset_size is 2: offsets have 4 or 8 bytes",
                more([](Args& args) { args.segments.offset_size = 2; }));
    check_wrong(histogram, "histogram: segments.offsets is null", more([](Args& args) { args.segments.offsets = 0; }));
    check_wrong(histogram, "histogram: segments.offsets is 0x", more([](Args& args) { args.segments.offsets += 2; }));
    check_wrong(histogram, "histogram: segments.offsets is 0x", more([](Args& args) {
                    args.segments.offsets += 4;
                    args.segments.offset_size = 8;
                }));
    check_wrong(histogram, "histogram: segments.pitch is 100000: that takes SegmentLayout::rows",
                more([](Args& args) { args.segments.pitch = some_count * 2; }));
    check_good(histogram, more([](Args& args) { args.counts = args.segments.offsets + 11 * 4; }));
    check_wrong(histogram, "histogram: counts overlaps segments.offsets",
                more([](Args& args) { args.counts = args.segments.offsets + 10 * 4; }));
    check_wrong(histogram, "histogram: counts overlaps input",
                more([](Args& args) { args.counts = args.input - 10 * 256 * 4 + 4; }));
    check_wrong(histogram, "histogram: scratch overlaps segments.offsets",
                more([](Args& args) { args.segments.offsets = args.scratch; }));
    // One weight for each sample, whatever the segments are.
    check_good(histogram, more([](Args& args) { args.counts = args.weights + some_count * 4; }));
    check_wrong(histogram, "histogram: counts overlaps weights",
                more([](Args& args) { args.counts = args.weights + some_count * 4 - 4; }));
    // So many that their places have numbers of 32 bits.
    const auto most = [](Args& args) {
        args.count            = 1u << 31;
        args.segments.count   = (1u << 29) - 1;
        args.input            = at(200);
        args.weights          = at(300);
        args.counts           = at(400);
        args.segments.offsets = at(500);
    };
    check_good(histogram, more(most));
    check_wrong(histogram, "histogram: 536870912 segments with count 2147483648 are too many", more([=](Args& args) {
                    most(args);
                    ++args.segments.count;
                }));
    check_good(histogram, more([](Args& args) { // nothing at all
                   args.segments.count = 0;
                   args.input = args.counts = args.scratch = args.segments.offsets = 0;
               }));
}

TEST_CASE("validate: histogram of rows", "[device][contract]") {
    using Args       = Histogram::Args;
    const auto plain = value_of(Histogram::create(device().context(), {SampleType::u16, 256, 0, 65536}));
    for (uint32_t rows : {0u, 2u}) {
        check_wrong(plain,
                    "histogram: segments.count is " + std::to_string(rows) + ": more than one takes Desc::segments",
                    [=](Args& args) { args.segments.count = rows; });
    }
    check_wrong(plain, "histogram: segments.count is 1, with a count_address",
                [](Args& args) { args.segments.count_address = at(8); });
    check_wrong(plain, "histogram: segments.pitch is 100000: that takes SegmentLayout::rows",
                [](Args& args) { args.segments.pitch = some_count * 2; });
    check_wrong(plain, "histogram: segments.offsets is set: that takes SegmentLayout::offsets",
                [](Args& args) { args.segments.offsets = at(8); });

    Histogram::Desc desc{SampleType::u16, 256, 0, 65536, 3, 2};
    desc.segments        = SegmentLayout::rows;
    desc.weights         = Weights::u32;
    const auto histogram = value_of(Histogram::create(device().context(), desc));
    const auto more      = [](const auto& edit) {
        return [edit](Args& args) {
            args.weights        = at(4);
            args.segments.count = 10;
            edit(args);
        };
    };
    constexpr uint32_t row = some_count * 2, counts_of_row = 512 * 4, weights_of_row = (some_count + 2) / 3 * 4;
    check_good(histogram, more([](Args&) {}));
    check_good(histogram, more([](Args& args) { args.segments.pitch = row + 2; }));
    check_good(histogram, more([](Args& args) { args.segments.pitch = row; }));
    check_wrong(histogram, "histogram: segments.pitch is 100001",
                more([](Args& args) { args.segments.pitch = row + 1; }));
    check_wrong(histogram, "histogram: segments.pitch is 99998, and a row has 50000",
                more([](Args& args) { args.segments.pitch = row - 2; }));
    check_good(histogram, more([](Args& args) {
                   args.segments.pitch = row - 2;
                   args.segments.count = 1;
               }));
    check_good(histogram, more([](Args& args) { // nothing at all
                   args.segments.count = 0;
                   args.input = args.counts = args.scratch = 0;
               }));
    check_wrong(histogram, "histogram: count is 2147483648: rows have less than 4 GiB",
                more([](Args& args) { args.count = 1u << 31; }));
    desc.channels = desc.counted_channels = 1;
    const auto of_pixels                  = value_of(Histogram::create(device().context(), desc));
    desc.channels                         = 3;
    desc.counted_channels                 = 2;
    check_wrong(of_pixels, "histogram: count is 1073741824: the weights of a row have less than 4 GiB",
                more([](Args& args) { args.count = 1u << 30; }));
    check_good(histogram, more([](Args& args) {
                   args.count          = 1u << 31;
                   args.segments.count = 1;
               }));
    // The last row ends where its samples do, and not with the pitch.
    check_good(histogram, more([](Args& args) {
                   args.segments.pitch = 2 * row;
                   args.counts         = args.input + 19 * row;
               }));
    check_wrong(histogram, "histogram: counts overlaps input", more([](Args& args) {
                    args.segments.pitch = 2 * row;
                    args.counts         = args.input + 19 * row - 4;
                }));
    check_good(histogram, more([](Args& args) { args.weights = args.counts + 10 * counts_of_row; }));
    check_wrong(histogram, "histogram: counts overlaps weights",
                more([](Args& args) { args.weights = args.counts + 10 * counts_of_row - 4; }));
    check_good(histogram, more([](Args& args) { args.counts = args.weights + 10 * weights_of_row; }));
    check_wrong(histogram, "histogram: counts overlaps weights",
                more([](Args& args) { args.counts = args.weights + 10 * weights_of_row - 4; }));
    check_wrong(histogram, "histogram: segments.count_address is 0x",
                more([](Args& args) { args.segments.count_address = at(8) + 2; }));
    check_wrong(histogram, "histogram: counts overlaps segments.count_address",
                more([](Args& args) { args.segments.count_address = args.counts; }));
    check_good(histogram, more([](Args& args) { args.segments.count_address = at(8); }));
    const auto most = [](Args& args) {
        args.counts         = 1ull << 62;
        args.count          = 1;
        args.segments.count = UINT32_MAX;
    };
    desc.bins       = 1u << 19;
    const auto many = value_of(Histogram::create(device().context(), desc));
    check_wrong(many, "histogram: 4294967295 rows with count 1 take ", more(most));
    check_good(many, more([&](Args& args) {
                   most(args);
                   args.part = {5, 1u << 20};
               }));
}

TEST_CASE("validate: indirect", "[device][contract]") {
    using Args         = IndirectCommand::Args;
    const auto command = value_of(IndirectCommand::create(device().context(), {}));
    check_good(command, [](Args&) {});
    check_address(command, "indirect: command", &Args::command, 4);
    check_address(command, "indirect: count_address", &Args::count_address, 4);
    check_wrong(command, "indirect: command overlaps count_address",
                [](Args& args) { args.count_address = args.command + 8; });
    check_good(command, [](Args& args) { args.count_address = args.command + 12; });
    check_wrong(command, "indirect: Grid::elements is 0", [](Args& args) { args.grid.elements = 0; });
    check_wrong(command, "indirect: Grid::least is 5", [](Args& args) { args.grid = {256, 5, 4}; });
    const auto draw = value_of(IndirectCommand::create(device().context(), {IndirectCommand::Kind::draw_indexed}));
    check_good(draw, [](Args& args) { args.grid = {0, 5, 4}; }); // which has none
    check_wrong(draw, "indirect: command overlaps count_address",
                [](Args& args) { args.count_address = args.command + 16; });
}

} // namespace vkprim::tests
