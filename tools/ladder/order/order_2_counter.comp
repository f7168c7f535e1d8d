#version 460
// variants: counter
// step: one dispatch, counters between
// idea: The workgroups of a link wait until a counter says that all those of the link before have ended.
// shape: elements=1 barriers=2 shared=4
//
// Workgroups start in order on most devices, so those of earlier links are done or running. A workgroup that has waited too long computes
// all links from the input itself.
#extension GL_GOOGLE_include_directive : require
#include "link.glsl"

shared bool arrived;

void main() {
    if (WORKGROUP >= push.workgroups) return;
    const uint workgroups = push.rows, link = WORKGROUP / workgroups, i = WORKGROUP % workgroups * VKPRIM_WORKGROUP_SIZE + LOCAL;
    vkprim_Words counters = vkprim_Words(push.sums);
    bool ready = link == 0;
    for (uint poll = 0; LOCAL == 0 && !ready && poll < VKPRIM_MAX_POLLS; ++poll) {
        ready = atomicLoad(counters.at[link - 1], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == workgroups;
    }
    if (LOCAL == 0) arrived = ready;
    vkprim_barrier_with_buffers();
    // Each link has memory of its own, since whoever waits no longer may be ahead of those that read.
    const uvec2 from = vkprim_address_of(push.mask, max(link, 1) - 1, 4 * push.count), to = vkprim_address_of(push.mask, link, 4 * push.count);
    if (i < push.count) {
        uint element;
        if (arrived && link > 0) element = linked(from, i, 1);
        else element = linked(push.source, i, link + 1);
        vkprim_Words(link == push.links - 1 ? push.target : to).at[i] = element;
    }
    vkprim_barrier_with_buffers();
    if (LOCAL == 0) atomicAdd(counters.at[link], 1, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
