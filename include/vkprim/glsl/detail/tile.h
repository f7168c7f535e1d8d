// How the primitives that look back divide their elements, for GLSL and C++. A tile is one block, or two; results do not depend on which.
#ifndef VKPRIM_TILE_H
#define VKPRIM_TILE_H

#define VKPRIM_TILE_RUN 512u    // elements: four rows of 32 vectors of four
#define VKPRIM_TILE_BLOCK 4096u // elements: eight runs
#define VKPRIM_TILE_ROWS(words) ((words) > 4u ? 1u : (words) > 2u ? 2u : 4u) // of a run, of elements of so many words: wide ones take more registers
#define VKPRIM_TILE_FAN 256u    // blocks in a group of lookback.glsl, and groups in a supergroup

// At which addresses a pipeline loads and stores runs (runs.glsl): at all; at multiples of 16; at all, where vectors are no faster than words.
#define VKPRIM_RUNS_ANYWHERE 0u
#define VKPRIM_RUNS_ALIGNED 1u
#define VKPRIM_RUNS_BY_WORDS 2u
#endif
