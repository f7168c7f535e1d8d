#ifndef VKPRIM_COMPARE_PUSH_H
#define VKPRIM_COMPARE_PUSH_H
#include <vkprim/glsl/detail/push.h>

struct ComparePush {
    VKPRIM_ADDRESS expected;
    VKPRIM_ADDRESS got;
    VKPRIM_ADDRESS verdict; // COMPARE_WORDS words, zero-filled
    VKPRIM_UINT    vectors; // of 16 bytes
};

#define COMPARE_VECTORS 16u

/// The words of a verdict.
#define COMPARE_COMPARED 0  // vectors, so that work which was not done does not pass
#define COMPARE_DIFFERING 1 // words
#define COMPARE_FIRST 2     // the first of those, all bits inverted
#define COMPARE_WORDS 4

#endif
