#include "twins.h"

#include "float_bits.h"

#include <vkprim/glsl/detail/tile.h>
#include "../shaders/reduce/reduce_push.h"

#include <algorithm>
#include <cmath>

namespace vkprim::harness {
namespace {

/// As results have it: one zero, and one NaN.
uint32_t stored_bits(float value) { return value == 0.0f ? 0u : std::isnan(value) ? 0x7fc00000u : bits_of(value); }

/// a op b for everything whose order does not matter: integers, and min and max of floats.
uint32_t operate_exactly(ElementType type, Operation operation, uint32_t a, uint32_t b) {
    const bool is_min = operation == Operation::min;
    switch (operation) {
        case Operation::add: return a + b;
        case Operation::mul: return a * b;
        case Operation::bit_and: return a & b;
        case Operation::bit_or: return a | b;
        case Operation::bit_xor: return a ^ b;
        case Operation::min:
        case Operation::max: break;
    }
    if (type == ElementType::u32) return is_min ? std::min(a, b) : std::max(a, b);
    if (type == ElementType::i32) {
        const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
        return static_cast<uint32_t>(is_min ? std::min(x, y) : std::max(x, y));
    }
    const float x = float_of(a), y = float_of(b);
    if (std::isnan(y)) return a; // `a` starts as the identity, so it never is NaN
    if (x == y) return std::signbit(x) == is_min ? a : b;
    return (x < y) == is_min ? a : b;
}

bool depends_on_order(ElementType type, Operation operation) {
    return type == ElementType::f32 && (operation == Operation::add || operation == Operation::mul);
}

struct Add {
    static constexpr float identity = 0.0f;
    float                  operator()(float a, float b) const { return a + b; }
};

struct Mul {
    static constexpr float identity = 1.0f;
    float                  operator()(float a, float b) const { return a * b; }
};

/// Folds `count` values, a power of two, in pairs (i, i xor 1), (i, i xor 2), ...
template <class Op>
float fold_pairs(float* values, uint32_t count) {
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) values[i] = Op()(values[i], values[i + width]);
    }
    return values[0];
}

/// A matrix of `columns` columns, folded from top to bottom and then across.
template <class Op>
float fold_matrix(const float* values, uint32_t count, uint32_t columns) {
    std::vector<float> totals(columns, Op::identity);
    for (uint32_t first = 0; first < count; first += columns) {
        const uint32_t width = std::min(columns, count - first);
        for (uint32_t c = 0; c < width; ++c) totals[c] = Op()(totals[c], values[first + c]);
    }
    return fold_pairs<Op>(totals.data(), columns);
}

template <class Op>
float reduce_floats(const float* input, uint32_t count) {
    if (count == 0) return Op::identity;
    const uint32_t     tile = 1u << reduce_log2_tile(count);
    std::vector<float> partials;
    for (uint64_t first = 0; first < count; first += tile) {
        const auto size = static_cast<uint32_t>(std::min<uint64_t>(tile, count - first));
        partials.push_back(fold_matrix<Op>(input + first, size, REDUCE_COLUMNS));
    }
    while (partials.size() > 1) {
        std::vector<float> groups;
        for (size_t first = 0; first < partials.size(); first += REDUCE_FAN) {
            const auto members = static_cast<uint32_t>(std::min<size_t>(REDUCE_FAN, partials.size() - first));
            groups.push_back(fold_matrix<Op>(partials.data() + first, members, REDUCE_FAN));
        }
        partials = std::move(groups);
    }
    return partials[0];
}

/// Exclusive scan of a power of two of values: level by level, the left half's total is added in front of the right
/// half.
template <class Op>
void scan_pairs(float* totals, float* before, uint32_t count) {
    std::fill(before, before + count, Op::identity);
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) {
            const float left = totals[i], right = totals[i + width];
            for (uint32_t k = 0; k < width; ++k) {
                before[i + width + k] = Op()(left, before[i + width + k]);
                totals[i + k] = totals[i + width + k] = Op()(left, right);
            }
        }
    }
}

/// What a block of a scan knows on its own: for each vector of four what comes before it, and the block's total.
template <class Op>
struct BlockScan {
    static constexpr uint32_t lanes = 32, rows = VKPRIM_TILE_RUN / (4 * lanes),
                              runs = VKPRIM_TILE_BLOCK / VKPRIM_TILE_RUN;

    float values[runs][rows][lanes][4]; // inclusive within each vector
    float before[runs][rows][lanes];    // in the run
    float run_before[runs];
    float total;

    BlockScan(const float* input, uint32_t count) {
        float run_totals[runs];
        for (uint32_t run = 0; run < runs; ++run) {
            float row_totals[rows];
            for (uint32_t row = 0; row < rows; ++row) {
                float vector_totals[lanes];
                for (uint32_t lane = 0; lane < lanes; ++lane) {
                    float* v = values[run][row][lane];
                    for (uint32_t c = 0; c < 4; ++c) {
                        const uint32_t i = run * VKPRIM_TILE_RUN + row * lanes * 4 + lane * 4 + c;
                        v[c]             = i < count ? input[i] : Op::identity;
                        if (c > 0) v[c] = Op()(v[c - 1], v[c]);
                    }
                    vector_totals[lane] = v[3];
                }
                scan_pairs<Op>(vector_totals, before[run][row], lanes);
                row_totals[row] = vector_totals[0];
            }
            float total_of_rows = row_totals[0];
            for (uint32_t row = 1; row < rows; ++row) {
                for (float& b : before[run][row]) b = Op()(total_of_rows, b);
                total_of_rows = Op()(total_of_rows, row_totals[row]);
            }
            run_totals[run] = total_of_rows;
        }
        scan_pairs<Op>(run_totals, run_before, runs);
        total = run_totals[0];
    }

    void store(float prefix, bool inclusive, float* output, uint32_t count) const {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t run = i / VKPRIM_TILE_RUN, row = i % VKPRIM_TILE_RUN / (lanes * 4),
                           lane = i % (lanes * 4) / 4, c = i % 4;
            const float* v     = values[run][row][lane];
            const float  inner = inclusive ? v[c] : c == 0 ? Op::identity : v[c - 1];
            output[i]          = Op()(prefix, Op()(Op()(run_before[run], before[run][row][lane]), inner));
        }
    }
};

/// What lookback.glsl makes of the blocks' aggregates: those of pairs of blocks, of groups of pairs, and of supers.
template <class Op>
class LookbackTwin {
public:
    explicit LookbackTwin(std::vector<float> blocks) : blocks_(std::move(blocks)) {
        group(blocks_, 2, levels_[0]);
        group(levels_[0], VKPRIM_TILE_FAN / 2, levels_[1]);
        group(levels_[1], VKPRIM_TILE_FAN, levels_[2]);
    }

    float prefix(uint32_t block) const {
        constexpr uint32_t fans[3] = {VKPRIM_TILE_FAN / 2, VKPRIM_TILE_FAN, VKPRIM_TILE_FAN};
        float              words[VKPRIM_TILE_FAN];
        std::fill(words, words + VKPRIM_TILE_FAN, Op::identity);
        uint32_t index = block / 2;
        for (int level = 0; level < 3; ++level) {
            const uint32_t before = index % fans[level];
            for (uint32_t i = 0; i < before; ++i) words[i] = Op()(levels_[level][index - before + i], words[i]);
            index /= fans[level];
        }
        const float prefix = fold_pairs<Op>(words, VKPRIM_TILE_FAN);
        return block % 2 == 0 ? prefix : Op()(prefix, blocks_[block - 1]);
    }

private:
    static void group(const std::vector<float>& below, uint32_t fan, std::vector<float>& level) {
        for (auto first = below.begin(); below.end() - first >= fan; first += fan) {
            std::vector<float> members(first, first + fan);
            level.push_back(fold_pairs<Op>(members.data(), fan));
        }
    }

    std::vector<float> blocks_, levels_[3];
};

template <class Op>
void scan_floats(bool inclusive, const float* input, float* output, uint32_t count) {
    const uint32_t     blocks = count == 0 ? 0 : (count - 1) / VKPRIM_TILE_BLOCK + 1;
    std::vector<float> aggregates;
    const auto size_of = [&](uint32_t block) { return std::min(VKPRIM_TILE_BLOCK, count - block * VKPRIM_TILE_BLOCK); };
    for (uint32_t block = 0; block < blocks; ++block) {
        aggregates.push_back(BlockScan<Op>(input + uint64_t{block} * VKPRIM_TILE_BLOCK, size_of(block)).total);
    }
    const LookbackTwin<Op> lookback(aggregates);
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint64_t first = uint64_t{block} * VKPRIM_TILE_BLOCK;
        BlockScan<Op>(input + first, size_of(block))
            .store(lookback.prefix(block), inclusive, output + first, size_of(block));
    }
}

} // namespace

uint32_t twin_reduce(ElementType type, Operation operation, const uint32_t* input, uint32_t count) {
    if (depends_on_order(type, operation)) {
        const auto* floats = reinterpret_cast<const float*>(input);
        return stored_bits(operation == Operation::add ? reduce_floats<Add>(floats, count)
                                                       : reduce_floats<Mul>(floats, count));
    }
    uint32_t total = identity_bits(type, operation);
    for (uint64_t i = 0; i < count; ++i) total = operate_exactly(type, operation, total, input[i]);
    return total;
}

void twin_scan(ElementType type, Operation operation, Scan::Kind kind, const uint32_t* input, uint32_t* output,
               uint32_t count) {
    const bool inclusive = kind == Scan::Kind::inclusive;
    if (depends_on_order(type, operation)) {
        const auto* floats  = reinterpret_cast<const float*>(input);
        auto*       results = reinterpret_cast<float*>(output);
        operation == Operation::add ? scan_floats<Add>(inclusive, floats, results, count)
                                          : scan_floats<Mul>(inclusive, floats, results, count);
        for (uint64_t i = 0; i < count; ++i) output[i] = stored_bits(results[i]);
        return;
    }
    uint32_t total = identity_bits(type, operation);
    for (uint64_t i = 0; i < count; ++i) {
        const uint32_t next = operate_exactly(type, operation, total, input[i]);
        output[i]           = inclusive ? next : total;
        total               = next;
    }
}

namespace {

/// The definition in vkprim/histogram.h, in 64-bit integers, with a division.
template <class Sample>
void count_integers(const Histogram::Desc& desc, const Sample* samples, uint32_t count, std::vector<uint32_t>& counts) {
    const auto lower = static_cast<int64_t>(desc.lower), upper = static_cast<int64_t>(desc.upper);
    for (uint64_t i = 0; i < count; ++i) {
        const int64_t x = samples[i];
        if (x < lower || x >= upper) continue;
        ++counts[static_cast<uint64_t>(x - lower) * desc.bins / static_cast<uint64_t>(upper - lower)];
    }
}

void count_floats(const Histogram::Desc& desc, const float* samples, uint32_t count, std::vector<uint32_t>& counts) {
    const auto lower = static_cast<float>(desc.lower), upper = static_cast<float>(desc.upper);
    const auto scale = static_cast<float>(desc.bins / (double{upper} - double{lower}));
    for (uint64_t i = 0; i < count; ++i) {
        const float x = samples[i];
        if (!(x >= lower && x < upper)) continue;
        const float offset = x - lower;
        const float scaled = offset * scale;
        ++counts[static_cast<uint32_t>(std::min(scaled, static_cast<float>(desc.bins - 1)))];
    }
}

} // namespace

std::vector<uint32_t> twin_histogram(const Histogram::Desc& desc, const void* samples, uint32_t count) {
    std::vector<uint32_t> counts(desc.bins);
    switch (desc.type) {
        case SampleType::u8: count_integers(desc, static_cast<const uint8_t*>(samples), count, counts); break;
        case SampleType::u16: count_integers(desc, static_cast<const uint16_t*>(samples), count, counts); break;
        case SampleType::u32: count_integers(desc, static_cast<const uint32_t*>(samples), count, counts); break;
        case SampleType::i32: count_integers(desc, static_cast<const int32_t*>(samples), count, counts); break;
        case SampleType::f32: count_floats(desc, static_cast<const float*>(samples), count, counts); break;
    }
    return counts;
}

} // namespace vkprim::harness
