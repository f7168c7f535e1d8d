// Composition of maps x -> scale * x + offset, 8 bytes each; the first one is applied first. An inclusive scan of them solves the linear
// recurrence x[i] = scale[i] * x[i - 1] + offset[i]: with x[-1] = 0, x[i] is the offset of output[i] (Blelloch, "Prefix Sums and
// Their Applications", 1990, section 1.4).
#define VKPRIM_FIELDS(FIELD) FIELD(float, scale) FIELD(float, offset)
#define VKPRIM_KEEPS_ORDER
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(1, 0); }
Element operate(Element a, Element b) {
    precise float scale = a.scale * b.scale, scaled = a.offset * b.scale;
    scaled = vkprim_flushed(scaled); // products of scales below one soon become denormal
    precise float offset = scaled + b.offset;
    return Element(vkprim_canonical(scale), vkprim_canonical(offset));
}
