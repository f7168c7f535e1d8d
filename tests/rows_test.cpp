// Arrays as rows, and small types as wide ones: what is on the host of `vkprim reduce --axis` and its like.
#include "../tools/cli/rows.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../tools/cli/input.h"
#include "support/catch.h"

using namespace vkprim;
using namespace vkprim::tools;

namespace {

template <class T>
Array array_of(NumberType type, const std::vector<T>& elements, const Shape& shape, bool fortran_order = false) {
    const auto* first = reinterpret_cast<const uint8_t*>(elements.data());
    return {type, std::vector<uint8_t>(first, first + elements.size() * sizeof(T)), shape, fortran_order};
}

template <class T>
std::vector<T> elements_of(const std::vector<uint8_t>& bytes) {
    std::vector<T> elements(bytes.size() / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
}

/// Elements 0, 1, 2 ... of C order, in either order.
template <class T>
Array counting(NumberType type, const Shape& shape, bool fortran_order) {
    uint64_t count = 1;
    for (const uint64_t n : shape) count *= n;
    std::vector<T> elements(count);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t place = 0, left = i, stride = count;
        for (size_t k = shape.size(); k-- > 0; left /= shape[k]) {
            stride /= shape[k]; // of Fortran order
            place += left % shape[k] * stride;
        }
        elements[fortran_order ? place : i] = static_cast<T>(i);
    }
    return array_of(type, elements, shape, fortran_order);
}

template <class T>
void check_rows(NumberType type) {
    const Shape shape = {2, 3, 4};
    for (const bool fortran_order : {false, true}) {
        for (int axis = -3; axis < 3; ++axis) {
            CAPTURE(type_name(type), fortran_order, axis);
            Array          array   = counting<T>(type, shape, fortran_order);
            const Rows     rows    = to_rows(array, axis, "a");
            const size_t   along   = static_cast<size_t>(axis < 0 ? axis + 3 : axis);
            const uint64_t steps[] = {12, 4, 1};
            std::vector<T> expected;
            for (uint64_t i = 0; i < 24; ++i) { // elements that begin a row, in C order
                if (i / steps[along] % shape[along] > 0) continue;
                for (uint64_t k = 0; k < shape[along]; ++k) expected.push_back(static_cast<T>(i + k * steps[along]));
            }
            CHECK(elements_of<T>(array.bytes) == expected);
            CHECK_FALSE(array.fortran_order);
            CHECK(rows.length == shape[along]);
            CHECK(rows.count == 24 / shape[along]);
            Shape rest = shape;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(along));
            CHECK(rows.shape == rest);
            CHECK(from_rows(array.bytes, rows, array) == counting<T>(type, shape, false).bytes);
        }
        Array      array = counting<T>(type, shape, fortran_order);
        const Rows all   = to_rows(array, std::nullopt, "a");
        CHECK(array.bytes == counting<T>(type, shape, false).bytes);
        CHECK(all.count == 1);
        CHECK(all.length == 24);
        CHECK(from_rows(array.bytes, all, array) == array.bytes);
    }
}

std::string reason_of(const Shape& shape, int axis) {
    Array array = array_of(NumberType::u8, std::vector<uint8_t>(), shape);
    try {
        to_rows(array, axis, "a.npy");
    } catch (const Failure& failure) {
        CHECK(failure.code == exit_usage);
        return failure.reason;
    }
    return "";
}

} // namespace

TEST_CASE("rows along each axis, of both orders", "[files]") {
    check_rows<uint8_t>(NumberType::u8);
    check_rows<uint16_t>(NumberType::u16);
    check_rows<uint32_t>(NumberType::u32);
    check_rows<uint64_t>(NumberType::u64);
}

TEST_CASE("rows of arrays with few or no elements", "[files]") {
    Array single = array_of(NumberType::u8, std::vector<uint8_t>{7}, {});
    CHECK(to_rows(single, std::nullopt, "a").length == 1);
    Array vector = array_of(NumberType::u8, std::vector<uint8_t>{7, 8}, {2});
    CHECK(to_rows(vector, 0, "a").shape.empty());
    CHECK(to_rows(vector, -1, "a").count == 1);

    const auto rows_of = [](const Shape& shape, int axis) {
        Array array = array_of(NumberType::u8, std::vector<uint8_t>(), shape);
        return to_rows(array, axis, "a");
    };
    CHECK(rows_of({2, 0, 3}, 1).count == 6);
    CHECK(rows_of({2, 0, 3}, 1).length == 0);
    CHECK(rows_of({2, 0, 3}, 0).count == 0);
    CHECK(rows_of({UINT64_MAX, 0, UINT64_MAX}, 0).count == 0);
    CHECK(reason_of({}, 0).find("leave --axis away") != std::string::npos);
    CHECK(reason_of({2, 3}, 2).find("--axis 2: an array of shape (2, 3) has no such axis; choose -2 to 1") !=
          std::string::npos);
    CHECK(reason_of({2, 3}, -3).find("choose -2 to 1") != std::string::npos);
    CHECK(reason_of({65536, 65536, 0}, 2).find("more than 4294967295 rows") != std::string::npos);
    CHECK(reason_of({UINT64_MAX, 3, 0}, 2).find("more than 4294967295 rows") != std::string::npos);
}

TEST_CASE("small types become wide ones of the same value", "[files]") {
    Array truths = array_of(NumberType::boolean, std::vector<uint8_t>{0, 1, 255}, {3});
    CHECK(widen(truths) == ElementType::u32);
    CHECK(truths.type == NumberType::u32);
    CHECK(elements_of<uint32_t>(truths.bytes) == std::vector<uint32_t>{0, 1, 1});
    Array bytes = array_of(NumberType::u8, std::vector<uint8_t>{0, 255}, {2});
    CHECK(widen(bytes) == ElementType::u32);
    CHECK(elements_of<uint32_t>(bytes.bytes) == std::vector<uint32_t>{0, 255});
    Array shorts = array_of(NumberType::u16, std::vector<uint16_t>{0, 65535}, {2});
    CHECK(widen(shorts) == ElementType::u32);
    CHECK(elements_of<uint32_t>(shorts.bytes) == std::vector<uint32_t>{0, 65535});
    Array signed_bytes = array_of(NumberType::i8, std::vector<int8_t>{-128, 127}, {2});
    CHECK(widen(signed_bytes) == ElementType::i32);
    CHECK(elements_of<int32_t>(signed_bytes.bytes) == std::vector<int32_t>{-128, 127});
    Array signed_shorts = array_of(NumberType::i16, std::vector<int16_t>{-32768, 32767}, {2});
    CHECK(widen(signed_shorts) == ElementType::i32);
    CHECK(elements_of<int32_t>(signed_shorts.bytes) == std::vector<int32_t>{-32768, 32767});
    Array wide = array_of(NumberType::i64, std::vector<int64_t>{-5}, {1});
    CHECK(widen(wide) == ElementType::i64);
    CHECK(elements_of<int64_t>(wide.bytes) == std::vector<int64_t>{-5});
}

TEST_CASE("every half float is a float", "[files]") {
    std::vector<uint16_t> halves(65536);
    for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
    Array array = array_of(NumberType::f16, halves, {65536});
    CHECK(widen(array) == ElementType::f32);
    const auto floats = elements_of<float>(array.bytes);
    const auto bits   = elements_of<uint32_t>(array.bytes);
    for (size_t i = 0; i < halves.size(); ++i) {
        CAPTURE(i);
        REQUIRE(bits[i] >> 31 == i >> 15);
        const size_t exponent = i >> 10 & 31, fraction = i & 1023;
        const float  sign = i >> 15 != 0 ? -1.0f : 1.0f;
        if (exponent == 31 && fraction > 0) {
            REQUIRE(std::isnan(floats[i]));
        } else if (exponent == 31) {
            REQUIRE(floats[i] == sign * std::numeric_limits<float>::infinity());
        } else {
            const double significand = static_cast<double>(fraction) + (exponent > 0 ? 1024 : 0);
            const int    power       = static_cast<int>(exponent > 0 ? exponent : 1) - 25;
            REQUIRE(static_cast<double>(floats[i]) == static_cast<double>(sign) * std::ldexp(significand, power));
        }
    }
}
