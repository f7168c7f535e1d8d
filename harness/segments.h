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
    gaps,   ///< few, and elements at both ends that are in none
};

/// The offsets of `count` elements that are cut so, into at most `most` segments.
Offsets offsets_of(Cut cut, uint32_t count, Random random, uint32_t most = UINT32_MAX);

} // namespace vkprim::harness
