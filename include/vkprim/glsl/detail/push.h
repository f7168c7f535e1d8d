// Words for what GLSL and C++ both read: push blocks, and the layout of scratch memory.
#ifndef VKPRIM_PUSH_H
#define VKPRIM_PUSH_H
#ifdef __cplusplus
#include <cstdint>
#define VKPRIM_ADDRESS uint64_t
#define VKPRIM_UINT uint32_t
#define VKPRIM_CONSTANT constexpr uint32_t
#define VKPRIM_FUNCTION inline
#else
#define VKPRIM_ADDRESS uvec2 // low word first, as a 64-bit integer lies in memory; not every device has 64-bit integers
#define VKPRIM_UINT uint
#define VKPRIM_CONSTANT const uint
#define VKPRIM_FUNCTION
#endif

/// A bit of the address of a count: there is no count in GPU memory, and the rest is the address of any word that can be read
/// (vkprim_count_of(), and src/recorder.h).
#define VKPRIM_COUNT_ON_HOST 1u

/// The parameters of an operation of your own: vkprim::Parameters.
struct vkprim_ParametersPush {
    VKPRIM_ADDRESS addresses[4];
    VKPRIM_UINT    words[4];
};
#endif
