// Elements that are lists of fields: each is put into words of 32 bits, and taken from them, field by field.
#ifndef VKPRIM_FIELDS_GLSL
#define VKPRIM_FIELDS_GLSL

#define VKPRIM_WORDS_float 1
#define VKPRIM_WORDS_int 1
#define VKPRIM_WORDS_uint 1
#define VKPRIM_WORDS_vec2 2
#define VKPRIM_WORDS_ivec2 2
#define VKPRIM_WORDS_uvec2 2
#define VKPRIM_WORDS_vec3 3
#define VKPRIM_WORDS_ivec3 3
#define VKPRIM_WORDS_uvec3 3
#define VKPRIM_WORDS_vec4 4
#define VKPRIM_WORDS_ivec4 4
#define VKPRIM_WORDS_uvec4 4

#define VKPRIM_FIELD_WORDS(TYPE, NAME) + VKPRIM_WORDS_##TYPE
#define VKPRIM_FIELD_DECLARE(TYPE, NAME) TYPE NAME;

// `b` if `chosen`, else `a`: by mix(), since glslc compiles `?:` to branches.
#define VKPRIM_DEFINE_SELECT(T, T2, T3, T4)                                                     \
    T vkprim_select(T a, T b, bool chosen) { return mix(a, b, chosen); }                        \
    T2 vkprim_select(T2 a, T2 b, bool chosen) { return mix(a, b, bvec2(chosen)); }              \
    T3 vkprim_select(T3 a, T3 b, bool chosen) { return mix(a, b, bvec3(chosen)); }              \
    T4 vkprim_select(T4 a, T4 b, bool chosen) { return mix(a, b, bvec4(chosen)); }
VKPRIM_DEFINE_SELECT(float, vec2, vec3, vec4)
VKPRIM_DEFINE_SELECT(int, ivec2, ivec3, ivec4)
VKPRIM_DEFINE_SELECT(uint, uvec2, uvec3, uvec4)

// Eight words: fields are put in at the end, and taken from the front. No index is variable, so no array goes to memory.
struct vkprim_Bits { uvec4 low, high; };

void vkprim_put(inout vkprim_Bits bits, uint word) {
    bits.low  = uvec4(bits.low.yzw, bits.high.x);
    bits.high = uvec4(bits.high.yzw, word);
}

uint vkprim_take(inout vkprim_Bits bits) {
    uint word = bits.low.x;
    vkprim_put(bits, 0);
    return word;
}

#define VKPRIM_DEFINE_FIELD(T, T2, T3, T4, TO_BITS, FROM_BITS)                                                                        \
    void vkprim_put(inout vkprim_Bits bits, T2 v) { vkprim_put(bits, TO_BITS(v.x)); vkprim_put(bits, TO_BITS(v.y)); }                 \
    void vkprim_put(inout vkprim_Bits bits, T3 v) { vkprim_put(bits, v.xy); vkprim_put(bits, TO_BITS(v.z)); }                         \
    void vkprim_put(inout vkprim_Bits bits, T4 v) { vkprim_put(bits, v.xy); vkprim_put(bits, v.zw); }                                 \
    void vkprim_take(inout vkprim_Bits bits, out T v) { v = FROM_BITS(vkprim_take(bits)); }                                           \
    void vkprim_take(inout vkprim_Bits bits, out T2 v) { vkprim_take(bits, v.x); vkprim_take(bits, v.y); }                            \
    void vkprim_take(inout vkprim_Bits bits, out T3 v) { vkprim_take(bits, v.x); vkprim_take(bits, v.y); vkprim_take(bits, v.z); }    \
    void vkprim_take(inout vkprim_Bits bits, out T4 v) { vkprim_take(bits, v.x); vkprim_take(bits, v.y); vkprim_take(bits, v.z); vkprim_take(bits, v.w); }

void vkprim_put(inout vkprim_Bits bits, float v) { vkprim_put(bits, floatBitsToUint(v)); }
void vkprim_put(inout vkprim_Bits bits, int v) { vkprim_put(bits, uint(v)); }
VKPRIM_DEFINE_FIELD(float, vec2, vec3, vec4, floatBitsToUint, uintBitsToFloat)
VKPRIM_DEFINE_FIELD(int, ivec2, ivec3, ivec4, uint, int)
VKPRIM_DEFINE_FIELD(uint, uvec2, uvec3, uvec4, uint, uint)

#endif
