// A reduction over all workgroups of a dispatch, for shaders of your own. Each invocation contributes a value. The last workgroup to arrive
// gets the reduction of all values, in the same dispatch. So a kernel can compute values and reduce them at once.
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
//               The whole workgroup calls it once, in uniform control flow, with the value of invocation vkprim_invocation(). It returns
//               true in one workgroup only, and that may differ from run to run. There, `total` is the reduction of the values of all
//               invocations of all workgroups, in each of its invocations; elsewhere it is undefined. With VKPRIM_KEEPS_ORDER, values
//               are combined in the order of workgroup and invocation numbers. The result has the same bits in every run.
// Dispatch      Exactly the workgroups with vkprim_workgroup_number() < `workgroups` must call it; at most 65536. If there are more than
//               fit a row of the device's grid, dispatch them in two dimensions: vkprim_workgroup_number() counts through both.
// Scratch       vkprim::reduction_scratch_size() of vkprim/reduction.h, under the rules of vkprim/core.h; it may be shared with all of
//               vkprim's operations.
// Waits         No workgroup waits for another.
// Memory        The last workgroup is not guaranteed to see other writes of the other workgroups. Pass data through the values.
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
