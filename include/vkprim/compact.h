// Stream compaction: what is to be kept, packed, in order.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

#include <memory>

namespace vkprim {

/// The type of what decides: flags of one byte, or any element.
enum class KeyType : uint32_t { u8, u32, i32, f32 };

/// Keeps element i where key i is as Desc::keep says:
///
///     output[0 .. kept)  the kept elements, or their indices, in their order
///     kept[0]            how many
///
/// Elements are any 32 bits. What lies behind the kept ones in `output` stays as it was. A float key of -0 is +0, and NaN lies
/// outside every range. Exact on every device. One dispatch, if Desc::waits; keys are read once, elements at most once.
class VKPRIM_API Compact {
public:
    enum class Keep : uint32_t {
        nonzero, ///< key != 0: flags
        inside,  ///< lower <= key <= upper, as Args have them; no key where one of these is NaN
        outside, ///< all others
    };

    /// What goes to the output.
    enum class Copy : uint32_t {
        keys,     ///< the keys themselves, which are elements then; not u8
        elements, ///< those at Args::elements
        indices,  ///< the elements' numbers, as u32
    };

    struct Desc {
        KeyType key  = KeyType::u8;
        Keep    keep = Keep::nonzero;
        Copy    copy = Copy::elements;

        bool waits = true; ///< as in Scan::Desc: whether a workgroup may wait for others, for a bounded time
        bool aligned =
            false; ///< likewise a promise: elements, and keys of 4 bytes, at multiples of 16; other keys, of 4

        /// Whether the indices go out as well, to Args::indices, in the same order; with elements or keys. (Keys and elements do not go
        /// together: some devices have too few registers.)
        bool also_indices = false;

        /// If set: a predicate of your own, which says by an element's number whether it is kept (vkprim/glsl/predicate.glsl). Then there
        /// are no keys: `key` and `keep` are not looked at, and keys cannot be copied. Read during create() only.
        const OwnOperation* own = nullptr;
    };

    struct Args {
        VkDeviceAddress keys          = 0; ///< read: count keys, key-aligned; not with Desc::own
        VkDeviceAddress elements      = 0; ///< read: count elements, 4-byte aligned; only where they are copied
        VkDeviceAddress output        = 0; ///< written: what is kept, 4-byte aligned; must not overlap keys or elements
        VkDeviceAddress kept          = 0; ///< written: a uint32; not where keys, elements or count_address are
        VkDeviceAddress scratch       = 0; ///< scratch_size(count) bytes, 16-byte aligned; zero-filled once
        uint32_t        count         = 0; ///< keys; with count_address, an upper bound; of 0, `kept` is 0
        VkDeviceAddress count_address = 0; ///< if set: of a uint32 to use instead, at most `count`; nobody writes to it
        double          lower = 0, upper = 0; ///< of Keep::inside and outside; floats as the nearest f32
        Part            part       = {};      ///< which part of it to record, where it is recorded in several
        Indirect        indirect   = {};      ///< if set, with count_address: where the grid lies. In one part only
        Parameters      parameters = {};      ///< for the code of Desc::own

        VkDeviceAddress indices = 0; ///< with Desc::also_indices, written as `output` is; apart from all else
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where Desc asks for keys of u8 as
    /// elements or for indices twice, or where the driver rejects a pipeline.
    static Result<Compact> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs, about count / 300 from 2^22 on; never shrinks as count grows.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// Of record() with these `args`: for IndirectCommand, which makes Args::indirect of it.
    Grid grid(const Args& args) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the compaction to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    Compact(Compact&&) noexcept;
    Compact& operator=(Compact&&) noexcept;
    ~Compact();

private:
    struct Plan;
    explicit Compact(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
