// Words for what GLSL and C++ both read: push blocks, and the layout of scratch memory.
#ifndef VKPRIM_PUSH_H
#define VKPRIM_PUSH_H
#ifdef __cplusplus
#include <cstdint>
#define ADDRESS uint64_t
#define UINT uint32_t
#define FUNCTION inline
#else
#define ADDRESS uvec2 // low word first, as a 64-bit integer lies in memory; not every device has 64-bit integers
#define UINT uint
#define FUNCTION
#endif
#endif
