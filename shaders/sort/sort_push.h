// What the dispatches of a sort are told, for GLSL and C++.
#ifndef SORT_PUSH_H
#define SORT_PUSH_H
#include <vkprim/glsl/detail/push.h>

#define SORT_DIGIT_BITS 8u // of a pass, at most
#define SORT_DIGITS 256u

#define SORT_ENCODES 1u // keys are loaded as the caller has them
#define SORT_DECODES 2u // and stored so
#define SORT_INDICES 4u // values are made: the places of the keys
#define SORT_SCANNED 8u // counts of chunks are exclusive sums over the chunks, and the row after them has the totals
#define SORT_NTH 16u    // of sort_small.comp: of each row, only the last of what would be stored
#define SORT_MOST_COUNTED 65535u // keys of a chunk

/// Of one pass; of sort_small.comp, the first of `passes`.
struct SortPush {
    VKPRIM_ADDRESS keys, values;               // read
    VKPRIM_ADDRESS output_keys, output_values; // written: of element `bias`
    VKPRIM_ADDRESS counts;                     // of each row of keys: SORT_DIGITS for each chunk of tiles, and as many more
    VKPRIM_ADDRESS tile_counts;                // and for each tile: those of the chunk's tiles before it
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;      // of the keys of a row
    VKPRIM_UINT    tile;       // keys
    VKPRIM_UINT    chunk;      // tiles
    VKPRIM_UINT    shift;      // to the digit's lowest bit
    VKPRIM_UINT    digit_bits; // 1 to SORT_DIGIT_BITS; of all passes but the last of sort_small.comp
    VKPRIM_UINT    end_bit;    // the end of the digits of all passes
    VKPRIM_UINT    flags;
    VKPRIM_UINT    rows;        // of sort_small.comp and with SORT_ROWS
    VKPRIM_UINT    row_stride;  // elements from the beginning of one row to the next in what is read
    VKPRIM_UINT    most_stored; // the same in what is written; sort_small.comp stores at most so many of each row
    VKPRIM_UINT    rows_each;   // of sort_small.comp: rows that a workgroup sorts
    VKPRIM_UINT    bias;        // 2^31 if there are more elements, since an index reaches no further; else 0
};
#endif
