// Histogram with bins of equal width or between given levels, of one channel or several interleaved ones, with or without weights.
#pragma once

#include <vkprim/core.h>
#include <vkprim/segments.h>

namespace vkprim {

/// f64 needs Features::shader_float64.
enum class SampleType : uint32_t { u8, u16, u32, i32, f32, f64 };

/// What a sample adds to its count: one, or a weight of this type.
enum class Weights : uint32_t { none, u32, i32 };

/// counts[b] = the number of samples x with edge(b) <= x < edge(b + 1), where
///
///     edge(k) = lower + k * width,   width = (upper - lower) / bins,   edge(bins) = upper
///
/// Channels   Sample i is of channel i % channels. Channels below `counted_channels` are counted, each into bins of its own:
///            counts[c * bins + b] belongs to channel c. The other samples have no effect. All channels have the same range.
///
/// Levels     With `levels`, sample x is in bin b if levels[b] <= x < levels[b + 1]: a table of bins + 1 ascending bin edges in
///            memory replaces lower and upper. Equal neighbours make an empty bin. The first and last level of floats may be
///            infinite. Numbers are compared exactly, including denormals; -0 equals +0. The table is not checked: if it does not
///            ascend, or has a NaN, a sample is counted in some bin or not at all; nothing else goes wrong.
/// Weights    With `weights`, counts[b] is the sum of the weights of those samples: sample i has weights[i / channels], so a pixel
///            has one weight. Sums are exact, modulo 2^32, or modulo 2^64 with `wide`.
///            There are no float weights: the order of atomic additions changes from run to run, and with it the bits of the sum would
///            change. Instead, multiply by a power of two, round to i32, count with `wide`, and divide.
/// Wide       With `wide`, counts are uint64. They are added up in two words of 32 bits, so the device needs no 64-bit integers.
///
/// Rows       With SegmentLayout::rows, the input is a matrix, and each of its rows has a histogram of its own: counts[r * all + i] is
///            what counts[i] would be for row r alone, where `all` is bins * counted channels. Sample i of a row is of channel
///            i % channels, whatever the row's length. All rows have the same number of samples, and share the levels.
/// Segments   With SegmentLayout::offsets, each segment of the input has a histogram of its own, at counts[s * all]. Segment s is samples
///            offsets[s] to offsets[s + 1] - 1; lengths may differ, and may be 0. Sample i of a segment is of channel i % channels, and
///            has weights[offsets[s] / channels + i / channels], rounded down. So if segments begin at whole pixels of the input, each
///            pixel has one weight.
///
/// Samples outside [lower, upper) and NaN are not counted.
///
/// So each sample is in the bin whose edges enclose it, to the bit and on every device. Edges are rounded as follows.
/// Integers   The edges are the exact fractions: bin(x) = floor((x - lower) * bins / (upper - lower)).
/// f32        lower and upper are rounded up to floats, so that a sample outside the given numbers is outside. Each of the operations above
///            is rounded to single precision.
/// f64        Each operation is rounded to double precision. These are the edges of NumPy's histogram; but its last bin includes `upper`.
/// Samples are compared with edges exactly, including denormals; -0 equals +0. create() refuses a range in which two edges of floats would be
/// equal, or one other than 0 or a width would be close to denormal.
///
/// One dispatch if the bins fit into shared memory: a word of 4 bytes for each bin of the counted channels, or two for weights with `wide`;
/// a word for each of the `levels`, or two for f64; and a few more. So 32 KiB hold about 8190 bins of one word. Skewed samples are then not
/// slower than uniform ones. With more bins, a first dispatch clears the output, unless `accumulate` is set, and a second one counts;
/// samples in which a few values are frequent are slower there. All of this holds for any number of rows: one workgroup counts a short row;
/// several count a long row if there are few rows. For segments between offsets, there are two dispatches, or one with `accumulate`;
/// workgroups have equal shares of samples and segments, whatever the lengths are. Samples in no segment are not counted. No workgroup waits
/// for another.
class VKPRIM_API Histogram {
public:
    struct Desc {
        SampleType type  = SampleType::u8;
        uint32_t   bins  = 256; ///< of each channel; in all counted channels together, 1 to 2^20
        double     lower = 0;   ///< a whole number within the sample type's range; for floats any finite number
        double     upper = 256; ///< greater than lower; for integers at most one past the type's largest value

        uint32_t      channels         = 1; ///< 1 to 4
        uint32_t      counted_channels = 0; ///< how many channels are counted, from the first on; 0: all
        Weights       weights          = Weights::none;
        bool          wide             = false; ///< counts have 64 bits
        bool          levels           = false; ///< Args::levels replaces lower and upper, which are ignored then
        SegmentLayout segments         = SegmentLayout::none; ///< what has a histogram of its own
    };

    struct Args {
        VkDeviceAddress input = 0; ///< read: count samples, sample-aligned
        /// Written, or added to: uint32 or uint64, aligned so; must not overlap other memory.
        VkDeviceAddress counts  = 0;
        VkDeviceAddress scratch = 0; ///< scratch_size(args) bytes, 16-byte aligned; zero-filled once
        uint32_t        count   = 0; ///< samples of all channels, counted or not; with count_address, an upper bound
        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        bool            accumulate    = false; ///< add to what is in `counts` instead of replacing it
        Part            part          = {};    ///< which part of the operation to record

        VkDeviceAddress weights = 0; ///< read, with Desc::weights: ceil(count / channels) of 4 bytes, aligned so
        /// Read, with Desc::levels: bins + 1 numbers of the samples' type, or uint32 for samples of u8 and u16; aligned so.
        VkDeviceAddress levels = 0;

        /// `counts` has the histograms of all segments one after the other.
        ///
        /// With SegmentLayout::rows, `count` is the number of samples of one row, and the pitch a multiple of the sample size. If there are
        /// several rows, each must be smaller than 4 GiB, and so must its weights. The weights of row r begin at
        /// weights[r * ceil(count / channels)], also with count_address. If there are no more parts than rows, each part has whole rows.
        ///
        /// With SegmentLayout::offsets, count + 4 * segments.count must be below 2^32. Part 0 also zeroes the counts of all segments, unless
        /// `accumulate` is set.
        Segments segments = {};
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if bins or range are not as
    /// Desc requires, or if the driver rejects a pipeline.
    static Result<Histogram> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs. For SegmentLayout::rows, it depends on count and segments.count, and never shrinks as they grow.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the histogram to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Histogram(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
