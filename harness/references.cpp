#include "references.h"

#include "bin_edges.h"
#include "elements.h"
#include "float_bits.h"
#include "order.h"
#include "processors.h"

#include <vkprim/glsl/detail/tile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

namespace vkprim::harness {
namespace {

template <class To, class From>
To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

/// A sum or product of floats as results have it: one zero, and one NaN.
template <class T>
T as_stored(T value) {
    if (value == 0) return T(0);
    return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value; // positive, without a payload
}

/// An operation over elements of type T: an identity, and what becomes of two elements.
template <class T, Operation operation>
struct Operate {
    static T identity() {
        using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
        return bits_as<T>(static_cast<Bits>(identity_bits(type_of<T>(), operation)));
    }

    /// Whether the bits of results depend on the order of evaluation.
    static constexpr bool depends_on_order =
        std::is_floating_point_v<T> && (operation == Operation::add || operation == Operation::mul);

    T operator()(T a, T b) const {
        if constexpr (depends_on_order) {
            return operation == Operation::add ? a + b : a * b;
        } else if constexpr (operation == Operation::min || operation == Operation::max) {
            constexpr bool is_min = operation == Operation::min;
            if constexpr (std::is_floating_point_v<T>) {
                if (std::isnan(b)) return a; // `a` starts as the identity, so it never is NaN
                if (a == b) return std::signbit(a) == is_min ? a : b;
            }
            return (a < b) == is_min ? a : b;
        } else {
            using Unsigned   = std::make_unsigned_t<T>; // in which nothing overflows
            const Unsigned x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
            switch (operation) {
                case Operation::add: return static_cast<T>(x + y);
                case Operation::mul: return static_cast<T>(x * y);
                case Operation::bit_and: return static_cast<T>(x & y);
                case Operation::bit_or: return static_cast<T>(x | y);
                default: return static_cast<T>(x ^ y);
            }
        }
    }

private:
    template <class Element>
    static constexpr ElementType type_of() {
        if constexpr (std::is_floating_point_v<Element>)
            return sizeof(Element) == 8 ? ElementType::f64 : ElementType::f32;
        if constexpr (std::is_signed_v<Element>) return sizeof(Element) == 8 ? ElementType::i64 : ElementType::i32;
        return sizeof(Element) == 8 ? ElementType::u64 : ElementType::u32;
    }
};

/// Calls `function` with a T and an Operate<T, operation>.
template <class T, class Function>
auto with_operation_of(Operation operation, const Function& function) {
    switch (operation) {
        case Operation::add: return function(T(), Operate<T, Operation::add>());
        case Operation::mul: return function(T(), Operate<T, Operation::mul>());
        case Operation::min: return function(T(), Operate<T, Operation::min>());
        case Operation::max: break;
        default:
            if constexpr (std::is_integral_v<T>) {
                if (operation == Operation::bit_and) return function(T(), Operate<T, Operation::bit_and>());
                if (operation == Operation::bit_or) return function(T(), Operate<T, Operation::bit_or>());
                return function(T(), Operate<T, Operation::bit_xor>());
            }
    }
    return function(T(), Operate<T, Operation::max>());
}

template <class Function>
auto with_operation(ElementType type, Operation operation, const Function& function) {
    switch (output_type(type)) {
        case ElementType::u32: return with_operation_of<uint32_t>(operation, function);
        case ElementType::i32: return with_operation_of<int32_t>(operation, function);
        case ElementType::f32: return with_operation_of<float>(operation, function);
        case ElementType::u64: return with_operation_of<uint64_t>(operation, function);
        case ElementType::i64: return with_operation_of<int64_t>(operation, function);
        default: break;
    }
    return with_operation_of<double>(operation, function);
}

/// Words of 32 bits.
template <class T>
constexpr uint32_t words_of_type = sizeof(T) / 4;

/// Exclusive scan of a power of two of values: level by level, the left half's total is added in front of the right
/// half.
template <class Op, class T>
void scan_pairs(T* totals, T* before, uint32_t count) {
    std::fill(before, before + count, Op::identity());
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) {
            const T left = totals[i], right = totals[i + width];
            for (uint32_t k = 0; k < width; ++k) {
                before[i + width + k] = Op()(left, before[i + width + k]);
                totals[i + k] = totals[i + width + k] = Op()(left, right);
            }
        }
    }
}

/// What a block of a scan knows on its own: for each vector of 16 bytes what comes before it, and the block's total.
template <class Op, class T>
struct BlockScan {
    static constexpr uint32_t row_vectors = 32, vector = 4 / words_of_type<T>,
                              run_size = VKPRIM_TILE_RUN / words_of_type<T>, rows = run_size / (vector * row_vectors),
                              runs = VKPRIM_TILE_BLOCK / VKPRIM_TILE_RUN, size = run_size * runs;

    T values[runs][rows][row_vectors][vector]; // inclusive within each vector
    T before[runs][rows][row_vectors];         // in the run
    T run_before[runs];
    T total;

    /// Of a block that is not full, `total` means nothing: no other comes behind it.
    BlockScan(const T* input, uint32_t count) {
        const uint32_t vectors = (count + vector - 1) / vector;
        T              run_totals[runs];
        std::fill(run_totals, run_totals + runs, Op::identity());
        for (uint32_t run = 0; run * rows * row_vectors < vectors; ++run) {
            T total_of_rows = Op::identity();
            for (uint32_t row = 0; row < rows; ++row) {
                const uint32_t first = (run * rows + row) * row_vectors;
                if (first >= vectors) break;
                uint32_t width = row_vectors; // of a tree that has all vectors
                while (width / 2 >= vectors - first) width /= 2;
                T vector_totals[row_vectors];
                for (uint32_t column = 0; column < width; ++column) {
                    T* v = values[run][row][column];
                    for (uint32_t c = 0; c < vector; ++c) {
                        const uint32_t i = (first + column) * vector + c;
                        v[c]             = i < count ? input[i] : Op::identity();
                        if (c > 0) v[c] = Op()(v[c - 1], v[c]);
                    }
                    vector_totals[column] = v[vector - 1];
                }
                scan_pairs<Op>(vector_totals, before[run][row], width);
                if (row == 0) {
                    total_of_rows = vector_totals[0];
                    continue;
                }
                for (uint32_t column = 0; column < width; ++column)
                    before[run][row][column] = Op()(total_of_rows, before[run][row][column]);
                total_of_rows = Op()(total_of_rows, vector_totals[0]);
            }
            run_totals[run] = total_of_rows;
        }
        scan_pairs<Op>(run_totals, run_before, runs);
        total = run_totals[0];
    }

    void store(T prefix, bool inclusive, T* output, uint32_t count) const {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t run = i / run_size, row = i % run_size / (row_vectors * vector),
                           column = i % (row_vectors * vector) / vector, c = i % vector;
            const T* v     = values[run][row][column];
            const T  inner = inclusive ? v[c] : c == 0 ? Op::identity() : v[c - 1];
            output[i]      = as_stored(Op()(prefix, Op()(Op()(run_before[run], before[run][row][column]), inner)));
        }
    }
};

/// What lookback.glsl makes of the blocks' aggregates: those of pairs of blocks, of groups of pairs, and of supergroups. Ahead of the first block
/// there may be whole groups, of which only the aggregates are known.
template <class Op, class T>
class LookbackReference {
public:
    LookbackReference(std::vector<T> groups_before, std::vector<T> blocks)
        : groups_before_(static_cast<uint32_t>(groups_before.size())), blocks_(std::move(blocks)) {
        levels_[1] = std::move(groups_before);
        group(blocks_, 2, levels_[0]);
        group(levels_[0], VKPRIM_TILE_FAN / 2, levels_[1]);
        group(levels_[1], VKPRIM_TILE_FAN, levels_[2]);
    }

    T prefix(uint32_t block) const {
        constexpr uint32_t fans[3] = {VKPRIM_TILE_FAN / 2, VKPRIM_TILE_FAN, VKPRIM_TILE_FAN};
        T                  words[VKPRIM_TILE_FAN];
        std::fill(words, words + VKPRIM_TILE_FAN, Op::identity());
        uint32_t index = block / 2;
        for (int level = 0; level < 3; ++level) {
            const uint32_t before = index % fans[level];
            for (uint32_t i = 0; i < before; ++i) words[i] = Op()(levels_[level][index - before + i], words[i]);
            index /= fans[level];
            if (level == 0) index += groups_before_;
        }
        const T prefix = fold_pairs<Op>(words, VKPRIM_TILE_FAN);
        return block % 2 == 0 ? prefix : Op()(prefix, blocks_[block - 1]);
    }

private:
    static void group(const std::vector<T>& below, uint32_t fan, std::vector<T>& level) {
        for (auto first = below.begin(); below.end() - first >= fan; first += fan) {
            std::vector<T> members(first, first + fan);
            level.push_back(fold_pairs<Op>(members.data(), fan));
        }
    }

    uint32_t       groups_before_;
    std::vector<T> blocks_, levels_[3];
};

template <class Op, class T>
void scan_in_order(const std::vector<T>& groups_before, bool inclusive, const T* input, T* output, uint32_t count) {
    using Block            = BlockScan<Op, T>;
    const uint32_t blocks  = count == 0 ? 0 : (count - 1) / Block::size + 1;
    const auto     size_of = [&](uint32_t block) { return std::min(Block::size + 0u, count - block * Block::size); };
    if (blocks == 1 && groups_before.empty()) {
        return Block(input, count).store(Op::identity(), inclusive, output, count);
    }
    std::vector<T> aggregates;
    for (uint32_t block = 0; block < blocks; ++block) {
        aggregates.push_back(Block(input + uint64_t{block} * Block::size, size_of(block)).total);
    }
    const LookbackReference<Op, T> lookback(groups_before, aggregates);
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint64_t first = uint64_t{block} * Block::size;
        Block(input + first, size_of(block)).store(lookback.prefix(block), inclusive, output + first, size_of(block));
    }
}

/// Element `index` of an array of words, which may be aligned to no more than those.
template <class T>
T element_at(const uint32_t* words, uint64_t index) {
    T element;
    std::memcpy(&element, words + index * words_of_type<T>, sizeof element);
    return element;
}

template <class T>
void put_element(uint32_t* words, uint64_t index, T element) {
    std::memcpy(words + index * words_of_type<T>, &element, sizeof element);
}

} // namespace

namespace {

/// The best element and its index, the first of equals.
template <class T>
std::vector<uint32_t> find_best(ElementType type, Operation operation, const uint32_t* input, uint32_t count) {
    const uint64_t none  = identity_bits(type, operation);
    uint32_t       index = static_cast<uint32_t>(none >> 32), bits = static_cast<uint32_t>(none);
    for (uint32_t i = 0; i < count; ++i) {
        const T x = element_at<T>(input, i), best = bits_as<T>(bits);
        if (x != x) continue; // NaN
        if (index != UINT32_MAX && !(operation == Operation::argmin ? x < best : x > best)) continue;
        index = i;
        bits  = x == 0 ? 0 : input[i]; // one zero
    }
    return {bits, index};
}

} // namespace

std::vector<uint32_t> reference_reduce(ElementType type, Operation operation, const uint32_t* input, uint32_t count) {
    if (operation == Operation::argmin || operation == Operation::argmax) {
        if (type == ElementType::f32) return find_best<float>(type, operation, input, count);
        if (type == ElementType::i32) return find_best<int32_t>(type, operation, input, count);
        return find_best<uint32_t>(type, operation, input, count);
    }
    return with_operation(type, operation, [&](auto element, auto operate) {
        using T  = decltype(element);
        using Op = decltype(operate);
        T total  = Op::identity();
        if constexpr (Op::depends_on_order) {
            total =
                as_stored(reduce_in_order<Op>([=](uint64_t i) { return reinterpret_cast<const T*>(input)[i]; }, count));
        } else {
            for (uint64_t i = 0; i < count; ++i) total = operate(total, element_at<T>(input, i));
        }
        std::vector<uint32_t> words(words_of_type<T>);
        put_element(words.data(), 0, total);
        return words;
    });
}

std::vector<uint32_t> reference_reduce(const ElementCase& element_case, const uint32_t* input, uint32_t count) {
    std::vector<uint32_t> widened;
    if (element_case.wide) {
        widened.resize(uint64_t{count} * 2);
        std::copy(input, input + count, widened.begin());
        widen_words(element_case.type, count, widened.data());
        input = widened.data();
    }
    return reference_reduce(result_type(element_case), element_case.operation, input, count);
}

void reference_scan(ElementType type, Operation operation, Scan::Kind kind, const uint32_t* input, uint32_t* output,
                    uint32_t count) {
    reference_scan_behind({}, {type, operation, kind}, input, output, count);
}

void reference_scan_behind(const std::vector<uint32_t>& totals, const Scan::Desc& desc, const uint32_t* input,
                           uint32_t* output, uint32_t count) {
    const bool inclusive = desc.kind == Scan::Kind::inclusive;
    with_operation(desc.type, desc.operation, [&](auto element, auto operate) {
        using T  = decltype(element);
        using Op = decltype(operate);
        std::vector<T> before(totals.size() / words_of_type<T>);
        for (size_t i = 0; i < before.size(); ++i) before[i] = element_at<T>(totals.data(), i);
        if constexpr (Op::depends_on_order) {
            scan_in_order<Op>(before, inclusive, reinterpret_cast<const T*>(input), reinterpret_cast<T*>(output),
                              count);
        } else {
            T total = Op::identity();
            for (const T& one : before) total = operate(total, one);
            for (uint64_t i = 0; i < count; ++i) {
                const T next = operate(total, element_at<T>(input, i));
                put_element(output, i, inclusive ? next : total);
                total = next;
            }
        }
    });
}

namespace {

/// Of the arrays that are loaded in pieces: whole tiles of a reduction, and one group of a scan.
uint64_t piece_size(ElementType type) { return (uint64_t{1} << 20) / words_in(type); }

/// Calls task(piece, words, length) for each piece.
template <class Task>
void for_pieces(ElementType type, const LoadElements& load, uint64_t count, const Task& task) {
    const uint64_t size = piece_size(type);
    on_all_processors(static_cast<uint32_t>((count + size - 1) / size), [&](uint32_t piece) {
        const uint64_t        begin  = piece * size;
        const auto            length = static_cast<uint32_t>(std::min(size, count - begin));
        std::vector<uint32_t> words(uint64_t{length} * words_in(type));
        load(begin, length, words.data());
        task(piece, words.data(), length);
    });
}

/// What blocks of a whole group come to.
template <class Op, class T>
T group_total(const T* elements, uint32_t count) {
    using Block = BlockScan<Op, T>;
    std::vector<T> pairs;
    for (uint32_t first = 0; first < count; first += 2 * Block::size) {
        pairs.push_back(
            Op()(Block(elements + first, Block::size).total, Block(elements + first + Block::size, Block::size).total));
    }
    return fold_pairs<Op>(pairs.data(), static_cast<uint32_t>(pairs.size()));
}

} // namespace

std::vector<uint32_t> reference_reduce(ElementType type, Operation operation, const LoadElements& load,
                                       uint64_t count) {
    return with_operation(type, operation, [&](auto element, auto operate) {
        using T  = decltype(element);
        using Op = decltype(operate);
        // Of tiles where the order matters, else of pieces.
        const uint64_t size  = piece_size(type);
        const uint64_t range = Op::depends_on_order && count > 0 ? uint64_t{1} << log2_tile_of<T>(count) : size;
        std::vector<T> totals((count + range - 1) / range, Op::identity());
        for_pieces(type, load, count, [&](uint32_t piece, const uint32_t* words, uint32_t length) {
            const auto load_one = [=](uint64_t i) { return element_at<T>(words, i); };
            for (uint64_t first = 0; first < length; first += range) {
                T&         total   = totals[(piece * size + first) / range];
                const auto members = static_cast<uint32_t>(std::min(range, length - first));
                if constexpr (Op::depends_on_order) {
                    total = reduce_tile<Op>(load_one, first, members);
                } else {
                    for (uint64_t i = 0; i < members; ++i) total = operate(total, load_one(first + i));
                }
            }
        });
        T total = Op::identity();
        if constexpr (Op::depends_on_order) {
            if (count > 0) total = as_stored(fold_tiles<Op>(std::move(totals)));
        } else {
            for (const T& one : totals) total = operate(total, one);
        }
        std::vector<uint32_t> words(words_of_type<T>);
        put_element(words.data(), 0, total);
        return words;
    });
}

std::vector<uint32_t> reference_reduce(const ElementCase& element_case, const LoadElements& load, uint64_t count) {
    const auto load_wide = [&](uint64_t begin, uint32_t length, uint32_t* words) {
        load(begin, length, words);
        widen_words(element_case.type, length, words);
    };
    return reference_reduce(result_type(element_case), element_case.operation,
                            element_case.wide ? LoadElements(load_wide) : load, count);
}

void reference_scan(const Scan::Desc& desc, const LoadElements& load, uint64_t count, const TakeElements& take) {
    const uint64_t        size = piece_size(desc.type);
    const uint32_t        each = words_in(desc.type);
    std::vector<uint32_t> totals(count / size * each); // of whole groups
    for_pieces(desc.type, load, count / size * size, [&](uint32_t piece, const uint32_t* words, uint32_t length) {
        with_operation(desc.type, desc.operation, [&](auto element, auto operate) {
            using T  = decltype(element);
            using Op = decltype(operate);
            T total  = Op::identity();
            if constexpr (Op::depends_on_order) {
                total = group_total<Op>(reinterpret_cast<const T*>(words), length);
            } else {
                for (uint64_t i = 0; i < length; ++i) total = operate(total, element_at<T>(words, i));
            }
            put_element(totals.data(), piece, total);
        });
    });
    for_pieces(desc.type, load, count, [&](uint32_t piece, const uint32_t* words, uint32_t length) {
        const std::vector<uint32_t> before(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(piece) * each);
        std::vector<uint32_t>       outputs(uint64_t{length} * each);
        reference_scan_behind(before, desc, words, outputs.data(), length);
        take(piece * size, length, outputs.data());
    });
}

namespace {

// Bins by the definitions in vkprim/histogram.h; desc.bins where a sample is in none.

/// In 64-bit integers, with a division.
struct IntegerBins {
    int64_t  lower, upper;
    uint32_t bins;

    explicit IntegerBins(const Histogram::Desc& desc)
        : lower(static_cast<int64_t>(desc.lower)), upper(static_cast<int64_t>(desc.upper)), bins(desc.bins) {}

    uint32_t bin_of(int64_t x) const {
        if (x < lower || x >= upper) return bins;
        return static_cast<uint32_t>(static_cast<uint64_t>(x - lower) * bins / static_cast<uint64_t>(upper - lower));
    }
};

/// By the edges. Where to look first does not matter to the result.
template <class Number>
struct FloatBins {
    std::vector<Number> edges;
    double              bins_per_unit;

    explicit FloatBins(const Histogram::Desc& desc) : edges(desc.bins + 1) {
        const BinEdges<Number> all(desc);
        for (uint32_t k = 0; k <= desc.bins; ++k) edges[k] = all[k];
        bins_per_unit = desc.bins / (static_cast<double>(all.upper) - static_cast<double>(all.lower));
    }

    uint32_t bin_of(Number x) const {
        const auto bins = static_cast<uint32_t>(edges.size() - 1);
        if (!(x >= edges.front() && x < edges.back())) return bins;
        const double place = (static_cast<double>(x) - static_cast<double>(edges.front())) * bins_per_unit;
        auto         bin   = static_cast<uint32_t>(std::min(place, bins - 1.0));
        while (x < edges[bin]) --bin;
        while (x >= edges[bin + 1]) ++bin;
        return bin;
    }
};

/// The bin of ascending levels.
template <class Number>
uint32_t bin_of_levels(const std::vector<Number>& levels, Number x) {
    const auto bins  = static_cast<uint32_t>(levels.size() - 1);
    const auto above = std::upper_bound(levels.begin(), levels.end(), x);
    if (!(x == x) || above == levels.begin() || above == levels.end()) return bins;
    return static_cast<uint32_t>(above - levels.begin() - 1);
}

/// `Number`: what the definition compares, in bins of equal width as `Bins` has them. `Level`: how a level lies in memory.
template <class Sample, class Number, class Level, class Bins>
std::vector<uint32_t> count_samples(const Histogram::Desc& desc, const HistogramInput& input, uint32_t count) {
    const uint32_t        channels = desc.counted_channels > 0 ? desc.counted_channels : desc.channels;
    std::vector<uint64_t> counts(uint64_t{channels} * desc.bins);
    std::vector<Number>   levels;
    for (uint32_t l = 0; desc.levels && l <= desc.bins; ++l) {
        Level level;
        std::memcpy(&level, static_cast<const uint8_t*>(input.levels) + l * sizeof level, sizeof level);
        levels.push_back(static_cast<Number>(level));
    }
    const Bins equal_bins(desc.levels ? Histogram::Desc{} : desc);
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t channel = i % desc.channels;
        if (channel >= channels) continue;
        Sample sample;
        std::memcpy(&sample, static_cast<const uint8_t*>(input.samples) + i * sizeof sample, sizeof sample);
        const auto     x   = static_cast<Number>(sample);
        const uint32_t bin = desc.levels ? bin_of_levels(levels, x) : equal_bins.bin_of(x);
        if (bin == desc.bins) continue;
        uint32_t weight = 1;
        if (desc.weights != Weights::none) {
            std::memcpy(&weight, static_cast<const uint8_t*>(input.weights) + i / desc.channels * 4, 4);
        }
        const bool     negative = desc.weights == Weights::i32 && weight > 0x7fffffffu;
        const uint64_t added    = (negative ? 0xffffffff00000000u : 0) | weight;
        counts[channel * desc.bins + bin] += added;
    }
    std::vector<uint32_t> words;
    for (const uint64_t sum : counts) {
        words.push_back(static_cast<uint32_t>(sum));
        if (desc.wide) words.push_back(static_cast<uint32_t>(sum >> 32));
    }
    return words;
}

} // namespace

std::vector<uint32_t> reference_histogram(const Histogram::Desc& desc, const HistogramInput& input, uint32_t count) {
    switch (desc.type) {
        case SampleType::u8: return count_samples<uint8_t, int64_t, uint32_t, IntegerBins>(desc, input, count);
        case SampleType::u16: return count_samples<uint16_t, int64_t, uint32_t, IntegerBins>(desc, input, count);
        case SampleType::u32: return count_samples<uint32_t, int64_t, uint32_t, IntegerBins>(desc, input, count);
        case SampleType::i32: return count_samples<int32_t, int64_t, int32_t, IntegerBins>(desc, input, count);
        case SampleType::f32: return count_samples<float, float, float, FloatBins<float>>(desc, input, count);
        case SampleType::f64: return count_samples<double, double, double, FloatBins<double>>(desc, input, count);
    }
    return {};
}

namespace {

/// The place of a key in the order of its type, as an unsigned number, from its bits. Of floats, NaN is last.
uint64_t sort_order(ElementType type, uint64_t bits) {
    const uint64_t sign = uint64_t{1} << (8 * input_size(type) - 1), all = sign | (sign - 1);
    uint64_t       infinity = 0;
    switch (type) {
        case ElementType::u8:
        case ElementType::u16:
        case ElementType::u32:
        case ElementType::u64: return bits;
        case ElementType::i8:
        case ElementType::i16:
        case ElementType::i32:
        case ElementType::i64: return bits ^ sign;
        case ElementType::f16: infinity = 0x7c00; break;
        case ElementType::f32: infinity = 0x7f800000; break;
        case ElementType::f64: infinity = 0x7ff0000000000000; break;
    }
    const uint64_t nans = all - sign - infinity;
    if ((bits & sign) == 0) return bits + sign - nans;
    const uint64_t order = all - bits; // of negative ones: NaN, -infinity, and up to -0
    return order < nans ? order + all - nans + 1 : order - nans;
}

struct OrderedPlace {
    uint64_t order = 0;
    uint32_t place = 0;
    bool     operator<(const OrderedPlace& other) const { return order < other.order; }
};

/// std::stable_sort of orders below 2^bits: parted by their highest byte, and then each part on a processor of its own.
void sort_in_parts(std::vector<OrderedPlace>& places, uint32_t bits) {
    const uint32_t          shift = (bits - 1) / 8 * 8;
    std::array<size_t, 257> begins{};
    for (const OrderedPlace& place : places) ++begins[(place.order >> shift) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<OrderedPlace> parted(places.size());
    std::array<size_t, 257>   next = begins;
    for (const OrderedPlace& place : places) parted[next[place.order >> shift]++] = place;
    on_all_processors(256, [&](uint32_t part) {
        const auto begin = parted.begin() + static_cast<std::ptrdiff_t>(begins[part]);
        const auto end   = parted.begin() + static_cast<std::ptrdiff_t>(begins[part + 1]);
        if (!std::is_sorted(begin, end)) std::stable_sort(begin, end);
    });
    places.swap(parted);
}

/// How many bits of a key are compared.
uint32_t sorted_bits(const Sort::Desc& desc, uint32_t begin_bit, uint32_t end_bit) {
    return (end_bit == 0 ? 8 * input_size(desc.key) : end_bit) - begin_bit;
}

} // namespace

uint64_t sort_order(const Sort::Desc& desc, uint64_t key, uint32_t begin_bit, uint32_t end_bit) {
    const uint32_t bits  = sorted_bits(desc, begin_bit, end_bit);
    uint64_t       order = sort_order(desc.key, key) >> begin_bit;
    if (desc.descending) order = ~order;
    return bits < 64 ? order & ((uint64_t{1} << bits) - 1) : order;
}

std::vector<uint32_t> reference_sort(const Sort::Desc& desc, const void* keys, uint32_t count, uint32_t begin_bit,
                                     uint32_t end_bit) {
    const uint32_t            size = input_size(desc.key);
    std::vector<OrderedPlace> ordered(count);
    for_all(count, [&](uint64_t i) {
        uint64_t key = 0;
        std::memcpy(&key, static_cast<const uint8_t*>(keys) + i * size, size);
        ordered[i] = {sort_order(desc, key, begin_bit, end_bit), static_cast<uint32_t>(i)};
    });
    if (count > 1u << 20) {
        sort_in_parts(ordered, sorted_bits(desc, begin_bit, end_bit));
    } else {
        std::stable_sort(ordered.begin(), ordered.end());
    }
    std::vector<uint32_t> places(count);
    for_all(count, [&](uint64_t i) { places[i] = ordered[i].place; });
    return places;
}

} // namespace vkprim::harness
