// What is right of operations whose bits are not the same everywhere.
#pragma once

#include "harness.h"

namespace vkprim::harness {

/// What is wrong with the moments in `got`, if anything: count, mean and M2, each a float. They are not compared bit by bit, since Vulkan
/// lets a division be 2.5 units in the last place off. A reduction of 2^32 elements is some 100 merges deep, each a few roundings and a
/// division. So the mean may be out by 2^-14 of the root mean square, M2 by 2^-14 of the sum of squares, the count by 2^-14 of itself.
std::string moments_differ(const Bytes& expected, const Bytes& got);

} // namespace vkprim::harness
