// The operation over elements, chosen by a specialization constant; or ELEMENT_OPERATE(a, b), whose neutral element
// ELEMENT_IDENTITY is.
#ifndef OPERATION_GLSL
#define OPERATION_GLSL
#include "element.glsl"

#ifdef ELEMENT_OPERATE
ELEMENT operate(ELEMENT a, ELEMENT b) { return ELEMENT_OPERATE(a, b); }
#else
const uint ADD = 0, MUL = 1, MIN = 2, MAX = 3, BIT_AND = 4, BIT_OR = 5, BIT_XOR = 6; // vkprim::Operation

#if defined(ELEMENT_FLOAT)
#define OPERATE_BITS(a, b)
#else
#define OPERATE_BITS(a, b)                  \
    if (OPERATION == BIT_AND) return a & b; \
    if (OPERATION == BIT_OR) return a | b;  \
    if (OPERATION == BIT_XOR) return a ^ b;
#endif

// `precise` keeps the compiler from changing the order of float additions, which is part of the result.
#define DEFINE_OPERATE(TYPE)                     \
    TYPE operate(TYPE a, TYPE b) {               \
        OPERATE_BITS(a, b)                       \
        if (OPERATION == MIN) return min(a, b);  \
        if (OPERATION == MAX) return max(a, b);  \
        precise TYPE product = a * b;            \
        if (OPERATION == MUL) return product;    \
        precise TYPE sum = a + b;                \
        return sum;                              \
    }

DEFINE_OPERATE(ELEMENT)
DEFINE_OPERATE(ELEMENT4)
#endif

#endif
