// A reduction over all workgroups of a dispatch, for shaders of your own. Each invocation says what it has; the last workgroup to arrive
// learns what all have together, in the same dispatch. So a kernel that computes something can sum it up as well.
//
//     #version 460
//     #extension GL_GOOGLE_include_directive : require
//     #include <vkprim/glsl/reduction.glsl>
//
//     void main() {
//         VKPRIM_ELEMENT mine = ..., total;
//         if (vkprim_device_reduce(scratch, workgroups, mine, total) && vkprim_invocation() == 0) ... total ...
//     }
//
// Elements, operation, constants, subgroups, features, names
//               vkprim/glsl/detail/shader.glsl.
// vkprim_device_reduce
//               The whole workgroup calls it once, in uniform control flow, with what invocation vkprim_invocation() has. It returns
//               true in one workgroup alone, and there `total` is the operation over what all invocations of all workgroups have, in
//               the order of their numbers where the operation keeps it. In which workgroup, changes from run to run; the bits of
//               the result do not.
// Dispatch      `workgroups` of them, at most 65536; others must not call it. More than a row of the device's grid go into a second
//               dimension: vkprim_workgroup_number() counts through both.
// Scratch       vkprim::reduction_scratch_size() of vkprim/reduction.h, under the rules of vkprim/core.h; it may be shared with all of
//               vkprim's operations.
// Waits         Nobody waits for another workgroup.
// Memory        Of what workgroups have written, the last one sees nothing by this alone: hand it over in elements.
#ifndef VKPRIM_REDUCTION_GLSL
#define VKPRIM_REDUCTION_GLSL
#include "detail/shader.glsl"

uvec2 vkprim_fold_scratch;
#define VKPRIM_FOLD_SCRATCH vkprim_fold_scratch
const bool VKPRIM_FOLD_ORDERED = true;
#include "detail/fold.glsl"

bool vkprim_device_reduce(uvec2 scratch, uint workgroups, VKPRIM_ELEMENT value, out VKPRIM_ELEMENT total) {
    vkprim_fold_scratch = scratch;
    total = vkprim_workgroup_reduce(value);
    return vkprim_fold(vkprim_workgroup_number(), workgroups, total);
}

#endif
