#include "key_order.h"

#include "element.h"

namespace vkprim::mpi {

namespace {

/// How many of `count` elements, the first ones, `is_before` is true of.
template <class IsBefore>
uint64_t partition_point(uint64_t count, const IsBefore& is_before) {
    uint64_t begin = 0, end = count;
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (is_before(middle)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

} // namespace

KeyOrder::KeyOrder(ElementType type, bool descending)
    : size_(element_type_size(type)), kind_(Kind::unsigned_integer), descending_(descending) {
    mask_ = UINT64_MAX >> (64 - bits());
    sign_ = mask_ / 2 + 1;
    switch (type) {
        case ElementType::i8:
        case ElementType::i16:
        case ElementType::i32:
        case ElementType::i64: kind_ = Kind::signed_integer; break;
        case ElementType::f16:
        case ElementType::f32:
        case ElementType::f64: kind_ = Kind::floating; break;
        default: break;
    }
    if (type == ElementType::f16) negative_infinity_ = 0xfc00;
    if (type == ElementType::f32) negative_infinity_ = 0xff800000;
    if (type == ElementType::f64) negative_infinity_ = 0xfff0000000000000;
}

uint64_t KeyOrder::below(const uint8_t* keys, uint64_t count, uint64_t limit) const {
    return partition_point(count, [&](uint64_t index) { return code(keys, index) < limit; });
}

uint64_t KeyOrder::up_to(const uint8_t* keys, uint64_t count, uint64_t limit) const {
    return partition_point(count, [&](uint64_t index) { return code(keys, index) <= limit; });
}

} // namespace vkprim::mpi
