// Keys to sort, for the subjects that order them.
#pragma once

#include "harness.h"

namespace vkprim::harness {

constexpr ElementType sort_key_types[] = {ElementType::u32, ElementType::i32, ElementType::f32,
                                          ElementType::u64, ElementType::i64, ElementType::f64};

enum class Order { random, few, special, sorted, reversed, equal };

/// Keys of the type, `count` of them; of floats, all kinds of them.
Bytes keys_of(ElementType type, uint32_t count, Order order, Random random);

/// The same in the order that the inputs of random cases have.
Bytes keys_of(ElementType type, uint32_t count, Data data, Random random);

} // namespace vkprim::harness
