// The operation over elements, chosen by a specialization constant; or VKPRIM_ELEMENT_OPERATE(a, b), whose neutral element
// VKPRIM_ELEMENT_IDENTITY is.
#ifndef VKPRIM_OPERATION_GLSL
#define VKPRIM_OPERATION_GLSL
#include "element.glsl"

#ifdef VKPRIM_ELEMENT_OPERATE
VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) { return VKPRIM_ELEMENT_OPERATE(a, b); }
#else
const uint VKPRIM_ADD = 0, VKPRIM_MUL = 1, VKPRIM_MIN = 2, VKPRIM_MAX = 3, VKPRIM_BIT_AND = 4, VKPRIM_BIT_OR = 5, VKPRIM_BIT_XOR = 6; // vkprim::Operation

#if defined(VKPRIM_ELEMENT_FLOAT)
#define VKPRIM_OPERATE_BITS(a, b)
#else
#define VKPRIM_OPERATE_BITS(a, b)                  \
    if (VKPRIM_OPERATION == VKPRIM_BIT_AND) return a & b; \
    if (VKPRIM_OPERATION == VKPRIM_BIT_OR) return a | b;  \
    if (VKPRIM_OPERATION == VKPRIM_BIT_XOR) return a ^ b;
#endif

// `precise` keeps the compiler from changing the order of float additions, which is part of the result.
#define VKPRIM_DEFINE_OPERATE(TYPE)                     \
    TYPE vkprim_operate(TYPE a, TYPE b) {               \
        VKPRIM_OPERATE_BITS(a, b)                       \
        if (VKPRIM_OPERATION == VKPRIM_MIN) return min(a, b);  \
        if (VKPRIM_OPERATION == VKPRIM_MAX) return max(a, b);  \
        precise TYPE product = a * b;            \
        if (VKPRIM_OPERATION == VKPRIM_MUL) return product;    \
        precise TYPE sum = a + b;                \
        return sum;                              \
    }

VKPRIM_DEFINE_OPERATE(VKPRIM_ELEMENT)
VKPRIM_DEFINE_OPERATE(VKPRIM_ELEMENT4)
#endif

#endif
