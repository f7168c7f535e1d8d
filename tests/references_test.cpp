// The CPU references against definitions that know nothing of tiles and trees.
#include "harness/references.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <vkprim/glsl/detail/tile.h>
#include "../shaders/reduce/reduce_push.h"
#include "float_bits.h"
#include "harness/elements.h"
#include "harness/long_sum.h"
#include "support/catch.h"

namespace vkprim::tests {
namespace {

using harness::reference_histogram;
using harness::reference_reduce;
using harness::reference_scan;
using vkprim::bits_of;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Elements of any type as their bits.
using Elements = std::vector<uint64_t>;

std::vector<uint32_t> words_of(ElementType type, const Elements& elements) {
    std::vector<uint32_t> words;
    for (uint64_t bits : elements) {
        words.push_back(static_cast<uint32_t>(bits));
        if (harness::words_in(type) == 2) words.push_back(static_cast<uint32_t>(bits >> 32));
    }
    return words;
}

bool has_index(Operation operation) { return operation == Operation::argmin || operation == Operation::argmax; }

Elements elements_of(ElementType type, const std::vector<uint32_t>& words) {
    Elements elements;
    for (size_t i = 0; i < words.size(); i += harness::words_in(type)) {
        elements.push_back(words[i] | (harness::words_in(type) == 2 ? uint64_t{words[i + 1]} << 32 : 0));
    }
    return elements;
}

uint64_t reduce(ElementType type, Operation operation, const Elements& input) {
    const auto count = static_cast<uint32_t>(input.size());
    return elements_of(type, reference_reduce(type, operation, words_of(type, input).data(), count)).at(0);
}

Elements scan(ElementType type, Operation operation, Scan::Kind kind, const Elements& input) {
    std::vector<uint32_t> output(input.size() * harness::words_in(type));
    const auto            count = static_cast<uint32_t>(input.size());
    reference_scan(type, operation, kind, words_of(type, input).data(), output.data(), count);
    return elements_of(type, output);
}

bool is_float(ElementType type) {
    return output_type(type) == ElementType::f32 || output_type(type) == ElementType::f64;
}

/// Bits of a float or a double, and back.
template <class T>
uint64_t bits_in(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T>
T value_in(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T>
constexpr ElementType type_of = sizeof(T) == 8 ? ElementType::f64 : ElementType::f32;

template <class T>
Elements bits_of(const std::vector<T>& values) {
    Elements bits;
    for (T value : values) bits.push_back(bits_in(value));
    return bits;
}

template <class T>
T reduce_floats(Operation operation, const std::vector<T>& input) {
    return value_in<T>(reduce(type_of<T>, operation, bits_of(input)));
}

template <class T>
std::vector<T> scan_floats(Operation operation, Scan::Kind kind, const std::vector<T>& input) {
    std::vector<T> output;
    for (uint64_t bits : scan(type_of<T>, operation, kind, bits_of(input))) output.push_back(value_in<T>(bits));
    return output;
}

template <class T>
std::vector<T> random_floats(uint32_t count, uint64_t seed) {
    const auto     words = harness::random_elements({type_of<T>, Operation::add}, count, harness::Random(seed));
    std::vector<T> values;
    for (uint64_t bits : elements_of(type_of<T>, words)) values.push_back(value_in<T>(bits));
    return values;
}

/// Wide enough for every integer, of either sign.
__extension__ typedef __int128 Wide;

/// The operation on wide integers, cut by who calls.
Wide operate(Operation operation, Wide a, Wide b) {
    __extension__ typedef unsigned __int128 WideUnsigned;
    switch (operation) {
        case Operation::add: return a + b;
        case Operation::mul: return static_cast<Wide>(static_cast<WideUnsigned>(a) * static_cast<WideUnsigned>(b));
        case Operation::min: return std::min(a, b);
        case Operation::max: return std::max(a, b);
        case Operation::bit_and: return a & b;
        case Operation::bit_or: return a | b;
        case Operation::bit_xor: return a ^ b;
        case Operation::argmin:
        case Operation::argmax: break;
    }
    return 0;
}

Wide integer_of(ElementType type, uint64_t bits) {
    switch (output_type(type)) {
        case ElementType::i32: return static_cast<int32_t>(bits);
        case ElementType::u32: return static_cast<uint32_t>(bits);
        case ElementType::i64: return static_cast<int64_t>(bits);
        default: return bits;
    }
}

/// The bits of an integer of that type.
uint64_t bits_of_integer(ElementType type, Wide value) {
    return harness::words_in(type) == 2 ? static_cast<uint64_t>(value) : static_cast<uint32_t>(value);
}

constexpr uint32_t sizes[] = {0,    1,    2,    3,    4,    5,    127,    128,    129,    511,     512,     513,
                              1023, 1024, 1025, 4095, 4096, 4097, 262144, 262145, 524289, 1048576, 1048577, 1100003};

} // namespace

TEST_CASE("CPU references: integers", "[host][references]") {
    for (const harness::ElementCase& element_case : harness::element_cases()) {
        const auto [type, operation, is_wide] = element_case;
        if (is_float(type) || has_index(operation)) continue;
        for (uint32_t count : {1u, 2u, 100u, 5000u}) {
            CAPTURE(harness::name_of(type), harness::name_of(operation), count);
            const auto input = elements_of(type, harness::random_elements(element_case, count, harness::Random(count)));
            // From the first element on, so that no identity is needed.
            Wide     total     = integer_of(type, input[0]);
            Elements inclusive = {input[0]};
            for (uint32_t i = 1; i < count; ++i) {
                total = operate(operation, total, integer_of(type, input[i]));
                inclusive.push_back(bits_of_integer(type, total));
                total = integer_of(type, inclusive.back());
            }
            CHECK(reduce(type, operation, input) == inclusive.back());
            CHECK((scan(type, operation, Scan::Kind::inclusive, input) == inclusive));
            Elements exclusive = {identity_bits(type, operation)};
            exclusive.insert(exclusive.end(), inclusive.begin(), inclusive.end() - 1);
            CHECK((scan(type, operation, Scan::Kind::exclusive, input) == exclusive));
        }
    }
}

TEST_CASE("elements of 1 and 2 bytes in the input", "[host][references]") {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
        harness::Bytes input(2);
        harness::put(input, 0, bits, 2);
        for (ElementType type : {ElementType::u16, ElementType::i16, ElementType::f16}) {
            CAPTURE(harness::name_of(type), bits);
            const auto elements = harness::elements_in(type, input.data(), 1);
            REQUIRE(harness::input_of(type, elements) == input);
            if (type == ElementType::u16) REQUIRE(elements[0] == bits);
            if (type == ElementType::i16) REQUIRE(static_cast<int32_t>(elements[0]) == static_cast<int16_t>(bits));
        }
        const float value = harness::float_of_half(static_cast<uint16_t>(bits)), magnitude = std::abs(value);
        const int   exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
        if (exponent == 31) {
            REQUIRE((fraction == 0 ? std::isinf(value) : std::isnan(value)));
        } else {
            // IEEE 754-2019, 3.4
            REQUIRE(magnitude == std::ldexp(fraction + (exponent > 0 ? 1024 : 0), std::max(exponent, 1) - 25));
            REQUIRE(std::signbit(value) == (bits >= 0x8000));
        }
    }
    const uint8_t byte = 0x80;
    CHECK(harness::elements_in(ElementType::u8, &byte, 1)[0] == 0x80);
    CHECK(harness::elements_in(ElementType::i8, &byte, 1)[0] == 0xffffff80u);
    CHECK(harness::input_of(ElementType::i8, {0xffffff80u}) == harness::Bytes{0x80});
}

TEST_CASE("CPU references: integers wrap", "[host][references]") {
    const auto u32 = ElementType::u32, i32 = ElementType::i32;
    CHECK(reduce(u32, Operation::add, {0xffffffffu, 2}) == 1);
    CHECK(reduce(i32, Operation::add, {0x7fffffffu, 1}) == 0x80000000u);
    CHECK(reduce(u32, Operation::mul, {0x10000u, 0x10001u}) == 0x10000u);
    CHECK(reduce(i32, Operation::mul, {0xffffffffu, 0x80000000u}) == 0x80000000u);
    CHECK(reduce(u32, Operation::min, {0xffffffffu, 1}) == 1);
    CHECK(reduce(i32, Operation::min, {0xffffffffu, 1}) == 0xffffffffu);
    CHECK(reduce(u32, Operation::max, {0x80000000u, 1}) == 0x80000000u);
    CHECK(reduce(i32, Operation::max, {0x80000000u, 1}) == 1);
    const auto     u64 = ElementType::u64, i64 = ElementType::i64;
    const uint64_t all = ~0ull, top = 1ull << 63;
    CHECK(reduce(u64, Operation::add, {0xffffffffu, 2}) == 0x100000001u); // a carry between words
    CHECK(reduce(u64, Operation::add, {all, 2}) == 1);
    CHECK(reduce(i64, Operation::add, {top - 1, 1}) == top);
    CHECK(reduce(u64, Operation::mul, {1ull << 32, 3}) == 3ull << 32);
    CHECK(reduce(u64, Operation::mul, {0xffffffffu, 0xffffffffu}) == 0xfffffffe00000001u);
    CHECK(reduce(i64, Operation::mul, {all, 5}) == 0 - 5ull);
    CHECK(reduce(u64, Operation::min, {1ull << 32, 0xffffffffu}) == 0xffffffffu); // by the upper word first
    CHECK(reduce(i64, Operation::min, {all, 1}) == all);
    CHECK(reduce(i64, Operation::max, {top, 1}) == 1);
}

TEST_CASE("CPU references: integers in 64 bits", "[host][references]") {
    for (const harness::ElementCase& element_case : harness::reduce_cases()) {
        if (!element_case.wide) continue;
        CAPTURE(harness::name_of(element_case));
        const ElementType type = element_case.type, wide = harness::result_type(element_case);
        const bool        adds  = element_case.operation == Operation::add;
        const auto        words = harness::random_elements(element_case, 1000, harness::Random(adds ? 1 : 2));
        Wide              total = adds ? 0 : 1;
        for (const uint64_t bits : elements_of(type, words)) {
            total =
                integer_of(wide, bits_of_integer(wide, operate(element_case.operation, total, integer_of(type, bits))));
        }
        const auto load = [&](uint64_t begin, uint32_t count, uint32_t* target) {
            std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(begin), count, target);
        };
        const Elements expected = {bits_of_integer(wide, total)};
        CHECK(elements_of(wide, harness::reference_reduce(element_case, words.data(), 1000)) == expected);
        CHECK(elements_of(wide, harness::reference_reduce(element_case, load, 1000)) == expected);
    }
    const std::vector<uint32_t> numbers = {0x7fffffffu, 0x7fffffffu, 0x7fffffffu};
    CHECK(harness::reference_reduce({ElementType::i32, Operation::add, true}, numbers.data(), 3) ==
          std::vector<uint32_t>{0x7ffffffdu, 1});
}

TEST_CASE("CPU references: identities", "[host][references]") {
    for (const harness::ElementCase& element_case : harness::element_cases()) {
        const auto [type, operation, is_wide] = element_case;
        if (has_index(operation)) continue;
        CAPTURE(harness::name_of(type), harness::name_of(operation));
        const uint64_t identity   = identity_bits(type, operation);
        const uint64_t minus_zero = type == ElementType::f64 ? 1ull << 63 : 1u << 31;
        CHECK(reduce(type, operation, {}) == identity);
        CHECK(scan(type, operation, Scan::Kind::exclusive, {5}) == Elements{identity});
        for (uint64_t x : elements_of(type, harness::special_elements(element_case, 200, harness::Random(3)))) {
            if (type == ElementType::f32 && std::isnan(value_in<float>(x))) continue;
            if (type == ElementType::f64 && std::isnan(value_in<double>(x))) continue;
            CAPTURE(x);
            const bool     one_zero = is_float(type) && operation < Operation::min;
            const uint64_t same     = one_zero && x == minus_zero ? 0 : x; // bit for bit, but for that
            CHECK(reduce(type, operation, {x}) == same);
            CHECK(reduce(type, operation, {identity, x}) == same);
            CHECK(reduce(type, operation, {x, identity}) == same);
            CHECK(scan(type, operation, Scan::Kind::inclusive, {x}) == Elements{same});
            CHECK(scan(type, operation, Scan::Kind::exclusive, {x, 5})[1] == same);
        }
    }
    CHECK(identity_bits(ElementType::f32, Operation::add) == 0);
    CHECK(identity_bits(ElementType::f32, Operation::min) == bits_of(infinity));
    CHECK(identity_bits(ElementType::f32, Operation::max) == bits_of(-infinity));
    CHECK(identity_bits(ElementType::i32, Operation::min) == 0x7fffffffu);
    CHECK(identity_bits(ElementType::i32, Operation::max) == 0x80000000u);
}

namespace {

/// Of type T, whose NaNs are given as bits.
template <class T>
void check_special_values(uint64_t nan, uint64_t negative_nan, uint64_t one_nan) {
    const auto     f32     = type_of<T>;
    const T        inf     = std::numeric_limits<T>::infinity();
    const auto     bits_of = [](T value) { return bits_in(value); };
    const uint64_t zero = 0, minus_zero = bits_of(T(-0.0)), one = bits_of(1), two = bits_of(2);
    for (Operation operation : {Operation::min, Operation::max}) {
        const uint64_t identity = identity_bits(f32, operation);
        CHECK(reduce(f32, operation, {nan}) == identity);
        CHECK(reduce(f32, operation, {negative_nan, nan}) == identity);
        CHECK(reduce(f32, operation, {nan, one, negative_nan}) == one);
        CHECK(reduce(f32, operation, {one, nan, two}) == (operation == Operation::min ? one : two));
        CHECK((scan(f32, operation, Scan::Kind::inclusive, {nan, one, nan}) == Elements{identity, one, one}));
    }
    CHECK(reduce(f32, Operation::min, {zero, minus_zero}) == minus_zero);
    CHECK(reduce(f32, Operation::min, {minus_zero, zero}) == minus_zero);
    CHECK(reduce(f32, Operation::max, {zero, minus_zero}) == zero);
    CHECK(reduce(f32, Operation::max, {minus_zero, zero}) == zero);
    CHECK(reduce(f32, Operation::max, {minus_zero, minus_zero}) == minus_zero);
    CHECK(reduce(f32, Operation::min, {1u, minus_zero | 1u}) == (minus_zero | 1u)); // denormals
    CHECK(reduce(f32, Operation::max, {bits_of(-inf), bits_of(-3.0f)}) == bits_of(-3.0f));
    // Sums and products know one NaN and one zero.
    for (Operation operation : {Operation::add, Operation::mul}) {
        CHECK(reduce(f32, operation, {nan}) == one_nan);
        CHECK(reduce(f32, operation, {one, negative_nan, two}) == one_nan);
        CHECK(scan(f32, operation, Scan::Kind::inclusive, {one, negative_nan, two})[2] == one_nan);
    }
    CHECK(reduce(f32, Operation::add, {bits_of(inf), bits_of(-inf)}) == one_nan);
    CHECK(reduce(f32, Operation::mul, {bits_of(inf), zero}) == one_nan);
    CHECK(reduce(f32, Operation::add, {minus_zero, minus_zero}) == zero);
    CHECK(reduce(f32, Operation::add, {minus_zero, zero}) == zero);
    CHECK(reduce(f32, Operation::mul, {minus_zero, one}) == zero);
    CHECK(reduce(f32, Operation::mul, {zero, bits_of(-1.0f)}) == zero);
    CHECK(scan(f32, Operation::add, Scan::Kind::inclusive, {minus_zero})[0] == zero);
    CHECK(reduce(f32, Operation::add, {bits_of(inf), one}) == bits_of(inf));
}

} // namespace

TEST_CASE("CPU references: NaN and the zeros", "[host][references]") {
    check_special_values<float>(0x7fc00001u, 0xffc12345u, 0x7fc00000u);
    check_special_values<double>(0x7ff8000000000001u, 0xfff8123456789abcu, 0x7ff8000000000000u);
    check_special_values<double>(0x7ff0000000000001u, 0xfff0000000000001u, 0x7ff8000000000000u);
}

namespace {

template <class T>
void check_exact_values() {
    for (uint32_t count : sizes) {
        CAPTURE(count);
        harness::Random random(count);
        std::vector<T>  terms, factors;
        for (uint32_t i = 0; i < count; ++i) {
            terms.push_back(static_cast<T>(static_cast<int>(random.below(15)) - 7));
            const T magnitude = random.below(count / 60 + 1) == 0 ? T(2) : T(1);
            factors.push_back(random.below(2) ? magnitude : -magnitude);
        }
        T              sum = 0, product = 1;
        std::vector<T> sums, products;
        for (uint32_t i = 0; i < count; ++i) {
            sum += terms[i];
            product *= factors[i];
            sums.push_back(sum);
            products.push_back(product);
        }
        CHECK(bits_in(reduce_floats(Operation::add, terms)) == bits_in(sum));
        CHECK(bits_in(reduce_floats(Operation::mul, factors)) == bits_in(product));
        CHECK((scan_floats(Operation::add, Scan::Kind::inclusive, terms) == sums));
        CHECK((scan_floats(Operation::mul, Scan::Kind::inclusive, factors) == products));
        if (count == 0) continue;
        sums.insert(sums.begin(), T(0));
        products.insert(products.begin(), T(1));
        sums.pop_back();
        products.pop_back();
        CHECK((scan_floats(Operation::add, Scan::Kind::exclusive, terms) == sums));
        CHECK((scan_floats(Operation::mul, Scan::Kind::exclusive, factors) == products));
    }
}

} // namespace

// By the definition: the first element that no other is better than.
TEST_CASE("CPU references: the least and the largest, and where", "[host][references]") {
    using Words     = std::vector<uint32_t>;
    const auto find = [](ElementType type, Operation operation, const Words& input) {
        return reference_reduce(type, operation, input.data(), static_cast<uint32_t>(input.size()));
    };
    const ElementType u32 = ElementType::u32, i32 = ElementType::i32, f32 = ElementType::f32;
    const Operation   argmin = Operation::argmin, argmax = Operation::argmax;
    const uint32_t    nan = 0x7fc00001u, minus_zero = 0x80000000u, none = ~0u;
    CHECK((find(u32, argmin, {7, 3, 9, 3, 9}) == Words{3, 1}));
    CHECK((find(u32, argmax, {7, 3, 9, 3, 9}) == Words{9, 2}));
    CHECK((find(i32, argmin, {7, 0xffffffffu, 9}) == Words{0xffffffffu, 1}));
    CHECK((find(i32, argmax, {0x80000000u, 0xffffffffu, 0xffffffffu}) == Words{0xffffffffu, 1}));
    CHECK((find(f32, argmin, {nan, vkprim::bits_of(2.0f), vkprim::bits_of(-1.0f), nan}) ==
           Words{vkprim::bits_of(-1.0f), 2}));
    CHECK((find(f32, argmax, {0, minus_zero, nan}) == Words{0, 0}));
    CHECK((find(f32, argmin, {0, minus_zero, nan}) == Words{0, 0})); // the zeros are equal
    CHECK((find(f32, argmin, {minus_zero, 0}) == Words{0, 0}));
    CHECK((find(f32, argmin, {vkprim::bits_of(infinity)}) == Words{vkprim::bits_of(infinity), 0}));
    CHECK((find(f32, argmax, {nan}) == Words{vkprim::bits_of(-infinity), none}));
    CHECK((find(f32, argmin, {}) == Words{vkprim::bits_of(infinity), none}));
    CHECK((find(u32, argmin, {}) == Words{~0u, none}));
    CHECK((find(u32, argmin, {~0u, ~0u}) == Words{~0u, 0})); // not taken for none
    CHECK((find(u32, argmax, {0, 0}) == Words{0, 0}));
    for (Operation operation : {argmin, argmax}) {
        const Words input = harness::random_elements({u32, operation}, 5000, harness::Random(1));
        const auto  best  = operation == argmin ? std::min_element(input.begin(), input.end())
                                                : std::max_element(input.begin(), input.end());
        CHECK((find(u32, operation, input) == Words{*best, static_cast<uint32_t>(best - input.begin())}));
    }
}

// Whole numbers whose sums stay below 2^24, and products of few powers of two: then no order of evaluation rounds.
TEST_CASE("CPU references: floats that never round", "[host][references]") {
    check_exact_values<float>();
    check_exact_values<double>();
}

TEST_CASE("CPU references: a reduction's tiles are as many as they may be, whatever the count", "[host][references]") {
    for (uint32_t width : {1u, 2u, 4u}) {
        const uint32_t most = width == 1 ? 1u << 15 : 1u << 16, columns = 256 * width;
        CAPTURE(width);
        const auto rows  = [&](uint64_t count) { return (1u << reduce_log2_tile(uint32_t(count), width)) / columns; };
        const auto tiles = [&](uint64_t count) { return (count - 1) / (rows(count) * columns) + 1; };
        CHECK(tiles(256 * columns) == 256);
        CHECK(tiles(256 * columns + 1) == 129); // of two rows
        CHECK(rows(uint64_t{256} * 16 * columns) == 16);
        CHECK(rows(uint64_t{most} * 16 * columns) == 16);
        CHECK(tiles(uint64_t{most} * 16 * columns) == most);
        CHECK(rows(uint64_t{most} * 16 * columns + 1) == 32);
        CHECK(tiles(uint64_t{most} * 16 * columns + 1) == most / 2 + 1);
        CHECK(tiles(UINT32_MAX) <= most);
    }
}

// A sum whose tree is d additions deep is off by at most d / (1 - d eps) * eps * sum |x|, eps = 2^-24 (Higham, "Accuracy
// and Stability of Numerical Algorithms", 2002, section 4.2). Reduce: rows, 10 levels of columns, 8 of tiles, 8 of
// groups. Scan: a vector's 3, 5 levels of vectors of a row, rows, 3 levels of runs, then 8 levels of aggregates
// with 2 hand-overs of 3 levels, and 5 to put a result together.
TEMPLATE_TEST_CASE("CPU references: float sums within their error bound", "[host][references]", float, double) {
    using T             = TestType;
    using Wider         = long double;
    const Wider epsilon = std::numeric_limits<T>::epsilon() / 2;
    for (uint32_t count : sizes) {
        CAPTURE(count);
        const std::vector<T> input        = random_floats<T>(count, count);
        const std::vector<T> inclusive    = scan_floats(Operation::add, Scan::Kind::inclusive, input);
        const std::vector<T> exclusive    = scan_floats(Operation::add, Scan::Kind::exclusive, input);
        const Wider          reduce_depth = (1u << REDUCE_LOG2_ROWS) + 10 + 8 + 8;
        const Wider          scan_depth   = 3 + 5 + 4 + 3 + 1 + 3 * 8 + 5;
        Wider                sum = 0, sum_of_magnitudes = 0;
        uint32_t             wrong = 0;
        const Wider          slack =
            1.0001L + std::numeric_limits<Wider>::epsilon() * count / epsilon; // the sum here rounds, too
        for (uint32_t i = 0; i < count; ++i) {
            wrong += std::abs(Wider{exclusive[i]} - sum) > slack * scan_depth * epsilon * sum_of_magnitudes;
            sum += Wider{input[i]};
            sum_of_magnitudes += std::abs(Wider{input[i]});
            wrong += std::abs(Wider{inclusive[i]} - sum) > slack * scan_depth * epsilon * sum_of_magnitudes;
        }
        CHECK(wrong == 0);
        const Wider total = Wider{reduce_floats(Operation::add, input)};
        CHECK(std::abs(total - sum) <= slack * reduce_depth * epsilon * sum_of_magnitudes);
    }
}

TEMPLATE_TEST_CASE("CPU references: exact sums, divided and rounded once", "[host][references]", float, double) {
    using T = TestType;
    harness::Random random(1);
    const auto      quotient = [](double value, uint64_t divisor) {
        harness::LongSum sum;
        sum.add(value);
        sum.carry();
        return sum.rounded<T>(divisor);
    };
    // A processor rounds a division as it should, down to the denormal numbers.
    uint32_t wrong = 0;
    for (int i = 0; i < 20000; ++i) {
        const int least   = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
        const T   value   = std::ldexp(static_cast<T>(random.next() >> (8 + random.below(56))),
                                       least + static_cast<int>(random.below(60)));
        const T   divisor = static_cast<T>(1 + random.below(i % 2 == 0 ? 9 : 1u << 24));
        for (const T signed_value : {value, -value}) {
            const T expected = signed_value / divisor;
            wrong += quotient(signed_value, static_cast<uint64_t>(divisor)) != expected ? 1 : 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(quotient(1, 3) == T(1) / T(3));
    CHECK_FALSE(std::signbit(quotient(-std::numeric_limits<T>::denorm_min(), 3)));
    harness::LongSum sum;
    for (int i = 0; i < 3; ++i) sum.add(std::numeric_limits<T>::max());
    sum.carry();
    CHECK(std::isinf(sum.template rounded<T>()));
    CHECK(sum.template rounded<T>(3) == std::numeric_limits<T>::max());
    harness::LongSum least;
    least.add(INT64_MIN, 20);
    least.add(int64_t{-1}, 60);
    least.carry();
    CHECK(least.template rounded<T>() == T(-0x1.000002p83));
}

TEST_CASE("CPU references: float products within their error bound", "[host][references]") {
    for (uint32_t count : {1u, 7u, 1025u, 4097u, 262145u}) {
        CAPTURE(count);
        const ElementType f32 = ElementType::f32;
        const auto        bits =
            elements_of(f32, harness::random_elements({f32, Operation::mul}, count, harness::Random(count)));
        double   product = 1;
        uint32_t factors = 0; // those that make a product round
        for (uint64_t b : bits) {
            product *= double{value_in<float>(b)};
            factors += std::abs(value_in<float>(b)) != 1.0f;
        }
        const double got   = double{value_in<float>(reduce(f32, Operation::mul, bits))};
        const double last  = double{value_in<float>(scan(f32, Operation::mul, Scan::Kind::inclusive, bits).back())};
        const double bound = 1.01 * factors * std::ldexp(1.0, -24) * std::abs(product);
        REQUIRE(std::isnormal(static_cast<float>(product)));
        CHECK(std::abs(got - product) <= bound);
        CHECK(std::abs(last - product) <= bound);
    }
}

// 2^24 + 1 is no float: what is left of the ones tells the order of the additions.
TEST_CASE("CPU references: the order of float additions, by hand", "[host][references]") {
    const float big = 16777216.0f;
    // Reduce: columns of 1024 from top to bottom, then pairs of neighbours.
    CHECK(reduce_floats<float>(Operation::add, {big, 1, 1, 1}) == big + 2);       // (big + 1) + (1 + 1)
    CHECK(reduce_floats<float>(Operation::add, {1, 1, big, 1}) == big + 2);       // (1 + 1) + (big + 1)
    CHECK(reduce_floats<float>(Operation::add, {1, 1, 1, 1, big, 1}) == big + 4); // ((1 + 1) + (1 + 1)) + (big + 1)
    CHECK(reduce_floats<float>(Operation::add, {big, 1, 0, 0, 0, 1}) == big);     // (big + 1) + ... + (0 + 1)
    // Scan: from left to right within vectors of four, then pairs of vectors.
    CHECK((scan_floats<float>(Operation::add, Scan::Kind::inclusive, {big, 1, 1, 1}) == std::vector<float>(4, big)));
    CHECK((scan_floats<float>(Operation::add, Scan::Kind::inclusive, {1, 1, 1, big}) ==
           std::vector<float>{1, 2, 3, big + 4}));
    CHECK((scan_floats<float>(Operation::add, Scan::Kind::inclusive, {big, 0, 0, 0, 1, 1, 1, 1}) ==
           std::vector<float>{big, big, big, big, big, big + 2, big + 4, big + 4}));
    CHECK((scan_floats<float>(Operation::add, Scan::Kind::exclusive, {big, 1, 1, 1, 1, 1, 1, 1}) ==
           std::vector<float>{0.0f, big, big, big, big, big, big + 2, big + 4}));
    // Doubles: half the columns, and vectors of two. 2^53 + 1 is no double.
    const double        huge = 9007199254740992.0;
    std::vector<double> rows(140000); // in more than 256 tiles of 512, so that a tile has two rows
    rows[0]   = huge;
    rows[512] = rows[513] = 1;                                                 // below the first two
    CHECK(reduce_floats(Operation::add, rows) == huge);                        // (huge + 1) + (0 + 1)
    CHECK(reduce_floats<double>(Operation::add, {huge, 1, 1, 1}) == huge + 2); // (huge + 1) + (1 + 1)
    CHECK((scan_floats<double>(Operation::add, Scan::Kind::inclusive, {huge, 0, 1, 1}) ==
           std::vector<double>{huge, huge, huge, huge + 2}));
}

TEST_CASE("CPU references: scans in place, and their last value", "[host][references]") {
    for (const harness::ElementCase& element_case : harness::scan_cases()) {
        const auto [type, operation, is_wide] = element_case;
        const auto words                      = harness::random_elements(element_case, 10007, harness::Random(5));
        const auto input                      = elements_of(type, words);
        for (Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
            auto in_place = words;
            reference_scan(type, operation, kind, in_place.data(), in_place.data(), 10007);
            CHECK((elements_of(type, in_place) == scan(type, operation, kind, input)));
        }
        if (is_float(type) && (operation == Operation::add || operation == Operation::mul)) continue;
        CHECK(scan(type, operation, Scan::Kind::inclusive, input).back() == reduce(type, operation, input));
    }
}

namespace {

template <class T>
std::vector<uint32_t> histogram(const Histogram::Desc& desc, const std::vector<T>& samples) {
    return reference_histogram(desc, samples.data(), static_cast<uint32_t>(samples.size()));
}

/// The bin of one sample, or -1 where it is not counted.
template <class T>
int64_t bin_of(const Histogram::Desc& desc, T sample) {
    const std::vector<uint32_t> counts = histogram(desc, std::vector<T>{sample});
    int64_t                     bin    = -1;
    for (size_t b = 0; b < counts.size(); ++b) {
        if (counts[b] == 0) continue;
        CHECK(counts[b] == 1);
        CHECK(bin == -1);
        bin = static_cast<int64_t>(b);
    }
    return bin;
}

} // namespace

TEST_CASE("CPU references: histogram of integers at the edges", "[host][references]") {
    const Histogram::Desc seven{SampleType::u8, 7, 10, 210};
    CHECK(bin_of<uint8_t>(seven, 9) == -1);
    CHECK(bin_of<uint8_t>(seven, 10) == 0);
    CHECK(bin_of<uint8_t>(seven, 38) == 0); // 28 * 7 / 200 = 0.98
    CHECK(bin_of<uint8_t>(seven, 39) == 1); // 29 * 7 / 200 = 1.015
    CHECK(bin_of<uint8_t>(seven, 209) == 6);
    CHECK(bin_of<uint8_t>(seven, 210) == -1);
    const Histogram::Desc fine{SampleType::u8, 1000, 0, 256}; // more bins than values
    CHECK(bin_of<uint8_t>(fine, 0) == 0);
    CHECK(bin_of<uint8_t>(fine, 1) == 3);
    CHECK(bin_of<uint8_t>(fine, 255) == 996);
    const Histogram::Desc about_zero{SampleType::i32, 100, -1000, 1000};
    CHECK(bin_of<int32_t>(about_zero, -1001) == -1);
    CHECK(bin_of<int32_t>(about_zero, -1000) == 0);
    CHECK(bin_of<int32_t>(about_zero, -981) == 0);
    CHECK(bin_of<int32_t>(about_zero, -980) == 1);
    CHECK(bin_of<int32_t>(about_zero, -1) == 49);
    CHECK(bin_of<int32_t>(about_zero, 0) == 50);
    CHECK(bin_of<int32_t>(about_zero, 999) == 99);
    CHECK(bin_of<int32_t>(about_zero, 1000) == -1);
    const Histogram::Desc whole{SampleType::u32, 1u << 20, 0, 4294967296.0};
    CHECK(bin_of<uint32_t>(whole, 0xffffffffu) == (1 << 20) - 1);
    CHECK(bin_of<uint32_t>(whole, 4095) == 0);
    CHECK(bin_of<uint32_t>(whole, 4096) == 1);
    const Histogram::Desc whole_signed{SampleType::i32, 3, -2147483648.0, 2147483648.0};
    CHECK(bin_of<int32_t>(whole_signed, -2147483647 - 1) == 0);
    CHECK(bin_of<int32_t>(whole_signed, 0) == 1);
    CHECK(bin_of<int32_t>(whole_signed, 2147483647) == 2);
    CHECK(bin_of<uint16_t>({SampleType::u16, 65536, 0, 65536}, 65535) == 65535);
}

TEST_CASE("CPU references: histogram of channels, with weights and levels", "[host][references]") {
    const std::vector<uint8_t>  pixels  = {0, 10, 200, 255, 1, 10, 100, 7}; // two of four samples
    const std::vector<uint32_t> weights = {3, 0xffffffffu};
    Histogram::Desc             desc{SampleType::u8, 2, 0, 200, 4, 3};
    const auto                  counts = [&](uint32_t count) {
        return reference_histogram(desc, {pixels.data(), weights.data(), nullptr}, count);
    };
    CHECK(counts(8) == std::vector<uint32_t>{2, 0, 2, 0, 0, 1});
    CHECK(counts(5) == std::vector<uint32_t>{2, 0, 1, 0, 0, 0});
    desc.weights = Weights::u32;
    CHECK(counts(8) == std::vector<uint32_t>{2, 0, 2, 0, 0, 0xffffffffu});
    desc.wide = true;
    CHECK(counts(8) == std::vector<uint32_t>{2, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0xffffffffu, 0});
    desc.weights = Weights::i32;
    CHECK(counts(8) == std::vector<uint32_t>{2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0xffffffffu, 0xffffffffu});

    Histogram::Desc between{SampleType::f32, 3};
    between.levels                  = true;
    const std::vector<float> levels = {-infinity, -1, -1, 1e-40f};
    const auto               bin    = [&](float x) {
        const auto one = reference_histogram(between, {&x, nullptr, levels.data()}, 1);
        return std::find(one.begin(), one.end(), 1u) - one.begin();
    };
    CHECK(bin(-infinity) == 0);
    CHECK(bin(-1.5f) == 0);
    CHECK(bin(-1) == 2); // nothing is between equal levels
    CHECK(bin(-0.0f) == 2);
    CHECK(bin(1e-41f) == 2);
    CHECK(bin(1e-40f) == 3); // none
    CHECK(bin(std::nanf("")) == 3);
}

TEST_CASE("CPU references: histogram of doubles at the edges", "[host][references]") {
    const Histogram::Desc desc{SampleType::f64, 4, -1, 1};
    CHECK(bin_of(desc, std::nextafter(-1.0, -2.0)) == -1);
    CHECK(bin_of(desc, -1.0) == 0);
    CHECK(bin_of(desc, std::nextafter(-0.5, -1.0)) == 0);
    CHECK(bin_of(desc, -0.5) == 1);
    CHECK(bin_of(desc, -0.0) == 2);
    CHECK(bin_of(desc, std::nextafter(1.0, 0.0)) == 3);
    CHECK(bin_of(desc, 1.0) == -1);
    CHECK(bin_of(desc, std::nan("")) == -1);
}

// From its definition, bin b begins at the least x with (x - lower) * bins >= b * (upper - lower).
TEST_CASE("CPU references: histogram of all bytes and words", "[host][references]") {
    std::vector<uint8_t>  bytes;
    std::vector<uint16_t> words;
    for (uint32_t i = 0; i < 256; ++i) bytes.push_back(static_cast<uint8_t>(i));
    for (uint32_t i = 0; i < 65536; ++i) words.push_back(static_cast<uint16_t>(i));
    for (uint32_t bins : {1u, 2u, 3u, 7u, 255u, 256u, 257u, 1000u, 65535u}) {
        for (uint32_t lower : {0u, 1u, 100u}) {
            for (uint32_t upper : {101u, 200u, 256u}) {
                CAPTURE(bins, lower, upper);
                const auto check = [&](const std::vector<uint32_t>& counts) {
                    REQUIRE(counts.size() == bins);
                    const uint64_t span  = upper - lower;
                    uint32_t       wrong = 0;
                    for (uint64_t b = 0; b < bins; ++b) {
                        const uint64_t first = (b * span + bins - 1) / bins, next = ((b + 1) * span + bins - 1) / bins;
                        wrong += counts[b] != next - first;
                    }
                    CHECK(wrong == 0);
                };
                check(histogram({SampleType::u8, bins, double(lower), double(upper)}, bytes));
                check(histogram({SampleType::u16, bins, double(lower), double(upper)}, words));
            }
        }
    }
}

TEST_CASE("CPU references: histogram of floats", "[host][references]") {
    const Histogram::Desc unit{SampleType::f32, 4, 0, 1};
    CHECK(bin_of(unit, -0.0f) == 0);
    CHECK(bin_of(unit, 0.0f) == 0);
    CHECK(bin_of(unit, 0.25f) == 1);
    CHECK(bin_of(unit, std::nextafter(0.25f, 0.0f)) == 0);
    CHECK(bin_of(unit, 0.5f) == 2);
    CHECK(bin_of(unit, std::nextafter(1.0f, 0.0f)) == 3);
    CHECK(bin_of(unit, 1.0f) == -1);
    CHECK(bin_of(unit, std::nextafter(0.0f, -1.0f)) == -1);
    CHECK(bin_of(unit, -infinity) == -1);
    CHECK(bin_of(unit, infinity) == -1);
    CHECK(bin_of(unit, std::nanf("")) == -1);
    CHECK(bin_of({SampleType::f32, 4, -1, 0}, -0.0f) == -1); // -0 is 0, the excluded end
    CHECK(bin_of({SampleType::f32, 10, -1e30f, 1e30f}, 0.0f) == 5);
    CHECK(bin_of({SampleType::f32, 10, -1e30, 1e30}, 0.0f) == 4); // the lower end is rounded up, so edge 5 is 7.6e22
}

} // namespace vkprim::tests
