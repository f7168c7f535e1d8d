#version 460
// variants: one | rows SORT_ROWS
//
// Replaces the chunks' counts by their exclusive sums, and stores a list of totals after them. A workgroup does this for four digits.
#extension GL_GOOGLE_include_directive : require
#include "pass.glsl"

const uint LISTS = 4; // of counts, that are loaded at a time

shared uvec4 sums[WORKGROUP_SIZE];

// Of the workgroup's digits.
uvec2 counts_address(uint list) {
    return address_add(list_address(counts_begin(), list), 16 * workgroup_of_row);
}

uvec4 counts_at(uint list, uint end) {
    uvec4 counts = uvec4(0);
    if (list < end) counts = Words4(counts_address(list)).at[0];
    return counts;
}

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    const uint invocation = gl_LocalInvocationIndex;
    select_row(SORT_DIGITS / 4);
    if (workgroup_of_row >= SORT_DIGITS / 4) return;
    const uint chunks = chunks_of_all(), each = (chunks + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;
    const uint begin = min(invocation * each, chunks), end = min(begin + each, chunks);
    // Load: this invocation's lists, added up.
    uvec4 sum = uvec4(0), counts[LISTS];
    for (uint list = 0; list < each; list += LISTS) {
        [[unroll]] for (uint i = 0; i < LISTS; ++i) counts[i] = counts_at(begin + list + i, end);
        [[unroll]] for (uint i = 0; i < LISTS; ++i) sum += counts[i];
    }
    // Combine: the sums of all invocations before this one.
    const uvec4 own = sum;
    for (uint step = 1; step < WORKGROUP_SIZE; step *= 2) {
        sums[invocation] = sum;
        barrier();
        if (invocation >= step) sum += sums[invocation - step];
        barrier();
    }
    // Store: the lists once more, as exclusive sums, and the totals after them.
    if (invocation == WORKGROUP_SIZE - 1) Words4(counts_address(chunks)).at[0] = sum;
    sum -= own;
    for (uint list = 0; list < each; list += LISTS) {
        [[unroll]] for (uint i = 0; i < LISTS; ++i) counts[i] = counts_at(begin + list + i, end);
        [[unroll]] for (uint i = 0; i < LISTS; ++i) {
            if (begin + list + i < end) Words4(counts_address(begin + list + i)).at[0] = sum;
            sum += counts[i];
        }
    }
}
