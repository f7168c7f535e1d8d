// Keys to sort, for the subjects that order them.
#pragma once

#include "harness.h"

namespace vkprim::harness {

constexpr ElementType sort_key_types[] = {ElementType::u32, ElementType::i32, ElementType::f32, ElementType::u64,
                                          ElementType::i64, ElementType::f64, ElementType::u8,  ElementType::i8,
                                          ElementType::u16, ElementType::i16, ElementType::f16};

/// Empty where the device can order keys of that type; else what it lacks.
std::string missing_for(ElementType type, const runtime::Device& device);

/// A sort's way through the shaders.
std::string way_of(ElementType type, bool rows);

/// Of a key, as mismatches show it.
Format key_format(ElementType type);

enum class Order { random, few, special, sorted, reversed, equal };

/// Keys of the type, `count` of them; of floats, all kinds of them.
Bytes keys_of(ElementType type, uint32_t count, Order order, Random random);

/// The same in the order that the inputs of random cases have.
Bytes keys_of(ElementType type, uint32_t count, Data data, Random random);

} // namespace vkprim::harness
