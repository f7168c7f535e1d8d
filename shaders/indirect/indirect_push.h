#ifndef INDIRECT_PUSH_H
#define INDIRECT_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>

// Ids of its specialization constants.
#define INDIRECT_KIND_ID (VKPRIM_OWN_ID + 0)

// vkprim::IndirectCommand::Kind
#define INDIRECT_DISPATCH 0u
#define INDIRECT_DRAW 1u
#define INDIRECT_DRAW_INDEXED 2u

struct IndirectPush {
    VKPRIM_ADDRESS count_address;
    VKPRIM_ADDRESS command_address;
    VKPRIM_UINT    bound;
    VKPRIM_UINT    elements; // of a workgroup; or vertices of an instance
    VKPRIM_UINT    least;    // workgroups
    VKPRIM_UINT    most;
    VKPRIM_UINT    columns; // workgroups in a row of the device's grid
    VKPRIM_UINT    rows;    // at most
};
#endif
