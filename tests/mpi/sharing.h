// What the tests of vkprim::mpi share: ways to share an array out to the ranks, and a rank's share on its device.
#pragma once

#include <vkprim/mpi.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../../harness/elements.h"
#include "../support/catch.h"
#include "../support/test_device.h"

namespace vkprim::tests {

int rank_here();
int rank_count();

/// How many elements of an array each rank has.
struct Sharing {
    std::string           name;
    std::vector<uint64_t> counts;

    uint64_t whole() const;
    uint64_t count() const { return counts[static_cast<size_t>(rank_here())]; }
    uint64_t begin() const; ///< number of this rank's first element
};

/// Arrays of up to three groups of chunk_step elements and some: at whole groups, anywhere, with several ranks in one group, with ranks that
/// have nothing.
std::vector<Sharing> sharings();

/// This rank's share of an array's bytes, in a buffer, behind `guard` bytes and before as many.
class OnDevice {
public:
    static constexpr VkDeviceSize guard = 64;

    /// With the share of `whole`, or with `size` bytes of any content.
    OnDevice(const Sharing& sharing, const std::vector<uint8_t>& whole, uint32_t element_size);
    explicit OnDevice(VkDeviceSize size);

    mpi::Place place() const { return {&buffer_, guard}; }

    /// Its bytes. Checks that nothing has been written around them.
    std::vector<uint8_t> bytes() const;

private:
    VkDeviceSize    size_ = 0;
    runtime::Buffer buffer_;
};

/// This rank's share of the bytes.
std::vector<uint8_t> share_of(const Sharing& sharing, const std::vector<uint8_t>& whole, uint32_t element_size);

/// The object, where all is well.
template <class T>
T must(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().reason);
    return std::move(*result);
}

/// Empty where all is well.
std::string reason_of(const Result<void>& result);

} // namespace vkprim::tests
