// Prefix sums, and scans with the other operations.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

namespace vkprim {

/// Output i is the reduction of all inputs before input i (exclusive), or of all inputs up to and including input i (inclusive):
///
///     exclusive  output[i] = identity op input[0] op ... op input[i - 1]
///     inclusive  output[i] = input[0] op ... op input[i]
///
/// Exact for integers. Float sums and products have the same bits on every device, in every run and at every address, for data whose
/// intermediate results stay in the range of normal numbers (ARCHITECTURE.md, "The order of floats"). Rounding may make the outputs
/// non-monotonic: a prefix sum of positive inputs may be less than the one before it. Float min and max are exact for all data. With
/// Desc::waits, a scan is one dispatch, which reads each element once. Otherwise it is up to four dispatches, which read the input twice;
/// record() records the barriers between them. GPUs with few registers (profile.h) read each element once more in either case, except with
/// Desc::own. Each output is written once.
class VKPRIM_API Scan {
public:
    enum class Kind : uint32_t { exclusive, inclusive };

    struct Desc {
        ElementType type      = ElementType::u32;
        Operation   operation = Operation::add;
        Kind        kind      = Kind::exclusive;

        /// Whether a workgroup may wait for others. The wait is bounded: if a total is still missing after 512 reads, the workgroup
        /// computes it itself. On Apple and ARM GPUs, a running workgroup may stop making progress while others wait for its total, and
        /// Mesa 26.1's compiler for Broadcom's V3D had not finished such a shader after 400 s. There, `waits` is treated as false, unless
        /// Context::profile enables waiting.
        bool waits = true;

        /// A promise that the addresses `input` and `output` will be multiples of 16. create() then builds no pipeline for other addresses,
        /// and takes about half as long. That saves nothing where one pipeline serves all addresses, as on CPU drivers. validate() rejects
        /// other addresses.
        bool aligned = false;

        /// If set: an element type and an operation of your own; `type` and `operation` are ignored. Scan may swap the operands,
        /// unless the operation's GLSL file defines VKPRIM_KEEPS_ORDER, which says that the operation does not commute. `own` is read
        /// during create() only.
        const OwnOperation* own = nullptr;

        /// As in Reduce::Desc: the elements of the input lie Args::stride bytes apart. The output is contiguous, and must not overlap
        /// the input.
        bool strided = false;
    };

    struct Args {
        VkDeviceAddress input = 0; ///< read: count elements, element-aligned

        /// Written: count elements of output_type(type), aligned to their size. Must not overlap `input`, with one exception: it may
        /// equal `input` if output_type(type) == type and the input is not strided.
        VkDeviceAddress output = 0;
        /// scratch_size(args) bytes, 16-byte aligned. Zero-fill it once, before its first use.
        VkDeviceAddress scratch = 0;

        /// Number of elements. If it is 0, record() does nothing. With count_address, it is an upper bound. validate() accepts every count,
        /// with one exception: for elements of your own (Desc::own) of 5 to 8 words, it rejects counts that need 1.5 GiB of scratch. Counts
        /// up to 2^30 never do.
        uint32_t count = 0;

        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        Part            part          = {}; ///< which part of the operation to record
        Indirect indirect = {}; ///< if set: where the dispatch command lies; requires count_address and part.parts == 1
        Parameters parameters = {}; ///< for the code of Desc::own
        uint32_t   stride     = 0;  ///< bytes from one element to the next: with Desc::strided a multiple of 4, else 0
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if `operation` is not
    /// available for `type`, or if the driver rejects a pipeline.
    static Result<Scan> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs. It depends on args.count alone, and never shrinks as that grows. For 2^22 or more elements of 4
    /// bytes: about count / 340 bytes on NVIDIA GPUs, count / 170 bytes on other devices. Wider elements need much more, since their tiles
    /// have fewer elements and their totals have more words: elements of 8 words need about 0.75 * count bytes.
    VkDeviceSize scratch_size(const Args& args) const;

    /// The grid that record() dispatches with these `args`. Pass it to IndirectCommand, which writes the command for Args::indirect.
    Grid grid(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the scan to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Scan(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
