// The one place where elements go from rank to rank: those of groups of chunk_step elements in which ranks' parts meet.
#pragma once

#include <vector>

#include "memory.h"
#include "parts.h"
#include "ranks.h"

namespace vkprim::mpi {

/// What Reduce and Scan share on a rank: where the chunks lie with which it computes.
class Borders {
public:
    /// A chunk, and where its elements lie on the device.
    struct Work {
        Chunk           chunk;
        VkDeviceAddress input = 0;
    };

    /// Collective. Moves the elements of heads to the ranks that own their groups, from device to host, through MPI, and to the device.
    /// `size`: bytes of an element.
    Result<void> gather(const Ranks& ranks, const runtime::Device& device, const Place& input, uint64_t count,
                        uint32_t size);

    uint64_t                     whole() const { return parts_.empty() ? 0 : parts_.back().own.end; }
    const RankPart&              part() const { return parts_[rank_]; }
    const std::vector<RankPart>& parts() const { return parts_; }
    std::vector<Work>            work() const; ///< of this rank, after gather()

    /// Where the outputs of a chunk are to be written: in `output`, or where scatter() takes those of the tail from. `size`: bytes of an
    /// output.
    Result<VkDeviceAddress> output_of(const Work& work, const runtime::Device& device, const Place& output,
                                      uint32_t size);

    /// Collective. Moves outputs of the tail back, in the same way.
    Result<void> scatter(const Ranks& ranks, const runtime::Device& device, const Place& output, uint32_t size);

private:
    /// The same on all ranks.
    int next_tag() { return tag_ = (tag_ + 1) % 32768; } // MPI's tags go up to 32767 at least

    std::vector<RankPart> parts_;
    size_t                rank_ = 0;
    Place                 input_;
    uint32_t              size_ = 0;
    int                   tag_  = 0; ///< of the last exchange
    runtime::Buffer       tail_input_, tail_output_;
};

} // namespace vkprim::mpi
