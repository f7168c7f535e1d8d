// What the laws of an operation are tried with, and when two of its results are the same (`vkprim verify --operation`).
#pragma once

#include <cstdint>
#include <vector>

#include "values.h"

namespace vkprim::harness {

/// The words of an element.
struct ElementLayout {
    uint32_t          words = 0;
    std::vector<char> kinds = {}; ///< of each word: 'f' a float, 'i' signed, 'u' unsigned
};

/// What the floats of a trial were, to know what rounding may have done.
struct Floats {
    bool  finite = true, whole = true; ///< whole: numbers below 2^22, of which nothing is rounded
    float largest = 0;                 ///< magnitude

    void add(const ElementLayout& layout, const uint32_t* element);
};

/// Whether rounding alone may tell them apart: integers are equal, and floats that are not whole differ by at most 1/1024 of the largest.
bool is_same(const ElementLayout& layout, const uint32_t* one, const uint32_t* other, const Floats& floats);

/// To the bit, but for what devices may do as they like with: the sign of zero, and which NaN it is.
bool has_same_bits(const ElementLayout& layout, const uint32_t* one, const uint32_t* other);

/// A word of an element. `family`: 0 small whole numbers; 1 floats with a magnitude from 0.5 to 2, and integers up to 1000; 2 random bits, with
/// floats of a magnitude from 2^-10 to 2^11.
uint32_t random_word(char kind, uint32_t family, Random& random);

} // namespace vkprim::harness
