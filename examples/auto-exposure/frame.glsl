// What the three kernels share: a frame's memory, by address.
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Colors { vec4 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };

layout(push_constant) uniform Frame {
    Colors radiance;    // a pixel each, row after row
    Words  collected;   // counts of all workgroups so far, then how many have arrived; all zero before and after a frame
    Words  counts;      // the histogram
    Floats exposure;    // one number
    Words  picture;     // RGBA, a byte each
    uint   width, height;
    uint   bins;
    float  lower, upper; // of the histogram
    float  light;        // what all light in the scene is multiplied with
    uint   is_automatic; // else exposure 1
} frame;

layout(local_size_x = 64) in;

const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722); // of linear Rec. 709
