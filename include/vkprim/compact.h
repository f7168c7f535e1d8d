// Stream compaction: the elements that are kept, packed, in order.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

#include <memory>

namespace vkprim {

/// The type of the keys, which decide what is kept: flags of one byte, or elements of 4 bytes. u64 stands for any 8 bytes, such as i64 and
/// f64, and is for Keep::run_heads alone.
enum class KeyType : uint32_t { u8, u32, i32, f32, u64 };

/// Keeps element i where key i satisfies Desc::keep:
///
///     output[0 .. kept)  the kept elements, or their indices, in their order
///     kept[0]            how many
///
/// Elements are any 32 bits. Nothing is written past the last element of an output, except the count of Desc::indices_end. A float key of
/// -0 equals +0, except for Keep::run_heads, and NaN lies outside every range. Exact on every device. No keys need 64-bit integers there.
/// Where workgroups wait (Desc::waits), one dispatch reads each key once, for Keep::run_heads one in four twice, or one in two of 8 bytes;
/// otherwise up to four dispatches read keys twice. Each element is read at most once.
class VKPRIM_API Compact {
public:
    enum class Keep : uint32_t {
        nonzero,   ///< key != 0: flags
        inside,    ///< lower <= key <= upper, of Args; no key where a bound is NaN
        outside,   ///< all keys that are not inside
        run_heads, ///< the first of each run of keys with equal bits, so -0 differs from +0; not for KeyType::u8
    };

    /// What goes to the output.
    enum class Copy : uint32_t {
        keys,     ///< the keys, which are the elements then; not of u8; of u64, 8 bytes each
        elements, ///< those at Args::elements
        indices,  ///< the indices of the elements, as u32
    };

    /// How the input is cut into segments.
    enum class Segments : uint32_t {
        none,
        offsets, ///< segment s begins at element offsets[s]
        rows,    ///< segment s begins at element s * row_length
    };

    struct Desc {
        KeyType key  = KeyType::u8;
        Keep    keep = Keep::nonzero;
        Copy    copy = Copy::elements;

        bool waits = true; ///< as in Scan::Desc: whether a workgroup may wait for others, for a bounded time
        bool aligned =
            false; ///< also as there: elements, and keys of 4 and 8 bytes, are at multiples of 16; keys of u8, of 4

        /// Whether the indices are written as well, to Args::indices, in the same order; for Copy::elements and Copy::keys. (Keys and
        /// elements cannot both be written: some devices have too few registers.)
        bool also_indices = false;

        /// Whether the elements that are not kept are written as well, to Args::rejected, packed and in order. There are
        /// (count - kept[0]) of them. This is a stable partition. With Copy::keys or Copy::indices, their keys or indices are written.
        bool also_rejected = false;

        /// Whether the rejected elements are divided, for Keep::inside with also_rejected: those with keys below Args::lower go to
        /// Args::rejected, and all others, NaN included, to Args::above. Then `kept` has two words: kept[0] elements lie inside, kept[1]
        /// below, and so (count - kept[0] - kept[1]) above. This is a stable partition in three, still in one dispatch. Not with `own` or
        /// `segments`, nor with also_indices, for which some devices have too few registers.
        bool also_above = false;

        /// Whether the count is written as one more word after the last index, so the indices need room for up to count + 1 words. For
        /// Copy::indices, or with also_indices. The indices of Keep::run_heads are then segment offsets, as SegmentedReduce takes them.
        bool indices_end = false;

        /// How the input is cut into segments. If it is, Args::kept says how many elements are kept ahead of each:
        ///
        ///     kept[s]         how many ahead of the first element of segment s
        ///     kept[segments]  how many of all
        ///
        /// So what is kept of segment s is output[kept[s]] to output[kept[s + 1] - 1]: these are the offsets of the output. Still one
        /// dispatch. Not for Keep::run_heads, whose runs do not end where segments do; nor with both also_rejected and also_indices, for
        /// which some devices have too few registers.
        Segments segments = Segments::none;

        /// If set: a predicate of your own, which says of an index whether its element is kept (vkprim/glsl/predicate.glsl). Then there
        /// are no keys: `key` and `keep` are ignored, and keys cannot be copied. Read during create() only.
        const OwnOperation* own = nullptr;
    };

    struct Args {
        VkDeviceAddress keys     = 0; ///< read: count keys, key-aligned; not with Desc::own
        VkDeviceAddress elements = 0; ///< read: count elements, 4-byte aligned; with Copy::elements
        VkDeviceAddress output   = 0; ///< written: what is kept, 4-byte aligned; must not overlap anything else in Args
        VkDeviceAddress kept =
            0; ///< written: a uint32; segments + 1 with Desc::segments; 2 with also_above; as `output`
        VkDeviceAddress scratch       = 0; ///< scratch_size(count) bytes, 16-byte aligned; zero-filled once
        uint32_t        count         = 0; ///< keys; with count_address, an upper bound; for 0, `kept` is 0
        VkDeviceAddress count_address = 0; ///< if set: a uint32 on the GPU, used instead of `count` and at most `count`
        double          lower = 0, upper = 0; ///< of Keep::inside and outside; for f32 keys, the nearest f32
        Part            part       = {};      ///< which part of the operation to record
        Indirect        indirect   = {};      ///< if set: the grid, for an operation with count_address and of one part
        Parameters      parameters = {};      ///< for the code of Desc::own

        VkDeviceAddress indices  = 0; ///< written, with Desc::also_indices: like `output`; must not overlap anything
        VkDeviceAddress rejected = 0; ///< written, with Desc::also_rejected: likewise
        VkDeviceAddress above    = 0; ///< written, with Desc::also_above: likewise

        uint32_t segments =
            0; ///< with Desc::segments: at most 2^32 - 1025, on CPU drivers 2^23; with segments_address, an upper bound
        VkDeviceAddress segments_address =
            0; ///< if set: a uint32 on the GPU, used instead of `segments` and at most that; not with Desc::own

        /// Read, for Segments::offsets: `segments` unsigned integers of `offset_size` bytes, 4-byte aligned, in non-descending order. The
        /// last segment ends at the count, so offsets[segments], which SegmentedReduce reads, is not read here. An offset above the count
        /// is taken as the count. If offsets descend, all words of `kept` but the last are undefined, but nothing outside of the ranges
        /// in Args is read or written.
        VkDeviceAddress offsets     = 0;
        uint32_t        offset_size = 4; ///< 4 or 8

        uint32_t row_length = 0; ///< for Segments::rows: elements of a row; the last ends at the count; rows beyond it are empty
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h), where the driver rejects a pipeline, or where Desc
    /// asks for a copy of u8 keys, for runs of u8 keys, for anything but runs of u64 keys, for indices twice, for the end of indices that
    /// are not written, for segments with Keep::run_heads, or with both also_rejected and also_indices, or for also_above without
    /// Keep::inside and also_rejected, or with own, segments or also_indices.
    static Result<Compact> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs; never shrinks as count grows. From 2^22 on: about count / 340 on NVIDIA GPUs and CPUs,
    /// count / 170 on other devices; twice as much for keys of u64, and with Desc::also_above.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// The grid of record() with these `args`. IndirectCommand makes Args::indirect of it.
    Grid grid(const Args& args) const;

    /// Says what is wrong with `args`, if anything: "Checks" in core.h.
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
