#ifndef VKPRIM_DOCTOR_PUSH_H
#define VKPRIM_DOCTOR_PUSH_H
#include <vkprim/glsl/detail/push.h>

struct DoctorPush {
    VKPRIM_ADDRESS memory;  // what the test works on
    VKPRIM_ADDRESS results; // what it saw
    VKPRIM_UINT    count;   // of instances, or of workgroups
    VKPRIM_UINT    salt;
    VKPRIM_UINT    distance; // between partners
};

/// A number that tells instances and rounds apart; neither half is zero.
VKPRIM_FUNCTION VKPRIM_UINT doctor_value(VKPRIM_UINT index, VKPRIM_UINT salt) {
    VKPRIM_UINT value = (index + salt * 0x9e3779b9u) * 0x85ebca6bu;
    return (value ^ (value >> 15)) | 0x00010001u;
}

// Words that integer_arithmetic.comp stores for each pair of operands, and float_arithmetic.comp for three.
#define INTEGER_RESULTS 8u
#define FLOAT_RESULTS 5u

// Words of results of an invocation, in each round of a test of subgroups.
#define SUBGROUP_ROUNDS 9u // the first is outside of any loop

// 128 bytes, which every device takes.
#define PUSH_WORDS 30u
struct PatternPush {
    VKPRIM_ADDRESS results;
    VKPRIM_UINT    words[PUSH_WORDS];
};

#endif
