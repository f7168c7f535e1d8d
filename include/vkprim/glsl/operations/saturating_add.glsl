// Sums of uints that stop at 0xffffffff instead of wrapping.
#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)
#include <vkprim/glsl/operation.glsl>

Element identity() { return Element(0); }
Element operate(Element a, Element b) {
    uint carry, sum = uaddCarry(a.sum, b.sum, carry);
    return Element(carry != 0 ? ~0u : sum);
}
