// Specialization constants that the whole library shares: ids VKPRIM_FIRST_CONSTANT + 0 to 8. Constant 0 is also the workgroup's size
// (constants.h). If your own shader already uses these ids, define VKPRIM_FIRST_CONSTANT before the #include.
#ifndef VKPRIM_CONSTANTS_GLSL
#define VKPRIM_CONSTANTS_GLSL
#extension GL_EXT_control_flow_attributes : require
#include "constants.h"
#include "operations.h"

#ifndef VKPRIM_FIRST_CONSTANT
#define VKPRIM_FIRST_CONSTANT 0
#endif
#ifndef VKPRIM_DEFAULT_SUBGROUP_SIZE
#define VKPRIM_DEFAULT_SUBGROUP_SIZE 32
#endif

layout(local_size_x_id = VKPRIM_FIRST_CONSTANT + VKPRIM_WORKGROUP_SIZE_ID) in;
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_WORKGROUP_SIZE_ID) const uint VKPRIM_WORKGROUP_SIZE = 256; // a power of two
// What the pipeline runs with; 1 if it uses none.
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_SUBGROUP_SIZE_ID) const uint VKPRIM_SUBGROUP_SIZE = VKPRIM_DEFAULT_SUBGROUP_SIZE;
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_OPERATION_ID) const uint VKPRIM_OPERATION_CONSTANT = 0; // vkprim::Operation, and the elements' type: operations.h
const uint VKPRIM_OPERATION = VKPRIM_OPERATION_OF(VKPRIM_OPERATION_CONSTANT), VKPRIM_CLASS = VKPRIM_CLASS_OF(VKPRIM_OPERATION_CONSTANT);
const uint VKPRIM_TYPE_BYTES = VKPRIM_TYPE_BYTES_OF(VKPRIM_OPERATION_CONSTANT);
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_IDENTITY_BITS_ID) const uint VKPRIM_IDENTITY_BITS = 0; // of the operation, as elements lie in registers
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_MAX_POLLS_ID) const uint VKPRIM_MAX_POLLS = 512; // before a workgroup helps those it waits for
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_TICKETS_ID) const bool VKPRIM_TICKETS = true; // whether tiles are handed out in the order of asking
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_FAULT_ID) const uint VKPRIM_FAULT = 0; // the fault of some workgroups: lookback_layout.h
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_FAULT_SHARE_ID) const uint VKPRIM_FAULT_SHARE = 0; // of them, in 65536; all of them but one
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_UNMASKED_LOADS_ID) const bool VKPRIM_UNMASKED_LOADS = true; // whether the device is a CPU: address.glsl

// Whether it uses subgroups (workgroup.glsl), words of 64 bits (words.glsl) and bytes (address.glsl), and whether it holds one vector at a time where
// else it holds several, which compilers with few registers would keep in memory. Of vkprim's own modules, one does for all devices, since the
// library takes out what is not used (src/specialize.h). Of others there is one for each kind of device; the driver specializes them, and NVIDIA's compiler
// puts arrays of a way that is not taken into local memory.
#if defined(VKPRIM_ADAPTS)
const bool VKPRIM_USES_SUBGROUPS = VKPRIM_SUBGROUP_SIZE > 1, VKPRIM_USES_WORD64 = (VKPRIM_OPERATION_CONSTANT & VKPRIM_WORD64_BIT) != 0;
const bool VKPRIM_USES_BYTES = (VKPRIM_OPERATION_CONSTANT & VKPRIM_BYTES_BIT) != 0;
layout(constant_id = VKPRIM_FIRST_CONSTANT + VKPRIM_FEW_REGISTERS_ID) const bool VKPRIM_FEW_REGISTERS = false;
#define VKPRIM_WORD64
#elif defined(VKPRIM_NO_SUBGROUPS)
const bool VKPRIM_USES_SUBGROUPS = false, VKPRIM_USES_WORD64 = false, VKPRIM_FEW_REGISTERS = false;
#else
const bool VKPRIM_USES_SUBGROUPS = true, VKPRIM_USES_WORD64 = true, VKPRIM_FEW_REGISTERS = false; // the second with VKPRIM_WORD64
#endif

#endif
