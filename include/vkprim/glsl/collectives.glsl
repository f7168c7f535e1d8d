// Reductions and scans over a subgroup or a workgroup, for any type and operation. They need no host code. Define
// `TYPE NAME_operate(TYPE a, TYPE b)` before the macro:
//
//     struct Line { float slope, start; };
//     Line line_operate(Line a, Line b) { return Line(a.slope * b.slope, a.start * b.slope + b.start); } // a comes before b
//     VKPRIM_DEFINE_WORKGROUP_COLLECTIVES(line, Line, 256)
//     ...
//     Line all = line_workgroup_reduce(mine, gl_LocalInvocationIndex);
//
// The operation must be associative; it need not be commutative.
#ifndef VKPRIM_COLLECTIVES_GLSL
#define VKPRIM_COLLECTIVES_GLSL

// NAME_subgroup_scan    the operation over this invocation's value and those before it, in the order of gl_SubgroupInvocationID
// NAME_subgroup_reduce  over all of the subgroup's values
// For types that subgroupShuffle() takes. Every invocation of the subgroup must call it, and there must be gl_SubgroupSize of them:
// VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT sees to that. Extensions: GL_KHR_shader_subgroup_basic, _shuffle.
#define VKPRIM_DEFINE_SUBGROUP_COLLECTIVES(NAME, TYPE)                                                   \
    TYPE NAME##_subgroup_scan(TYPE value) {                                                       \
        for (uint distance = 1; distance < gl_SubgroupSize; distance <<= 1) {                     \
            TYPE before = subgroupShuffle(value, (gl_SubgroupInvocationID - distance) % gl_SubgroupSize); \
            if (gl_SubgroupInvocationID >= distance) value = NAME##_operate(before, value);       \
        }                                                                                         \
        return value;                                                                             \
    }                                                                                             \
    TYPE NAME##_subgroup_reduce(TYPE value) {                                                     \
        return subgroupShuffle(NAME##_subgroup_scan(value), gl_SubgroupSize - 1);                 \
    }

// NAME_workgroup_scan    the operation over this invocation's value and those before it, in the order of `index`
// NAME_workgroup_reduce  over all of the workgroup's values
// For any type, through shared memory: SIZE values. The whole workgroup must call it, in uniform control flow, with indices 0 to
// SIZE - 1, SIZE being its size (Hillis and Steele, "Data Parallel Algorithms", 1986).
#define VKPRIM_DEFINE_WORKGROUP_COLLECTIVES(NAME, TYPE, SIZE)                                            \
    shared TYPE NAME##_values[(SIZE)];                                                            \
    TYPE NAME##_workgroup_scan(TYPE value, uint index) {                                          \
        NAME##_values[index] = value;                                                             \
        barrier();                                                                                \
        for (uint distance = 1; distance < (SIZE); distance <<= 1) {                              \
            TYPE before = NAME##_values[max(index, distance) - distance];                         \
            barrier();                                                                            \
            if (index >= distance) value = NAME##_operate(before, value);                         \
            NAME##_values[index] = value;                                                         \
            barrier();                                                                            \
        }                                                                                         \
        return value;                                                                             \
    }                                                                                             \
    TYPE NAME##_workgroup_reduce(TYPE value, uint index) {                                        \
        NAME##_workgroup_scan(value, index);                                                      \
        TYPE all = NAME##_values[(SIZE) - 1];                                                     \
        barrier();                                                                                \
        return all;                                                                               \
    }

#endif
