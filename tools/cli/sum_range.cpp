#include "sum_range.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace vkprim::tools {

namespace {

template <class T>
SumRange range_of(const void* elements, uint64_t count) {
    constexpr uint64_t step  = 1u << 20; // whose sums stay far below 2^63
    const auto* const  bytes = static_cast<const uint8_t*>(elements);
    SumRange           range;
    for (uint64_t begin = 0; begin < count && !range.is_wider_than_32_bits(); begin += step) {
        for (uint64_t i = begin; i < std::min(begin + step, count); ++i) {
            T element;
            std::memcpy(&element, bytes + i * sizeof element, sizeof element);
            range.total += element;
            range.least = std::min(range.least, range.total);
            range.most  = std::max(range.most, range.total);
        }
    }
    return range;
}

template <class T>
bool holds(int64_t least, int64_t most) {
    return least >= std::numeric_limits<T>::min() && most <= std::numeric_limits<T>::max();
}

} // namespace

SumRange sum_range_of(ElementType type, const void* elements, uint64_t count) {
    switch (type) {
        case ElementType::u8: return range_of<uint8_t>(elements, count);
        case ElementType::i8: return range_of<int8_t>(elements, count);
        case ElementType::u16: return range_of<uint16_t>(elements, count);
        case ElementType::i16: return range_of<int16_t>(elements, count);
        case ElementType::u32: return range_of<uint32_t>(elements, count);
        case ElementType::i32: return range_of<int32_t>(elements, count);
        default: return {};
    }
}

bool wraps(ElementType type, int64_t before, const SumRange& sums) {
    const int64_t least = before + sums.least, most = before + sums.most;
    return output_type(type) == ElementType::i32 ? !holds<int32_t>(least, most) : !holds<uint32_t>(least, most);
}

bool wraps(ElementType type, const std::vector<SumRange>& parts) {
    int64_t before = 0; // within 32 bits, as long as none has wrapped
    for (const SumRange& sums : parts) {
        if (wraps(type, before, sums)) return true;
        before += sums.total;
    }
    return false;
}

bool tells_wrapping(ElementType type, Operation operation) {
    const ElementType output = output_type(type);
    return operation == Operation::add && (output == ElementType::u32 || output == ElementType::i32);
}

} // namespace vkprim::tools
