// The sizes that a primitive asks for, where its Args are not there yet.
#pragma once

#include <vkprim/segments.h>

#include <type_traits>

namespace vkprim::harness {

/// What they depend on.
struct Sizes {
    uint32_t count = 0, segments = 1, longest = 0;

    Sizes(uint32_t count_, uint32_t segments_ = 1, uint32_t longest_ = 0)
        : count(count_), segments(segments_), longest(longest_) {}

    template <class Args>
    void put_into(Args& args) const {
        args.count = count;
        put_segments(args, 0);
    }

private:
    template <class Args>
    auto put_segments(Args& args, int) const -> decltype(args.segments, void()) {
        args.segments.count   = segments;
        args.segments.longest = longest;
    }
    template <class Args>
    void put_segments(Args&, long) const {}
};

template <class Primitive>
VkDeviceSize scratch_size_of(const Primitive& primitive, const Sizes& sizes) {
    typename Primitive::Args args;
    sizes.put_into(args);
    return primitive.scratch_size(args);
}

template <class Primitive>
VkDeviceSize temporary_size_of(const Primitive& primitive, const Sizes& sizes) {
    typename Primitive::Args args;
    sizes.put_into(args);
    return primitive.temporary_size(args);
}

} // namespace vkprim::harness
