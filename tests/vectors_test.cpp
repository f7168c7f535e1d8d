// The sums, least and largest of vectors that come with vkprim, against the CPU, component by component.
#include <vkprim/compiler.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>
#include <vkprim/segmented_reduce.h>

#include "float_bits.h"
#include "harness/elements.h"
#include "harness/order.h"
#include "support/memory.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace vkprim::tests {
namespace {

using Data = std::vector<uint32_t>;

struct Vector {
    std::string operation, type; ///< "sum", "ivec"
    uint32_t    components;

    std::string name() const { return operation + "_" + type + std::to_string(components); }
    uint32_t    alignment() const { return components == 3 ? 4 : components * 4; } ///< bytes
};

uint32_t identity_of(const Vector& vector) {
    if (vector.operation == "sum") return 0;
    const bool least = vector.operation == "min";
    if (vector.type == "vec") return least ? 0x7f800000 : 0xff800000;
    if (vector.type == "ivec") return least ? 0x7fffffff : 0x80000000;
    return least ? UINT32_MAX : 0;
}

/// Of one component.
uint32_t operate(const Vector& vector, uint32_t a, uint32_t b) {
    const bool is_float = vector.type == "vec";
    if (vector.operation == "sum") {
        return is_float ? bits_of(float_of(a) + float_of(b) + 0.0f) : a + b;
    }
    bool less = a < b;
    if (vector.type == "ivec") less = static_cast<int32_t>(a) < static_cast<int32_t>(b);
    if (is_float) {
        if (std::isnan(float_of(a))) return std::isnan(float_of(b)) ? identity_of(vector) : b;
        if (std::isnan(float_of(b))) return a;
        less = float_of(a) == float_of(b) ? std::signbit(float_of(a)) && !std::signbit(float_of(b))
                                          : float_of(a) < float_of(b);
    }
    return less == (vector.operation == "min") ? a : b;
}

/// Sums of floats are exact in any order here; of what is compared, some are special.
Data input_of(const Vector& vector, uint32_t count) {
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0xffc12345, 0x00800000, 0x3f800000};
    harness::Random       random(count + vector.components);
    Data                  data;
    for (uint32_t i = 0; i < count * vector.components; ++i) {
        const auto bits = static_cast<uint32_t>(random.next());
        if (vector.type != "vec") {
            data.push_back(bits);
        } else if (vector.operation == "sum") {
            data.push_back(bits_of(static_cast<float>(bits % 32) - 16));
        } else {
            const bool is_special = random.below(count < 100 ? 2 : 50) == 0;
            data.push_back(is_special ? special[bits % 8] : bits_of(static_cast<float>(static_cast<int32_t>(bits))));
        }
    }
    return data;
}

/// Inclusive; behind it the total.
Data scanned(const Vector& vector, const Data& input) {
    Data output, before(vector.components, identity_of(vector));
    for (size_t i = 0; i < input.size(); ++i) {
        uint32_t& one = before[i % vector.components];
        one           = operate(vector, one, input[i]);
        output.push_back(one);
    }
    output.insert(output.end(), before.begin(), before.end());
    return output;
}

CompiledOperation compiled(const Vector& vector, bool scans, bool segments = false) {
    std::ifstream file(std::string(VKPRIM_SOURCE_DIR) + "/include/vkprim/glsl/operations/" + vector.name() + ".glsl");
    std::stringstream text;
    text << file.rdbuf();
    OperationSource source;
    source.text             = text.str();
    source.name             = vector.name();
    source.scan             = scans;
    source.segmented_reduce = segments;
    return value_of(compile(device().context(), source));
}

template <class Primitive>
Data result_of(const Primitive& primitive, const Vector& vector, const Data& input, uint32_t offset, size_t words) {
    Data shifted(offset / 4, 0x7fc00000);
    shifted.insert(shifted.end(), input.begin(), input.end());
    shifted.push_back(0);
    const auto               count  = static_cast<uint32_t>(input.size() / vector.components);
    const runtime::Buffer    source = buffer_with(shifted), output = buffer_of_zeros(words * 4);
    const runtime::Buffer    scratch = scratch_of(scratch_size_of(primitive, count));
    typename Primitive::Args args;
    args.input   = source.address() + offset;
    args.output  = output.address();
    args.scratch = scratch.address();
    args.count   = count;
    require(primitive.validate(args));
    submit([&](runtime::Commands& commands) { primitive.record(commands.handle(), args); });
    check_ready(scratch);
    return content_of(output);
}

struct Floats {
    float x, y, z;
};

struct AddFloats {
    static Floats identity() { return {0, 0, 0}; }
    Floats        operator()(Floats a, Floats b) const { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};

/// Elements of odd columns are the negative ones of the column before, with other rows of four as neighbours: what is left of a sum is how
/// it was rounded.
Data uneven_floats(uint32_t count) {
    Data            input;
    harness::Random random(count);
    for (uint32_t i = 0; i < 3 * count; ++i)
        input.push_back(bits_of(1.0f / static_cast<float>(3 + random.below(1000))));
    for (uint32_t i = 1; i < count; i += 2) {
        const uint32_t swapped = (i - 1) ^ ((i >> 8 ^ i >> 9) & 1) * 0x300; // the second row and the third
        for (uint32_t k = 0; k < 3 && swapped < count; ++k) input[3 * i + k] = input[3 * swapped + k] ^ 0x80000000;
    }
    return input;
}

Data sum_in_order(const uint32_t* words, uint32_t count) {
    const auto load = [&](uint64_t i) {
        return Floats{float_of(words[3 * i]), float_of(words[3 * i + 1]), float_of(words[3 * i + 2])};
    };
    const Floats total = harness::reduce_in_order<AddFloats>(load, count);
    return {bits_of(total.x), bits_of(total.y), bits_of(total.z)};
}

} // namespace

TEST_CASE("own operations: the order in which wide floats are added", "[device][own]") {
    const Vector            sum{"sum", "vec", 3};
    const CompiledOperation own = compiled(sum, false);
    for (uint32_t batch : {4u, 1u, 7u, 16u}) {
        Profile profile                = profile_of_device();
        profile.values["reduce.batch"] = batch;
        Context context                = device().context();
        context.profile                = &profile;
        Reduce::Desc desc;
        desc.own          = &own.operation();
        const auto reduce = value_of(Reduce::create(context, desc));
        for (uint32_t count : {1000u, 70001u, 1000000u, 1000001u}) { // tiles of 1, 2 and 16 rows of 256
            CAPTURE(batch, count);
            const Data input = uneven_floats(count);
            check_same(result_of(reduce, sum, input, 0, 3), sum_in_order(input.data(), count));
        }
    }
}

// Of a segment of an invocation, of several, of a tile, and of several: of one row, of two, and, in two groups, of sixteen.
TEST_CASE("own operations: the order in which wide floats of segments are added", "[device][own]") {
    const CompiledOperation own = compiled({"sum", "vec", 3}, false, true);
    SegmentedReduce::Desc   desc;
    desc.own          = &own.operation();
    const auto reduce = value_of(SegmentedReduce::create(device().context(), desc));
    Data       input, offsets{0}, expected;
    for (uint32_t count : {4u, 3u, 31u, 100u, 256u, 1000u, 5003u, 70001u, 1100001u}) {
        const Data part = uneven_floats(count), total = sum_in_order(part.data(), count);
        input.insert(input.end(), part.begin(), part.end());
        expected.insert(expected.end(), total.begin(), total.end());
        offsets.push_back(offsets.back() + count);
    }
    const runtime::Buffer source = buffer_with(input), limits = buffer_with(offsets),
                          output = buffer_of_zeros(expected.size() * 4);
    SegmentedReduce::Args args;
    Sizes{offsets.back(), static_cast<uint32_t>(offsets.size() - 1)}.put_into(args);
    const runtime::Buffer scratch = scratch_of(reduce.scratch_size(args));
    args.input                    = source.address();
    args.output                   = output.address();
    args.scratch                  = scratch.address();
    args.segments.offsets         = limits.address();
    require(reduce.validate(args));
    submit([&](runtime::Commands& commands) { reduce.record(commands.handle(), args); });
    check_same(content_of(output), expected);
    check_ready(scratch);
}

TEST_CASE("own operations: vectors", "[device][own]") {
    for (const char* operation : {"sum", "min", "max"}) {
        for (const char* type : {"vec", "ivec", "uvec"}) {
            for (uint32_t components : {2u, 3u, 4u}) {
                const Vector vector{operation, type, components};
                // Each size, each type and each operation.
                const std::string names = " sum_vec2 sum_uvec3 min_vec3 max_ivec4 ";
                const bool        scans = names.find(" " + vector.name() + " ") != std::string::npos;
                DYNAMIC_SECTION(vector.name()) {
                    const CompiledOperation own = compiled(vector, scans);
                    Reduce::Desc            desc;
                    desc.own          = &own.operation();
                    const auto reduce = value_of(Reduce::create(device().context(), desc));
                    for (uint32_t count : {0u, 1u, 2u, 33u, 257u, 1025u, 4097u, 70001u}) {
                        for (uint32_t offset : {0u, vector.alignment()}) {
                            if (offset > 0 && count != 4097) continue;
                            CAPTURE(count, offset);
                            const Data input = input_of(vector, count), all = scanned(vector, input);
                            check_same(result_of(reduce, vector, input, offset, components),
                                       Data(all.end() - components, all.end()));
                        }
                    }
                    if (!scans) continue;
                    Scan::Desc scan_desc;
                    scan_desc.own   = &own.operation();
                    scan_desc.kind  = Scan::Kind::inclusive;
                    const auto scan = value_of(Scan::create(device().context(), scan_desc));
                    for (uint32_t count : {1u, 33u, 4097u, 20003u}) {
                        CAPTURE(count);
                        const Data input = input_of(vector, count);
                        Data       all   = scanned(vector, input);
                        all.resize(input.size());
                        check_same(result_of(scan, vector, input, 0, input.size()), all);
                    }
                }
            }
        }
    }
}

} // namespace vkprim::tests
