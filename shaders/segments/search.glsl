// A search of many segments by a workgroup. Before including this file, a shader defines place_of(), which never descends,
// segment_count, a shared `probed`, and invocation().
#ifndef SEGMENTS_SEARCH_GLSL
#define SEGMENTS_SEARCH_GLSL

// How many segments begin at a place below `end`.
uint segments_below(uint end) {
    uint least = 0, most = segment_count;
    while (least < most) {
        const uint each = (most - least - 1) / WORKGROUP_SIZE + 1, probe = least + each * invocation();
        if (invocation() == 0) probed = 0;
        barrier();
        if (probe < most && place_of(probe) < end) atomicMax(probed, invocation() + 1);
        barrier();
        const uint below = probed;
        barrier();
        if (below == 0) break;
        const uint last = least + each * (below - 1);
        least = last + 1;
        most = min(last + each, most);
    }
    return least;
}

#endif
