// What the two kernels share: a frame's memory, by address.
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Instances { vec4 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Results {
    float low[3], high[3]; // of the box around all
    float squared_distance;
    uint  index;           // of the instance nearest to the visitor
};

layout(push_constant) uniform Frame {
    Instances instances; // position and radius
    Words     density;   // instances in each pixel, seen from above
    Results   results;
    Words     picture;   // RGBA, a byte each
    uint      width, height;
    uint      count;     // of instances
    float     time;      // 0 to 1
    vec3      visitor;
} frame;

layout(local_size_x = 64) in;

// From the world, 17.6 by 11 around the origin, to pixels.
vec2 pixel_of(vec2 at) { return (at / vec2(17.6, 11) + 0.5) * vec2(frame.width, frame.height); }
