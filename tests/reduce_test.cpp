// What is particular to Reduce. Its results: verify_test.cpp; its contract: contract_test.cpp.
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include "harness/elements.h"
#include "support/memory.h"

namespace vkprim::tests {

TEST_CASE("reduce: pairs of type and operation that do not exist", "[device][contract]") {
    for (Operation operation : {Operation::bit_and, Operation::bit_or, Operation::bit_xor}) {
        const auto reduce = Reduce::create(device().context(), {ElementType::f32, operation});
        REQUIRE_FALSE(reduce);
        CHECK(reduce.error().kind == ErrorKind::invalid_desc);
        CHECK(reduce.error().reason.find("f32 elements have no bit operations") != std::string::npos);
    }
    const auto type = Reduce::create(device().context(), {static_cast<ElementType>(11), Operation::add});
    REQUIRE_FALSE(type);
    CHECK(type.error().reason.find("ElementType") != std::string::npos);
    const auto operation = Reduce::create(device().context(), {ElementType::u32, static_cast<Operation>(9)});
    REQUIRE_FALSE(operation);
    CHECK(operation.error().reason.find("Operation") != std::string::npos);
    const auto index = Reduce::create(device().context(), {ElementType::u64, Operation::argmax});
    REQUIRE_FALSE(index);
    CHECK(index.error().reason.find("u64 elements have no argmax") != std::string::npos);
    const auto narrow = Reduce::create(device().context(), {ElementType::f16, Operation::argmin});
    REQUIRE_FALSE(narrow);
    CHECK(narrow.error().reason.find("f16 elements have no argmin") != std::string::npos);
    const auto scan = Scan::create(device().context(), {ElementType::u32, Operation::argmin});
    REQUIRE_FALSE(scan);
    CHECK(scan.error().reason.find("scan has no argmin") != std::string::npos);
}

namespace {

/// The 8 bytes of a result.
template <class Element>
runtime::Buffer reduction_of(const Reduce& reduce, const std::vector<Element>& elements) {
    const auto      count = static_cast<uint32_t>(elements.size());
    runtime::Buffer input = buffer_with(elements), output = buffer_of_zeros(8),
                    scratch = scratch_of(scratch_size_of(reduce, count));
    Reduce::Args args;
    args.input   = input.address();
    args.output  = output.address();
    args.scratch = scratch.address();
    args.count   = count;
    require(reduce.validate(args));
    submit([&](runtime::Commands& commands) { reduce.record(commands.handle(), args); });
    check_ready(scratch);
    return output;
}

} // namespace

TEST_CASE("reduce: the first index of equal integers", "[device][contract]") {
    struct Case {
        ElementType type;
        Operation   operation;
        uint32_t    worst, better;
    };
    for (const Case& one :
         {Case{ElementType::u32, Operation::argmin, 0xffffffffu, 0}, Case{ElementType::u32, Operation::argmax, 0, 1},
          Case{ElementType::i32, Operation::argmin, 0x7fffffffu, 0},
          Case{ElementType::i32, Operation::argmax, 0x80000000u, 0}}) {
        Profile profile   = profile_of_device();
        profile.values    = {{"reduce.aligned", 1}}; // columns are in order where vectors are loaded
        Context context   = device().context();
        context.profile   = &profile;
        const auto reduce = value_of(Reduce::create(context, {one.type, one.operation}));
        for (uint32_t count : {1u, 3u, 5003u, 1u << 20, (1u << 20) + 70001}) { // the last two: tiles of 4 and 8 rows
            CAPTURE(harness::name_of(one.type), harness::name_of(one.operation), count);
            const auto result = [&](const std::vector<uint32_t>& elements) {
                return content_of(reduction_of(reduce, elements));
            };
            std::vector<uint32_t> elements(count, one.worst);
            CHECK(result(elements) == std::vector<uint32_t>{one.worst, 0});
            if (count > 40000) {
                elements[30000] = elements[30000 + 1024] = one.better; // in one column of one tile
                CHECK(result(elements) == std::vector<uint32_t>{one.better, 30000});
                elements[30000] = elements[30000 + 1024] = one.worst;
            }
            elements.back() = one.better;
            CHECK(result(elements) == std::vector<uint32_t>{one.better, count - 1});
        }
    }
}

// Every shape and count: verify_test.cpp.
TEST_CASE("reduce: sums of integers in 64 bits", "[device][contract]") {
    const auto sum_of = [](ElementType type, const auto& elements) {
        Reduce::Desc desc;
        desc.type         = type;
        desc.wide         = true;
        const auto reduce = value_of(Reduce::create(device().context(), desc));
        return content_of<int64_t>(reduction_of(reduce, elements)).at(0);
    };
    CHECK(sum_of(ElementType::i32, std::vector<int32_t>(3, INT32_MAX)) == 6442450941);
    CHECK(sum_of(ElementType::i32, std::vector<int32_t>(70001, INT32_MIN)) == int64_t{INT32_MIN} * 70001);
    CHECK(sum_of(ElementType::u32, std::vector<uint32_t>(70001, UINT32_MAX)) == int64_t{UINT32_MAX} * 70001);
    if (!harness::has_bytes(device())) return;
    CHECK(sum_of(ElementType::u8, std::vector<uint8_t>(17u << 20, 255)) == 4545576960); // NumPy's
    CHECK(sum_of(ElementType::i8, std::vector<int8_t>(17u << 20, -128)) == -2281701376);
    CHECK(sum_of(ElementType::i16, std::vector<int16_t>(140001, -32768)) == -32768 * int64_t{140001});
}

TEST_CASE("reduce: what has no sums in 64 bits", "[device][contract]") {
    Reduce::Desc minimum{ElementType::i32, Operation::min}, floats{ElementType::f32, Operation::add},
        strided{ElementType::u32, Operation::add}, long_ones{ElementType::i64, Operation::add};
    strided.strided = true;
    for (Reduce::Desc* desc : {&minimum, &floats, &strided, &long_ones}) {
        desc->wide        = true;
        const auto reduce = Reduce::create(device().context(), *desc);
        REQUIRE_FALSE(reduce);
        CHECK(reduce.error().kind == ErrorKind::invalid_desc);
        CHECK(reduce.error().reason.find("Desc::wide") != std::string::npos);
    }
    floats.order      = Order::any;
    const auto in_any = Reduce::create(device().context(), floats);
    REQUIRE_FALSE(in_any);
    CHECK(in_any.error().reason.find("Desc::wide") != std::string::npos);
}

TEST_CASE("reduce: sums of doubles on a device without them", "[device][contract]") {
    Context context                 = device().context();
    context.features.shader_float64 = false;
    const auto sum                  = Reduce::create(context, {ElementType::f64, Operation::add});
    REQUIRE_FALSE(sum);
    CHECK(sum.error().kind == ErrorKind::unsupported_device);
    CHECK(sum.error().reason.find("shaderFloat64") != std::string::npos);
    CHECK(Reduce::create(context, {ElementType::f64, Operation::min})); // takes none
}

TEST_CASE("elements of 1 and 2 bytes on a device that reads no bytes", "[device][contract]") {
    Context context                             = device().context();
    context.features.storage_buffer_8bit_access = false;
    for (ElementType type : {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16, ElementType::f16}) {
        const std::string what   = harness::name_of(type) + " elements take the feature storageBuffer8BitAccess";
        const auto        reduce = Reduce::create(context, {type, Operation::max});
        REQUIRE_FALSE(reduce);
        CHECK(reduce.error().kind == ErrorKind::unsupported_device);
        CHECK_THAT(reduce.error().reason, Catch::StartsWith(what));
        const auto scan = Scan::create(context, {type, Operation::add});
        REQUIRE_FALSE(scan);
        CHECK_THAT(scan.error().reason, Catch::StartsWith(what));
    }
}

} // namespace vkprim::tests
