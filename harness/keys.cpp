#include "keys.h"

#include <fmt/format.h>

#include "elements.h"

#include <algorithm>
#include <cstring>

namespace vkprim::harness {

std::string missing_for(ElementType type, const runtime::Device& device) {
    return input_size(type) >= 4 || has_bytes(device) ? "" : "the device has no storageBuffer8BitAccess";
}

std::string way_of(ElementType type, bool rows) {
    const uint32_t size = input_size(type);
    return fmt::format("{}{}", size == 8 ? "long" : size == 4 ? "word" : "narrow", rows ? " rows" : "");
}

Format key_format(ElementType type) {
    const uint32_t size = input_size(type);
    return size == 1 ? Format::u8 : size == 2 ? Format::u16 : format_of(type);
}

Bytes keys_of(ElementType type, uint32_t count, Order order, Random random) {
    const uint32_t        size = input_size(type);
    Bytes                 bytes(uint64_t{count} * size);
    const bool            is_long = size == 8;
    std::vector<uint64_t> values  = {0, 1, 2, ~uint64_t{0}, ~uint64_t{1}, uint64_t{1} << 31, (uint64_t{1} << 31) - 1};
    if (is_long)
        values.insert(values.end(),
                      {uint64_t{1} << 63, (uint64_t{1} << 63) - 1, uint64_t{1} << 32, 0xffffffffu, 0xff00000000u});
    if (type == ElementType::f32) {
        values.insert(values.end(),
                      {0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xff800001u,
                       0x7fffffffu, 0xffffffffu, 1u, 0x80000001u, 0x3f800000u, 0xbf800000u, 0x7f7fffffu, 0xff7fffffu});
    }
    if (type == ElementType::f64) {
        values.insert(values.end(),
                      {0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0xfff8000000000000u,
                       0x7ff0000000000001u, 0xfff0000000000001u, 0x3ff0000000000000u, 0xbff0000000000000u});
    }
    if (size < 4) {
        values.insert(values.end(), {uint64_t{1} << (8 * size - 1), (uint64_t{1} << (8 * size - 1)) - 1, 0x7c00, 0xfc00,
                                     0x7c01, 0xfc01, 0x7e00, 0xfe00, 0x8000, 0x8001, 0x3c00, 0xbc00});
    }
    const uint64_t one = random.next();
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t key = random.next();
        if (order == Order::few) key = key >> 40 & 7; // of one byte, so all others are equal
        if (order == Order::special) key = values[random.below(static_cast<uint32_t>(values.size()))];
        if (order == Order::sorted) key = i * (is_long ? 0x100000003u : 3u);
        if (order == Order::reversed) key = ~(i * (is_long ? 0x100000003u : 3u));
        if (order == Order::equal) key = one;
        std::memcpy(&bytes[i * size], &key, size);
    }
    return bytes;
}

Bytes keys_of(ElementType type, uint32_t count, Data data, Random random) {
    Order order = Order::random;
    if (data == Data::special) order = random.below(2) ? Order::special : Order::few;
    if (data == Data::random && random.below(4) == 0) order = Order::reversed;
    if (data == Data::index) order = Order::sorted;
    Bytes bytes = keys_of(type, count, order, random);
    if (data == Data::zeros || data == Data::ones) std::fill(bytes.begin(), bytes.end(), data == Data::ones ? 1 : 0);
    return bytes;
}

} // namespace vkprim::harness
