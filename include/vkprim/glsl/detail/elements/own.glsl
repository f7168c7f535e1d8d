// The element and the operation of a user's file: vkprim/glsl/operation.glsl. If an element has 1 or 2 words and the file has no hooks,
// memory is read and written in vectors of 16 bytes; else element by element.
#ifdef VKPRIM_ELEMENT_OWN
#include <vkprim_operation_file.glsl>
#ifndef VKPRIM_OPERATION_GLSL
#error the file of an operation has to #include <vkprim/glsl/operation.glsl>, behind its VKPRIM_FIELDS
#endif
#endif
#include "../facts.h"
#define VKPRIM_ELEMENT Element
#define VKPRIM_REGISTER_WORDS (0 VKPRIM_FIELDS(VKPRIM_FIELD_WORDS))
#define VKPRIM_MEMORY_WORDS VKPRIM_REGISTER_WORDS
// What create() asks the module itself, in place of a description beside it that may be another's: words of an element, which of these
// are defined, and the version of what the host must know.
#ifdef VKPRIM_HAS_LOAD
#define VKPRIM_LOAD_BIT VKPRIM_FACTS_LOAD
#else
#define VKPRIM_LOAD_BIT 0u
#endif
#ifdef VKPRIM_HAS_STORE
#define VKPRIM_STORE_BIT VKPRIM_FACTS_STORE
#else
#define VKPRIM_STORE_BIT 0u
#endif
#ifdef VKPRIM_ELEMENT_OWN
layout(constant_id = VKPRIM_FACTS_ID) const uint VKPRIM_FACTS = VKPRIM_REGISTER_WORDS | VKPRIM_LOAD_BIT | VKPRIM_STORE_BIT | VKPRIM_FACTS_VERSION;
#endif
#if VKPRIM_REGISTER_WORDS > 8
#error an element has at most 8 words of 32 bits
#elif VKPRIM_REGISTER_WORDS > 2
#define VKPRIM_VECTOR_WIDTH 1
#else
#define VKPRIM_VECTOR_WIDTH (4 / VKPRIM_REGISTER_WORDS)
#endif
#if VKPRIM_REGISTER_WORDS > 2 || defined(VKPRIM_HAS_LOAD) || defined(VKPRIM_HAS_STORE)
#define VKPRIM_ELEMENT_BY_ELEMENT
#endif
#include "several.glsl"

VKPRIM_ELEMENT vkprim_element_identity() { return identity(); }
VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b) { return operate(a, b); }

#define VKPRIM_FIELD_SELECT(TYPE, NAME) a.NAME = vkprim_select(a.NAME, b.NAME, chosen);
VKPRIM_ELEMENT vkprim_select(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b, bool chosen) {
    VKPRIM_FIELDS(VKPRIM_FIELD_SELECT)
    return a;
}
VKPRIM_ELEMENT4 vkprim_select(VKPRIM_ELEMENT4 a, VKPRIM_ELEMENT4 b, bool chosen) {
    return vkprim_Element4(vkprim_select(a.x, b.x, chosen), vkprim_select(a.y, b.y, chosen), vkprim_select(a.z, b.z, chosen),
                           vkprim_select(a.w, b.w, chosen));
}

#define VKPRIM_FIELD_PUT(TYPE, NAME) vkprim_put(bits, element.NAME);
#define VKPRIM_FIELD_TAKE(TYPE, NAME) vkprim_take(bits, element.NAME);

void vkprim_element_put(inout vkprim_Bits bits, VKPRIM_ELEMENT element) { VKPRIM_FIELDS(VKPRIM_FIELD_PUT) }

VKPRIM_ELEMENT vkprim_element_take(inout vkprim_Bits bits) {
    VKPRIM_ELEMENT element;
    VKPRIM_FIELDS(VKPRIM_FIELD_TAKE)
    return element;
}

uint vkprim_bits_word(vkprim_Bits bits, uint i) { return i < 4 ? bits.low[i] : bits.high[i - 4]; }

uint vkprim_element_word(VKPRIM_ELEMENT element, uint i) {
    vkprim_Bits bits = vkprim_Bits(uvec4(0), uvec4(0));
    vkprim_element_put(bits, element);
    return vkprim_bits_word(bits, 8 - VKPRIM_REGISTER_WORDS + i); // what was put in last ends at the end
}

VKPRIM_ELEMENT vkprim_element_of(uint words[VKPRIM_REGISTER_WORDS]) {
    vkprim_Bits bits = vkprim_Bits(uvec4(0), uvec4(0));
    [[unroll]] for (uint i = 0; i < 8; ++i) vkprim_put(bits, words[min(i, VKPRIM_REGISTER_WORDS - 1)]);
    return vkprim_element_take(bits);
}

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
#ifdef VKPRIM_HAS_LOAD
VKPRIM_ELEMENT vkprim_element_load(uvec2 base, uint first, uint index) { return load(first + index); }
#else
VKPRIM_ELEMENT vkprim_element_load(uvec2 base, uint first, uint index) {
    vkprim_Bits bits = vkprim_Bits(uvec4(0), uvec4(0));
    uvec2 address = vkprim_address_add(base, index * (4 * VKPRIM_MEMORY_WORDS));
#if VKPRIM_MEMORY_WORDS % 4 == 0
    [[unroll]] for (uint i = 0; i < VKPRIM_MEMORY_WORDS / 4; ++i) vkprim_put(bits, vkprim_Words4(address).at[i]);
#elif VKPRIM_MEMORY_WORDS % 2 == 0
    [[unroll]] for (uint i = 0; i < VKPRIM_MEMORY_WORDS / 2; ++i) vkprim_put(bits, vkprim_Words2(address).at[i]);
#else
    [[unroll]] for (uint i = 0; i < VKPRIM_MEMORY_WORDS; ++i) vkprim_put(bits, vkprim_Words(address).at[i]);
#endif
    [[unroll]] for (uint i = VKPRIM_MEMORY_WORDS; i < 8; ++i) vkprim_put(bits, 0u); // to the front
    return vkprim_element_take(bits);
}
#endif
#endif

// One result, or one of many: number `index` from the address on, and number `first` + `index` in all.
#ifdef VKPRIM_HAS_STORE
void vkprim_element_store(uvec2 base, uint first, uint index, VKPRIM_ELEMENT element) { store(first + index, element); }
#else
void vkprim_element_store(uvec2 base, uint first, uint index, VKPRIM_ELEMENT element) {
    vkprim_Words words = vkprim_Words(vkprim_address_add(base, index * (4 * VKPRIM_MEMORY_WORDS)));
    [[unroll]] for (uint i = 0; i < VKPRIM_MEMORY_WORDS; ++i) words.at[i] = vkprim_element_word(element, i);
}
#endif
void vkprim_element_store(uvec2 address, VKPRIM_ELEMENT element) { vkprim_element_store(address, 0, 0, element); }

#ifndef VKPRIM_ELEMENT_BY_ELEMENT
VKPRIM_VECTOR vkprim_vector_from_memory(uvec4 words, uint index) {
    vkprim_Bits bits = vkprim_Bits(words, uvec4(0));
#define VKPRIM_TAKE(i) vkprim_element_take(bits)
    return VKPRIM_VECTOR_FROM(VKPRIM_TAKE);
}

uvec4 vkprim_vector_to_memory(VKPRIM_VECTOR vector) {
    vkprim_Bits bits = vkprim_Bits(uvec4(0), uvec4(0));
    [[unroll]] for (uint i = 0; i < VKPRIM_VECTOR_WIDTH; ++i) vkprim_element_put(bits, vkprim_vector_at(vector, i));
    return bits.high;
}
// As word.glsl has them: runs.glsl shuffles words of memory.
#define VKPRIM_ELEMENT_FROM_BITS4(words) vkprim_vector_from_memory(words, 0)
#define VKPRIM_ELEMENT_BITS4(vector) vkprim_vector_to_memory(vector)
#endif
