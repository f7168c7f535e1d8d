// Whether a peer's result is right. Knows neither CUDA nor Vulkan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::peers {

using Bytes = std::vector<uint8_t>;

/// Integers: what differs from `expected` first; empty where nothing does.
std::string compare_words(const Bytes& expected, const Bytes& got);

/// What is kept of a compaction: `expected` begins with how many, `got` ends with that, and holds anything between.
std::string compare_selected(const Bytes& expected, const Bytes& got);

/// The same of a partition: behind what is kept, `expected` has all others, and `got` too, from the last to the first.
std::string compare_partition(const Bytes& expected, const Bytes& got);

/// The same of runs: `expected` has the runs' keys and then their offsets; `got` in its first half keys, in the other lengths.
std::string compare_runs(const Bytes& expected, const Bytes& got);

/// The same with a word for each run, which must be equal.
std::string compare_by_key(const Bytes& expected, const Bytes& got);

/// Sums of T, float or double, in an order that nobody promises: what is too far from the sum in a wider type, first; else empty.
/// Too far is more than 2^-14 times the root of the sum of the squares of what was added, of doubles 2^-43. For elements of random
/// signs, whose partial sums grow like that root, that allows a chain of some 2^19 additions, far more than CUB's have; a sum
/// that misses one block of elements, or has it twice, is out by a multiple of it.
template <class T>
std::string compare_sum(const Bytes& input, const Bytes& got);
template <class T>
std::string compare_exclusive_sums(const Bytes& input, const Bytes& got);

/// Likewise a sum of floats for each row of `row` elements, or, where that is 0, for each segment of an input that begins with how many
/// there are (cub_peer.h, segmented_offsets_add_f32).
std::string compare_segmented_sums(const Bytes& input, uint32_t row, const Bytes& got);

} // namespace vkprim::peers
