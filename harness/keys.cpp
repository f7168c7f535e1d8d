#include "keys.h"

#include "elements.h"

#include <algorithm>
#include <cstring>

namespace vkprim::harness {

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
