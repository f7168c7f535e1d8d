#version 460
// variants: bit_count COUNTS | bit_sum SUMS | bit_move
// step: radix, a bit at a time
// idea: Keys without the bit go to the front, the others behind them, in their order (Blelloch 1990): 32 passes over all keys.
// shape: elements=1 bits=1 barriers=2L+5 shared=8N+8
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"
#define RADIX_BITS 1
#include "radix.glsl"
