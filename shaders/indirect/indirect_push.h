#ifndef VKPRIM_INDIRECT_PUSH_H
#define VKPRIM_INDIRECT_PUSH_H
#include <vkprim/glsl/detail/push.h>

struct IndirectPush {
    VKPRIM_ADDRESS count_address;
    VKPRIM_ADDRESS command_address;
    VKPRIM_UINT    bound;
    VKPRIM_UINT    elements; // of a workgroup; or vertices of an instance
    VKPRIM_UINT    least;    // workgroups
    VKPRIM_UINT    most;
    VKPRIM_UINT    columns; // workgroups in a row of the device's grid
};
#endif
