// Reduction of an array to one element.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

namespace vkprim {

/// output[0] = input[0] op input[1] op ... op input[count - 1], or the identity of op if count is 0.
///
/// Exact for integers. Float sums and products have the same bits on every device, in every run and at every address,
/// for data whose intermediate results stay in the range of normal numbers: the order of evaluation is a fixed tree
/// that depends on the count alone (ARCHITECTURE.md, "The order of floats"). Float min and max are exact for all
/// data. With Order::any, float sums are exact and rounded once, for all data. One dispatch; each element is read once, except that
/// Order::any reads some twice.
class VKPRIM_API Reduce {
public:
    struct Desc {
        ElementType type      = ElementType::u32;
        Operation   operation = Operation::add;

        bool aligned = false; ///< as in Scan::Desc: a promise that the address `input` is a multiple of 16

        /// If set: an element type and an operation of your own; `type` and `operation` are ignored. If the operation's GLSL file defines
        /// VKPRIM_KEEPS_ORDER, elements are combined from first to last. Read during create() only.
        const OwnOperation* own = nullptr;

        /// Whether elements lie Args::stride bytes apart in the input: to reduce one member of each structure in an array. The result has
        /// the same bits. Only for u32, i32 and f32, and not for argmin, argmax and `wide`. Otherwise use an operation of your own with a
        /// load() (vkprim/glsl/operation.glsl).
        bool strided = false;

        /// Whether a float sum depends on the order of the elements: Order. Order::any is for Operation::add of f32 and f64, without `own`,
        /// `strided` and `wide`; otherwise create() fails with ErrorKind::invalid_desc. Its speed depends on the data. The input is divided
        /// into tiles of up to 65536 elements that follow each other. Let m be the largest magnitude among the first 4096 elements of a
        /// tile (2048 of f64; half as many where registers are few). Zeros and elements with magnitudes from 2^-38 m to 16 m are fast; of
        /// f64, from 2^-35 m to 16 m, and only with shader_float64. All others are slower: they are added one by one in shared memory.
        Order order = Order::fixed;

        /// Whether integers of up to 32 bits are computed in 64 bits: `operation` is add or mul, and the output is one element of i64 if
        /// `type` is signed, else of u64, aligned to its size. A sum then never wraps, since a count is below 2^32. A sum of 64 bits takes
        /// about as long as one of 32. Without `wide`, results have output_type(type), and wrap.
        bool wide = false;
    };

    struct Args {
        VkDeviceAddress input = 0; ///< read: count elements, element-aligned

        /// Written: one element of output_type(type), or as Desc::wide says, aligned to its size; for argmin and argmax 8 bytes, 4-byte
        /// aligned. Must not overlap `input` or count_address.
        VkDeviceAddress output  = 0;
        VkDeviceAddress scratch = 0; ///< scratch_size(args) bytes, 16-byte aligned; zero-filled once
        uint32_t        count   = 0; ///< elements; with count_address, an upper bound
        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        Part            part          = {}; ///< which part of the operation to record
        Indirect indirect = {}; ///< if set: where the dispatch command lies; requires count_address and part.parts == 1
        Parameters parameters = {}; ///< for the code of Desc::own
        uint32_t   stride     = 0;  ///< bytes from one element to the next: with Desc::strided a multiple of 4, else 0
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if `operation` is not
    /// available for `type`, or if the driver rejects a pipeline.
    static Result<Reduce> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs. It depends on args.count alone, and never shrinks as that grows.
    VkDeviceSize scratch_size(const Args& args) const;

    /// The grid of record() with these `args`. Pass it to IndirectCommand, which writes the command for Args::indirect.
    Grid grid(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the reduction to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Reduce(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
