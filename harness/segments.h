// Segments between offsets, for primitives that take them.
#pragma once

#include "harness.h"

namespace vkprim::harness {

using Offsets = std::vector<uint64_t>;

/// How elements are cut into segments, which may leave some out at both ends.
enum class Cut {
    one,
    ones,
    few,    ///< 0 to 20 elements each
    middle, ///< up to 200
    many,   ///< up to 1500
    tiles,  ///< 1025 to 9000
    skewed, ///< most are short, and few are long: powers of two, each half as often as the one before
    empty,  ///< 3000 of no elements, on both sides of one of all
    first,  ///< one of half of them, and short ones
    half,   ///< of 16 each, but for one of half of all elements amid them
    gaps,   ///< few, and elements at both ends that are in none
};

/// The offsets of `count` elements that are cut so, into at most `most` segments.
Offsets offsets_of(Cut cut, uint32_t count, Random random, uint32_t most = UINT32_MAX);

/// Those of rows of `length`, as many as `count` elements make.
Offsets rows_of(uint32_t length, uint32_t count);

/// How segments lie in memory.
struct SegmentShape {
    uint32_t misalignment = 0;     ///< of elements and output
    uint32_t gap          = 0;     ///< of rows: elements between them
    bool     wide         = false; ///< offsets of 8 bytes
    bool     on_gpu       = false; ///< both counts
    uint32_t parts        = 1;
    uint32_t output_gap   = 0; ///< of rows that are written
    bool     in_place     = false;
};

/// How many segments there are, their offsets, and the elements, in one input.
struct SegmentInput {
    static constexpr uint64_t offsets_at = 16;

    Bytes    bytes;
    uint64_t elements_at = 0;
};

SegmentInput segment_input(const Offsets& offsets, const Bytes& elements, const SegmentShape& shape);

/// The elements as they lie in the input, rows of `length` apart from each other.
Bytes spread_rows(const Bytes& elements, uint32_t length, uint32_t gap, uint32_t size);

// Of random cases: segments between offsets that lie ahead of the elements. They do not depend on the count, so those behind it are empty.
// Or as many rows as the host knows, which leave out the last few elements.
constexpr uint32_t property_segments = 511; // with whose offsets the bytes ahead are a multiple of 64
constexpr uint32_t property_numbers  = 20;  // of which they are made

/// The segments of a random case.
struct PropertySegments {
    uint32_t number = 0; ///< of offsets
    uint32_t rows   = 0; ///< if any, instead

    uint32_t count() const { return rows > 0 ? rows : property_segments; }

    /// "4", or "rows=7".
    std::string name() const;

    /// Of so many elements. Between offsets, the first segment leaves out 3, and the last has all that are left.
    Offsets offsets(uint32_t count) const;

    /// What lies ahead of the elements: offsets, if any.
    Bytes ahead() const;

    SegmentLayout layout() const { return rows > 0 ? SegmentLayout::rows : SegmentLayout::offsets; }

    /// The Args of SegmentedReduce or SegmentedScan, of which ahead() are the last bytes ahead of the elements.
    template <class Primitive>
    typename Primitive::Args args(const Operands& operands) const {
        typename Primitive::Args args;
        args.input          = operands.input;
        args.output         = operands.output;
        args.scratch        = operands.scratch;
        args.part           = operands.part;
        args.count          = rows > 0 ? operands.count / rows : operands.count;
        args.count_address  = operands.count_address;
        args.segments.count = count();
        if (rows == 0) args.segments.offsets = operands.input - (property_segments + 1) * 4;
        return args;
    }
};

/// All of them, the simplest first.
const std::vector<PropertySegments>& all_property_segments();

} // namespace vkprim::harness
