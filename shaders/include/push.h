// Words for push blocks that GLSL and C++ both read.
#ifndef VKPRIM_PUSH_H
#define VKPRIM_PUSH_H
#ifdef __cplusplus
#include <cstdint>
#define ADDRESS uint64_t
#define UINT uint32_t
#else
#define ADDRESS uvec2 // low word first, as a 64-bit integer lies in memory; not every device has 64-bit integers
#define UINT uint
#endif
#endif
