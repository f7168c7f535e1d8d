// Keys with values, as memory holds them, and the CPU reference that sorts them, for the subjects that do.
#pragma once

#include <vkprim/sort.h>

#include "elements.h"
#include "keys.h"

namespace vkprim::harness {

/// A sort, and what record() is told of it.
struct SortVariant {
    Sort::Desc desc;
    uint32_t   begin_bit = 0, end_bit = 0;
    uint32_t   row = UINT32_MAX; ///< of benchmarks: keys of a row, at most
};

/// "u32 alone", "rows f32 indices descending".
std::string text_of(const SortVariant& variant);

inline uint32_t key_size(ElementType type) { return input_size(type); }
uint32_t        value_size(Sort::Values values);
uint32_t        read_size(Sort::Values values); ///< of a value, as it is read

/// Bytes of a key and its value, as they are put out.
uint32_t output_size(const SortVariant& variant);

Format output_format(const SortVariant& variant);

/// Where keys and values lie, one behind the other without a gap: what is larger comes first.
struct Places {
    uint64_t keys = 0, values = 0;
};
Places places_of(uint32_t key_size, uint32_t value_size, uint32_t count);

/// Keys, and values that are random where they are read.
Bytes input_of(const SortVariant& variant, const Bytes& keys, Random random);

/// What Sort makes of keys and values.
Bytes expected_of(const SortVariant& variant, const uint8_t* keys, const uint8_t* values, uint32_t count);

/// Writes `count` keys and values of `data`, from number `first` on, in their order to the same places of `bytes`, an output of as many
/// elements as `data` has.
void sort_segment(const SortVariant& variant, const Bytes& data, Bytes& bytes, uint64_t first, uint32_t count);

} // namespace vkprim::harness
