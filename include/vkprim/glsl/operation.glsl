// An element and an operation of your own, for vkprim's reduce, scan and segmented reduce. They stand in one file:
//
//     #define VKPRIM_FIELDS(FIELD) FIELD(vec3, low) FIELD(vec3, high)
//     #include <vkprim/glsl/operation.glsl>
//
//     Element identity() { return Element(vec3(VKPRIM_INFINITY), vec3(-VKPRIM_INFINITY)); }
//     Element operate(Element a, Element b) { return Element(min(a.low, b.low), max(a.high, b.high)); }
//
// vkprim_operation() in CMake, or vkprim::compile() of vkprim/compiler.h, makes a vkprim::OwnOperation of it.
//
// VKPRIM_FIELDS  The members of `Element`, in the order in which they lie in memory, without gaps: float, int, uint, and their vectors
//                of 2, 3 and 4; 1 to 8 words of 32 bits in all. Input and output are aligned to 16 bytes where an element has 4 or
//                8 words, to 8 where it has 2 or 6, else to 4.
//                Wide elements take registers. Of those with 6 words or fewer that come with vkprim, no vendor's compiler spills; a scan of 8
//                words whose operation has two products of 2 x 2 matrices does on Qualcomm's Adreno 660: 40 to 56 words. It is right there, and
//                slower. `vkprim pipelines --operation` says what a driver makes of yours.
// operate        Must be associative: a op (b op c) is (a op b) op c. It may be called with any grouping of neighbours, and with
//                identity() on either side, which must not change the other. Where it also commutes, leave VKPRIM_KEEPS_ORDER undefined.
//                Floats: mark sums and products as `precise`, so that every device rounds the same steps. What is not
//                quite associative, such as their sums, gives one result all the same: the grouping depends on the count alone.
//                Devices also differ in the sign of zero, the bits of NaN, and in what they keep below the least normal number. Where results
//                may come near, vkprim_canonical(x) makes one of each, of a float or a vector: +0 of all below 2^-125, and 0x7fc00000.
// VKPRIM_KEEPS_ORDER
//                Define it where a op b is not b op a: products of matrices, compositions of maps. `a` is then always what comes first.
// VKPRIM_HAS_LOAD
//                Define it, and the file has `Element load(uint index)`, called in place of a load from Args::input, which may then be
//                null. It may read anything that nobody writes meanwhile, and may be called several times for an index. Where the input
//                has segments, indices count through all of them.
// VKPRIM_HAS_STORE
//                Define it, and the file has `void store(uint index, Element element)`, called in place of a store to Args::output,
//                which may then be null: by scan once for each index, by reduce once, with index 0, by segmented reduce once for each
//                segment, with its number.
// vkprim_parameter(i), vkprim_parameter_address(i)
//                Words 0 to 3 of Args::parameters, and its addresses 0 to 3, for buffers declared with
//                layout(buffer_reference, ...): `Positions(vkprim_parameter_address(0)).at[index]`.
//
// Names other than these may be chosen freely, if they do not begin with vkprim_ or VKPRIM_. Scan includes the file ahead of its own
// code, in a module of its own for each primitive.
#ifndef VKPRIM_OPERATION_GLSL
#define VKPRIM_OPERATION_GLSL
#ifndef VKPRIM_FIELDS
#error ahead of the #include of vkprim/glsl/operation.glsl, define VKPRIM_FIELDS(FIELD)
#endif
#include "detail/address.glsl"
#include "detail/fields.glsl"

#define VKPRIM_INFINITY uintBitsToFloat(0x7f800000u)

float vkprim_canonical(float x) {
    uint magnitude = floatBitsToUint(x) & 0x7fffffffu;
    return uintBitsToFloat(mix(mix(floatBitsToUint(x), 0x7fc00000u, magnitude > 0x7f800000u), 0u, magnitude < 0x01000000u));
}
vec2 vkprim_canonical(vec2 x) { return vec2(vkprim_canonical(x.x), vkprim_canonical(x.y)); }
vec3 vkprim_canonical(vec3 x) { return vec3(vkprim_canonical(x.xy), vkprim_canonical(x.z)); }
vec4 vkprim_canonical(vec4 x) { return vec4(vkprim_canonical(x.xy), vkprim_canonical(x.zw)); }

struct Element { VKPRIM_FIELDS(VKPRIM_FIELD_DECLARE) };

Element identity();
Element operate(Element a, Element b);
#ifdef VKPRIM_HAS_LOAD
Element load(uint index);
#endif
#ifdef VKPRIM_HAS_STORE
void store(uint index, Element element);
#endif

uint vkprim_parameter(uint i);
uvec2 vkprim_parameter_address(uint i);

#endif
