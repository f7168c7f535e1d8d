// An element type and an operation of your own, for vkprim's reduce and scan and their segmented forms. You write both in one file:
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
//                of 2, 3 and 4; 1 to 8 words of 32 bits in all. Input and output are aligned to 16 bytes if an element has 4 or
//                8 words, to 8 if it has 2 or 6, else to 4.
//                Wide elements need many registers. The operations that come with vkprim have at most 6 words, and none spills with the
//                compilers that scripts/check-vendors.sh runs. Wider elements may spill: results are right, but slower.
//                `vkprim pipelines --operation` shows the registers and spills of yours.
// operate        Must be associative: a op (b op c) is (a op b) op c. It may be called with any grouping of neighbours, and with
//                identity() on either side, which must not change the other. If it also commutes, leave VKPRIM_KEEPS_ORDER undefined.
//                For floats, mark sums and products as `precise`, so that every device rounds the same steps. Float sums are not
//                exactly associative. Their result is still the same on every device, since the grouping depends on the count alone.
//                Devices also differ in the sign of zero, in the bits of NaN, and in whether they flush denormals. If results may be
//                such values, pass them through vkprim_canonical(x), for a float or a vector. It returns +0 for magnitudes below 2^-125,
//                the bits 0x7fc00000 for NaN, and other values unchanged. vkprim_flushed(x) does the same except that it
//                leaves NaN unchanged, and is faster. Use it for intermediate values of a result that passes through vkprim_canonical().
// VKPRIM_KEEPS_ORDER
//                Define it if the operation does not commute, like products of matrices and compositions of maps. Then `a` always comes before `b`.
// VKPRIM_HAS_LOAD
//                Define it if the file defines `Element load(uint index)`. vkprim calls that instead of reading Args::input, which may
//                then be null. Memory that it reads needs the barriers of an input (core.h), and must not change while the operation
//                runs. It may be called several times for an index. If the input has segments, indices count through all of them.
//                A buffer reference takes indices below 2^31: for larger ones, add to the address. Whatever it reads at an address
//                that does not depend on the index must be readable, also under a condition: Mesa's CPU driver may read it anyway.
// VKPRIM_HAS_STORE
//                Define it if the file defines `void store(uint index, Element element)`. vkprim calls that instead of writing
//                Args::output, which may then be null: in scans once for each index, in reduce once, with index 0, in segmented reduce
//                once for each segment, with its number.
// vkprim_parameter(i), vkprim_parameter_address(i)
//                Words 0 to 3 of Args::parameters, and its addresses 0 to 3, for buffers declared with
//                layout(buffer_reference, ...): `Positions(vkprim_parameter_address(0)).at[index]`.
//
// Other names may be chosen freely, if they do not begin with vkprim_ or VKPRIM_, and if reduce.comp, scan.comp, segmented_reduce.comp and
// segmented_scan.comp do not use them (ALIGNED, BATCH, COLUMNS, FAN, INCLUSIVE, Segment, Push and others: a clash is a compile error). Macros must not
// be called like those of names.glsl, which these shaders include after the file. Each of them is compiled to a module of its own.
#ifndef VKPRIM_OPERATION_GLSL
#define VKPRIM_OPERATION_GLSL
#ifndef VKPRIM_FIELDS
#error before the #include of vkprim/glsl/operation.glsl, define VKPRIM_FIELDS(FIELD)
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

float vkprim_flushed(float x) { return mix(x, 0.0, (floatBitsToUint(x) & 0x7fffffffu) < 0x01000000u); }
vec2 vkprim_flushed(vec2 x) { return vec2(vkprim_flushed(x.x), vkprim_flushed(x.y)); }
vec3 vkprim_flushed(vec3 x) { return vec3(vkprim_flushed(x.xy), vkprim_flushed(x.z)); }
vec4 vkprim_flushed(vec4 x) { return vec4(vkprim_flushed(x.xy), vkprim_flushed(x.zw)); }

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
