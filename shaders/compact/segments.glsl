// How many elements are kept before each segment that begins in a tile.

// Where a segment begins.
uint begin_of(uint segment) {
    uint begin, high = 0;
    if (SEGMENTS_ROWS) {
        umulExtended(segment, segments_push.size, high, begin);
    } else {
        uvec2 address = address_of(segments_push.offsets_address, segment, segments_push.size);
        begin = Words(address).at[0];
        if (segments_push.size == 8) high = Words(address).at[1];
    }
    return high != 0 ? element_count : min(begin, element_count);
}

// How many rows begin before a place.
uint rows_ahead(uint place) {
    if (place == 0) return 0;
    if (segments_push.size == 0) return segment_count;
    return min((place - 1) / segments_push.size + 1, segment_count);
}

// The first segment that begins in a tile, and the one after the last that does. Segments that begin at the count are in the last tile. One
// half of the workgroup searches for the first, and the other half for the one after the last, with a branch for each invocation.
uvec2 segments_in(uint tile, uint tiles) {
    const bool is_last = tile == tiles - 1;
    const uvec2 ends = uvec2(tile * TILE, tile * TILE + TILE);
    if (SEGMENTS_ROWS) return uvec2(rows_ahead(ends.x), is_last ? segment_count : rows_ahead(ends.y));
    const uint branches = WORKGROUP_SIZE / 2, half_number = invocation() / branches, branch = invocation() % branches;
    uvec2 least = uvec2(0, is_last ? segment_count : 0), most = uvec2(tile == 0 ? 0 : segment_count, segment_count);
    while (any(lessThan(least, most))) {
        const uvec2 sizes = most - least, each = (sizes - 1) / branches + 1;
        const uint probe = branch * (half_number == 0 ? each.x : each.y);
        if (invocation() < 2) probed[invocation()] = 0;
        barrier();
        if (probe < (half_number == 0 ? sizes.x : sizes.y) &&
            begin_of((half_number == 0 ? least.x : least.y) + probe) < (half_number == 0 ? ends.x : ends.y)) {
            atomicMax(probed[half_number], branch + 1);
        }
        barrier();
        const uvec2 ahead = uvec2(probed[0], probed[1]), last = least + each * (ahead - 1);
        barrier();
        most = mix(last + min(each, most - last), least, equal(ahead, uvec2(0)));
        least = mix(last + 1, least, equal(ahead, uvec2(0)));
    }
    return uvec2(least.x, max(least.x, least.y)); // of offsets that descend, none
}

void find_segments(uint tile, uint tiles) {
    uvec2 segments = segments_in(tile, tiles);
    if (invocation() == 0) segments_of_tile = segments;
}

// Stores how many elements are kept before each of these segments.
void store_segments(uint tile, uint prefix, uint kept[RUNS], uint befores[RUNS], uint totals[RUNS], uint run_before[RUNS]) {
    barrier(); // all outputs have been packed
    [[unroll]] for (uint run = 0; run < RUNS; ++run) {
        uint row_before = run_before[run];
        [[unroll]] for (uint row = 0; row < ROWS_PER_RUN; ++row) {
            staged[element_index(run, row) / PER_VECTOR] = row_before + (befores[run] >> 8 * row & 0xff) << 4 | kept[run] >> MASK_BITS * row & 15;
            row_before += totals[run] >> 8 * row & 0xff;
        }
    }
    barrier();
    const uvec2 segments = segments_of_tile;
    for (uint first = 0; first < segments.y - segments.x; first += WORKGROUP_SIZE) {
        uint segment = segments.x + first + invocation();
        if (segment < segments.y) {
            uint place = begin_of(segment) - tile * TILE, vector = staged[min(place, TILE - 1) / PER_VECTOR];
            uint ahead = place < TILE ? (1u << place % PER_VECTOR) - 1 : 15; // of the vector; all of the last one if the segment begins after the tile
            Words(address_of(push.kept_address, segment, 4)).at[0] = prefix + (vector >> 4) + bitCount(vector & ahead);
        }
    }
}
