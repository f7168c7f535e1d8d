// A predicate of your own, for vkprim's compact: which elements to keep. You write it in a file:
//
//     #include <vkprim/glsl/predicate.glsl>
//
//     layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Spheres { vec4 at[]; };
//
//     bool keep(uint index) {
//         vec4 sphere = Spheres(vkprim_parameter_address(0)).at[index];
//         return sphere.z + sphere.w > uintBitsToFloat(vkprim_parameter(0));
//     }
//
// vkprim_operation(... PRIMITIVES compact) in CMake, or vkprim::compile() of vkprim/compiler.h, makes a vkprim::OwnOperation of it, for
// Compact::Desc::own.
//
// keep           Returns whether element `index` is kept; `index` is below the count. What it reads needs the barriers of an input
//                (core.h), and must not change while the operation runs. It may be called several times for an index, and must return
//                the same each time. Whatever it reads at an address that does not depend on the index must be readable, also under a
//                condition: Mesa's CPU driver may read it anyway.
// vkprim_parameter(i), vkprim_parameter_address(i)
//                Words 0 to 3 of Args::parameters, and its addresses 0 to 3, for buffers declared with
//                layout(buffer_reference, ...).
//
// Names other than these may be chosen freely, if they do not begin with vkprim_ or VKPRIM_ and are not those of vkprim's compact.comp,
// which includes the file before its own code.
#ifndef VKPRIM_PREDICATE_GLSL
#define VKPRIM_PREDICATE_GLSL
#include "detail/address.glsl"

bool keep(uint index);

uint vkprim_parameter(uint i);
uvec2 vkprim_parameter_address(uint i);

#endif
