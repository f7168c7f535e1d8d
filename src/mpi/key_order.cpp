#include "key_order.h"

#include "element.h"

namespace vkprim::mpi {

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

} // namespace vkprim::mpi
