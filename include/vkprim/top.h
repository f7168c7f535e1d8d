// The smallest or largest keys, in order and with their indices (top-k); or only the n-th key.
#pragma once

#include <vkprim/core.h>
#include <vkprim/segments.h>

namespace vkprim {

/// Finds the smallest or largest keys of each row of a matrix, in order, and their indices:
///
///     output_keys[row * wanted + j]     the key that sorting the row would put at j
///     output_indices[row * wanted + j]  its index in the row
///
/// for j below `wanted`, or below the number of keys if that is less; nothing else is written. The order is that of Sort: floats have a
/// total order in which NaN is the largest. Of equal keys, the one with the lowest index comes first, in either direction.
/// With Desc::nth, only the last of these keys is written, to output_keys[row] and output_indices[row]: the n-th element for n = `wanted`,
/// or the last element of a shorter row.
///
/// Exact on every device, with the same indices. Rows that fit into a workgroup (512 to 8192 keys of 4 bytes, depending on the device) take
/// one dispatch, and short ones share workgroups. Longer rows take one dispatch for each byte of a key, three more, and those of a sort of
/// the keys that were found; record() records the barriers between them. A row is read once for each byte of a key, and once more; those of
/// its parts that contain wanted keys are read again. If more keys of a row are wanted than fit into a workgroup, rows are sorted one after
/// the other. Desc::nth needs no sort. No workgroup waits for another.
class VKPRIM_API Top {
public:
    static constexpr uint32_t most_wanted = 1u << 20;

    struct Desc {
        ElementType key     = ElementType::f32; ///< any; 1 and 2 bytes need Features::storage_buffer_8bit_access
        bool        largest = false;            ///< the largest keys, descending; else the smallest, ascending
        bool        nth     = false;            ///< only the last of the wanted keys; `wanted` may then be any number
    };

    /// segments.count times the keys from one row to the next must be below 2^32, and so must segments.count * wanted, unless Desc::nth is
    /// set.
    struct Args {
        VkDeviceAddress keys           = 0; ///< read: count keys of each row, key-aligned
        VkDeviceAddress output_keys    = 0; ///< written: rows * wanted keys, or with Desc::nth rows, key-aligned
        VkDeviceAddress output_indices = 0; ///< written: as many uint32
        VkDeviceAddress temporary      = 0; ///< temporary_size(args) bytes, 16-byte aligned; need not be initialized
        uint32_t        count          = 0; ///< keys of a row; with count_address, an upper bound; 0 records nothing
        uint32_t        wanted         = 0; ///< keys of each row: 1 to most_wanted; with Desc::nth, 1 to 2^32 - 1
        /// If set: the address of a uint32; the count of every row is the smaller of that number and `count`.
        VkDeviceAddress count_address = 0;
        Segments        segments      = {}; ///< the rows: their count, which the host knows, and their pitch
    };

    /// Fails with a reason if the device lacks a required feature (requirements.h) or the one for keys of 1 and 2 bytes, or
    /// if the driver rejects a pipeline.
    static Result<Top> create(const Context& context, const Desc& desc);

    /// Bytes of Args::temporary: at most about twice the size of the keys and indices that are found, plus some KiB for each row; with
    /// Desc::nth, only the latter. 0 if the operation is one dispatch. Of `args`, only count, wanted and segments.count matter. Never
    /// shrinks as count grows. The memory need not be initialized, and its content is undefined afterwards. "Barriers" in core.h applies to
    /// it.
    VkDeviceSize temporary_size(const Args& args) const;

    /// 0: it takes no scratch.
    VkDeviceSize scratch_size(const Args& args) const;

    /// Says what is wrong with `args`, if anything. See "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the operation to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

private:
    struct Plan;
    explicit Top(detail::Owned<Plan> plan) : plan_(std::move(plan)) {}
    detail::Owned<Plan> plan_;
};

} // namespace vkprim
