#version 460
// variants: whole
// step: decoupled look-back
// idea: Each workgroup adds up what those before it have published, sums or all before (Merrill, Garland 2016, 4): one dispatch, of large tiles.
// shape: elements=16 barriers=2L+3 shared=4N+8 subgroups=arithmetic
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared float sums[WORKGROUP_SIZE], before;
shared uint ticket;
#define EACH 16
#define TILE (WORKGROUP_SIZE * EACH)
#define STORE(WORD, VALUE, ORDER) atomicStore(Words(push.sums).at[WORD], VALUE, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, ORDER)
#define LOAD(WORD, ORDER) atomicLoad(Words(push.sums).at[WORD], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, ORDER)

// In push.sums: the next ticket; for each tile 0, 1 where its sum is there, 2 the sum up to its end; the sums of both kinds.
void publish(uint tile, uint state, float sum) {
    STORE(1 + state * push.workgroups + tile, floatBitsToUint(sum), gl_SemanticsRelaxed);
    STORE(1 + tile, state, gl_SemanticsRelease);
}
// By a subgroup, whose invocations look at as many tiles at a time, the nearest first.
float sum_before(uint tile) {
    float sum = 0;
    for (uint end = tile, size = min(gl_SubgroupSize, WORKGROUP_SIZE);; end -= min(size, end)) {
        uint distance = gl_SubgroupInvocationID, other = end - 1 - distance, state = distance < end ? 0 : 2; // 2: the beginning
        float found = 0;
        for (uint poll = 0; poll < PATIENCE && state == 0; ++poll) state = LOAD(1 + other, gl_SemanticsAcquire);
        if (state > 0 && distance < end) found = uintBitsToFloat(LOAD(1 + state * push.workgroups + other, gl_SemanticsRelaxed));
        for (uint e = other * TILE; state == 0 && e < (other + 1) * TILE; e += 4) found += dot(four_at(e), vec4(1)); // without the other's help
        uint nearest = subgroupMin(state == 2 ? distance : size);
        sum += subgroupAdd(distance <= nearest ? found : 0);
        if (nearest < size) return sum;
    }
}

void main() {
    if (LOCAL == 0) ticket = atomicAdd(Words(push.sums).at[0], 1);
    barrier();
    uint tile = ticket, first = tile * TILE + LOCAL * EACH;
    if (tile >= push.workgroups) return;
    float sum = 0, values[EACH];
    [[unroll]] for (uint e = 0; e < EACH; ++e) sum += values[e] = element_at(first + e);
    sums[LOCAL] = sum;
    barrier();
    for (uint distance = 1; distance < WORKGROUP_SIZE; distance *= 2) {
        if (LOCAL >= distance) sum += sums[LOCAL - distance];
        barrier();
        sums[LOCAL] = sum;
        barrier();
    }
    if (gl_SubgroupID == 0) {
        if (LOCAL == 0) publish(tile, 1, sums[WORKGROUP_SIZE - 1]);
        before = sum_before(tile);
        if (LOCAL == 0) publish(tile, 2, before + sums[WORKGROUP_SIZE - 1]);
    }
    barrier();
    sum = before + (LOCAL > 0 ? sums[LOCAL - 1] : 0);
    [[unroll]] for (uint e = 0; e < EACH; ++e) put_element(first + e, sum += values[e]);
}
