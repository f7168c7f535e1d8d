// What tiles.glsl and reduction.glsl have in common: elements, the operation and subgroups of a shader that is not vkprim's.
//
// Elements      VKPRIM_ELEMENT is uint; int with VKPRIM_ELEMENT_INT defined, float with VKPRIM_ELEMENT_FLOAT. Or include a file of your own
//               before, as vkprim/glsl/operation.glsl says, with VKPRIM_FIELDS, identity() and operate(): VKPRIM_ELEMENT is then Element.
// Operation     Addition, or what specialization constants 2 and 3 say. Or define VKPRIM_ELEMENT_OPERATE(a, b), which must be
//               associative and commutative, and its neutral element VKPRIM_ELEMENT_IDENTITY. Or the operation of that file.
// Constants     Ids 0 to 8 are vkprim's (vkprim/glsl/detail/constants.glsl); none needs to be set. Define VKPRIM_FIRST_CONSTANT to
//               move them to other ids.
// Workgroups    Of 256, 512 or 1024 invocations: constant 0, 256 by default.
// Subgroups     With VKPRIM_SUBGROUPS defined it uses shuffles, which is faster. The pipeline must then require full subgroups of the
//               size that constant 1 says. Without, a workgroup of 1024 takes 16 KiB of shared memory, with elements of two words 32.
// Features      Those of vkprim/requirements.h.
// Names         All of vkprim's begin with vkprim_ or VKPRIM_.
#ifndef VKPRIM_SHADER_GLSL
#define VKPRIM_SHADER_GLSL
#ifndef VKPRIM_SUBGROUPS
#define VKPRIM_NO_SUBGROUPS
#define VKPRIM_DEFAULT_SUBGROUP_SIZE 1
#endif
#if defined(VKPRIM_ELEMENT_OPERATE) != defined(VKPRIM_ELEMENT_IDENTITY)
#error VKPRIM_ELEMENT_OPERATE and VKPRIM_ELEMENT_IDENTITY go together
#endif
#include "element.glsl"
layout(local_size_x = 256) in; // unless constant 0 is set

#endif
