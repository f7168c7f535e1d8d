// The ids of the specialization constants that the whole library shares (constants.glsl), for GLSL and C++. A shader's own constants begin
// with VKPRIM_OWN_ID; those of a primitive are in its <primitive>_push.h.
#ifndef VKPRIM_CONSTANTS_H
#define VKPRIM_CONSTANTS_H

#define VKPRIM_WORKGROUP_SIZE_ID 0
#define VKPRIM_SUBGROUP_SIZE_ID 1
#define VKPRIM_OPERATION_ID 2
#define VKPRIM_IDENTITY_BITS_ID 3
#define VKPRIM_MAX_POLLS_ID 4
#define VKPRIM_TICKETS_ID 5
#define VKPRIM_FAULT_ID 6
#define VKPRIM_FAULT_SHARE_ID 7
#define VKPRIM_UNMASKED_LOADS_ID 8
#define VKPRIM_FEW_REGISTERS_ID 9
#define VKPRIM_OWN_ID 10

#endif
