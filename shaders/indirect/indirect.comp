#version 460
// variants: any
//
// The command of an indirect dispatch or draw, from a count: one invocation, a few words.
#extension GL_GOOGLE_include_directive : require
#include <vkprim/glsl/detail/address.glsl>
#include <vkprim/glsl/detail/constants.glsl>
#include "../names.glsl"
#include "indirect_push.h"
layout(constant_id = INDIRECT_KIND_ID) const uint KIND = 0; // vkprim::IndirectCommand::Kind

layout(push_constant) uniform Push { IndirectPush push; };

void main() {
    if (gl_GlobalInvocationID.x != 0) return;
    // Load: the count.
    uint count = min(Words(push.count_address).at[0], push.bound);
    Words command = Words(push.command_address);
    // Combine and store: the words of a command.
    if (KIND == INDIRECT_DISPATCH) {
        uint workgroups = count / push.elements + uint(count % push.elements != 0);
        workgroups = clamp(workgroups, push.least, push.most);
        uint columns = min(workgroups, push.columns);
        command.at[0] = columns;
        command.at[1] = columns == 0 ? 1 : min((workgroups - 1) / columns + 1, push.rows);
        command.at[2] = 1;
        return;
    }
    command.at[0] = push.elements;
    command.at[1] = count;
    command.at[2] = 0;
    command.at[3] = 0;
    if (KIND == INDIRECT_DRAW_INDEXED) command.at[4] = 0;
}
