#include "segments.h"

#include "elements.h"

#include <algorithm>
#include <cstring>

namespace vkprim::harness {

Offsets offsets_of(Cut cut, uint32_t count, Random random, uint32_t most) {
    const uint32_t ends = cut == Cut::gaps ? std::min(count / 4, 1000u) : 0, end = count - ends;
    Offsets        offsets{ends};
    const auto     add = [&](uint64_t length) { offsets.push_back(std::min<uint64_t>(offsets.back() + length, end)); };
    if (cut == Cut::one) add(count);
    if (cut == Cut::empty) {
        offsets.insert(offsets.end(), 3000, 0);
        add(count);
        offsets.insert(offsets.end(), 3000, count);
    }
    if (cut == Cut::first) add(count / 2);
    while (offsets.back() < end && offsets.size() <= most) {
        const uint32_t bits = random.below(1u << 13);
        uint32_t       size = 1;
        while (cut == Cut::skewed && size <= 1u << 12 && (bits & size) == 0) size *= 2;
        const uint32_t length = cut == Cut::ones     ? 1
                                : cut == Cut::middle ? random.below(200)
                                : cut == Cut::many   ? random.below(1500)
                                : cut == Cut::tiles  ? 1025 + random.below(7975)
                                : cut == Cut::skewed ? random.below(4 * size)
                                : cut == Cut::half ? (offsets.back() == count / 64 * 16 ? std::max(count / 2, 1u) : 16)
                                                   : random.below(21);
        add(length);
    }
    return offsets;
}

Offsets rows_of(uint32_t length, uint32_t count) {
    Offsets offsets{0};
    for (uint32_t row = 0; length > 0 && row < count / length; ++row) offsets.push_back(offsets.back() + length);
    return offsets;
}

SegmentInput segment_input(const Offsets& offsets, const Bytes& elements, const SegmentShape& shape) {
    const uint32_t size = shape.wide ? 8 : 4, segments = static_cast<uint32_t>(offsets.size() - 1);
    SegmentInput   input;
    input.elements_at = (SegmentInput::offsets_at + offsets.size() * size + 15) / 16 * 16 + shape.misalignment;
    input.bytes.resize(input.elements_at + elements.size());
    for (size_t i = 0; i < offsets.size(); ++i)
        std::memcpy(&input.bytes[SegmentInput::offsets_at + i * size], &offsets[i], size);
    std::memcpy(input.bytes.data(), &segments, 4);
    if (!elements.empty()) std::memcpy(&input.bytes[input.elements_at], elements.data(), elements.size());
    return input;
}

Bytes spread_rows(const Bytes& elements, uint32_t length, uint32_t gap, uint32_t size) {
    Bytes          bytes;
    const uint64_t row = uint64_t{length} * size;
    for (uint64_t at = 0; at + row <= elements.size() && row > 0; at += row) {
        if (at > 0) bytes.insert(bytes.end(), uint64_t{gap} * size, 0xa5);
        bytes.insert(bytes.end(), elements.begin() + static_cast<std::ptrdiff_t>(at),
                     elements.begin() + static_cast<std::ptrdiff_t>(at + row));
    }
    return bytes;
}

namespace {

Offsets property_offsets(uint32_t number) {
    constexpr Cut cuts[]  = {Cut::skewed, Cut::few, Cut::middle, Cut::many, Cut::tiles};
    Offsets       offsets = offsets_of(cuts[number % std::size(cuts)], UINT32_MAX, Random(number), property_segments);
    for (uint64_t& offset : offsets) offset += 3;
    offsets.back() = UINT32_MAX;
    return offsets;
}

} // namespace

std::string PropertySegments::name() const {
    return rows > 0 ? "rows=" + std::to_string(rows) : std::to_string(number);
}

Offsets PropertySegments::offsets(uint32_t count) const {
    Offsets all = rows > 0 ? Offsets(rows + 1) : property_offsets(number);
    for (size_t row = 0; row <= rows && rows > 0; ++row) all[row] = row * (count / rows);
    for (uint64_t& offset : all) offset = std::min<uint64_t>(offset, count);
    return all;
}

Bytes PropertySegments::ahead() const {
    if (rows > 0) return {};
    const Offsets offsets = property_offsets(number);
    Bytes         bytes(offsets.size() * 4);
    for (size_t i = 0; i < offsets.size(); ++i) put(bytes, i, static_cast<uint32_t>(offsets[i]), 4);
    return bytes;
}

const std::vector<PropertySegments>& all_property_segments() {
    static const std::vector<PropertySegments> all = [] {
        std::vector<PropertySegments> segments;
        for (uint32_t number = 0; number < property_numbers; ++number) segments.push_back({number});
        for (uint32_t rows : {1u, 2u, 7u, 60u, 1000u}) segments.push_back({0, rows});
        return segments;
    }();
    return all;
}

} // namespace vkprim::harness
