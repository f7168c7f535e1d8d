// Reduction of an array to one element.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

#include <memory>

namespace vkprim {

/// output[0] = input[0] op input[1] op ... op input[count - 1]; the identity of op where count is 0.
///
/// Exact for integers. Float sums and products have the same bits on every device, in every run and at every address,
/// for data whose intermediate results stay in the range of normal numbers: the order of evaluation is a fixed tree
/// that depends on the count alone (ARCHITECTURE.md, "The order of floats"). Float min and max are exact for all
/// data. One dispatch; each element is read once.
class VKPRIM_API Reduce {
public:
    struct Desc {
        ElementType type      = ElementType::u32;
        Operation   operation = Operation::add;

        bool aligned = false; ///< as in Scan::Desc: a promise that input will be a multiple of 16

        /// If set: an element and an operation of your own; `type` and `operation` are not looked at. Where it keeps the order, elements
        /// are combined first to last; else as those of `operation` are. Read during create() only.
        const OwnOperation* own = nullptr;

        /// Whether elements are not neighbours in the input: from one to the next there are Args::stride bytes, as of one member of
        /// an array of structures. The result has the same bits. u32, i32 and f32 take it, but for argmin and argmax; others, and
        /// elements of your own, have a load() for it (vkprim/glsl/operation.glsl).
        bool strided = false;
    };

    struct Args {
        VkDeviceAddress input = 0; ///< read: count elements, element-aligned
        VkDeviceAddress output =
            0; ///< written: one element of output_type(type), aligned to it, or what Operation says; not in `input`
        VkDeviceAddress scratch       = 0; ///< scratch_size(count) bytes, 16-byte aligned; zero-filled once
        uint32_t        count         = 0; ///< elements; with count_address, an upper bound
        VkDeviceAddress count_address = 0; ///< if set: of a uint32 to use instead, at most `count`; nobody writes to it
        Part            part          = {}; ///< which part of it to record, where it is recorded in several
        Indirect        indirect      = {}; ///< if set, with count_address: where the grid lies. In one part only
        Parameters      parameters    = {}; ///< for the code of Desc::own
        uint32_t        stride        = 0;  ///< with Desc::strided: bytes from one element to the next, a multiple of 4
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where `type` does not have
    /// `operation`, or where the driver rejects a pipeline.
    static Result<Reduce> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs; never shrinks as count grows.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// Of record() with these `args`: for IndirectCommand, which makes Args::indirect of it.
    Grid grid(const Args& args) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the reduction to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    Reduce(Reduce&&) noexcept;
    Reduce& operator=(Reduce&&) noexcept;
    ~Reduce();

private:
    struct Plan;
    explicit Reduce(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
