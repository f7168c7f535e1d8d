#ifndef SEGMENT_GLSL
#define SEGMENT_GLSL

// Consecutive elements in memory: a segment, or a tile.
struct Segment {
    uvec2 base;  // of its elements in memory
    uint  first; // number of its first element: 0, or for a tile its place in the segment; for a user's load() and store(), counted in the whole input
    uint  count;
    uint  place;
};
#endif
