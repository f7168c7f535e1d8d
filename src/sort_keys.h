// What sort and top know of a key's type, and how they lay out temporary memory.
#pragma once

#include "device.h"
#include "element.h"

namespace vkprim {

/// Words of 32 bits that hold a key in registers.
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

/// The lowest bit of a key in the words that hold it.
inline uint32_t sort_key_shift(ElementType key) { return 32 * sort_key_words(key) - 8 * element_type_size(key); }

/// What create() of `primitive` says of a type of keys that the device does not have, or nobody.
inline Result<void> check_sort_key(const std::string& primitive, ElementType key, const CoreDevice& device) {
    if (key > ElementType::f16) {
        return Error{VK_ERROR_FORMAT_NOT_SUPPORTED, primitive + ": Desc::key is not an ElementType"};
    }
    if (element_type_size(key) < 4 && !device.features.storage_buffer_8bit_access) {
        return missing_feature(std::string(element_type_name(key)) + " keys", "storageBuffer8BitAccess");
    }
    return {};
}

/// Up to where the next part of temporary memory begins.
inline VkDeviceSize up_to_next_part(VkDeviceSize size) { return (size + 15) / 16 * 16; }

} // namespace vkprim
