// Compact by a predicate of your own (vkprim/glsl/predicate.glsl), and with several outputs in one go.
#include <vkprim/compact.h>
#ifdef VKPRIM_HAS_COMPILER
#include <vkprim/compiler.h>
#endif
#include <vkprim/operations/aabb.h>
#include <vkprim/operations/keep_near.h>

#include "harness/elements.h"
#include "support/memory.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace vkprim::tests {
namespace {

using Copy = Compact::Copy;
using Data = std::vector<uint32_t>;

constexpr uint32_t garbage = 0xabcdef01;

/// Points, flags, elements, and what is kept of them.
struct Scene {
    Data points, flags, elements, kept_elements, kept_indices;

    static constexpr uint32_t flag_mask = 0b0110, distance = 2000;

    explicit Scene(uint32_t count) {
        harness::Random random(count);
        for (uint32_t i = 0; i < count; ++i) {
            int32_t squared = 0;
            // Stretches of which all, some or none are near.
            const int32_t reach = static_cast<int32_t>(8 << i / 3000 % 4);
            for (uint32_t axis = 0; axis < 3; ++axis) {
                const int32_t x = static_cast<int32_t>(random.below(static_cast<uint32_t>(2 * reach))) - reach;
                squared += x * x;
                points.push_back(static_cast<uint32_t>(x));
            }
            flags.push_back(random.below(4));
            elements.push_back(static_cast<uint32_t>(random.next()));
            if (squared > static_cast<int32_t>(distance) || (flag_mask >> flags.back() & 1) == 0) continue;
            kept_elements.push_back(elements.back());
            kept_indices.push_back(i);
        }
    }
};

Compact create(const OwnOperation& own, const Context& context, bool waits = true) {
    Compact::Desc desc;
    desc.own   = &own;
    desc.copy  = Copy::elements_and_indices;
    desc.waits = waits;
    return value_of(Compact::create(context, desc));
}

struct Layout {
    uint32_t offset = 0, bound = 0, parts = 1; ///< of the elements and outputs, in words
};

void check_scene(const Compact& compact, uint32_t count, const Layout& shape) {
    CAPTURE(count, shape.offset, shape.bound, shape.parts);
    const Scene scene(count);
    Data        elements(shape.offset, garbage);
    elements.insert(elements.end(), scene.elements.begin(), scene.elements.end());
    elements.push_back(garbage);
    const auto            kept = static_cast<uint32_t>(scene.kept_indices.size());
    const Data            target(shape.offset + kept + 4, garbage);
    const runtime::Buffer source = buffer_with(elements), first = buffer_with(target), second = buffer_with(target);
    // Buffers that hold nothing else: whoever reads beyond reads what is not there.
    const auto            tight  = [](const Data& data) { return buffer_with(data.empty() ? Data(1) : data); };
    const runtime::Buffer points = tight(scene.points), flags = tight(scene.flags), number = buffer_of_zeros(4);
    const uint32_t        most    = std::max(count, shape.bound);
    const runtime::Buffer scratch = scratch_of(scratch_size_of(compact, most)), counted = buffer_with(Data{count});
    Compact::Args         args;
    args.elements = source.address() + shape.offset * 4;
    args.output   = first.address() + shape.offset * 4;
    args.indices  = second.address() + shape.offset * 4;
    args.kept     = number.address();
    args.scratch  = scratch.address();
    args.count    = most;
    if (shape.bound > 0) args.count_address = counted.address();
    args.parameters = {{points.address(), flags.address()}, {Scene::flag_mask, Scene::distance}};
    require(compact.validate(args));
    for (args.part.parts = shape.parts; args.part.number < shape.parts; ++args.part.number) {
        submit([&](runtime::Commands& commands) { compact.record(commands.handle(), args); });
    }
    CHECK(content_of(number)[0] == kept);
    const auto expected = [&](const Data& data) {
        Data all(shape.offset, garbage);
        all.insert(all.end(), data.begin(), data.end());
        all.resize(target.size(), garbage);
        return all;
    };
    check_same(content_of(first), expected(scene.kept_elements));
    check_same(content_of(second), expected(scene.kept_indices));
    check_ready(scratch);
}

/// Of segments that grow from 0 elements on, or of rows, with their indices.
void check_segments(const Context& context, SegmentLayout segments) {
    Compact::Desc desc;
    desc.own              = &operations::keep_near;
    desc.copy             = Copy::elements_and_indices;
    desc.indices_end      = true;
    desc.segments         = segments;
    const Compact compact = value_of(Compact::create(context, desc));
    for (const uint32_t count : {0u, 1u, 4096u, 20003u}) {
        CAPTURE(count);
        const Scene        scene(count);
        constexpr uint32_t row_length = 77;
        Data               offsets, kept;
        for (uint32_t begin = 0, length = 0; begin < count; begin += length++ / 2) {
            offsets.push_back(segments == SegmentLayout::rows ? static_cast<uint32_t>(offsets.size()) * row_length
                                                              : begin);
        }
        offsets.push_back(count + 1); // beyond the end
        const auto ahead = [&](uint32_t place) {
            const auto end = std::lower_bound(scene.kept_indices.begin(), scene.kept_indices.end(), place);
            return static_cast<uint32_t>(end - scene.kept_indices.begin());
        };
        if (segments == SegmentLayout::rows) offsets.back() = static_cast<uint32_t>(offsets.size() - 1) * row_length;
        for (const uint32_t offset : offsets) kept.push_back(ahead(offset));
        kept.push_back(static_cast<uint32_t>(scene.kept_indices.size()));
        const auto            number = static_cast<uint32_t>(offsets.size());
        const auto            tight  = [](const Data& data) { return buffer_with(data.empty() ? Data(1) : data); };
        const runtime::Buffer points = tight(scene.points), flags = tight(scene.flags),
                              elements = tight(scene.elements), cuts = buffer_with(offsets),
                              packed = buffer_of_zeros((count + 1) * 4), indices = buffer_of_zeros((count + 1) * 4),
                              words   = buffer_with(Data(kept.size() + 1, garbage)),
                              scratch = scratch_of(scratch_size_of(compact, count));
        Compact::Args args;
        args.elements         = elements.address();
        args.output           = packed.address();
        args.indices          = indices.address();
        args.kept             = words.address();
        args.scratch          = scratch.address();
        args.count            = count;
        args.segments.count   = number;
        args.segments.offsets = segments == SegmentLayout::offsets ? cuts.address() : 0;
        args.segments.pitch   = segments == SegmentLayout::rows ? row_length * 4 : 0;
        args.parameters       = {{points.address(), flags.address()}, {Scene::flag_mask, Scene::distance}};
        require(compact.validate(args));
        submit([&](runtime::Commands& commands) { compact.record(commands.handle(), args); });
        kept.push_back(garbage);
        check_same(content_of(words), kept);
        Data all = scene.kept_indices;
        all.push_back(count);
        all.resize(count + 1);
        check_same(content_of(indices), all);
        all = scene.kept_elements;
        all.resize(count + 1);
        check_same(content_of(packed), all);
        check_ready(scratch);
    }
}

void check_counts(const Compact& compact) {
    for (uint32_t count : {0u, 1u, 33u, 4095u, 4097u, 20003u}) check_scene(compact, count, {});
    for (uint32_t offset : {1u, 2u, 3u}) check_scene(compact, 9001, {offset});
    check_scene(compact, 20003, {0, 50000, 1});
    check_scene(compact, 50001, {1, 0, 3});
}

} // namespace

TEST_CASE("predicates of your own: what compact keeps", "[device][own][accesses]") {
    const Profile profile = profile_of_device();
    Context       context = device().context();
    context.profile       = &profile;
    check_counts(create(operations::keep_near, context));
    // More than a group of tiles.
    check_scene(create(operations::keep_near, context), 1100001, {});
}

TEST_CASE("predicates of your own: segments", "[device][own]") {
    Profile profile = profile_of_device();
    Context context = device().context();
    context.profile = &profile;
    check_segments(context, SegmentLayout::offsets);
    check_segments(context, SegmentLayout::rows);
    profile.values["device.subgroups"] = 0;
    check_segments(context, SegmentLayout::offsets);
}

TEST_CASE("predicates of your own: other variants", "[device][own]") {
    Profile profile                              = profile_of_device();
    Context context                              = device().context();
    context.profile                              = &profile;
    profile.values["compact.blocks"]             = 2;
    profile.values["compact.aligned"]            = 1;
    context.features.shader_int64                = false;
    context.features.shader_buffer_int64_atomics = false;
    check_counts(create(operations::keep_near, context));
    check_counts(create(operations::keep_near, context, false));
    profile.values["device.subgroups"] = 0;
    check_counts(create(operations::keep_near, context));
}

TEST_CASE("predicates of your own: what create() and validate() refuse", "[device][own]") {
    const Context context = device().context();
    Compact::Desc desc;
    desc.own = &operations::aabb; // an operation, which has no code for compact
    check_error(Compact::create(context, desc), ErrorKind::invalid_desc, "no code for compact");
    OwnOperation other = operations::aabb;
    std::copy(std::begin(other.reduce), std::end(other.reduce), other.compact);
    desc.own = &other;
    check_error(Compact::create(context, desc), ErrorKind::invalid_desc, "was not made by this version");
    desc.own  = &operations::keep_near;
    desc.copy = Copy::keys;
    check_error(Compact::create(context, desc), ErrorKind::invalid_desc, "no keys to copy");

    const Compact compact = create(operations::keep_near, context);
    Compact::Args args;
    args.elements = 1 << 20;
    args.output   = 2 << 20;
    args.indices  = 3 << 20;
    args.kept     = 4 << 20;
    args.scratch  = 5 << 20;
    args.count    = 100;
    CHECK(compact.validate(args)); // without keys
    args.indices = 0;
    check_error(compact.validate(args), ErrorKind::invalid_args, "indices is null");
    args.indices = (2 << 20) + 2;
    check_error(compact.validate(args), ErrorKind::invalid_args, "indices");
    args.indices = 2 << 20;
    check_error(compact.validate(args), ErrorKind::invalid_args, "indices overlaps output");
    args.indices = (1 << 20) + 396; // the last element
    check_error(compact.validate(args), ErrorKind::invalid_args, "indices overlaps elements");

    desc.copy                   = Copy::elements_and_indices;
    desc.segments               = SegmentLayout::rows;
    const Compact of_rows       = value_of(Compact::create(context, desc));
    args.segments.count_address = 6 << 20;
    check_error(of_rows.validate(args), ErrorKind::invalid_args, "segments.count_address with Desc::own");
}

#ifdef VKPRIM_HAS_COMPILER
TEST_CASE("compiler: a predicate from text", "[device][compiler]") {
    std::ifstream     file(std::string(VKPRIM_SOURCE_DIR) + "/tests/operations/keep_near.glsl");
    std::stringstream text;
    text << file.rdbuf();
    OperationSource source;
    source.text    = text.str();
    source.name    = "mine.glsl";
    source.compact = true;
    OperationCache cache;
    const auto     compiled = value_of(compile(device().context(), source, &cache));
    CHECK(compiled.operation().reduce[0].words == nullptr);
    check_scene(create(compiled.operation(), device().context()), 20003, {});
    const auto again = value_of(compile(device().context(), source, &cache));
    check_scene(create(again.operation(), device().context()), 4097, {});

    const auto error_of = [&](const std::string& wrong) {
        source.text       = wrong;
        const auto broken = compile(device().context(), source);
        REQUIRE_FALSE(broken);
        CHECK(broken.error().kind == ErrorKind::invalid_operation);
        return broken.error().reason;
    };
    const auto has = [](const std::string& all, const std::string& words) {
        CAPTURE(all, words);
        CHECK(all.find(words) != std::string::npos);
    };
    const std::string head = "#include <vkprim/glsl/predicate.glsl>\n";
    has(error_of(head + "bool keep(uint index) { return index + ; }\n"), "mine.glsl:2: ");
    has(error_of(head), "bool keep(uint)");
    has(error_of(head + "bool keep(float index) { return true; }\n"), "bool keep(uint)");
    has(error_of("bool keep(uint index) { return true; }\n"), "predicate.glsl");
}
#endif

} // namespace vkprim::tests
