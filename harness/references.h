// CPU references: what the GPU must compute, to the bit. Integers take the plain loop; floats follow the same tree as the
// shaders.
#pragma once

#include <vkprim/core.h>
#include <vkprim/histogram.h>
#include <vkprim/scan.h>
#include <vkprim/sort.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "elements.h"

namespace vkprim::harness {

// Elements of output_type(type), as elements.h has them.

/// The reduction of `count` elements, as the words of one.
std::vector<uint32_t> reference_reduce(ElementType type, Operation operation, const uint32_t* input, uint32_t count);

/// The same in elements of result_type(element_case).
std::vector<uint32_t> reference_reduce(const ElementCase& element_case, const uint32_t* input, uint32_t count);

/// The exact sum of `count` elements of f32 or f64, rounded once: what Order::any gives.
std::vector<uint32_t> reference_exact_sum(ElementType type, const uint32_t* input, uint32_t count);

/// `count` elements of output as Scan gives them; may be exactly `input`.
void reference_scan(ElementType type, Operation operation, Scan::Kind kind, const uint32_t* input, uint32_t* output,
                    uint32_t count);

/// The same of elements behind whole groups of 2^20 elements (2^19 of 8 bytes) that have these totals: as ChunkedScan gives them.
void reference_scan_behind(const std::vector<uint32_t>& totals, const Scan::Desc& desc, const uint32_t* input,
                           uint32_t* output, uint32_t count);

// Arrays that memory need not hold as a whole. Pieces of them are loaded, and outputs taken, on several threads at once.

/// Writes the words of `count` elements, from number `begin` on.
using LoadElements = std::function<void(uint64_t begin, uint32_t count, uint32_t* words)>;

/// Takes those of outputs.
using TakeElements = std::function<void(uint64_t begin, uint32_t count, const uint32_t* words)>;

/// reference_reduce() of `count` elements; not for argmin and argmax.
std::vector<uint32_t> reference_reduce(ElementType type, Operation operation, const LoadElements& load, uint64_t count);
std::vector<uint32_t> reference_reduce(const ElementCase& element_case, const LoadElements& load, uint64_t count);

/// reference_scan() of `count` elements, piece by piece in any order.
void reference_scan(const Scan::Desc& desc, const LoadElements& load, uint64_t count, const TakeElements& take);

/// What a histogram reads.
struct HistogramInput {
    const void* samples = nullptr;
    const void* weights = nullptr; ///< words, where desc has them
    const void* levels  = nullptr; ///< likewise
};

/// The words of desc.bins counts for each counted channel, of `count` samples of desc.type.
std::vector<uint32_t> reference_histogram(const Histogram::Desc& desc, const HistogramInput& input, uint32_t count);

/// The same without weights and levels.
inline std::vector<uint32_t> reference_histogram(const Histogram::Desc& desc, const void* samples, uint32_t count) {
    return reference_histogram(desc, HistogramInput{samples}, count);
}

/// Where the keys come from that Sort puts out: those of desc.key in their order by the bits from `begin_bit` to before `end_bit`, which is
/// 0 for all; std::stable_sort of ordered bits.
std::vector<uint32_t> reference_sort(const Sort::Desc& desc, const void* keys, uint32_t count, uint32_t begin_bit = 0,
                                     uint32_t end_bit = 0);

/// What reference_sort() compares of a key's bits, as an unsigned number.
uint64_t sort_order(const Sort::Desc& desc, uint64_t key, uint32_t begin_bit = 0, uint32_t end_bit = 0);

} // namespace vkprim::harness
