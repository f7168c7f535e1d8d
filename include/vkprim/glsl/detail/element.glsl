// Elements in memory and in registers, and the operation over them. A file in elements/ describes each kind. Primitives use
// only this of it:
//
//     VKPRIM_ELEMENT         an element in registers: VKPRIM_REGISTER_WORDS words of 32 bits
//     VKPRIM_ELEMENT4        four of them, with members x, y, z and w
//     VKPRIM_EACH4(f, v, a)  the ELEMENT4 of f(element, a) for each element of v
//     VKPRIM_REGISTER_WORDS  words of an element in registers: 1 to 8
//     VKPRIM_MEMORY_WORDS    words of an element in memory; for elements of less than a word, VKPRIM_INPUT_BYTES in the input, and
//                            VKPRIM_OUTPUT_BYTES in the output of a scan
//     VKPRIM_VECTOR          VKPRIM_VECTOR_WIDTH neighbours, 4, 2 or 1, that an invocation loads and stores
//     VKPRIM_KEEPS_ORDER     defined if the operation does not commute
//     VKPRIM_ELEMENT_BY_ELEMENT  defined if memory is read and written one element at a time, not in vectors of 16 bytes
//     VKPRIM_PACKED          if defined: the type of a vector in memory. VKPRIM_PACKED_AT(base, i) is number i of these from `base` on,
//                            a multiple of their size. vkprim_packed_vector(packed, index) unpacks one; `index`: of its first element
//     VKPRIM_HAS_LATER       if defined: vkprim_operate_later(a, b), of vectors, is a cheaper vkprim_operate() for elements of b that come
//                            later in the input than those of a. The first a is then vkprim_vector_earliest(index), instead of the
//                            identity; `index`: of the first element
//
//     vkprim_element_identity(), vkprim_operate(a, b)           of elements, and of VKPRIM_ELEMENT4 and VKPRIM_VECTOR one by one
//     vkprim_element4(element), vkprim_element4_at(four, i)     all four alike; one of them
//     vkprim_element_word(element, i), vkprim_element_of(words) its words, to hand it over
//     vkprim_element_store(address, element)                    as one result
//     vkprim_vector_from_memory(words, index)                   of 16 bytes; `index`: of the first element in the input
//     vkprim_vector_to_memory(vector)
//     vkprim_vector_scan(vector)                                inclusive, from the first on
//     vkprim_vector_shift(vector)                               the identity, and all but the last
//     vkprim_vector_last(vector), vkprim_vector_reduce(vector)  the last; the operation over all, in pairs
//     vkprim_vector_of(element)                                 all alike
//
// Conversions choose by mix(): glslc compiles `?:` to branches, with which SwiftShader took 13 seconds to compile a scan.
#ifndef VKPRIM_ELEMENT_GLSL
#define VKPRIM_ELEMENT_GLSL
#include "count.glsl"
#include "scratch.h"
#include "operations.h"

#if defined(VKPRIM_ELEMENT_OWN) || defined(VKPRIM_OPERATION_GLSL)
#include "elements/own.glsl"
#elif defined(VKPRIM_STRIDED)
#include "elements/strided.glsl"
#elif defined(VKPRIM_ELEMENT_WIDE)
#include "elements/wide.glsl"
#elif defined(VKPRIM_ELEMENT_LONG)
#include "elements/long.glsl"
#elif defined(VKPRIM_ELEMENT_INDEXED)
#include "elements/indexed.glsl"
#elif defined(VKPRIM_ELEMENT_NARROW)
#include "elements/narrow.glsl"
#elif defined(VKPRIM_ELEMENT_FIXED) || defined(VKPRIM_SHADER_GLSL)
#include "elements/fixed.glsl"
#else
#include "elements/word.glsl"
#endif

// Bytes of an element in the input, and in what a scan writes.
#ifndef VKPRIM_INPUT_BYTES
#define VKPRIM_INPUT_BYTES (4 * VKPRIM_MEMORY_WORDS)
#define VKPRIM_OUTPUT_BYTES VKPRIM_INPUT_BYTES
#endif

// A push block's last member, and the functions through which operations of your own, and strided elements, read it.
#if defined(VKPRIM_STRIDED)
#include "push.h"
#define VKPRIM_PARAMETERS_MEMBER vkprim_ParametersPush vkprim_parameters;
#define VKPRIM_DEFINE_PARAMETERS \
    uint vkprim_input_stride() { return vkprim_parameters.words[0]; }
#elif defined(VKPRIM_ELEMENT_OWN)
#include "push.h"
#define VKPRIM_PARAMETERS_MEMBER vkprim_ParametersPush vkprim_parameters;
#define VKPRIM_DEFINE_PARAMETERS                                            \
    uint vkprim_parameter(uint i) { return vkprim_parameters.words[i]; }    \
    uvec2 vkprim_parameter_address(uint i) { return vkprim_parameters.addresses[i]; }
#else
#define VKPRIM_PARAMETERS_MEMBER
#define VKPRIM_DEFINE_PARAMETERS
#endif

// Of elements in scratch, how many words of 8 bytes they take: each word of an element has one.
#if VKPRIM_REGISTER_WORDS == 1
#define VKPRIM_SLOTS_OF(elements) (elements)
#else
#define VKPRIM_SLOTS_OF(elements) (vkprim_scratch_slots(VKPRIM_REGISTER_WORDS) * (elements))
#endif

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
// A vector as it is loaded: VKPRIM_MEMORY is the vector itself, and in the other case 16 bytes.
#define VKPRIM_MEMORY VKPRIM_VECTOR
VKPRIM_VECTOR vkprim_vector_from_memory(VKPRIM_MEMORY vector, uint index) { return vector; }
VKPRIM_MEMORY vkprim_vector_to_memory(VKPRIM_VECTOR vector) { return vector; }

#if !defined(VKPRIM_ELEMENT_NARROW) && !defined(VKPRIM_ELEMENT_WIDE) // which have these of their own

// `count` elements lie at an address; the first is number `first` of the input. Returns the vector that begins at number `index` of these,
// with the identity in place of missing elements.
VKPRIM_VECTOR vkprim_vector_load(uvec2 base, uint first, uint index, uint count) {
    VKPRIM_ELEMENT4 four = vkprim_element4(vkprim_element_identity());
    if (index + 0 < count) four.x = vkprim_element_load(base, first, index + 0);
    if (VKPRIM_VECTOR_WIDTH > 1 && index + 1 < count) four.y = vkprim_element_load(base, first, index + 1);
    if (VKPRIM_VECTOR_WIDTH > 2 && index + 2 < count) four.z = vkprim_element_load(base, first, index + 2);
    if (VKPRIM_VECTOR_WIDTH > 2 && index + 3 < count) four.w = vkprim_element_load(base, first, index + 3);
#define VKPRIM_FOUR(i) vkprim_element4_at(four, i)
    return VKPRIM_VECTOR_FROM(VKPRIM_FOUR);
}

#ifndef VKPRIM_STRIDED
void vkprim_vector_store(uvec2 base, uint first, uint index, uint count, VKPRIM_VECTOR vector) {
    [[unroll]] for (uint i = 0; i < VKPRIM_VECTOR_WIDTH; ++i) {
        if (index + i < count) vkprim_element_store(base, first, index + i, vkprim_vector_at(vector, i));
    }
}
#endif
#endif
#else
#define VKPRIM_MEMORY uvec4
#define VKPRIM_PACKED uvec4
#define VKPRIM_PACKED_AT(base, i) vkprim_Words4(base).at[i]
VKPRIM_VECTOR vkprim_packed_vector(VKPRIM_PACKED packed, uint index) { return vkprim_vector_from_memory(packed, index); }

// What is read in place of missing elements.
uvec4 vkprim_words_of_nothing() { return vkprim_vector_to_memory(vkprim_vector_of(vkprim_element_identity())); }

// Four words from `index` on, at the beginning of an element; from `count` on, words of the identity.
uvec4 vkprim_words_load_partial(uvec2 base, uint index, uint count) {
    vkprim_Words words = vkprim_Words(base);
    uvec4 bits = vkprim_words_of_nothing();
    if (index + 0 < count) bits.x = words.at[index + 0];
    if (index + 1 < count) bits.y = words.at[index + 1];
    if (index + 2 < count) bits.z = words.at[index + 2];
    if (index + 3 < count) bits.w = words.at[index + 3];
    return bits;
}

void vkprim_words_store_partial(uvec2 base, uint index, uint count, uvec4 bits) {
    vkprim_Words words = vkprim_Words(base);
    if (index + 0 < count) words.at[index + 0] = bits.x;
    if (index + 1 < count) words.at[index + 1] = bits.y;
    if (index + 2 < count) words.at[index + 2] = bits.z;
    if (index + 3 < count) words.at[index + 3] = bits.w;
}
#endif

#endif
