#include "elements.h"

#include "float_bits.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace vkprim::harness {

const std::vector<ElementCase>& element_cases() {
    static const std::vector<ElementCase> cases = [] {
        std::vector<ElementCase> all;
        for (ElementType type : {ElementType::u32, ElementType::i32, ElementType::f32}) {
            const Operation last = type == ElementType::f32 ? Operation::max : Operation::bit_xor;
            for (uint32_t o = 0; o <= static_cast<uint32_t>(last); ++o)
                all.push_back({type, static_cast<Operation>(o)});
        }
        return all;
    }();
    return cases;
}

bool is_quick(const ElementCase& element_case) {
    const Operation operation = element_case.operation;
    return element_case.type != ElementType::i32 || operation == Operation::add || operation == Operation::min ||
           operation == Operation::max;
}

std::string name_of(ElementType type) {
    return type == ElementType::u32 ? "u32" : type == ElementType::i32 ? "i32" : "f32";
}

std::string name_of(Operation operation) {
    static const char* const names[] = {"add", "mul", "min", "max", "and", "or", "xor"};
    return names[static_cast<uint32_t>(operation)];
}

Format format_of(ElementType type) { return static_cast<Format>(type); }

namespace {

uint32_t random_float(Operation operation, uint32_t count, Random& random) {
    const uint64_t r    = random.next();
    const uint32_t sign = static_cast<uint32_t>(r) & 0x80000000u;
    if (operation == Operation::mul) {
        // Mostly 1 or -1, and few enough factors in [0.75, 1.25) that products of them all stay in range.
        const uint32_t factors = 4096;
        if (count > factors && random.below(count / factors + 1) != 0) return sign | bits_of(1.0f);
        return sign | bits_of(0.75f + static_cast<float>((r >> 40) % 0x800000) / 0x1000000);
    }
    // Multiples of 2^-24 of magnitude below 2: differences of sums vanish or stay normal.
    return sign | bits_of(static_cast<float>(r >> 40 << 1 | 1) / 0x1000000);
}

} // namespace

std::vector<uint32_t> random_elements(const ElementCase& element_case, uint32_t count, Random random) {
    std::vector<uint32_t> elements(count);
    for (uint32_t& e : elements) {
        if (element_case.type == ElementType::f32) {
            e = random_float(element_case.operation, count, random);
        } else {
            e = static_cast<uint32_t>(random.next() >> 32);
            // An odd number has an inverse: products that do not drown in factors of two.
            if (element_case.operation == Operation::mul) e |= 1;
            // Bits that survive a thousand ands or ors.
            if (element_case.operation == Operation::bit_and && random.below(64) != 0) e = ~0u;
            if (element_case.operation == Operation::bit_or && random.below(64) != 0) e = 0;
        }
    }
    return elements;
}

std::vector<uint32_t> special_elements(const ElementCase& element_case, uint32_t count, Random random) {
    std::vector<uint32_t> values = {0, 1, 2, ~0u, 0x80000000u, 0x7fffffffu};
    if (element_case.type == ElementType::f32) {
        values = {0, 0x80000000u, bits_of(1.0f), bits_of(-1.0f), bits_of(0.5f), bits_of(-2.5f)};
        if (random.below(2)) values.insert(values.end(), {0x7f800000u, 0x7fc00001u, 0xff800000u, 0xffc12345u});
        if (element_case.operation == Operation::min || element_case.operation == Operation::max) {
            values.insert(values.end(), {1u, 0x80000001u, 0x007fffffu, 0x807fffffu});
        }
    }
    std::vector<uint32_t> elements(count);
    for (uint32_t& e : elements) e = values[random.below(static_cast<uint32_t>(values.size()))];
    return elements;
}

Bytes elements_of(const ElementCase& element_case, uint32_t count, Data data, Random random) {
    std::vector<uint32_t> elements(count);
    if (data == Data::random) elements = random_elements(element_case, count, random);
    if (data == Data::special) elements = special_elements(element_case, count, random);
    const bool is_float = element_case.type == ElementType::f32;
    if (data == Data::ones) std::fill(elements.begin(), elements.end(), is_float ? bits_of(1.0f) : 1u);
    if (data == Data::index) {
        const bool product = element_case.operation == Operation::mul;
        for (uint32_t i = 0; i < count; ++i) {
            elements[i] = !is_float ? i : product ? bits_of(i % 2 ? -1.0f : 1.0f) : bits_of(static_cast<float>(i));
        }
    }
    return bytes_of(elements);
}

std::optional<ElementCase> read_element_case(const std::string& type, const std::string& operation) {
    for (const ElementCase& one : element_cases()) {
        if (name_of(one.type) == type && name_of(one.operation) == operation) return one;
    }
    return {};
}

std::vector<ElementCase> simpler_element_cases(const ElementCase& element_case) {
    std::vector<ElementCase> simpler;
    for (const ElementCase& one : element_cases()) {
        if (one.type == element_case.type && one.operation == element_case.operation) break;
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
    return std::make_shared<Bytes>(bytes_of(random_elements(element_case, count, Random(1))));
}

} // namespace vkprim::harness
