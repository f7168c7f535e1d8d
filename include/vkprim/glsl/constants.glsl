// Specialization constants, their ids fixed once for the whole library; src/pipeline.h has the same list.
#ifndef CONSTANTS_GLSL
#define CONSTANTS_GLSL
#extension GL_EXT_control_flow_attributes : require

#ifndef DEFAULT_SUBGROUP_SIZE
#define DEFAULT_SUBGROUP_SIZE 32
#endif

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WORKGROUP_SIZE = 256; // a power of two
layout(constant_id = 1) const uint SUBGROUP_SIZE = DEFAULT_SUBGROUP_SIZE; // what the pipeline runs with; 1 with NO_SUBGROUPS
layout(constant_id = 2) const uint OPERATION = 0;        // vkprim::Operation
layout(constant_id = 3) const uint IDENTITY_BITS = 0;    // of the operation, as elements lie in registers
layout(constant_id = 4) const uint PATIENCE = 512;     // polls before a workgroup helps the ones that it waits for
layout(constant_id = 5) const bool TICKETS = true;     // whether tiles are handed out in the order of asking
layout(constant_id = 6) const uint FAULT = 0;          // what is wrong with some workgroups, for tests: lookback.glsl
layout(constant_id = 7) const uint FAULT_SHARE = 0;    // of them, in 65536; all of them but one

#endif
