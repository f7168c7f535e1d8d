// Elements and operations of your own, for Reduce, Scan, SegmentedReduce and SegmentedScan: vkprim/glsl/operation.glsl says how to write them.
// And predicates of your own for Compact: vkprim/glsl/predicate.glsl.
//
// At build time, vkprim_operation() in CMake makes a header with an OwnOperation; at run time, compile() of vkprim/compiler.h makes one.
//
// Such code is trusted like the program's own shaders: device addresses are not bounds-checked, and validate() does not know what it reads.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>

namespace vkprim {

/// SPIR-V for one element and operation, or for one predicate. Nothing is owned; create() reads it, and refuses what is malformed.
struct OwnOperation {
    struct Module {
        const uint32_t* words = nullptr;
        size_t          size  = 0; ///< bytes
    };

    /// Three variants for each primitive: workgroups exchange 32-bit words; they exchange 64-bit words; without subgroup operations.
    /// create() takes the one for the device. The modules of primitives that the operation was not compiled for are empty.
    Module reduce[3], scan[3], compact[3], segmented_reduce[3], segmented_scan[3];
};

/// What the code of an OwnOperation gets from record(), as vkprim_parameter_address(i) and vkprim_parameter(i). Unused without Desc::own.
struct Parameters {
    VkDeviceAddress addresses[4] = {};
    uint32_t        words[4]     = {};
};

} // namespace vkprim
