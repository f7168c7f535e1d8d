// Histogram with equal bins.
#pragma once

#include <vkprim/core.h>

#include <memory>

namespace vkprim {

enum class SampleType : uint32_t { u8, u16, u32, i32, f32 };

/// counts[b] = how many samples x have bin(x) == b, where
///
///     bin(x) = floor((x - lower) * bins / (upper - lower))          for lower <= x < upper
///
/// Samples outside [lower, upper) and NaN are not counted.
///
/// Exact for integer samples. For f32 the bin is min(bins - 1, floor((x - l) * s)) in single precision, without
/// contraction, where l = float(lower) and s = float(bins / (double(upper') - double(l))) with upper' = float(upper):
/// the same bin on every device for every normal x - l.
/// One dispatch while the bins fit into shared memory (8191 bins where a workgroup has 32 KiB); skewed samples are then
/// not slower than uniform ones. Beyond that a dispatch that counts, after one that clears unless `accumulate` is set;
/// there, a few frequent values among many others are slower.
class VKPRIM_API Histogram {
public:
    struct Desc {
        SampleType type  = SampleType::u8;
        uint32_t   bins  = 256; ///< 1 to 2^20
        double     lower = 0;   ///< a whole number within the sample type's range, or, for f32, any finite float
        double     upper = 256; ///< greater than lower; for integers at most one past the type's largest value
    };

    struct Args {
        VkDeviceAddress input   = 0; ///< read: count samples, sample-aligned
        VkDeviceAddress counts  = 0; ///< written; read where added to: `bins` uint32, 4-byte aligned; apart from input
        VkDeviceAddress scratch = 0; ///< scratch_size(count) bytes, 16-byte aligned; zero-filled once
        uint32_t        count   = 0; ///< samples; with count_address, an upper bound
        VkDeviceAddress count_address = 0; ///< if set: of a uint32 to use instead, at most `count`; nobody writes to it
        bool            accumulate    = false; ///< add to what is in `counts` instead of replacing it
        Part            part          = {};    ///< which part of it to record, where it is recorded in several
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where bins or range are not as
    /// Desc says, or where the driver rejects a pipeline.
    static Result<Histogram> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs; does not depend on how many samples there are.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the histogram to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    Histogram(Histogram&&) noexcept;
    Histogram& operator=(Histogram&&) noexcept;
    ~Histogram();

private:
    struct Plan;
    explicit Histogram(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
