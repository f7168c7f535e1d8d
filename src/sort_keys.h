// What sort and top know of a key's type, and how they lay out temporary memory.
#pragma once

#include <vkprim/core.h>

namespace vkprim {

/// Bytes of a key; 0 of types that are no keys.
inline uint32_t sort_key_size(ElementType key) {
    switch (key) {
        case ElementType::u32:
        case ElementType::i32:
        case ElementType::f32: return 4;
        case ElementType::u64:
        case ElementType::i64:
        case ElementType::f64: return 8;
        default: return 0;
    }
}

inline bool is_float(ElementType key) { return key == ElementType::f32 || key == ElementType::f64; }

/// ORDER in shaders/sort/keys.glsl.
inline uint32_t sort_key_order(ElementType key) {
    return is_float(key) ? 2 : key == ElementType::i32 || key == ElementType::i64 ? 1 : 0;
}

/// Up to where the next part of temporary memory begins.
inline VkDeviceSize up_to_next_part(VkDeviceSize size) { return (size + 15) / 16 * 16; }

} // namespace vkprim
