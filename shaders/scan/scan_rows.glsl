// Scans of consecutive vectors in memory, one row after the other: of segments of wide elements, and where registers are few. The order of
// operations is that of scan_tile.glsl.
//
// Before including this file, a shader defines INCLUSIVE, and includes tile.h with an element.
#ifndef SCAN_ROWS_GLSL
#define SCAN_ROWS_GLSL
#include "../segments/segment.glsl"

Memory load_memory(Segment segment, uint vector) {
    const uint index = vector * VECTOR_WIDTH;
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    return vector_load(segment.base, segment.first, index, segment.count);
#else
    const uint word = index * MEMORY_WORDS, words = segment.count * MEMORY_WORDS;
    if (segment.base.x % 16 == 0 && word + VECTOR_WORDS <= words) return Words4(segment.base).at[word / VECTOR_WORDS];
    return words_load_partial(segment.base, word, words);
#endif
}

Vector load_vector(Segment segment, uint vector) { return vector_from_memory(load_memory(segment, vector), 0); }

void store_vector(Segment segment, uvec2 output_base, uint vector, Vector value) {
    const uint index = vector * VECTOR_WIDTH;
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    vector_store(output_base, segment.first, index, segment.count, value);
#else
    const uint word = index * MEMORY_WORDS, words = segment.count * MEMORY_WORDS;
    const uvec4 bits = vector_to_memory(value);
    if (output_base.x % 16 == 0 && word + VECTOR_WORDS <= words) Words4(output_base).at[word / VECTOR_WORDS] = bits;
    else words_store_partial(output_base, word, words, bits);
#endif
}

// Scans some rows of vectors, with one vector for each invocation of the group, and stores them with the total before them in their block, and
// before that, if `stores`: one row after the other, of wide elements, or where registers are few. Returns their total.
Element scan_rows(Segment segment, uvec2 output_base, uint first_row, uint group_size, uint rows, bool stores, Element run_before,
                  Element prefix) {
    Element rows_before = element_identity();
#if REGISTER_WORDS == 1
    Element pairs_before = rows_before, even_total = rows_before;
#endif
    [[dont_unroll]] for (uint row = 0; row < rows; ++row) {
        const uint vector = (first_row + row) * group_size + invocation() % group_size;
        Vector scanned = vector_scan(load_vector(segment, vector));
        Element total = vector_last(scanned), before = element_identity();
        for (uint bit = 1; bit < group_size; bit <<= 1) {
            Element sibling = team_exchange(total, bit);
            if ((invocation() & bit) != 0) before = operate(sibling, before);
            total = operate_pair(total, sibling, bit);
        }
        if (stores) {
#if VECTOR_WIDTH == 1
            before = operate(rows_before, INCLUSIVE ? operate(before, scanned) : before);
            scanned = operate(run_before, before);
#else
#if REGISTER_WORDS == 1
            // The rows of a small group are a tree of pairs, too.
            if (group_size < TEAM && row % 2 == 1) before = operate(pairs_before, operate(even_total, before));
            else
#endif
                before = operate(rows_before, before);
            scanned = INCLUSIVE ? scanned : vector_shift(scanned);
            scanned = operate(vector_of(operate(run_before, before)), scanned);
#endif
            store_vector(segment, output_base, vector, operate(vector_of(prefix), scanned));
        }
#if REGISTER_WORDS == 1
        if (row % 2 == 0) {
            pairs_before = rows_before;
            even_total = total;
        }
#endif
        rows_before = operate(rows_before, total);
    }
    return rows_before;
}
#endif
