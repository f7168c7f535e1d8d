// Two chains of links, over the first push.width elements and over the others.
#ifndef LINK_GLSL
#define LINK_GLSL
#include "../ladder.glsl"

// Element i after so many links from `source` on. The neighbour is in another workgroup.
uint linked(uvec2 source, uint i, uint links) {
    const bool second = i >= push.width;
    const uint begin = second ? push.width : 0, count = second ? push.count - push.width : push.width;
    return vkprim_Words(source).at[begin + (i - begin + links * push.distance) % count] + links;
}

#endif
