#version 460
// variants: digit_count COUNTS | digit_sum SUMS | digit_move
// step: radix, four bits at a time
// idea: Workgroups sort their keys by four bits, so that they go to memory in runs, in a quarter of the passes (Satish, Harris, Garland 2009).
// shape: elements=1 bits=4 barriers=8L+14 shared=8N+64
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"
#define RADIX_BITS 4
#include "radix.glsl"
