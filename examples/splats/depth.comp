#version 460
// How far each splat is in front of the camera: the keys of the sort. What every frame does anew.
#extension GL_EXT_buffer_reference : require

struct Splat {
    vec3 at;
    float radius;
    vec3 color;
    float opacity;
};

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Splats { Splat at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Depths { float at[]; };

layout(push_constant) uniform Frame {
    Splats splats;
    Depths depths;
    vec3 eye;
    uint count;
    vec3 forward;
} frame;

layout(local_size_x = 64) in;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= frame.count) return;
    precise vec3 way = (frame.splats.at[i].at - frame.eye) * frame.forward; // the same bits on every device
    precise float depth = way.x + way.y + way.z;
    frame.depths.at[i] = depth;
}
