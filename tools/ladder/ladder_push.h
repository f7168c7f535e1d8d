#ifndef VKPRIM_LADDER_PUSH_H
#define VKPRIM_LADDER_PUSH_H
#include <vkprim/glsl/detail/push.h>

// What every step of a ladder gets, and what each makes of it.
struct LadderPush {
    VKPRIM_ADDRESS source; // read: count elements or samples
    VKPRIM_ADDRESS target; // written
    VKPRIM_ADDRESS sums;   // of a scan: a word for each workgroup, written by its blocks and read by what joins them
    VKPRIM_UINT    count;
    VKPRIM_UINT    workgroups; // that there is work for; grids are rectangles, so there may be more
    VKPRIM_UINT    bins; // of a histogram, whose bin b counts samples from first + b * width on
    VKPRIM_UINT    first;
    VKPRIM_UINT    width; // of a sort, the keys of a block; by digits, the workgroups that have keys; of two chains, the elements of the first
    VKPRIM_UINT    threads; // invocations that share the samples of a histogram, where not each sample has its own; of a link, its elements
    VKPRIM_ADDRESS mask;    // of a convolution: (2 radius_x + 1) (2 radius_y + 1) floats, row by row
    VKPRIM_UINT    columns; // of which it has rows
    VKPRIM_UINT    rows;
    VKPRIM_UINT    radius_x;
    VKPRIM_UINT    radius_y;
    VKPRIM_UINT    edge;     // one of those below
    VKPRIM_UINT    distance; // of a sort, between keys that are exchanged; 0: as far from the end as from the beginning; of a chain, to neighbours
    VKPRIM_UINT    shift;    // of a sort, to the digit's lowest bit
    VKPRIM_UINT    links;    // of chains, that a dispatch stands for
};

// What lies beyond the edges.
#define EDGE_ZERO 0u     // zeros
#define EDGE_CLAMP 1u    // the outermost element
#define EDGE_MIRROR 2u   // the elements within, the outermost first
#define LADDER_RADIUS 8u // at most
#define LADDER_MASK 289u // weights at most, 16 bytes each

#define LADDER_BINS 256u // at most, where they lie in shared memory

#endif
