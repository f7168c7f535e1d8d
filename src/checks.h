// Finds on the host what is wrong with the Args of an operation. A check that passes allocates nothing.
#pragma once

#include "recorder.h"

#include <initializer_list>
#include <optional>

namespace vkprim {

/// Memory that Args name.
struct MemoryRange {
    const char*     name      = ""; ///< "input"
    VkDeviceAddress address   = 0;
    VkDeviceSize    size      = 0; ///< bytes, as far as the host knows; of none, the address may be null
    uint32_t        alignment = 4;
};

inline MemoryRange scratch_range(VkDeviceAddress address, VkDeviceSize size) { return {"scratch", address, size, 16}; }
inline MemoryRange count_range(VkDeviceAddress address, const char* name = "count_address") {
    return {name, address, address ? 4u : 0u, 4};
}

/// How many of `count` elements exist for certain: with a count in GPU memory, only the first.
template <class Args>
VkDeviceSize sure_count(const Args& args) {
    return args.count_address ? std::min(args.count, 1u) : args.count;
}

/// Finds the first thing that is wrong.
class Checks {
public:
    explicit Checks(const char* primitive) : primitive_(primitive) {}

    /// Checks that ranges are not null, are aligned, and do not wrap around.
    void memory(std::initializer_list<MemoryRange> ranges);

    /// Checks that `written` shares no byte with any of `others`.
    void apart(const MemoryRange& written, std::initializer_list<MemoryRange> others);

    void part(const Part& part);

    /// Checks that there is a stride if one is needed, and that it is a multiple of a word.
    void stride(uint32_t stride, bool wanted);

    /// Checks that the dispatch of the part has no more rows than the device's grid.
    void grid(uint32_t count, const Share& workgroups, const CoreDevice& device);

    /// Checks that `indirect` comes with what it needs.
    template <class Args>
    void indirect(const Args& args) {
        if (!args.indirect.buffer) return;
        if constexpr (has_part<Args>(0)) {
            indirect(args.indirect, args.count_address, args.part);
        } else {
            indirect(args.indirect, args.count_address, {});
        }
    }

    /// Reports any other fault.
    void fail(const std::string& reason);

    Result<void> result() const { return error_ ? Result<void>(*error_) : Result<void>(); }

private:
    template <class Args>
    static constexpr auto has_part(int) -> decltype(&Args::part, true) {
        return true;
    }
    template <class>
    static constexpr bool has_part(long) {
        return false;
    }

    void indirect(const Indirect& indirect, VkDeviceAddress count_address, const Part& part);

    const char*          primitive_;
    std::optional<Error> error_;
};

/// In builds with assertions, ends the program if validate() finds something.
template <class Primitive, class Args>
void assert_valid([[maybe_unused]] const Primitive& primitive, [[maybe_unused]] const Args& args) {
#ifndef NDEBUG
    if (const Result<void> valid = primitive.validate(args); !valid) give_up("vkprim: " + valid.error().reason);
#endif
}

} // namespace vkprim
