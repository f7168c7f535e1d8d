// The numbers of the operations, vkprim::Operation's, for GLSL and C++.
#ifndef VKPRIM_OPERATIONS_H
#define VKPRIM_OPERATIONS_H
#include "push.h"

VKPRIM_CONSTANT VKPRIM_ADD = 0, VKPRIM_MUL = 1, VKPRIM_MIN = 2, VKPRIM_MAX = 3, VKPRIM_BIT_AND = 4, VKPRIM_BIT_OR = 5, VKPRIM_BIT_XOR = 6;
#define VKPRIM_ARGMIN 7u
#define VKPRIM_ARGMAX 8u

// What VKPRIM_IDENTITY_BITS is for elements/wide.glsl: the bytes of an element in memory, and whether it is signed.
#define VKPRIM_WIDE_SIZE 7u
#define VKPRIM_WIDE_SIGNED 8u
#endif
