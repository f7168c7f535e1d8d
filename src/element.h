// How elements of a type lie in memory and in registers under an operation: the C++ side of include/vkprim/glsl/detail/element.glsl.
#pragma once

#include <vkprim/glsl/detail/push.h>
#include <vkprim/glsl/detail/scratch.h>
#include <vkprim/glsl/detail/tile.h>
#include <vkprim/operation.h>
#include "pipeline.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace vkprim {

struct ElementPlan {
    std::string kind;                   ///< in include/vkprim/glsl/detail/elements: "word"
    uint32_t    operation      = 0;     ///< and what the shader must know of the type: operations.h
    uint32_t    identity_bits  = 0;     ///< in registers, if an element is one word
    uint32_t    input_size     = 4;     ///< bytes of an element in the input
    uint32_t    output_size    = 4;     ///< and in what a scan writes
    uint32_t    result_size    = 4;     ///< bytes of what a reduction writes
    uint32_t    input_align    = 4;     ///< bytes
    uint32_t    output_align   = 4;     ///< bytes
    uint32_t    vector_width   = 4;     ///< elements that an invocation loads and stores together: 4, 2 or 1
    uint32_t    register_words = 1;     ///< of 32 bits, of an element in registers
    bool        rounds         = false; ///< results depend on how floats are rounded
    bool        doubles        = false; ///< takes shaderFloat64
    bool        scans          = true;  ///< whether scan has it, and not reduce alone
    bool        indexed        = false; ///< a result is an element and its index
    bool        loads          = true;  ///< from the input, not by a user's load()
    bool        stores         = true;  ///< to the output, not by a user's store()
    bool        strided        = false; ///< elements lie in the input as the host says

    /// Whether memory is read and written element by element, so that 16-byte aligned addresses are like all others.
    bool by_element() const { return input_size > 8 || input_size < 4 || !loads || !stores || strided; }

    /// Bytes of the input, of so many elements.
    VkDeviceSize input_range(VkDeviceSize count, uint32_t stride) const {
        if (!loads || count == 0) return 0;
        return strided ? (count - 1) * stride + input_size : count * input_size;
    }

    /// Elements that an invocation loads of each run of a tile that looks back.
    uint32_t run_elements() const { return VKPRIM_TILE_ROWS(register_words) * vector_width; }

    /// In scratch.
    uint32_t slots() const { return vkprim_scratch_slots(register_words); }
};

/// "u32"; null for a number after the last.
const char* element_type_name(ElementType type);

/// Bytes of an element in the input.
uint32_t element_type_size(ElementType type);

/// The Error of create() if `what` needs a feature that the device lacks, or that is off.
Error missing_feature(const std::string& what, const char* feature);

/// "add"; null for a number after the last.
const char* operation_name(Operation operation);

/// The integer of 64 bits that holds those of `type`: of results if Desc::wide is set.
ElementType wide_type(ElementType type);

/// Fails with ErrorKind::invalid_desc if `type` does not have `operation`. `wide`: as Reduce::Desc has it.
Result<ElementPlan> plan_elements(ElementType type, Operation operation, bool wide = false);

/// The same on a device; ErrorKind::unsupported_device if the device lacks a feature for it.
Result<ElementPlan> plan_elements(const CoreDevice& device, ElementType type, Operation operation, bool wide = false);

/// What a user's module of `primitive` says of itself (vkprim/glsl/detail/facts.h). Fails with ErrorKind::invalid_desc if it is missing,
/// malformed, or not made for this version of vkprim; the latter is also the error where the facts are of something else.
Result<uint32_t> facts_of(const Shader& module, const char* primitive);
Error            not_of_this_version();

/// The elements that a module of `primitive` describes. Fails like facts_of().
Result<ElementPlan> plan_own_elements(const Shader& module, const char* primitive);

/// Such elements in a strided input. ErrorKind::invalid_desc if there is no shader for them.
Result<ElementPlan> plan_strided(ElementPlan plan);

/// The same for a Desc of `primitive`; `own` is the user's module, if there is one.
template <class Desc>
Result<ElementPlan> plan_of(const CoreDevice& device, const Desc& desc, const Shader& own, const char* primitive,
                            bool wide = false) {
    auto plan = desc.own ? plan_own_elements(own, primitive) : plan_elements(device, desc.type, desc.operation, wide);
    return plan && desc.strided ? plan_strided(*plan) : plan;
}

inline Shader own_shader(const OwnOperation::Module& module) { return {module.words, module.size}; }

/// Writes the parameters of the caller's code into push constants.
inline vkprim_ParametersPush own_push(const Parameters& parameters) {
    vkprim_ParametersPush push;
    std::copy(std::begin(parameters.addresses), std::end(parameters.addresses), push.addresses);
    std::copy(std::begin(parameters.words), std::end(parameters.words), push.words);
    return push;
}

/// What follows the primitive's own push block: parameters of the caller's code, or the stride.
template <class Args>
vkprim_ParametersPush last_push(const ElementPlan& plan, const Args& args) {
    vkprim_ParametersPush push = own_push(args.parameters);
    if (plan.strided) push.words[0] = args.stride;
    return push;
}

/// A pipeline for such elements: of the user's module, if there is one, else of the shader for them in a primitive's table.
template <size_t Kinds>
PipelineDesc element_pipeline(const ElementPlan& plan, const ElementShader (&table)[Kinds], const Shader& own = {}) {
    PipelineDesc desc;
    desc.own           = own.words != nullptr;
    desc.shader        = own;
    desc.operation     = plan.operation;
    desc.identity_bits = plan.identity_bits;
    desc.rounds        = plan.rounds;
    for (const ElementShader& one : table) {
        if (!desc.own && plan.kind == one.kind) desc.shader = one.shader;
    }
    return desc;
}

} // namespace vkprim
