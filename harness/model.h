// How a subject takes part in random cases: what its operations do, without a device and on one.
#pragma once

#include <vkprim/runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "values.h"

namespace vkprim::harness {

/// What random inputs hold, the plainest first; `special`: few values, among them those that are special for the type.
enum class Data : uint32_t { zeros, ones, index, special, random };

/// What an operation does to memory, without a device: the CPU reference with what it works on.
struct Model {
    uint32_t input_size       = 4; ///< bytes of an element or sample, to which inputs are aligned
    uint32_t output_alignment = 4;
    bool     in_place         = false; ///< whether the output may be exactly the input
    bool     gpu_count        = true;  ///< whether the count may lie on the GPU
    Format   format           = Format::u32;

    std::function<uint64_t(uint32_t count)> output_size; ///< bytes

    /// What the operation reads besides, a multiple of 64 bytes, which ends where the first element begins.
    Bytes ahead = {};

    /// Bytes that are enough on every device, if any are needed.
    std::function<uint64_t(uint32_t bound)>                        temporary_size = {};
    std::function<Bytes(uint32_t count, Data data, Random random)> input;

    /// Turns what the output held before into what it must hold; `output` may be exactly `input` where in_place is set.
    std::function<void(const uint8_t* input, uint32_t count, uint8_t* output)> expect;
};

/// What record() of any primitive takes.
struct Operands {
    VkDeviceAddress input = 0, output = 0, scratch = 0, count_address = 0;
    uint32_t        count     = 0;
    Part            part      = {};
    VkDeviceAddress temporary = 0; ///< Model::temporary_size() bytes
};

/// A primitive that has been created.
struct Operator {
    std::function<VkDeviceSize(uint32_t count)>                             scratch_size;
    std::function<Result<void>(const Operands& operands)>                   validate;
    std::function<void(VkCommandBuffer commands, const Operands& operands)> record;

    std::shared_ptr<void> object; ///< the primitive itself

    /// Assigns the object over that of `other`, of the same primitive, and moves it on from there, into the Operator that it gives.
    std::function<Operator(const Operator& other)> move_over;
};

/// The Args of a primitive that has no others: reduce, scan.
template <class Primitive>
typename Primitive::Args args_of(const Operands& operands) {
    return {operands.input, operands.output, operands.scratch, operands.count, operands.count_address, operands.part};
}

/// Whether a primitive uses temporary memory.
template <class Primitive, class = void>
inline constexpr bool takes_temporary = false;
template <class Primitive>
inline constexpr bool takes_temporary<Primitive, std::void_t<decltype(&Primitive::temporary_size)>> = true;

/// Whether Args have scratch, and say which part of an operation is recorded.
template <class Args, class = void>
inline constexpr bool args_have_scratch = false;
template <class Args>
inline constexpr bool args_have_scratch<Args, std::void_t<decltype(&Args::scratch)>> = true;
template <class Args, class = void>
inline constexpr bool args_have_part = false;
template <class Args>
inline constexpr bool args_have_part<Args, std::void_t<decltype(&Args::part)>> = true;

/// 0 where the primitive takes none.
template <class Primitive>
VkDeviceSize temporary_size_of(const Primitive& primitive, const typename Primitive::Args& args) {
    if constexpr (takes_temporary<Primitive>) return primitive.temporary_size(args);
    return 0;
}

/// `args_of` makes a Primitive::Args of Operands.
template <class Primitive, class Function>
Operator operator_of(Primitive created, Function args_of) {
    const auto primitive = std::make_shared<Primitive>(std::move(created));
    return {[=](uint32_t count) {
                Operands operands;
                operands.count = count;
                return primitive->scratch_size(args_of(operands));
            },
            [=](const Operands& operands) { return primitive->validate(args_of(operands)); },
            [=](VkCommandBuffer commands, const Operands& operands) { primitive->record(commands, args_of(operands)); },
            primitive,
            [=](const Operator& other) {
                auto& target = *static_cast<Primitive*>(other.object.get());
                target       = std::move(*primitive);
                return operator_of(Primitive(std::move(target)), args_of);
            }};
}

/// The same of one that is yet to be created.
template <class Primitive, class Function>
Result<Operator> create_operator(const Context& context, const typename Primitive::Desc& desc, Function args_of) {
    auto created = Primitive::create(context, desc);
    if (!created) return created.error();
    return operator_of(std::move(*created), args_of);
}

/// How a subject takes part in random cases (property.h, soak.h). A variant is what it is created with, as words such as
/// "f32 add exclusive"; none of them contains "count=", by which they end.
struct Property {
    std::function<std::string(Random&)>                                                 draw; ///< any variant
    std::function<Result<Model>(const std::string& variant)>                            model;
    std::function<Result<Operator>(const Context& context, const std::string& variant)> create;
    std::function<std::vector<std::string>(const std::string& variant)> simpler; ///< to try instead, the simplest first

    /// Whether a device can do it; empty where every one can.
    std::function<bool(const runtime::Device& device, const std::string& variant)> runs_on = {};
};

} // namespace vkprim::harness
