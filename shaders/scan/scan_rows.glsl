// Scans of consecutive vectors in memory, one row after the other: of segments of wide elements, and where registers are few. The order of
// operations is that of scan_tile.glsl.
//
// Before including this file, a shader defines INCLUSIVE, and includes tile.h with an element.
#ifndef SCAN_ROWS_GLSL
#define SCAN_ROWS_GLSL
#include "../segments/segment.glsl"

VKPRIM_MEMORY load_memory(Segment segment, uint vector) {
    const uint index = vector * VKPRIM_VECTOR_WIDTH;
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    return vkprim_vector_load(segment.base, segment.first, index, segment.count);
#else
    const uint word = index * VKPRIM_MEMORY_WORDS, words = segment.count * VKPRIM_MEMORY_WORDS;
    if (segment.base.x % 16 == 0 && word + VKPRIM_VECTOR_WORDS <= words) return vkprim_Words4(segment.base).at[word / VKPRIM_VECTOR_WORDS];
    return vkprim_words_load_partial(segment.base, word, words);
#endif
}

VKPRIM_VECTOR load_vector(Segment segment, uint vector) { return vkprim_vector_from_memory(load_memory(segment, vector), 0); }

void store_vector(Segment segment, uvec2 output_base, uint vector, VKPRIM_VECTOR value) {
    const uint index = vector * VKPRIM_VECTOR_WIDTH;
#ifdef VKPRIM_ELEMENT_BY_ELEMENT
    vkprim_vector_store(output_base, segment.first, index, segment.count, value);
#else
    const uint word = index * VKPRIM_MEMORY_WORDS, words = segment.count * VKPRIM_MEMORY_WORDS;
    const uvec4 bits = vkprim_vector_to_memory(value);
    if (output_base.x % 16 == 0 && word + VKPRIM_VECTOR_WORDS <= words) vkprim_Words4(output_base).at[word / VKPRIM_VECTOR_WORDS] = bits;
    else vkprim_words_store_partial(output_base, word, words, bits);
#endif
}

// Scans some rows of vectors, with one vector for each invocation of the group, and stores them with the total before them in their block, and
// before that, if `stores`: one row after the other, of wide elements, or where registers are few. Returns their total.
VKPRIM_ELEMENT scan_rows(Segment segment, uvec2 output_base, uint first_row, uint group_size, uint rows, bool stores, VKPRIM_ELEMENT run_before,
                         VKPRIM_ELEMENT prefix) {
    VKPRIM_ELEMENT rows_before = vkprim_element_identity();
#if VKPRIM_REGISTER_WORDS == 1
    VKPRIM_ELEMENT pairs_before = rows_before, even_total = rows_before;
#endif
    [[dont_unroll]] for (uint row = 0; row < rows; ++row) {
        const uint vector = (first_row + row) * group_size + vkprim_invocation() % group_size;
        VKPRIM_VECTOR scanned = vkprim_vector_scan(load_vector(segment, vector));
        VKPRIM_ELEMENT total = vkprim_vector_last(scanned), before = vkprim_element_identity();
        for (uint bit = 1; bit < group_size; bit <<= 1) {
            VKPRIM_ELEMENT sibling = vkprim_team_exchange(total, bit);
            if ((vkprim_invocation() & bit) != 0) before = vkprim_operate(sibling, before);
            total = vkprim_operate_pair(total, sibling, bit);
        }
        if (stores) {
#if VKPRIM_VECTOR_WIDTH == 1
            before = vkprim_operate(rows_before, INCLUSIVE ? vkprim_operate(before, scanned) : before);
            scanned = vkprim_operate(run_before, before);
#else
#if VKPRIM_REGISTER_WORDS == 1
            // The rows of a small group are a tree of pairs, too.
            if (group_size < VKPRIM_TEAM && row % 2 == 1) before = vkprim_operate(pairs_before, vkprim_operate(even_total, before));
            else
#endif
                before = vkprim_operate(rows_before, before);
            scanned = INCLUSIVE ? scanned : vkprim_vector_shift(scanned);
            scanned = vkprim_operate(vkprim_vector_of(vkprim_operate(run_before, before)), scanned);
#endif
            store_vector(segment, output_base, vector, vkprim_operate(vkprim_vector_of(prefix), scanned));
        }
#if VKPRIM_REGISTER_WORDS == 1
        if (row % 2 == 0) {
            pairs_before = rows_before;
            even_total = total;
        }
#endif
        rows_before = vkprim_operate(rows_before, total);
    }
    return rows_before;
}
#endif
