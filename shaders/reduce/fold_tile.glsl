// A tile is a matrix of 1024 columns. Columns are folded from top to bottom, then the 1024 totals in pairs (i, i xor 1), (i, i xor 2) ...
// Invocation i holds columns 4 i to 4 i + 3. Tiles are folded in pairs, too. For elements of two words there are 512 columns, so that an
// invocation's columns always take 16 bytes in a row. For wider ones there are 256, and four rows at a time are first folded in pairs.
//
// If an operation does not commute, rows must be folded in order. Then a tile is divided among teams of 32 invocations, and each team's part
// into rows with one vector for each invocation. Each row is folded in pairs, and the rows' totals from first to last.
//
// fold_columns() returns the total of an invocation's elements of a tile; workgroup_reduce() folds these.
//
// Before including this file, a shader defines ALIGNED, whether `base` is a multiple of 16, and BATCH, the rows of a tile that are loaded at
// a time.
#ifndef REDUCE_FOLD_TILE_GLSL
#define REDUCE_FOLD_TILE_GLSL
#include "reduce_push.h"

const uint COLUMNS = REDUCE_COLUMNS / VECTOR_WORDS * VECTOR_WIDTH; // of elements
const uint ROW = REDUCE_COLUMNS;                                 // in words, if vectors have 16 bytes

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
Vector load_vector(uvec2 base, uint first, uint index, uint count) { return vector_load(base, first, index, count); }
#else
Vector load_vector(uvec2 base, uint first, uint index, uint count) {
    uint word = index * MEMORY_WORDS, words = count * MEMORY_WORDS;
    uvec4 bits;
    if (ALIGNED && word + VECTOR_WORDS <= words) bits = Words4(base).at[word / VECTOR_WORDS];
    else bits = words_load_partial(base, word, words);
    return vector_from_memory(bits, first + index);
}
#endif

#if defined(VKPRIM_KEEPS_ORDER)
// Of a tile of `rows` rows, the first of whose elements is number `first`, the first `count`. All loads of up to 4 rows are issued
// before the first is used.
Element fold_columns(uvec2 base, uint count, uint first, uint rows) {
    const uint TEAM_COLUMNS = TEAM * VECTOR_WIDTH;
    uint begin = invocation() / TEAM * rows * TEAM_COLUMNS + invocation() % TEAM * VECTOR_WIDTH;
    const uint AT_ONCE = BATCH < 4 ? BATCH : 4; // tiles of few rows do so many, too
    Element total = element_identity();
    for (uint row = 0; row < rows; row += AT_ONCE) {
        Vector vectors[AT_ONCE];
        [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) {
            vectors[i] = load_vector(base, first, begin + (row + i) * TEAM_COLUMNS, row + i < rows ? count : 0);
        }
        [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) {
            Element folded = vector_reduce(vectors[i]);
            [[unroll]] for (uint bit = 1; bit < TEAM; bit <<= 1) {
                folded = operate_pair(folded, team_exchange(folded, bit), bit);
            }
            total = operate(total, folded);
        }
    }
    if (invocation() % TEAM != 0) total = element_identity();
    return total;
}
#elif VECTOR_WIDTH == 1
// Wide elements whose operation commutes: each invocation has a column. It folds four rows in pairs, and adds them to what it has. Where
// load() makes an element of one number, a compiler works out most of the first three operations.
Element fold_four(Element a, Element b, Element c, Element d) {
    return operate(operate(a, b), operate(c, d));
}

Element fold_columns(uvec2 base, uint count, uint first, uint rows) {
    const uint AT_ONCE = BATCH < 4 ? 4 : BATCH / 4 * 4;
    Element total = element_identity(), elements[AT_ONCE], last[4];
    uint row = 0, index = invocation();
    for (; (row + AT_ONCE) * COLUMNS <= count; row += AT_ONCE, index += AT_ONCE * COLUMNS) {
        [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) elements[i] = element_load(base, first, index + i * COLUMNS);
        [[unroll]] for (uint i = 0; i < AT_ONCE; i += 4) {
            total = operate(total, fold_four(elements[i], elements[i + 1], elements[i + 2], elements[i + 3]));
        }
    }
    for (; row * COLUMNS < count; row += 4, index += 4 * COLUMNS) {
        [[unroll]] for (uint i = 0; i < 4; ++i) last[i] = load_vector(base, first, index + i * COLUMNS, count);
        total = operate(total, fold_four(last[0], last[1], last[2], last[3]));
    }
    return total;
}
#else
// fold_columns(): each invocation folds its columns, of the first elements of a tile, BATCH rows at a time. All loads of a batch are issued
// before the first is used. `first`: the number of the tile's first element.
#ifdef VKPRIM_PACKED
// This invocation's vector of a whole row.
Packed packed_of(uvec2 base, uint row) { return PACKED_AT(base, row * (COLUMNS / VECTOR_WIDTH) + invocation()); }

// Adds this invocation's vector of a row to its columns.
void fold_vector(inout Vector columns, Packed packed, uint first, uint row) {
    uint index = first + row * COLUMNS + invocation() * VECTOR_WIDTH;
    columns = operate(columns, packed_vector(packed, index));
}

// The same for the next whole row, after fold_start().
#ifdef VKPRIM_HAS_LATER
void fold_next_vector(inout Vector columns, Packed packed, uint first, uint row) {
    uint index = first + row * COLUMNS + invocation() * VECTOR_WIDTH;
    columns = operate_later(columns, packed_vector(packed, index));
}
Vector fold_start(uint first) { return vector_earliest(first + invocation() * VECTOR_WIDTH); }
#else
#define fold_next_vector fold_vector
Vector fold_start(uint first) { return vector_of(element_identity()); }
#endif

// Folds batches of BATCH whole rows, and returns the number of rows folded. While a batch is folded, the next one is loaded.
uint fold_whole_rows(inout Vector columns, uvec2 base, uint count, uint first) {
    if (BATCH * COLUMNS > count) return 0;
    uint row = BATCH;
    columns = fold_start(first);
    Packed vectors[BATCH], coming[BATCH];
    [[unroll]] for (uint i = 0; i < BATCH; ++i) vectors[i] = packed_of(base, i);
    for (; (row + BATCH) * COLUMNS <= count; row += BATCH) {
        [[unroll]] for (uint i = 0; i < BATCH; ++i) coming[i] = packed_of(base, row + i);
        [[unroll]] for (uint i = 0; i < BATCH; ++i) fold_next_vector(columns, vectors[i], first, row - BATCH + i);
        [[unroll]] for (uint i = 0; i < BATCH; ++i) vectors[i] = coming[i];
    }
    [[unroll]] for (uint i = 0; i < BATCH; ++i) fold_next_vector(columns, vectors[i], first, row - BATCH + i);
    return row;
}
#endif

#ifdef VKPRIM_ELEMENT_BY_ELEMENT
Element fold_columns(uvec2 base, uint count, uint first, uint rows) {
    Vector columns = vector_of(element_identity());
    uint row = 0;
#ifdef VKPRIM_PACKED
    if (base.x % (VECTOR_WIDTH * INPUT_BYTES) == 0) row = fold_whole_rows(columns, base, count, first);
#endif
    for (; row * COLUMNS < count; row += BATCH) {
        Vector vectors[BATCH];
        [[unroll]] for (uint i = 0; i < BATCH; ++i) {
            uint index = (row + i) * COLUMNS + invocation() * VECTOR_WIDTH;
            vectors[i] = load_vector(base, first, index, count);
        }
        [[unroll]] for (uint i = 0; i < BATCH; ++i) columns = operate(columns, vectors[i]);
    }
    return vector_reduce(columns);
}
#else
Element fold_columns(uvec2 base, uint elements, uint first, uint rows) {
    uint count = elements * MEMORY_WORDS;
    Vector columns = vector_of(element_identity());
    uint row = ALIGNED ? fold_whole_rows(columns, base, elements, first) : 0;
    for (; row * ROW < count; row += BATCH) {
        uvec4 bits[BATCH];
        [[unroll]] for (uint i = 0; i < BATCH; ++i) {
            uint index = (row + i) * ROW + VECTOR_WORDS * invocation();
            bits[i] = words_of_nothing();
            if (!ALIGNED) {
                bits[i] = words_load_partial(base, index, count);
            } else if (index + VECTOR_WORDS <= count) {
                bits[i] = Words4(base).at[index / VECTOR_WORDS];
            }
        }
        [[unroll]] for (uint i = 0; i < BATCH; ++i) fold_vector(columns, bits[i], first, row + i);
    }
    uint rest = ALIGNED ? count % VECTOR_WORDS : 0; // words of a vector that is not whole
    if (rest > 0 && (count - rest) % ROW == VECTOR_WORDS * invocation()) {
        fold_vector(columns, words_load_partial(base, count - rest, count), first, count / ROW);
    }
    return vector_reduce(columns);
}
#endif
#endif

#endif
