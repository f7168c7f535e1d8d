#include "elements.h"

#include "element.h"
#include "float_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace vkprim::harness {

bool is_float(ElementType type) {
    return output_type(type) == ElementType::f32 || output_type(type) == ElementType::f64;
}

namespace {

uint64_t bits_of_double(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// The float or double of that value.
uint64_t float_bits(ElementType type, float value) {
    return type == ElementType::f64 ? bits_of_double(double{value}) : bits_of(value);
}

ElementPlan plan_of_case(const ElementCase& element_case) {
    return *plan_elements(element_case.type, element_case.operation, element_case.wide);
}

/// What is left of bits in an element of that type, widened again. Floats must be of the type already.
uint64_t narrowed(ElementType type, uint64_t bits) {
    switch (type) {
        case ElementType::u8: return static_cast<uint8_t>(bits);
        case ElementType::i8: return static_cast<uint32_t>(static_cast<int8_t>(bits));
        case ElementType::u16: return static_cast<uint16_t>(bits);
        case ElementType::i16: return static_cast<uint32_t>(static_cast<int16_t>(bits));
        default: return bits;
    }
}

/// Of a float that is one.
uint16_t half_of(uint32_t bits) {
    const uint32_t sign = bits >> 16 & 0x8000u, exponent = bits >> 23 & 255u, fraction = bits & 0x7fffffu;
    if (exponent == 255) return static_cast<uint16_t>(sign | 0x7c00u | fraction >> 13);
    if (exponent < 113)
        return static_cast<uint16_t>(sign | (exponent < 102 ? 0 : (fraction | 0x800000u) >> (126 - exponent)));
    return static_cast<uint16_t>(sign | (exponent - 112) << 10 | fraction >> 13);
}

/// Elements from the bits that `make` returns for each.
template <class Make>
std::vector<uint32_t> elements_by(ElementType type, uint32_t count, const Make& make) {
    const uint32_t        words = words_in(type);
    std::vector<uint32_t> elements(size_t{count} * words);
    for (size_t i = 0; i < elements.size(); i += words) {
        const uint64_t bits = narrowed(type, make(static_cast<uint32_t>(i / words)));
        elements[i]         = static_cast<uint32_t>(bits);
        if (words == 2) elements[i + 1] = static_cast<uint32_t>(bits >> 32);
    }
    return elements;
}

} // namespace

const std::vector<ElementCase>& element_cases() {
    static const std::vector<ElementCase> cases = [] {
        std::vector<ElementCase> all;
        for (uint32_t t = 0; element_type_name(static_cast<ElementType>(t)); ++t) {
            for (uint32_t o = 0; operation_name(static_cast<Operation>(o)); ++o) {
                const ElementCase one{static_cast<ElementType>(t), static_cast<Operation>(o)};
                if (plan_elements(one.type, one.operation)) all.push_back(one);
            }
        }
        return all;
    }();
    return cases;
}

const std::vector<ElementCase>& scan_cases() {
    static const std::vector<ElementCase> cases = [] {
        std::vector<ElementCase> all;
        for (const ElementCase& one : element_cases()) {
            if (plan_elements(one.type, one.operation)->scans) all.push_back(one);
        }
        return all;
    }();
    return cases;
}

const std::vector<ElementCase>& reduce_cases() {
    static const std::vector<ElementCase> cases = [] {
        std::vector<ElementCase> all = element_cases();
        for (const ElementCase& one : element_cases()) {
            if (plan_elements(one.type, one.operation, true)) all.push_back({one.type, one.operation, true});
        }
        return all;
    }();
    return cases;
}

const std::vector<ElementCase>& strided_cases() {
    static const std::vector<ElementCase> cases = {{ElementType::u32, Operation::add},
                                                   {ElementType::f32, Operation::add},
                                                   {ElementType::f32, Operation::min},
                                                   {ElementType::i32, Operation::max}};
    return cases;
}

bool has_bytes(const runtime::Device& device) {
    const Profile* const profile = device.context().profile;
    const bool           are_off =
        profile && profile->values.count("device.byte_access") > 0 && profile->values.at("device.byte_access") == 0;
    return device.info().features.storage_buffer_8bit_access && !are_off;
}

bool runs_on(const runtime::Device& device, const ElementCase& element_case) {
    if (input_size(element_case.type) < 4 && !has_bytes(device)) return false;
    return device.info().features.shader_float64 || !plan_of_case(element_case).doubles;
}

namespace {

bool is_quick(const ElementCase& element_case) {
    const Operation operation = element_case.operation;
    switch (element_case.type) {
        case ElementType::u32: return operation != Operation::argmax;
        case ElementType::f32: return true;
        case ElementType::i32:
            return operation == Operation::add || operation == Operation::min || operation == Operation::max ||
                   operation == Operation::argmax;
        case ElementType::u64: return operation == Operation::add || operation == Operation::max;
        case ElementType::i64: return operation == Operation::min;
        case ElementType::f64: return operation == Operation::add || operation == Operation::max;
        case ElementType::u8:
        case ElementType::i16: return operation == Operation::add;
        case ElementType::i8: return operation == Operation::min;
        case ElementType::u16: return operation == Operation::max;
        case ElementType::f16:
            return operation == Operation::add || operation == Operation::min || operation == Operation::mul;
    }
    return true;
}

/// One or two operations of each type: the others differ in no more than themselves, and the quick extent has them.
bool is_of_pairs(const ElementCase& element_case) {
    const Operation operation = element_case.operation;
    switch (element_case.type) {
        case ElementType::u32: return operation == Operation::add || operation == Operation::argmin;
        case ElementType::f32:
            return operation == Operation::add || operation == Operation::max || operation == Operation::mul;
        case ElementType::i32: return operation == Operation::min;
        default: return is_quick(element_case);
    }
}

} // namespace

bool is_in(Extent extent, const ElementCase& element_case) {
    if (extent == Extent::full) return true;
    if (element_case.wide) {
        const bool adds = element_case.operation == Operation::add;
        switch (element_case.type) {
            case ElementType::i32: return adds || extent == Extent::quick;
            case ElementType::u8:
            case ElementType::i16: return adds;
            default: return adds && extent == Extent::quick;
        }
    }
    return extent == Extent::quick ? is_quick(element_case) : is_of_pairs(element_case);
}

std::string way_of(const ElementCase& element_case) {
    const ElementPlan plan = plan_of_case(element_case);
    return plan.doubles ? "double" : plan.kind;
}

Cover quick_cover(const ElementCase& element_case) {
    const bool adds = element_case.operation == Operation::add, mins = element_case.operation == Operation::min;
    if (element_case.wide) return Cover::pairs;
    switch (element_case.type) {
        case ElementType::u32: return adds ? Cover::all : Cover::pairs;
        case ElementType::f32: return adds || mins ? Cover::all : Cover::pairs;
        case ElementType::u64: return adds ? Cover::all : Cover::pairs;
        default: return Cover::pairs;
    }
}

uint32_t words_in(ElementType type) { return input_size(type) == 8 ? 2 : 1; }

uint32_t input_size(ElementType type) { return element_type_size(type); }

uint32_t result_size(const ElementCase& element_case) { return plan_of_case(element_case).result_size; }
uint32_t result_align(const ElementCase& element_case) { return plan_of_case(element_case).output_align; }

ElementType result_type(const ElementCase& element_case) {
    return element_case.wide ? wide_type(element_case.type) : output_type(element_case.type);
}

void widen_words(ElementType type, uint32_t count, uint32_t* words) {
    const bool is_signed = wide_type(type) == ElementType::i64;
    for (size_t i = count; i-- > 0;) {
        const uint32_t lower = words[i];
        words[2 * i]         = lower;
        words[2 * i + 1]     = is_signed && lower >> 31 ? ~0u : 0;
    }
}

std::string name_of(ElementType type) { return element_type_name(type); }
std::string name_of(Operation operation) { return operation_name(operation); }
std::string name_of(const ElementCase& element_case) {
    return name_of(element_case.type) + (element_case.wide ? " wide " : " ") + name_of(element_case.operation);
}

Format format_of(ElementType type) { return static_cast<Format>(output_type(type)); }

Format format_of(const ElementCase& element_case) {
    // A value and its index are shown as one number.
    const ElementType type = result_type(element_case);
    return result_size(element_case) > input_size(type) ? Format::u64 : format_of(type);
}

namespace {

uint64_t random_float(const ElementCase& element_case, uint32_t count, Random& random) {
    const uint64_t r       = random.next();
    const float    sign    = (r & 0x80000000u) != 0 ? -1.0f : 1.0f;
    const bool     product = element_case.operation == Operation::mul;
    // Eleven bits of an f16 are its fraction's; of a factor ten, since above 1 they mean twice as much.
    const uint64_t kept     = element_case.type != ElementType::f16 ? 0xffffff : product ? 0xffc000 : 0xffe000;
    const uint64_t fraction = r >> 40 & kept;
    float          value;
    if (product) {
        // Mostly 1 or -1, and few enough factors in [0.75, 1.25) that products of them all stay in range.
        const uint32_t factors = 4096;
        const bool     is_one  = count > factors && random.below(count / factors + 1) != 0;
        value                  = is_one ? 1.0f : 0.75f + static_cast<float>(fraction % 0x800000) / 0x1000000;
    } else {
        // Multiples of 2^-24 of magnitude below 2, of f16 of 2^-10: differences of sums vanish or stay normal.
        value = element_case.type == ElementType::f16 ? static_cast<float>(fraction) / 0x800000
                                                      : static_cast<float>(fraction << 1 | 1) / 0x1000000;
    }
    if (element_case.type != ElementType::f64) return bits_of(sign * value);
    // As many bits as a double has: sums round.
    const double low = static_cast<double>(r & 0xfffffff) / (1ull << 52);
    return bits_of_double(double{sign} * (value == 1.0f ? 1.0 : double{value} + low));
}

} // namespace

std::vector<uint32_t> random_elements(const ElementCase& element_case, uint32_t count, Random random) {
    const bool is_long = words_in(element_case.type) == 2;
    return elements_by(element_case.type, count, [&](uint32_t) -> uint64_t {
        if (is_float(element_case.type)) return random_float(element_case, count, random);
        uint64_t bits = is_long ? random.next() : random.next() >> 32;
        // An odd number has an inverse: products that do not drown in factors of two.
        if (element_case.operation == Operation::mul) bits |= 1;
        // Bits that survive a thousand ands or ors.
        if (element_case.operation == Operation::bit_and && random.below(64) != 0) bits = ~0ull;
        if (element_case.operation == Operation::bit_or && random.below(64) != 0) bits = 0;
        return bits;
    });
}

bool chooses(Operation operation) {
    return operation == Operation::min || operation == Operation::max || operation == Operation::argmin ||
           operation == Operation::argmax;
}

std::vector<uint32_t> nan_elements(const ElementCase& element_case, uint32_t count, uint32_t infinity_at) {
    const bool     is_least = element_case.operation == Operation::min || element_case.operation == Operation::argmin;
    const uint64_t infinity = float_bits(element_case.type, is_least ? INFINITY : -INFINITY);
    const uint64_t nan      = float_bits(element_case.type, NAN);
    return elements_by(element_case.type, count, [&](uint32_t i) { return i == infinity_at ? infinity : nan; });
}

std::vector<uint32_t> special_elements(const ElementCase& element_case, uint32_t count, Random random) {
    std::vector<uint64_t> values;
    const bool            ordered = chooses(element_case.operation);
    const auto            add = [&](std::initializer_list<uint64_t> more) { // insert() misleads GCC 16's -Warray-bounds
        for (const uint64_t value : more) values.push_back(value);
    };
    switch (element_case.type) {
        case ElementType::u32:
        case ElementType::i32: values = {0, 1, 2, ~0u, 0x80000000u, 0x7fffffffu}; break;
        case ElementType::u8:
        case ElementType::i8:
        case ElementType::u16:
        case ElementType::i16: values = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff}; break;
        case ElementType::f16:
            for (const int half : {0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xc100})
                values.push_back(bits_of(float_of_half(static_cast<uint16_t>(half))));
            if (random.below(2)) add({0x7f800000u, 0x7fc02000u, 0xff800000u, 0xffc12000u});
            if (!ordered) break;
            for (const int half : {1, 0x8001, 0x3ff, 0x83ff, 0x7bff})
                values.push_back(bits_of(float_of_half(static_cast<uint16_t>(half))));
            break;
        case ElementType::u64:
        case ElementType::i64:
            values = {0, 1, ~0ull, ~0u, 1ull << 32, 0x80000000u, 1ull << 63, ~0ull >> 1, ~0ull << 32, (1ull << 32) - 1};
            break;
        case ElementType::f32:
            values = {0, 0x80000000u, bits_of(1.0f), bits_of(-1.0f), bits_of(0.5f), bits_of(-2.5f)};
            if (random.below(2)) add({0x7f800000u, 0x7fc00001u, 0xff800000u, 0xffc12345u});
            if (ordered) add({1u, 0x80000001u, 0x007fffffu, 0x807fffffu});
            break;
        case ElementType::f64:
            values = {0, 1ull << 63, bits_of_double(1), bits_of_double(-1), bits_of_double(0.5), bits_of_double(-2.5)};
            if (random.below(2)) {
                add({0x7ff0000000000000u, 0x7ff0000000000001u, 0x7ff8000000000000u, 0xfff0000000000000u,
                     0xfff8123456789abcu});
            }
            if (ordered) add({1u, 1ull << 63 | 1u, 0x000fffffffffffffu, 0x800fffffffffffffu});
            break;
    }
    return elements_by(element_case.type, count,
                       [&](uint32_t) { return values[random.below(static_cast<uint32_t>(values.size()))]; });
}

Bytes elements_of(const ElementCase& element_case, uint32_t count, Data data, Random random) {
    const ElementType type = element_case.type;
    switch (data) {
        case Data::random: return input_of(type, random_elements(element_case, count, random));
        case Data::special: return input_of(type, special_elements(element_case, count, random));
        case Data::zeros:
        case Data::ones:
        case Data::index: break;
    }
    const std::vector<uint32_t> elements = elements_by(type, count, [&](uint32_t i) -> uint64_t {
        if (data == Data::zeros) return 0;
        if (data == Data::ones) return is_float(type) ? float_bits(type, 1.0f) : 1u;
        if (!is_float(type)) return i;
        const bool product = element_case.operation == Operation::mul;
        return float_bits(
            type, product ? (i % 2 ? -1.0f : 1.0f) : static_cast<float>(type == ElementType::f16 ? i % 2048 : i));
    });
    return input_of(type, elements);
}

Bytes input_of(ElementType type, const std::vector<uint32_t>& elements) {
    const uint32_t size = input_size(type);
    if (size >= 4) return bytes_of(elements);
    Bytes bytes(elements.size() * size);
    for (size_t i = 0; i < elements.size(); ++i) {
        if (type != ElementType::f16) {
            put(bytes, i, elements[i], size);
            continue;
        }
        const uint16_t half = half_of(elements[i]);
        if (bits_of(float_of_half(half)) != elements[i]) throw std::logic_error("an element of a test is no f16");
        put(bytes, i, half, size);
    }
    return bytes;
}

Bytes spread(const std::vector<uint32_t>& elements, uint32_t stride) {
    if (elements.empty()) return {};
    Bytes bytes((elements.size() - 1) * stride + 4, 0xcd);
    for (size_t i = 0; i < elements.size(); ++i) std::memcpy(&bytes[i * stride], &elements[i], 4);
    return bytes;
}

std::vector<uint32_t> elements_in(ElementType type, const void* input, uint32_t count) {
    const uint32_t        size = input_size(type);
    std::vector<uint32_t> elements(size_t{count} * words_in(type));
    if (size >= 4) {
        if (count > 0) std::memcpy(elements.data(), input, elements.size() * 4);
        return elements;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint16_t bits = 0;
        std::memcpy(&bits, static_cast<const uint8_t*>(input) + size_t{i} * size, size);
        elements[i] =
            type == ElementType::f16 ? bits_of(float_of_half(bits)) : static_cast<uint32_t>(narrowed(type, bits));
    }
    return elements;
}

float float_of_half(uint16_t bits) {
    const uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 1023u;
    uint32_t       wide = sign | (exponent + 112) << 23 | fraction << 13;
    if (exponent == 31) wide = sign | 0x7f800000u | fraction << 13; // infinity and NaN
    if (exponent == 0) {                                            // zero and denormals
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        std::memcpy(&wide, &magnitude, sizeof wide);
        wide |= sign;
    }
    float value;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

std::optional<ElementCase> read_element_case(const std::string& type, const std::string& operation) {
    for (const ElementCase& one : element_cases()) {
        if (name_of(one.type) == type && name_of(one.operation) == operation) return one;
    }
    return {};
}

std::optional<ElementCase> read_reduce_case(const std::string& name) {
    for (const ElementCase& one : reduce_cases()) {
        if (name_of(one) == name) return one;
    }
    return {};
}

std::vector<ElementCase> simpler_element_cases(const ElementCase& element_case) {
    std::vector<ElementCase> simpler;
    for (const ElementCase& one : reduce_cases()) {
        if (name_of(one) == name_of(element_case)) break;
        const bool near = one.type == element_case.type || one.operation == element_case.operation;
        if (near || one.operation == Operation::add) simpler.push_back(one);
    }
    return simpler;
}

void put(Bytes& bytes, uint64_t index, uint32_t bits, uint32_t size) {
    std::memcpy(bytes.data() + index * size, &bits, size);
}

Bytes bytes_of(const std::vector<uint32_t>& words) {
    Bytes bytes(words.size() * 4);
    if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream       stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::shared_ptr<const Bytes> random_bytes(const ElementCase& element_case, uint32_t count) {
    return std::make_shared<Bytes>(input_of(element_case.type, random_elements(element_case, count, Random(1))));
}

} // namespace vkprim::harness
