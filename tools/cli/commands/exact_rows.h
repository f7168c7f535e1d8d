// Sums of rows without rounding, on every device. A number is an integer times a power of two. It is cut into digits that are so short that
// integers of 64 bits hold a row's sum of them. Devices add the digits, and the CPU puts a row's few sums together. The result is rounded
// once, so it does not depend on the order of the numbers or on chunks, and needs no floats on the device.
#pragma once

#include <vkprim/segmented_reduce.h>

#include "harness/references.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools {

/// Numbers in rows, one behind the other.
struct RowNumbers {
    ElementType           type; ///< of 32 or 64 bits
    uint64_t              rows = 1, length = 0;
    harness::LoadElements load;
};

/// Whether a row has an element that is no NaN.
bool has_number(const RowNumbers& numbers, uint64_t row);

/// The sum of each row of i64 elements, which do not overflow.
using AddRows = std::function<std::vector<int64_t>(const harness::LoadElements& load)>;

struct RowSums {
    /// How many bits of a number count, below the highest of its row: what lies lower is left out. Sums of fewer are faster. 96 are more than
    /// rows of 2^32 doubles need for a sum that is rounded nearly as the exact one.
    uint32_t    bits    = 96;
    uint64_t    divisor = 1;                ///< of each row's sum; 0 gives NaN
    ElementType result  = ElementType::f64; ///< or f32: what each is rounded to
};

constexpr uint32_t all_bits = UINT32_MAX; ///< for RowSums::bits

/// The sum of each row divided by RowSums::divisor. Infinities and NaN give what float sums of them give.
std::vector<double> sum_rows(const RowNumbers& numbers, const RowSums& sums, const AddRows& add);

/// The mean of each row: of f32 rounded to f32, of others to f64.
std::vector<double> means_of_rows(const RowNumbers& numbers, const AddRows& add);

/// The mean squared deviation of each row from its mean, in f64.
std::vector<double> variances_of_rows(const RowNumbers& numbers, const AddRows& add);

/// Adds on a device: as many rows at once as a limited memory takes, or where they are long, pieces of one row. Sums are compared with the CPU's,
/// unless a flag says otherwise.
class RowAdder {
public:
    RowAdder(const JobFlags& flags, const runtime::Device& device, ArrayJob& job, uint64_t rows, uint64_t length);

    std::vector<int64_t> operator()(const harness::LoadElements& load);

private:
    /// So many elements of so many rows.
    struct Batch {
        uint32_t count, segments;
    };

    void add(const Batch& batch, uint64_t row);

    const JobFlags&        flags_;
    const runtime::Device& device_;
    ArrayJob&              job_;
    const uint64_t         rows_, length_;
    const Batch            most_; ///< at once
    std::vector<int64_t>   values_, sums_;
    SegmentedReduce        reduce_;
    runtime::Buffer        input_, output_, scratch_;
};

} // namespace vkprim::tools
