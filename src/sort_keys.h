// What the sorts and top need to know about a type of keys, and how they lay out temporary memory.
#pragma once

#include <vkprim/sort.h>

#include "checks.h"
#include "core_device.h"
#include "element.h"

namespace vkprim {

/// Words of 32 bits of a key in registers.
inline uint32_t sort_key_words(ElementType key) { return element_type_size(key) == 8 ? 2 : 1; }

/// Number of the shaders' variant: word, long, narrow.
inline uint32_t sort_key_kind(ElementType key) {
    const uint32_t size = element_type_size(key);
    return size == 8 ? 1 : size < 4 ? 2 : 0;
}

inline bool is_float(ElementType key) {
    return key == ElementType::f32 || key == ElementType::f64 || key == ElementType::f16;
}

inline bool is_signed(ElementType key) {
    return key == ElementType::i32 || key == ElementType::i64 || key == ElementType::i8 || key == ElementType::i16;
}

/// ORDER in shaders/sort/keys.glsl.
inline uint32_t sort_key_order(ElementType key) { return is_float(key) ? 2 : is_signed(key) ? 1 : 0; }

/// The lowest bit of a key in its words.
inline uint32_t sort_key_shift(ElementType key) { return 32 * sort_key_words(key) - 8 * element_type_size(key); }

/// Bytes of a value in the output.
inline uint32_t sort_value_size(Sort::Values values) {
    constexpr uint32_t sizes[] = {0, 4, 4, 8, 16};
    return sizes[static_cast<uint32_t>(values)];
}

/// The range of bits by which `args` order keys, in the words of a key.
struct SortBits {
    uint32_t begin, end;

    template <class Args>
    SortBits(ElementType key, const Args& args)
        : begin(args.begin_bit + sort_key_shift(key)),
          end((args.end_bit == 0 ? 8 * element_type_size(key) : args.end_bit) + sort_key_shift(key)) {}
};

template <class Args>
void check_sort_bits(Checks& checks, ElementType key, const Args& args) {
    const uint32_t bits = 8 * element_type_size(key), end_bit = args.end_bit == 0 ? bits : args.end_bit;
    if (args.begin_bit >= end_bit || end_bit > bits) {
        checks.fail("bits " + std::to_string(args.begin_bit) + " to " + std::to_string(end_bit) +
                    " (exclusive) of keys that have " + std::to_string(bits) + ": begin_bit must be below end_bit");
    } else if (is_float(key) && (args.begin_bit > 0 || end_bit < bits)) {
        checks.fail("floats are ordered by all of their bits: begin_bit and end_bit must be 0");
    }
}

/// What a sort reads besides keys and values, and its temporary memory; empty if there is none.
struct SortMemory {
    MemoryRange temporary, offsets = {}, count = {}, segments = {};
};

/// The ranges of `count` keys, as far as the host knows.
template <class Args>
void check_sort_memory(Checks& checks, ElementType key, Sort::Values kind, const Args& args, VkDeviceSize count,
                       const SortMemory& memory) {
    const uint32_t    key_size = element_type_size(key), value_size = sort_value_size(kind);
    const MemoryRange keys{"keys", args.keys, count * key_size, key_size};
    const MemoryRange output_keys{"output_keys", args.output_keys, count * key_size, key_size};
    const MemoryRange values = kind > Sort::Values::indices
                                   ? MemoryRange{"values", args.values, count * value_size, value_size}
                                   : MemoryRange{};
    const MemoryRange output_values =
        value_size > 0 ? MemoryRange{"output_values", args.output_values, count * value_size, value_size}
                       : MemoryRange{};
    const auto& [temporary, offsets, gpu_count, gpu_segments] = memory;
    checks.memory({keys, values, output_keys, output_values, offsets, temporary, gpu_count, gpu_segments});
    if (args.output_keys != args.keys) checks.apart(output_keys, {keys});
    checks.apart(output_keys, {values, offsets, gpu_count, gpu_segments});
    if (args.output_values != args.values) checks.apart(output_values, {values});
    checks.apart(output_values, {keys, output_keys, offsets, gpu_count, gpu_segments});
    checks.apart(temporary, {keys, values, output_keys, output_values, offsets, gpu_count, gpu_segments});
}

/// The Error of create() of `primitive` for a type of keys that the device lacks, or that does not exist.
inline Result<void> check_sort_key(const std::string& primitive, ElementType key, const CoreDevice& device) {
    if (key > ElementType::f16) {
        return Error{ErrorKind::invalid_desc, primitive + ": Desc::key is not an ElementType"};
    }
    if (element_type_size(key) < 4 && !device.features.storage_buffer_8bit_access) {
        return missing_feature(std::string(element_type_name(key)) + " keys", "storageBuffer8BitAccess");
    }
    return {};
}

/// Up to where the next part of temporary memory begins.
inline VkDeviceSize up_to_next_part(VkDeviceSize size) { return (size + 15) / 16 * 16; }

} // namespace vkprim
