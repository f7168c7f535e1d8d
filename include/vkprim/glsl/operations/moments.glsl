// Count, mean and sum of squared deviations from the mean (M2) of floats. The variance is m2 / count, and the sample variance is
// m2 / (count - 1). Numerically stable, unlike a difference of large sums (Chan, Golub, LeVeque, "Updating Formulae and a Pairwise Algorithm
// for Computing Sample Variances", 1979). `count` is a float: it is exact up to 2^24. Loads floats from parameter address 0, up to 2^31;
// the output has 12 bytes.
#define VKPRIM_FIELDS(FIELD) FIELD(float, count) FIELD(float, mean) FIELD(float, m2)
#define VKPRIM_HAS_LOAD
#include <vkprim/glsl/operation.glsl>

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Values { float at[]; };

Element identity() { return Element(0, 0, 0); }
Element load(uint index) { return Element(1, Values(vkprim_parameter_address(0)).at[index], 0); }
Element operate(Element a, Element b) {
    precise float count = a.count + b.count, delta = b.mean - a.mean, share = b.count / count;
    precise float step = delta * share, mean = a.mean + step, between = delta * step, weighted = between * a.count, m2 = a.m2 + b.m2;
    precise float all = m2 + weighted;
    // To the bit the other one where one counts nothing; selects take less than branches.
    bool only_b = a.count == 0, only_a = b.count == 0;
    mean = mix(mix(mean, b.mean, only_b), a.mean, only_a);
    all = mix(mix(all, b.m2, only_b), a.m2, only_a);
    return Element(count, mean, all);
}
