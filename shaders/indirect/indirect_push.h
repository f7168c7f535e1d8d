#ifndef VKPRIM_INDIRECT_PUSH_H
#define VKPRIM_INDIRECT_PUSH_H
#include <vkprim/glsl/push.h>

struct IndirectPush {
    ADDRESS count_address;
    ADDRESS command_address;
    UINT    bound;
    UINT    elements; // of a workgroup; or vertices of an instance
    UINT    least;    // workgroups
    UINT    most;
    UINT    columns; // workgroups in a row of the device's grid
    UINT    rows;    // at most
};
#endif
