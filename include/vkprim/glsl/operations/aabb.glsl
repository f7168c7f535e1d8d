// The box around boxes: 24 bytes each, the corner with the least coordinates and the one with the largest. NaN coordinates are ignored where
// the device's min and max ignore them, which Vulkan does not promise.
#define VKPRIM_FIELDS(FIELD) FIELD(vec3, low) FIELD(vec3, high)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(vec3(VKPRIM_INFINITY), vec3(-VKPRIM_INFINITY)); }
Element operate(Element a, Element b) { return Element(min(a.low, b.low), max(a.high, b.high)); }
