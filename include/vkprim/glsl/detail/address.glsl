// Device addresses without 64-bit integers. A buffer reference reaches only 31 bits of index, so code computes the address
// of its tile here and indexes inside the tile.
//
// A load whose address is the same for all invocations must be of memory that is there, whatever conditions stand around it: Mesa's CPU
// driver executes it though its branch is not taken, and in a loop once more after the last round. So the address is made a readable one
// by arithmetic, or by the host; a choice by the same condition would not do, since compilers know its result in the branch. Loads at
// addresses of each invocation's own are masked by their conditions. GPUs load nothing there, so if VKPRIM_UNMASKED_LOADS is
// false, which it is for them, the arithmetic may be left out.
#ifndef VKPRIM_ADDRESS_GLSL
#define VKPRIM_ADDRESS_GLSL
#ifdef VKPRIM_ADAPTS
#include "constants.glsl"
#endif
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

layout(buffer_reference, std430, buffer_reference_align = 4) buffer vkprim_Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer vkprim_Words2 { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer vkprim_Words4 { uvec4 at[]; };

#define VKPRIM_VECTOR_WORDS 4u // of a vector: the 16 bytes that one load or store moves

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

#ifdef VKPRIM_ADAPTS
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 1) buffer vkprim_Bytes { uint8_t at[]; };
#endif

// The byte at an address. On devices that have no 8-bit storage, all of its aligned word is read.
uint vkprim_byte_at(uvec2 address) {
#ifdef VKPRIM_ADAPTS
    if (VKPRIM_USES_BYTES) return uint(vkprim_Bytes(address).at[0]);
#endif
    return vkprim_Words(uvec2(address.x & ~3u, address.y)).at[0] >> 8 * (address.x & 3) & 0xff;
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

// A barrier that orders accesses to buffers, too; barrier() orders shared memory only.
void vkprim_barrier_with_buffers() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

// Workgroups are numbered through both dimensions of the grid, since one dimension may be limited to 65535. The recorder rounds the grid
// up: a workgroup whose number is beyond the work returns.
uint vkprim_workgroup_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

uint vkprim_workgroup_count() { return gl_NumWorkGroups.y * gl_NumWorkGroups.x; }

#endif
