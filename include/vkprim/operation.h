// Elements and operations of your own, for Reduce and Scan: vkprim/glsl/operation.glsl says how to write them. And predicates of your own
// for Compact: vkprim/glsl/predicate.glsl.
//
// At build time, vkprim_operation() in CMake makes a header with an OwnOperation; at run time, compile() of vkprim/compiler.h makes one.
//
// Such code is trusted as much as a shader of the program's own: device addresses have no bounds, and validate() does not know what it reads.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>

namespace vkprim {

/// SPIR-V for one element and operation, or for one predicate. Nothing is owned; it is read during create() only.
struct OwnOperation {
    struct Module {
        const uint32_t* words = nullptr;
        size_t          size  = 0; ///< bytes
    };

    /// Each in three variants, of which create() takes the one that the device can run: workgroups that talk in words of 32 bits, in
    /// words of 64, and without subgroup operations. A primitive that is not wanted has none.
    Module reduce[3], scan[3], compact[3];
};

/// What record() hands to the code of an OwnOperation: vkprim_parameter_address(i) and vkprim_parameter(i). Without one, nobody reads it.
struct Parameters {
    VkDeviceAddress addresses[4] = {};
    uint32_t        words[4]     = {};
};

} // namespace vkprim
