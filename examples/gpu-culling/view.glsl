// What culling and drawing share: the instances, and one view of them.
#extension GL_EXT_buffer_reference : require

#ifndef FLAGS_ACCESS
#define FLAGS_ACCESS readonly // vertex shaders that could write need a feature of the device
#endif

struct Instance {
    vec3  middle;
    uint  color; // RGBA, a byte each
    vec3  half_size;
    float radius; // of the sphere around it
};

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Instances { Instance at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Indices { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) FLAGS_ACCESS buffer Flags { uint at[]; };

layout(push_constant) uniform View {
    mat4      projection; // from the world to clip space
    vec3      eye;
    float     fog;        // per unit of distance
    Instances instances;
    Indices   visible;    // numbers of instances
    Flags     flags;      // a byte for each instance, four to a word: 1 where it is visible
    uint      count;      // instances
    uint      draws;      // one of these:
} view;

const uint VISIBLE = 0, CULLED = 1, GROUND = 2, SKY = 3;
