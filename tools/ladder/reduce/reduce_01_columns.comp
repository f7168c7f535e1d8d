#version 460
// variants: pass
// step: columns
// idea: Each invocation adds one column of a table of 256 rows; neighbours read neighbours.
// shape: elements=256 results=invocation barriers=0 shared=0
#extension GL_GOOGLE_include_directive : require
#include "../ladder.glsl"

void main() {
    uint column = GLOBAL, columns = (push.count + 255) / 256;
    if (column >= columns) return;
    uint sum = 0;
    for (uint i = column; i < push.count; i += columns) sum += vkprim_Words(push.source).at[i];
    vkprim_Words(push.target).at[column] = sum;
}
