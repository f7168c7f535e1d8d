// The numbers of the operations, vkprim::Operation's, for GLSL and C++.
#ifndef VKPRIM_OPERATIONS_H
#define VKPRIM_OPERATIONS_H
#include "push.h"

VKPRIM_CONSTANT VKPRIM_ADD = 0, VKPRIM_MUL = 1, VKPRIM_MIN = 2, VKPRIM_MAX = 3, VKPRIM_BIT_AND = 4, VKPRIM_BIT_OR = 5, VKPRIM_BIT_XOR = 6;
#define VKPRIM_ARGMIN 7u
#define VKPRIM_ARGMAX 8u

// What the constant VKPRIM_OPERATION_ID holds: the operation, and of elements the class of their type, and their bytes in memory if they are
// less than a word. VKPRIM_ORDERED are floats under min and max, which compare their order.
#define VKPRIM_UNSIGNED 0u
#define VKPRIM_SIGNED 1u
#define VKPRIM_FLOAT 2u
#define VKPRIM_ORDERED 3u
#define VKPRIM_OPERATION_BITS(operation, class_of_type, bytes) ((operation) | (class_of_type) << 8 | (bytes) << 10)
#define VKPRIM_OPERATION_OF(bits) ((bits) & 0xffu)
#define VKPRIM_CLASS_OF(bits) ((bits) >> 8 & 3u)
#define VKPRIM_TYPE_BYTES_OF(bits) ((bits) >> 10 & 7u)

// And what the device has: integers of 64 bits with atomics, and storage of 8 bits.
#define VKPRIM_WORD64_BIT (1u << 16)
#define VKPRIM_BYTES_BIT (1u << 17)
#endif
