// Prefix sums, and prefixes of the other operations.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

#include <memory>

namespace vkprim {

/// Every output is the operation over the inputs before it:
///
///     exclusive  output[i] = identity op input[0] op ... op input[i - 1]
///     inclusive  output[i] = input[0] op ... op input[i]
///
/// Exact for integers. Float sums and products have the same bits on every device, in every run and at every address,
/// for data whose intermediate results stay in the range of normal numbers (ARCHITECTURE.md, "The order of floats");
/// they need not grow monotonically even where every input is positive. Float min and max are exact for all data. One
/// dispatch, if Desc::waits; each element is read once and written once.
class VKPRIM_API Scan {
public:
    enum class Kind : uint32_t { exclusive, inclusive };

    struct Desc {
        ElementType type      = ElementType::u32;
        Operation   operation = Operation::add;
        Kind        kind      = Kind::exclusive;

        /// Whether a workgroup may wait for others: for a bounded time, after which it does what they have not. If not, up
        /// to four dispatches take the place of one, and input is read twice. So it is anyway where a driver is known to
        /// let running workgroups stand still.
        bool waits = true;

        /// A promise that input and output will be multiples of 16. create() then builds no pipeline for other addresses, which
        /// takes about half of the time, and validate() refuses them.
        bool aligned = false;

        /// If set: an element and an operation of your own; `type` and `operation` are not looked at. Scan keeps the order of all
        /// operations that say so, and where they do not, may swap what stands on both sides. Read during create() only.
        const OwnOperation* own = nullptr;

        /// As in Reduce::Desc: the input's elements lie Args::stride bytes apart. The output's are neighbours, and lie apart from the
        /// input.
        bool strided = false;
    };

    struct Args {
        VkDeviceAddress input = 0; ///< read: count elements, element-aligned
        VkDeviceAddress output =
            0; ///< written: count elements of output_type(type), aligned to it; may be exactly `input` if `type` is that
        VkDeviceAddress scratch       = 0; ///< scratch_size(count) bytes, 16-byte aligned; zero-filled once
        uint32_t        count         = 0; ///< elements; 0 records nothing; with count_address, an upper bound
        VkDeviceAddress count_address = 0; ///< if set: of a uint32 to use instead, at most `count`; nobody writes to it
        Part            part          = {}; ///< which part of it to record, where it is recorded in several
        Indirect        indirect      = {}; ///< if set, with count_address: where the grid lies. In one part only
        Parameters      parameters    = {}; ///< for the code of Desc::own
        uint32_t        stride        = 0;  ///< with Desc::strided: bytes from one element to the next, a multiple of 4
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where `type` does not have
    /// `operation`, or where the driver rejects a pipeline.
    static Result<Scan> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs, about count / 300 from 2^22 on; never shrinks as count grows.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// Of record() with these `args`: for IndirectCommand, which makes Args::indirect of it.
    Grid grid(const Args& args) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the scan to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    Scan(Scan&&) noexcept;
    Scan& operator=(Scan&&) noexcept;
    ~Scan();

private:
    struct Plan;
    explicit Scan(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
