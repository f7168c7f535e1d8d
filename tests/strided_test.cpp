// Reduce and Scan of elements that are no neighbours in memory. Their results on all counts: `vkprim verify --only 'reduce strided'`.
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <vkprim/operations/aabb.h>

#include "harness/elements.h"
#include "support/memory.h"

namespace vkprim::tests {
namespace {

using Data = std::vector<uint32_t>;

/// Words of the elements, `stride` words apart, behind `offset` of them; the buffer ends with the last element.
runtime::Buffer buffer_of(const Data& elements, uint32_t stride, uint32_t offset) {
    Data words(offset + (elements.size() - 1) * stride + 1, 0x7fc00000); // NaN
    for (size_t i = 0; i < elements.size(); ++i) words[offset + i * stride] = elements[i];
    return buffer_with(words);
}

template <class Primitive>
Data result_of(const Primitive& primitive, typename Primitive::Args args, size_t words) {
    const runtime::Buffer output  = buffer_with(Data(words, 0xcdcdcdcd)),
                          scratch = scratch_of(primitive.scratch_size(args));
    args.output                   = output.address();
    args.scratch                  = scratch.address();
    require(primitive.validate(args));
    submit([&](runtime::Commands& commands) { primitive.record(commands.handle(), args); });
    check_ready(scratch);
    return content_of(output);
}

template <class Primitive>
void check_like_neighbours(ElementType type, Operation operation) {
    constexpr bool           reduces = std::is_same_v<Primitive, Reduce>;
    typename Primitive::Desc desc{type, operation};
    const auto               dense = value_of(Primitive::create(device().context(), desc));
    desc.strided                   = true;
    const auto apart               = value_of(Primitive::create(device().context(), desc));
    for (uint32_t count : {1u, 5u, 1000u, 8192u, 20003u}) {
        const Data               elements = harness::random_elements({type, operation}, count, harness::Random(count));
        const size_t             words    = reduces ? 1 : count;
        typename Primitive::Args args;
        args.count                  = count;
        const runtime::Buffer close = buffer_with(elements);
        args.input                  = close.address();
        const Data expected         = result_of(dense, args, words);
        for (uint32_t stride : {1u, 2u, 3u, 9u, 64u}) {
            const uint32_t offset = stride % 4;
            CAPTURE(count, stride, offset);
            const runtime::Buffer source = buffer_of(elements, stride, offset);
            args.input                   = source.address() + offset * 4;
            args.stride                  = stride * 4;
            check_same(result_of(apart, args, words), expected);
        }
        args.stride = 0;
    }
}

} // namespace

TEST_CASE("strided elements have the bits of neighbours, in buffers that end with the last",
          "[device][contract][accesses]") {
    SECTION("reduce u32") { check_like_neighbours<Reduce>(ElementType::u32, Operation::add); }
    SECTION("reduce f32") { check_like_neighbours<Reduce>(ElementType::f32, Operation::add); }
    SECTION("reduce f32 max") { check_like_neighbours<Reduce>(ElementType::f32, Operation::max); }
    SECTION("scan i32") { check_like_neighbours<Scan>(ElementType::i32, Operation::min); }
    SECTION("scan f32") { check_like_neighbours<Scan>(ElementType::f32, Operation::add); }
}

// Further than 32 bits of bytes reach, if there is memory for it: a tile's address is computed of its elements' numbers.
TEST_CASE("strided elements whose stride is large", "[device][contract]") {
    constexpr uint32_t count = 2049, stride = 65536; // 128 MiB; a tile of it is 256 MiB long
    Reduce::Desc       desc;
    desc.strided                 = true;
    const auto            reduce = value_of(Reduce::create(device().context(), desc));
    const runtime::Buffer source = value_of(device().create_buffer(uint64_t{count - 1} * stride + 4));
    require(device().fill(source, 0, source.size(), 1));
    Reduce::Args args;
    args.input  = source.address();
    args.count  = count;
    args.stride = stride;
    check_same(result_of(reduce, args, 1), Data{count});
}

TEST_CASE("strided elements: what create() and validate() refuse", "[device][contract]") {
    const Context context = device().context();
    const auto    refused = [&](ElementType type, Operation operation) {
        Reduce::Desc desc{type, operation};
        desc.strided = true;
        check_error(Reduce::create(context, desc), ErrorKind::invalid_desc, "load()");
    };
    refused(ElementType::u64, Operation::add);
    refused(ElementType::f32, Operation::argmin);
    if (context.features.storage_buffer_8bit_access) refused(ElementType::f16, Operation::max);
    Reduce::Desc own;
    own.own     = &operations::aabb;
    own.strided = true;
    check_error(Reduce::create(context, own), ErrorKind::invalid_desc, "load()");

    Scan::Desc desc;
    const auto dense = value_of(Scan::create(context, desc));
    desc.strided     = true;
    const auto scan  = value_of(Scan::create(context, desc));
    Scan::Args args;
    args.input   = 1 << 20;
    args.output  = 2 << 20;
    args.scratch = 3 << 20;
    args.count   = 1001;
    args.stride  = 24;
    CHECK(scan.validate(args));
    check_error(dense.validate(args), ErrorKind::invalid_args, "Desc::strided");
    for (uint32_t stride : {0u, 2u, 21u}) {
        args.stride = stride;
        check_error(scan.validate(args), ErrorKind::invalid_args, "multiple of 4");
    }
    args.stride = 24;
    args.output = args.input; // not in place
    check_error(scan.validate(args), ErrorKind::invalid_args, "output overlaps input");
    args.output = args.input + 24 * 1000; // the last element
    check_error(scan.validate(args), ErrorKind::invalid_args, "output overlaps input");
    args.output = args.input + 24 * 1000 + 4;
    CHECK(scan.validate(args));
    args.stride = 4; // neighbours, and still not in place
    args.output = args.input;
    check_error(scan.validate(args), ErrorKind::invalid_args, "output overlaps input");
}

} // namespace vkprim::tests
