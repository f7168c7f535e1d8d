#version 460
// What an operation of your own makes of pairs of elements, an invocation each, in the grouping that the host wants: for whoever asks
// whether it is associative (tools/laws.cpp).
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/element.glsl>
#include "pairs_push.h"

layout(push_constant) uniform Push {
    PairsPush push;
    VKPRIM_PARAMETERS_MEMBER
};
VKPRIM_DEFINE_PARAMETERS

VKPRIM_ELEMENT element_at(uvec2 base, uint index) {
    uint words[VKPRIM_REGISTER_WORDS];
    vkprim_Words source = vkprim_Words(vkprim_address_of(base, index, 4 * VKPRIM_REGISTER_WORDS));
    [[unroll]] for (uint i = 0; i < VKPRIM_REGISTER_WORDS; ++i) words[i] = source.at[i];
    return vkprim_element_of(words);
}

void put_element(uint index, VKPRIM_ELEMENT element) {
    vkprim_Words target = vkprim_Words(vkprim_address_of(push.results, index, 4 * VKPRIM_REGISTER_WORDS));
    [[unroll]] for (uint i = 0; i < VKPRIM_REGISTER_WORDS; ++i) target.at[i] = vkprim_element_word(element, i);
}

void main() {
    uint index = vkprim_workgroup_number() * VKPRIM_WORKGROUP_SIZE + gl_LocalInvocationIndex;
    if (index >= push.count) return;
    if (push.what == PAIRS_OPERATE) put_element(index, vkprim_operate(element_at(push.first, index), element_at(push.second, index)));
    if (push.what == PAIRS_IDENTITY) {
        put_element(index, vkprim_element_identity());
#ifdef VKPRIM_KEEPS_ORDER
        vkprim_Words(push.results).at[VKPRIM_REGISTER_WORDS] = 1;
#else
        vkprim_Words(push.results).at[VKPRIM_REGISTER_WORDS] = 0;
#endif
    }
#ifdef VKPRIM_HAS_LOAD
    if (push.what == PAIRS_LOAD) put_element(index, load(vkprim_Words(push.first).at[index]));
#endif
}
