// Device addresses without 64-bit integers. A buffer reference reaches only 31 bits of index, so code computes the address
// of its tile here and indexes inside the tile.
#ifndef VKPRIM_ADDRESS_GLSL
#define VKPRIM_ADDRESS_GLSL
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

layout(buffer_reference, std430, buffer_reference_align = 4) buffer vkprim_Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer vkprim_Words2 { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer vkprim_Words4 { uvec4 at[]; };

uvec2 vkprim_address_add(uvec2 address, uint bytes) {
    uint carry;
    address.x = uaddCarry(address.x, bytes, carry);
    address.y += carry;
    return address;
}

uvec2 vkprim_address_of(uvec2 base, uint index, uint size) {
    uint high, low, carry;
    umulExtended(index, size, high, low);
    base.x = uaddCarry(base.x, low, carry);
    base.y += high + carry;
    return base;
}

// Words between the last multiple of 16 bytes and the address.
uint vkprim_address_shift(uvec2 address) { return (address.x & 15) / 4; }

// Four of the eight words of `a` and `b`, from word `first` on.
uvec4 vkprim_words_shifted(uvec4 a, uvec4 b, uint first) {
    if (first == 4) return b;
    bool one = (first & 1) != 0, two = (first & 2) != 0;
    a = one ? uvec4(a.yzw, b.x) : a;
    b = one ? b.yzwx : b;
    return two ? uvec4(a.zw, b.xy) : a;
}

// Workgroups are numbered through both dimensions of the grid, since one may end at 65535. The recorder rounds the grid up:
// whoever gets a number beyond the work returns.
uint vkprim_workgroup_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

uint vkprim_workgroup_count() { return gl_NumWorkGroups.y * gl_NumWorkGroups.x; }

// The element count of this operation: the host's, or what `count_address` holds. Of its elements, `skipped` come before.
uint vkprim_count_of(uint count, uvec2 count_address, uint skipped) {
    if ((count_address.x | count_address.y) == 0) return count;
    uint all = vkprim_Words(count_address).at[0];
    return min(count, all - min(all, skipped));
}

#endif
