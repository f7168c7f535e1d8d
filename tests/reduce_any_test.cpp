// Sums in any order: exact, rounded once. What every shape and count gives: verify_test.cpp.
#include <vkprim/reduce.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/harness.h"
#include "harness/references.h"
#include "support/memory.h"

namespace vkprim::tests::reduce_any {
namespace {

template <class T>
constexpr ElementType element_type = sizeof(T) == 4 ? ElementType::f32 : ElementType::f64;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <class T>
Bits<T> bits(T value) {
    Bits<T> result;
    std::memcpy(&result, &value, sizeof value);
    return result;
}

Reduce create(ElementType type, const Context& context = device().context()) {
    Reduce::Desc desc{type, Operation::add};
    desc.order = vkprim::Order::any;
    return value_of(Reduce::create(context, desc));
}

/// Of elements that lie in memory, from one on; and whether scratch is ready again.
template <class T>
Bits<T> sum_of(const Reduce& reduce, const std::vector<T>& elements) {
    std::vector<T> memory = elements;
    memory.push_back(7); // is not there
    const runtime::Buffer input = buffer_with(memory), output = buffer_of_zeros(sizeof(T)),
                          scratch = scratch_of(scratch_size_of(reduce, static_cast<uint32_t>(elements.size())));
    Reduce::Args args;
    args.input   = input.address();
    args.output  = output.address();
    args.scratch = scratch.address();
    args.count   = static_cast<uint32_t>(elements.size());
    require(reduce.validate(args));
    submit([&](runtime::Commands& commands) { reduce.record(commands.handle(), args); });
    check_ready(scratch);
    return content_of<Bits<T>>(output).at(0);
}

template <class T>
Bits<T> expected_sum(const std::vector<T>& elements) {
    std::vector<uint32_t> words(elements.size() * sizeof(T) / 4);
    std::memcpy(words.data(), elements.data(), elements.size() * sizeof(T));
    const auto sum =
        harness::reference_exact_sum(element_type<T>, words.data(), static_cast<uint32_t>(elements.size()));
    Bits<T> result;
    std::memcpy(&result, sum.data(), sizeof result);
    return result;
}

template <class T>
void shuffle(std::vector<T>& elements, harness::Random& random) {
    for (size_t i = elements.size(); i > 1; --i)
        std::swap(elements[i - 1], elements[random.below(static_cast<uint32_t>(i))]);
}

template <class T>
void check_orders() {
    const Reduce    reduce = create(element_type<T>);
    harness::Random random(1);
    std::vector<T>  elements;
    for (uint32_t i = 0; i < 3000; ++i) {
        const T value = std::ldexp(static_cast<T>(random.next() >> 11), static_cast<int>(random.below(160)) - 130);
        elements.insert(elements.end(), {value, T(1) / T(3 + i), -value});
    }
    const Bits<T> expected = expected_sum(elements);
    uint32_t      wrong    = 0;
    for (uint32_t order = 0; order < 100; ++order) {
        if (sum_of(reduce, elements) != expected) ++wrong;
        shuffle(elements, random);
    }
    CHECK(wrong == 0);
}

/// Elements and their sum.
template <class T>
struct SumCase {
    std::vector<T> elements;
    T              sum;
};

template <class T>
std::vector<SumCase<T>> cases() {
    using Limits = std::numeric_limits<T>;
    const T most = Limits::max(), denormal = Limits::denorm_min(), normal = Limits::min(),
            infinity  = Limits::infinity();
    const T above_one = 1 + Limits::epsilon(), half = Limits::epsilon() / 2; // half a unit in the last place of 1
    const T half_most = std::ldexp(T(1), Limits::max_exponent - Limits::digits - 1);
    return {
        {{}, 0},
        {{T(-0.0)}, 0},
        {{T(-0.0), T(-0.0)}, 0},
        {{1, -1}, 0},
        {{T(1e30), 1, T(-1e30)}, 1},
        {{most, denormal, -most}, denormal},
        {{most, most, -most}, most},
        {{most, most, -most, -most, -3}, -3},
        {{1, half}, 1}, // a tie goes to the even one
        {{1, half, denormal}, above_one},
        {{above_one, half}, above_one + Limits::epsilon()},
        {{above_one, half, -denormal}, above_one},
        {{denormal, denormal}, 2 * denormal},
        {{normal, -denormal}, normal - denormal},
        {{normal - denormal, denormal}, normal},
        {{normal, normal, -denormal}, 2 * normal - denormal},
        {{most, std::nextafter(half_most, T(0))}, most},
        {{most, half_most}, infinity}, // a tie, and the even one is beyond
        {{most, half_most, -denormal}, most},
        {{most, most, most}, infinity},
        {{infinity, -most, 1}, infinity},
        {{infinity, infinity}, infinity},
        {{infinity, -infinity}, Limits::quiet_NaN()},
        {{1, Limits::quiet_NaN()}, Limits::quiet_NaN()},
        {{-Limits::quiet_NaN(), -infinity}, Limits::quiet_NaN()},
        {{Limits::signaling_NaN()}, Limits::quiet_NaN()},
    };
}

template <class T>
void check_cases() {
    const Reduce    reduce = create(element_type<T>);
    harness::Random random(2);
    for (const SumCase<T>& one : cases<T>()) {
        for (const T sign : {T(1), T(-1)}) {
            std::vector<T> elements = one.elements;
            for (T& element : elements) element *= sign;
            const T       sum      = one.sum == 0 || std::isnan(one.sum) ? one.sum : sign * one.sum;
            const Bits<T> expected = bits(sum);
            for (uint32_t count : {0u, 257u, 70001u}) { // several tiles, most of them of zeros
                elements.resize(std::max<size_t>(elements.size(), count));
                shuffle(elements, random);
                CAPTURE(one.sum, sign, elements.size());
                CHECK(sum_of(reduce, elements) == expected);
                CHECK(expected_sum(elements) == expected);
            }
        }
    }
}

/// Tiles as large as they get, and whatever is added in them as large as it gets.
template <class T>
void check_largest_tiles() {
    Profile profile                    = profile_of_device();
    profile.values["reduce.any_tiles"] = 256;
    Context context                    = device().context();
    context.profile                    = &profile;
    const Reduce       reduce          = create(element_type<T>, context);
    constexpr uint32_t log2_tile = 16, count = (256u << log2_tile) - 5;
    const T            all_ones = 2 - std::numeric_limits<T>::epsilon();
    struct Pattern {
        T first, others; ///< of each tile's first rows, and behind them
    };
    for (const Pattern& pattern :
         {Pattern{1, 16 * all_ones}, {1, 64 * all_ones}, {1, T(1e-30) * all_ones}, {-1, T(-1e30)}}) {
        std::vector<T> elements(count, pattern.others);
        for (uint32_t i = 0; i < count; ++i) {
            if (i % (1u << log2_tile) < 16384 / sizeof(T)) elements[i] = pattern.first;
        }
        CAPTURE(pattern.first, pattern.others);
        CHECK(sum_of(reduce, elements) == expected_sum(elements));
    }
}

template <class T>
void check_knobs() {
    harness::Random random(3);
    std::vector<T>  elements(300001);
    for (T& element : elements)
        element = std::ldexp(static_cast<T>(random.next() >> 11), -static_cast<int>(random.below(100)));
    const Bits<T> expected = expected_sum(elements);
    const auto    check    = [&](const std::string& knob, uint32_t value) {
        Profile profile      = profile_of_device();
        profile.values[knob] = value;
        Context context      = device().context();
        context.profile      = &profile;
        CAPTURE(knob, value);
        CHECK(sum_of(create(element_type<T>, context), elements) == expected);
    };
    for (uint32_t levels : {2u, 3u}) check("reduce.any_levels", levels);
    for (uint32_t batch : {1u, 3u, 16u}) check("reduce.any_batch", batch);
}

/// The largest number of each exponent, alone: it is rounded up on the first level.
template <class T>
void check_exponents() {
    const Reduce reduce = create(element_type<T>);
    for (int exponent = std::numeric_limits<T>::min_exponent; exponent <= std::numeric_limits<T>::max_exponent;
         ++exponent) {
        const T largest = std::ldexp(1 - std::numeric_limits<T>::epsilon() / 2, exponent);
        for (const T element : {largest, -largest}) {
            CAPTURE(exponent, element);
            CHECK(sum_of(reduce, std::vector<T>{element}) == expected_sum(std::vector<T>{element}));
        }
    }
}

} // namespace

TEST_CASE("reduce in any order: the largest number of each exponent", "[device][contract]") {
    SECTION("f32") { check_exponents<float>(); }
    SECTION("f64") { check_exponents<double>(); }
}

TEST_CASE("reduce in any order: a hundred orders of f32", "[device][contract]") { check_orders<float>(); }
TEST_CASE("reduce in any order: a hundred orders of f64", "[device][contract]") { check_orders<double>(); }
TEST_CASE("reduce in any order: special sums of f32", "[device][contract]") { check_cases<float>(); }
TEST_CASE("reduce in any order: special sums of f64", "[device][contract]") { check_cases<double>(); }
TEST_CASE("reduce in any order: knobs, f32", "[device][contract]") { check_knobs<float>(); }
TEST_CASE("reduce in any order: knobs, f64", "[device][contract]") { check_knobs<double>(); }
TEST_CASE("reduce in any order: the largest tiles, f32", "[device][contract]") { check_largest_tiles<float>(); }
TEST_CASE("reduce in any order: the largest tiles, f64", "[device][contract]") { check_largest_tiles<double>(); }

TEST_CASE("reduce in any order: many tiles", "[device][contract]") {
    std::vector<float> elements((1u << 26) + 5);
    for (size_t i = 0; i < elements.size(); ++i)
        elements[i] = static_cast<float>(i % 1000) * (i % 3 == 0 ? -0.1f : 0.1f);
    elements[1u << 25] = 1e30f;
    CHECK(sum_of(create(ElementType::f32), elements) == expected_sum(elements));
}

TEST_CASE("reduce in any order: doubles on a device without them", "[device][contract]") {
    Context context                 = device().context();
    context.features.shader_float64 = false;
    const Reduce reduce             = create(ElementType::f64, context);
    CHECK(sum_of<double>(reduce, {1e300, 1, -1e300, 0x1p-1074}) == bits(1.0));
    CHECK(sum_of(reduce, std::vector<double>(100001, 0.1)) == bits(std::fma(100001, 0.1, 0)));
}

TEST_CASE("reduce in any order: what it is not for", "[device][contract]") {
    struct Wrong {
        ElementType         type;
        Operation           operation = Operation::add;
        bool                strided   = false;
        const OwnOperation* own       = nullptr;
    };
    const OwnOperation own;
    for (const Wrong& wrong :
         {Wrong{ElementType::u32}, Wrong{ElementType::f16}, Wrong{ElementType::f32, Operation::mul},
          Wrong{ElementType::f64, Operation::min}, Wrong{ElementType::f32, Operation::add, true},
          Wrong{ElementType::f32, Operation::add, false, &own}}) {
        Reduce::Desc desc{wrong.type, wrong.operation};
        desc.order   = vkprim::Order::any;
        desc.strided = wrong.strided;
        desc.own     = wrong.own;
        check_error(Reduce::create(device().context(), desc), ErrorKind::invalid_desc, "Order::any");
    }
    Reduce::Desc none{ElementType::f32, Operation::add};
    none.order = static_cast<vkprim::Order>(2);
    check_error(Reduce::create(device().context(), none), ErrorKind::invalid_desc, "Desc::order is not an Order");
}

} // namespace vkprim::tests::reduce_any
