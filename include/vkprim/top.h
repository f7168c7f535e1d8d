// The first keys in their order, with their indices: top-k; or the n-th alone.
#pragma once

#include <vkprim/core.h>

#include <memory>

namespace vkprim {

/// Finds the smallest or largest keys of each row of a matrix, in their order, and where they were:
///
///     output_keys[row * wanted + j]     the key that sorting the row would put at j
///     output_indices[row * wanted + j]  its index in the row
///
/// for j below `wanted`, or below the number of keys where that is less; nothing else is written. The order is that of Sort: floats have a
/// total order in which NaN is the largest, and of equal keys, the one with the lowest index comes first, in either direction.
/// With Desc::nth, the last of the wanted keys alone: the n-th element, or the last of fewer, to output_keys[row] and output_indices[row].
///
/// Exact and the same on every device, to the index. Rows that fit a workgroup (512 to 8192 keys of 4 bytes, by the device) are one
/// dispatch. Others take one for each byte of a key and three more, and then those of a sort of what was found; barriers between them are
/// recorded, too. A row is read once for each byte of a key, once more, and where it has wanted keys. Where more keys are wanted of a row
/// than fit a workgroup, what was found is sorted row by row. The n-th element takes no sort. No workgroup waits for another.
class VKPRIM_API Top {
public:
    static constexpr uint32_t most_wanted = 1u << 20;

    struct Desc {
        ElementType key     = ElementType::f32; ///< any; of 1 and 2 bytes with Features::storage_buffer_8bit_access
        bool        largest = false;            ///< and descending; else the smallest, ascending
        bool        nth     = false;            ///< only the last of the wanted keys, which may be any number
    };

    /// What is asked for: of it follows how much memory is needed.
    struct Size {
        uint32_t count      = 0; ///< keys of a row; with Args::count_address, an upper bound; of 0, nothing is done
        uint32_t wanted     = 0; ///< of each row: 1 to most_wanted; with Desc::nth, 1 to 2^32 - 1
        uint32_t rows       = 1;
        uint32_t row_stride = 0; ///< keys from one row to the next, at least `count`; 0: count
    };

    struct Args {
        VkDeviceAddress keys           = 0; ///< read: count keys of each row, key-aligned
        VkDeviceAddress output_keys    = 0; ///< written: rows * wanted keys, or with Desc::nth rows, key-aligned
        VkDeviceAddress output_indices = 0; ///< written: as many uint32
        VkDeviceAddress temporary = 0; ///< temporary_size(size) bytes, 16-byte aligned; what it holds does not matter
        Size            size      = {};
        VkDeviceAddress count_address =
            0; ///< if set: of a uint32 to use instead of `count`, for every row, at most `count`
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h) or that of narrow keys, or where the
    /// driver rejects a pipeline.
    static Result<Top> create(const Context& context, const Desc& desc);

    /// Bytes of Args::temporary: twice those of the keys and indices that are found, and some KiB for each row; 0 of rows that are one
    /// dispatch. Never shrinks as count grows. It is memory of no operation's in particular, as Sort's is. Its barriers are those of an
    /// output.
    VkDeviceSize temporary_size(const Size& size) const;

    /// 0: it takes no scratch.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the operation to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    Top(Top&&) noexcept;
    Top& operator=(Top&&) noexcept;
    ~Top();

private:
    struct Plan;
    explicit Top(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
