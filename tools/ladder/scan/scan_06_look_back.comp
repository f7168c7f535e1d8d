#version 460
// variants: whole
// step: decoupled look-back
// idea: Each workgroup adds up what those before it have published, sums or all before (Merrill, Garland 2016, 4): one dispatch, of large tiles.
// shape: elements=16 barriers=3 shared=16N+8 subgroups=arithmetic
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

shared vec4 sums[VKPRIM_WORKGROUP_SIZE]; // of four rows in each subgroup, and there may be as many as invocations
shared float before;
shared uint ticket;
#define TILE (VKPRIM_WORKGROUP_SIZE * 16)

// In push.sums: the next ticket, then each tile's sum, then the sum up to each tile's end. A word is its own flag, 0 (for a NaN) until
// it is there, so that nothing needs an order in memory.
#define WORD(KIND, TILE) vkprim_Words(push.sums).at[1 + KIND * push.workgroups + TILE]
#define RELAXED gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed

float sum_before(uint tile) { // by a subgroup, whose invocations look at as many tiles at a time, the nearest first
    float sum = 0;
    for (uint end = tile, size = min(gl_SubgroupSize, VKPRIM_WORKGROUP_SIZE);; end -= min(size, end)) {
        uint distance = gl_SubgroupInvocationID, other = end - 1 - distance, word = 0, all = 0;
        for (uint poll = 0; distance < end && poll < VKPRIM_MAX_POLLS && word == 0; ++poll) {
            word = all = atomicLoad(WORD(1, other), RELAXED);
            if (all == 0) word = atomicLoad(WORD(0, other), RELAXED);
        }
        float found = word != 0 ? uintBitsToFloat(~word) : 0;
        for (uint e = other * TILE; distance < end && word == 0 && e < (other + 1) * TILE; e += 4) found += sums_of(four_at(e)).w;
        uint nearest = subgroupMin(all != 0 || distance >= end ? distance : size);
        sum += subgroupAdd(distance <= nearest ? found : 0);
        if (nearest < size) return sum;
    }
}

void main() {
    if (LOCAL == 0) ticket = atomicAdd(vkprim_Words(push.sums).at[0], 1);
    barrier();
    uint tile = ticket, first = tile * TILE + LOCAL * 4;
    if (tile >= push.workgroups) return;
    vec4 rows[4], sum, all = vec4(0), here = vec4(0); // of rows: the invocation's, the workgroup's, of the subgroups before
    [[unroll]] for (uint r = 0; r < 4; ++r) sum[r] = (rows[r] = sums_of(four_at(first + r * TILE / 4))).w;
    vec4 behind = subgroupExclusiveAdd(sum);
    if (gl_SubgroupInvocationID == min(gl_SubgroupSize, VKPRIM_WORKGROUP_SIZE) - 1) sums[gl_SubgroupID] = behind + sum;
    barrier();
    for (uint s = 0; s < gl_NumSubgroups; all += sums[s++]) {
        if (s == gl_SubgroupID) here = all;
    }
    if (gl_SubgroupID == 0) {
        if (LOCAL == 0) atomicStore(WORD(0, tile), ~floatBitsToUint(sums_of(all).w), RELAXED);
        before = sum_before(tile);
        if (LOCAL == 0) atomicStore(WORD(1, tile), ~floatBitsToUint(before + sums_of(all).w), RELAXED);
    }
    barrier();
    vec4 offset = before + vec4(0, sums_of(all).xyz) + here + behind;
    [[unroll]] for (uint r = 0; r < 4; ++r) put_four(first + r * TILE / 4, offset[r] + rows[r]);
}
