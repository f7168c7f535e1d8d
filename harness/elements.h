// Element types and operations as the subjects walk through them, and inputs for them.
#pragma once

#include "harness.h"

#include <optional>
#include <vector>

namespace vkprim::harness {

struct ElementCase {
    ElementType type;
    Operation   operation;
    bool        wide = false; ///< Reduce::Desc::wide
};

/// Every type with every operation that it has: those of reduce, or of them those of scan.
const std::vector<ElementCase>& element_cases();
const std::vector<ElementCase>& scan_cases();

/// Those of reduce, and after them the same with `wide` where that may be set.
const std::vector<ElementCase>& reduce_cases();

/// Those that are tried with elements apart from each other: every shader that is for that.
const std::vector<ElementCase>& strided_cases();

/// Whether the device can do it.
bool runs_on(const runtime::Device& device, const ElementCase& element_case);

/// Whether elements and keys of 1 and 2 bytes can be read there, and its profile lets them.
bool has_bytes(const runtime::Device& device);

/// Whether an extent has it: `quick` all but those operations of i32 that are the same as u32's, but for add, and of elements of 8 bytes
/// sums, and each order once; `pairs` a few of each type.
bool is_in(Extent extent, const ElementCase& element_case);

/// Its way through the shaders of elements: the kind of elements.
std::string way_of(const ElementCase& element_case);

/// What the quick extent has of such a group. Operations differ in a function alone, types of equal size in their comparisons.
Cover quick_cover(const ElementCase& element_case);

/// Of 32 bits, in an element as it is computed and as outputs have it.
uint32_t words_in(ElementType type);

/// Bytes of an element in the input.
uint32_t input_size(ElementType type);

/// Bytes of what a reduction writes, and its alignment.
uint32_t result_size(const ElementCase& element_case);
uint32_t result_align(const ElementCase& element_case);

/// The type of what a reduction computes.
ElementType result_type(const ElementCase& element_case);

/// Makes the words of `count` elements, which are integers of one word, those of their wide_type(): two of each.
void widen_words(ElementType type, uint32_t count, uint32_t* words);

bool        is_float(ElementType type);
std::string name_of(ElementType type);
std::string name_of(Operation operation);
std::string name_of(const ElementCase& element_case);   ///< "i32 wide add"
Format      format_of(ElementType type);                ///< of outputs
Format      format_of(const ElementCase& element_case); ///< of what a reduction writes

// Elements as words of 32 bits, words_in(type) for each, of output_type(type).

/// Random elements. Integers from the whole range. Floats such that sums and products of any subset of neighbours
/// stay in the range of normal numbers, which is what the library promises the same bits for.
std::vector<uint32_t> random_elements(const ElementCase& element_case, uint32_t count, Random random);

/// Few distinct values, with what is special: zeros of both signs, infinities, NaN, extremes; denormals for floats where the operation
/// chooses() one.
std::vector<uint32_t> special_elements(const ElementCase& element_case, uint32_t count, Random random);

/// min, max, argmin and argmax.
bool chooses(Operation operation);

/// NaN of a float type, but for number `infinity_at`, if there is one: the infinity that loses against all numbers.
std::vector<uint32_t> nan_elements(const ElementCase& element_case, uint32_t count, uint32_t infinity_at);

/// The same as they lie in the input, and back.
Bytes                 input_of(ElementType type, const std::vector<uint32_t>& elements);
std::vector<uint32_t> elements_in(ElementType type, const void* input, uint32_t count);

/// Elements of 4 bytes that lie `stride` bytes apart, with something else in between.
Bytes spread(const std::vector<uint32_t>& elements, uint32_t stride);

/// IEEE 754's binary16; every one of them is a float.
float float_of_half(uint16_t bits);

/// Elements of any kind as the input's bytes. Plain floats are chosen so that no result leaves the range of normal numbers.
Bytes elements_of(const ElementCase& element_case, uint32_t count, Data data, Random random);

/// Reads "f32 add".
std::optional<ElementCase> read_element_case(const std::string& type, const std::string& operation);

/// Reads the name of a case of reduce.
std::optional<ElementCase> read_reduce_case(const std::string& name);

/// What `element_case` may be replaced by in search of a simpler one, the simplest first.
std::vector<ElementCase> simpler_element_cases(const ElementCase& element_case);

/// Writes element `index`: the first `size` bytes of `bits`, little-endian.
void put(Bytes& bytes, uint64_t index, uint32_t bits, uint32_t size);

/// The same words as bytes.
Bytes bytes_of(const std::vector<uint32_t>& words);

/// The words of a text, between spaces.
std::vector<std::string> words_of(const std::string& text);

/// random_elements() from a fixed seed as the input's bytes, for benchmarks.
std::shared_ptr<const Bytes> random_bytes(const ElementCase& element_case, uint32_t count);

} // namespace vkprim::harness
