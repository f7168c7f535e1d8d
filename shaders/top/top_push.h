// What the dispatches of a top-k are told, for GLSL and C++.
#ifndef TOP_PUSH_H
#define TOP_PUSH_H
#include <vkprim/glsl/detail/push.h>

#define TOP_DIGIT_BITS 8u
#define TOP_DIGITS 256u
#define TOP_CLEARS 0xffffffffu // instead of a pass: makes the first pass's counters zero
#define TOP_STATE_SIZE 16u     // bytes

/// Of one dispatch. Rows are chunks of keys, and so many workgroups are at work.
struct TopPush {
    VKPRIM_ADDRESS keys;                  // read
    VKPRIM_ADDRESS states;                // of each row and pass: the known bits of the last key, and how many keys with these are wanted
    VKPRIM_ADDRESS counters;              // of each row and pass: keys with the known bits, by their next digit
    VKPRIM_ADDRESS tallies;               // of each chunk: keys before the last one in the order, and keys equal to it
    VKPRIM_ADDRESS found_keys, found_indices; // written: the wanted keys of each row, equal keys in the order of their indices; or only the k-th key
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;      // keys of a row
    VKPRIM_UINT    rows;
    VKPRIM_UINT    row_stride; // keys
    VKPRIM_UINT    wanted;     // keys of each row
    VKPRIM_UINT    chunk;      // keys
    VKPRIM_UINT    chunks;     // of a row
    VKPRIM_UINT    pass;       // how many digits are known
};
#endif
