#version 460
// A pixel is the mean of a square of samples.
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Colors { uint at[]; };

layout(push_constant) uniform Average {
    Colors samples, picture;
    uint   width, height; // of the picture
    uint   side;          // of the square
} average;

void main() {
    uint pixel = gl_GlobalInvocationID.x;
    if (pixel >= average.width * average.height) return;
    uvec2 first = uvec2(pixel % average.width, pixel / average.width) * average.side;
    vec4 sum = vec4(0);
    for (uint y = 0; y < average.side; ++y) {
        for (uint x = 0; x < average.side; ++x) {
            sum += unpackUnorm4x8(average.samples.at[(first.y + y) * average.width * average.side + first.x + x]);
        }
    }
    average.picture.at[pixel] = packUnorm4x8(sum / float(average.side * average.side));
}
