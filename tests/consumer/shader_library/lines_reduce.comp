#version 460
// The composition of all lines, and how many workgroups know it: reduction.glsl with an element and an operation of your own.
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"
#include <vkprim/glsl/reduction.glsl>

void main() {
    Element mine = line(vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + vkprim_invocation()), total;
    if (!vkprim_device_reduce(push.scratch, vkprim_workgroup_count(), mine, total) || vkprim_invocation() > 0) return;
    put_line(0, total);
    atomicAdd(vkprim_Words(push.kept).at[0], 1, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
}
