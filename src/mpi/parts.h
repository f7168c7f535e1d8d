// Which elements of the array a rank has, and which it computes with.
#pragma once

#include <vkprim/chunks.h>

#include <cstdint>
#include <vector>

namespace vkprim::mpi {

/// Elements of the array, from number `begin` to number `end` - 1.
struct Range {
    uint64_t begin = 0, end = 0;

    uint64_t count() const { return end - begin; }
};

/// A rank's part. Groups of chunk_step elements that lie in it as a whole are its body. Of a group that goes on in other ranks' parts, the
/// rank that has its first element computes all: it is that rank's tail, and its elements are the heads of the others.
struct RankPart {
    Range own;             ///< what the rank has; `head`, `body` and its share of `tail` are all of it
    Range head;            ///< of a group that begins in another rank's part
    int   head_owner = -1; ///< that rank; -1 without a head
    Range body;            ///< whole groups, and the array's end
    Range tail;            ///< a group that begins here and ends in another rank's part: also those elements
};

/// Of each rank, from how many elements each has.
std::vector<RankPart> parts_of(const std::vector<uint64_t>& counts);

/// What a rank with this part computes with: its body in pieces, and then its tail.
std::vector<Chunk> chunks_of(const RankPart& part);

} // namespace vkprim::mpi
