// How the module of a user-defined operation says what it is, for GLSL and C++: by the default of a specialization constant that is never set.
#ifndef VKPRIM_FACTS_H
#define VKPRIM_FACTS_H

#define VKPRIM_FACTS_ID 64
#define VKPRIM_FACTS_WORDS 0xffu         // of an element
#define VKPRIM_FACTS_LOAD (1u << 8)      // it has load()
#define VKPRIM_FACTS_STORE (1u << 9)     // it has store()
#define VKPRIM_FACTS_KEEP (1u << 10)     // it is a predicate: it has keep(), and no element
#define VKPRIM_FACTS_VERSION (4u << 16)  // the upper half: of what host and module must agree on
#endif
