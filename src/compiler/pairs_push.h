// What pairs.comp is given.
#ifndef VKPRIM_PAIRS_PUSH_H
#define VKPRIM_PAIRS_PUSH_H
#include <vkprim/glsl/detail/push.h>

#define PAIRS_OPERATE 0u  // results[i] = first[i] op second[i]
#define PAIRS_IDENTITY 1u // results[0] = the identity; and behind it a word: whether the operation keeps the order
#define PAIRS_LOAD 2u     // results[i] = load(first[i]), where `first` are indices

struct PairsPush {
    VKPRIM_ADDRESS first; // elements, one after the other, as words
    VKPRIM_ADDRESS second;
    VKPRIM_ADDRESS results;
    VKPRIM_UINT    count;
    VKPRIM_UINT    what;
};
#endif
