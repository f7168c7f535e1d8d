#version 460
// The engine's own work, one dispatch for each draw: how many instances it has of each thing (DRAWS 0), and what it
// makes of them once it knows where they begin (DRAWS 1).
layout(local_size_x = 64) in;

#if DRAWS
#define INSTANCES_ACCESS readonly
#else
#define INSTANCES_ACCESS writeonly
#endif

layout(set = 0, binding = 0) uniform Frame { uint frame; };
layout(set = 1, binding = 0) readonly buffer Material { uint material[]; };
layout(set = 2, binding = 0) INSTANCES_ACCESS buffer Instances { uint instances[]; };
layout(set = 2, binding = 1) readonly buffer First { uint first[]; };
layout(set = 2, binding = 2) writeonly buffer Drawn { uint drawn[]; };
layout(push_constant) uniform Push { uint more; };

void main() {
    uint i = gl_GlobalInvocationID.x;
#if DRAWS
    drawn[i] = first[i] * material[i] + instances[i] + frame + more;
#else
    instances[i] = material[i] % 61 + frame + more;
#endif
}
