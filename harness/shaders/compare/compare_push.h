#include <vkprim/glsl/push.h>

struct ComparePush {
    ADDRESS expected;
    ADDRESS got;
    ADDRESS verdict; // COMPARE_WORDS words, zero-filled
    UINT    vectors; // of 16 bytes
};

#define COMPARE_VECTORS 16u

/// The words of a verdict.
#define COMPARE_COMPARED 0  // vectors, so that work which was not done does not pass
#define COMPARE_DIFFERING 1 // words
#define COMPARE_FIRST 2     // the first of those, all bits inverted
#define COMPARE_WORDS 4
