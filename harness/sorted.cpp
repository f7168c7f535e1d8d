#include "sorted.h"

#include <fmt/format.h>

#include "processors.h"
#include "references.h"

#include <cstring>

namespace vkprim::harness {

std::string text_of(const SortVariant& variant) {
    constexpr const char* value_names[] = {"alone", "indices", "4-byte", "8-byte", "16-byte"};
    std::string           name =
        fmt::format("{} {}", name_of(variant.desc.key), value_names[static_cast<uint32_t>(variant.desc.values)]);
    if (variant.desc.segments == SegmentLayout::rows) name = "rows " + name;
    if (variant.desc.descending) name += " descending";
    if (variant.end_bit > 0) name += fmt::format(" bits={},{}", variant.begin_bit, variant.end_bit);
    return name;
}

uint32_t value_size(Sort::Values values) {
    constexpr uint32_t sizes[] = {0, 4, 4, 8, 16};
    return sizes[static_cast<uint32_t>(values)];
}

uint32_t read_size(Sort::Values values) { return values == Sort::Values::indices ? 0 : value_size(values); }

uint32_t output_size(const SortVariant& variant) {
    return key_size(variant.desc.key) + value_size(variant.desc.values);
}

Format output_format(const SortVariant& variant) {
    return variant.desc.values == Sort::Values::none ? key_format(variant.desc.key) : Format::u32;
}

Places places_of(uint32_t key_size, uint32_t value_size, uint32_t count) {
    if (value_size > key_size) return {uint64_t{count} * value_size, 0};
    return {0, uint64_t{count} * key_size};
}

Bytes input_of(const SortVariant& variant, const Bytes& keys, Random random) {
    const uint32_t size = key_size(variant.desc.key), values = read_size(variant.desc.values);
    const auto     count  = static_cast<uint32_t>(keys.size() / size);
    const Places   places = places_of(size, values, count);
    Bytes          bytes(uint64_t{count} * (size + values));
    for (uint64_t i = 0; i < uint64_t{count} * values; ++i)
        bytes[places.values + i] = static_cast<uint8_t>(random.next() >> 56);
    if (!keys.empty()) std::memcpy(&bytes[places.keys], keys.data(), keys.size());
    return bytes;
}

Bytes expected_of(const SortVariant& variant, const uint8_t* keys, const uint8_t* values, uint32_t count) {
    const uint32_t              size = key_size(variant.desc.key), wide = value_size(variant.desc.values);
    const Places                places = places_of(size, wide, count);
    const std::vector<uint32_t> from   = reference_sort(variant.desc, keys, count, variant.begin_bit, variant.end_bit);
    Bytes                       bytes(uint64_t{count} * (size + wide));
    for_all(count, [&](uint64_t i) {
        std::memcpy(&bytes[places.keys + i * size], keys + uint64_t{from[i]} * size, size);
        if (variant.desc.values == Sort::Values::indices) std::memcpy(&bytes[places.values + i * 4], &from[i], 4);
        if (read_size(variant.desc.values) > 0) {
            std::memcpy(&bytes[places.values + i * wide], values + uint64_t{from[i]} * wide, wide);
        }
    });
    return bytes;
}

void sort_segment(const SortVariant& variant, const Bytes& data, Bytes& bytes, uint64_t first, uint32_t count) {
    if (count == 0) return;
    const uint32_t size = key_size(variant.desc.key), wide = value_size(variant.desc.values),
                   read = read_size(variant.desc.values);
    const auto   all    = static_cast<uint32_t>(data.size() / (size + read));
    const Places from = places_of(size, read, all), to = places_of(size, wide, all),
                 inside = places_of(size, wide, count);
    const Bytes sorted =
        expected_of(variant, &data[from.keys] + first * size, data.data() + from.values + first * read, count);
    std::memcpy(&bytes[to.keys + first * size], &sorted[inside.keys], uint64_t{count} * size);
    if (wide > 0) std::memcpy(&bytes[to.values + first * wide], &sorted[inside.values], uint64_t{count} * wide);
}

} // namespace vkprim::harness
