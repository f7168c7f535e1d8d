// Stream compaction: the elements that are kept, packed, in order.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>
#include <vkprim/segments.h>

namespace vkprim {

/// The type of the keys, which decide what is kept: flags of one byte, or elements of 4 bytes. u64 stands for any keys of 8 bytes, such as
/// i64 and f64, and is for Keep::run_heads alone.
enum class KeyType : uint32_t { u8, u32, i32, f32, u64 };

/// Keeps element i if key i satisfies Desc::keep:
///
///     output[0 .. kept)  the kept elements, or their indices, in the order of the input
///     kept[0]            the number of kept elements
///
/// Elements are any 32 bits. Nothing is written past the last element of an output, except the count of Desc::indices_end. A float key of
/// -0 equals +0, except for Keep::run_heads, and NaN lies outside every range. Exact on every device. Keys of 8 bytes do not need 64-bit
/// integers on the device. With Desc::waits, a compaction is one dispatch, which reads each key once; for Keep::run_heads, it reads one key
/// in four twice, or one in two if keys have 8 bytes. Otherwise it is up to four dispatches, which read keys twice. Each element is read at
/// most once.
class VKPRIM_API Compact {
public:
    enum class Keep : uint32_t {
        nonzero,   ///< key != 0: flags
        inside,    ///< lower <= key <= upper, of Args; no key where a bound is NaN
        outside,   ///< all keys that are not inside
        run_heads, ///< the first of each run of keys with equal bits, so -0 differs from +0; not for KeyType::u8
    };

    /// What is written of the elements that are kept. (No Copy writes both keys and elements: some devices have too few registers.)
    enum class Copy : uint32_t {
        keys,                 ///< to Args::output, the keys themselves; not for KeyType::u8; for u64, 8 bytes each
        elements,             ///< to Args::output, the elements at Args::elements
        indices,              ///< to Args::output, the indices of the elements, as u32
        keys_and_indices,     ///< keys to Args::output, and in the same order their indices to Args::indices
        elements_and_indices, ///< elements to Args::output, and in the same order their indices to Args::indices
    };

    /// What becomes of the elements that are not kept.
    enum class Rejected : uint32_t {
        dropped, ///< nothing
        /// They are written to Args::rejected, packed and in order: a stable partition. There are (count - kept[0]) of them. Of each, the same is
        /// written as Args::output gets of a kept one: its key, its element, or with Copy::indices its index.
        packed,
        /// For Keep::inside: those with keys below Args::lower are written to Args::rejected, and all others, NaN included, to Args::above.
        /// Then `kept` has two words: kept[0] elements lie inside, kept[1] below, and so (count - kept[0] - kept[1]) above. This is a stable
        /// partition in three, still in one dispatch.
        divided,
    };

    struct Desc {
        KeyType key  = KeyType::u8;
        Keep    keep = Keep::nonzero;
        Copy    copy = Copy::elements;

        bool waits = true; ///< as in Scan::Desc: whether a workgroup may wait for others, for a bounded time
        /// A promise about addresses: `elements` will be a multiple of 16, and so will `keys`, except that `keys` of u8 will be a multiple of 4.
        /// As in Scan::Desc, it saves pipelines.
        bool aligned = false;

        Rejected rejected = Rejected::dropped;

        /// Whether one more word follows the last index: the count of all elements, kept or not. So the indices need room for up to count + 1
        /// words. For a Copy with indices. The indices of Keep::run_heads are then segment offsets, as SegmentedReduce takes them.
        bool indices_end = false;

        /// How the input is divided into segments. If it is, Args::kept says where each segment's kept elements begin:
        ///
        ///     kept[s]               the number of elements kept before segment s
        ///     kept[segments.count]  the number of all kept elements
        ///
        /// So the kept elements of segment s are output[kept[s]] to output[kept[s + 1] - 1]: `kept` has the offsets of the segments in the
        /// output. Still one dispatch. Not for Keep::run_heads, whose runs do not end where segments do.
        SegmentLayout segments = SegmentLayout::none;

        /// If set: a predicate of your own, which says for each index whether its element is kept (vkprim/glsl/predicate.glsl). Then there
        /// are no keys: `key` and `keep` are ignored, and keys cannot be copied. Read during create() only.
        const OwnOperation* own = nullptr;
    };

    struct Args {
        VkDeviceAddress keys     = 0; ///< read: count keys, key-aligned; not with Desc::own
        VkDeviceAddress elements = 0; ///< read: count elements, 4-byte aligned; with a Copy of elements
        /// Written: the kept elements, 4-byte aligned; must not overlap anything else in Args. Unless you know a smaller bound, it needs
        /// room for `count` of them. So do `indices`, `rejected` and `above`.
        VkDeviceAddress output = 0;
        /// Written: a uint32; segments.count + 1 of them with Desc::segments; 2 with Rejected::divided; 4-byte
        /// aligned.
        VkDeviceAddress kept    = 0;
        VkDeviceAddress scratch = 0; ///< scratch_size(args) bytes, 16-byte aligned; zero-filled once
        uint32_t        count   = 0; ///< number of keys; with count_address, an upper bound; if it is 0, `kept` is 0
        /// If set: the address of a uint32; the count is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        double          lower = 0, upper = 0; ///< the range of Keep::inside and outside; rounded to f32 for f32 keys
        Part            part = {};            ///< which part of the operation to record
        Indirect indirect = {}; ///< if set: where the dispatch command lies; requires count_address and part.parts == 1
        Parameters parameters = {}; ///< for the code of Desc::own

        VkDeviceAddress indices =
            0; ///< written, with keys_and_indices and elements_and_indices: like `output`; must not overlap anything
        VkDeviceAddress rejected = 0; ///< written, with Rejected::packed and divided: as `indices`
        VkDeviceAddress above    = 0; ///< written, with Rejected::divided: as `indices`

        /// With Desc::segments, segments.count is at most 2^32 - 1025, on CPU drivers 2^23. If it is 0, kept[0] is the number of all kept
        /// elements. With Desc::own, segments.count_address must be 0.
        ///
        /// With SegmentLayout::offsets, the last segment ends at the count. So offsets[segments.count], which SegmentedReduce reads, is not
        /// read here. Offsets need to be 4-byte aligned only. If they descend, all words of `kept` but the last are undefined.
        ///
        /// With SegmentLayout::rows, `count` is the number of all keys, not that of one row, and rows are always contiguous. segments.pitch is
        /// the size of a row's keys in bytes; with Desc::own, which has no keys, it is 4 times the elements of a row. It must be set: if it is
        /// 0, the first row has all. The last row ends at the count; rows beyond it are empty.
        Segments segments = {};
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h), if the driver rejects a pipeline, or if Desc has a
    /// combination that does not exist:
    ///     KeyType::u8        with a Copy of keys, or Keep::run_heads
    ///     KeyType::u64       with any other Keep than run_heads
    ///     own                with a Copy of keys
    ///     indices_end        with a Copy without indices
    ///     segments           with Keep::run_heads
    ///     Rejected::packed   with both segments and keys_and_indices or elements_and_indices: some devices have too few registers
    ///     Rejected::divided  without Keep::inside, or with own, segments, keys_and_indices or elements_and_indices
    static Result<Compact> create(const Context& context, const Desc& desc);

    /// Bytes of scratch that record() needs. It depends on args.count alone, and never shrinks as that grows. For counts of 2^22 or more:
    /// about count / 340 bytes on NVIDIA GPUs, count / 170 bytes on other devices. Keys of u64 and Rejected::divided need twice as much.
    VkDeviceSize scratch_size(const Args& args) const;

    /// The grid of record() with these `args`. Pass it to IndirectCommand, which writes the command for Args::indirect.
    Grid grid(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the compaction to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Compact(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
