// Stable radix sort of keys, alone or with values.
#pragma once

#include <vkprim/core.h>

#include <memory>

namespace vkprim {

struct CoreDevice;

/// Orders keys, and moves values along:
///
///     output_keys[j]    key i, such that they ascend, or descend; equal ones stay in their order
///     output_values[j]  value i, or i itself
///
/// Floats have a total order of their bits: -infinity to -0, +0 to infinity, and NaN last: of positive ones by their bits, and then of
/// negative ones. Descending is the other way round, so NaN comes first, and equal keys still stay in their order.
///
/// Integers may be ordered by a range of their bits alone; of signed ones, the sign is the highest bit, and orders as it should.
///
/// Exact on every device, and stable on every device. Up to so many keys as a workgroup holds (512 to 8192 of 4 bytes without values, by the
/// device), it is one dispatch. Else it takes as many passes as the range has bytes, of two or three dispatches each, by how many keys there
/// are; barriers between them are recorded, too. A pass reads keys twice, writes them once, and reads and writes values once. No workgroup
/// waits for another.
class VKPRIM_API Sort {
public:
    /// What goes with each key.
    enum class Values : uint32_t {
        none,
        indices, ///< which are not read but made: the keys' places, as uint32
        bytes4,
        bytes8,
        bytes16,
    };

    struct Desc {
        ElementType key        = ElementType::u32; ///< any; of 1 and 2 bytes with Features::storage_buffer_8bit_access
        Values      values     = Values::none;
        bool        descending = false;
    };

    struct Args {
        VkDeviceAddress keys          = 0; ///< read: count keys, key-aligned
        VkDeviceAddress values        = 0; ///< read: count values, value-aligned; not with Values::none and indices
        VkDeviceAddress output_keys   = 0; ///< written: count keys, key-aligned; may be exactly `keys`
        VkDeviceAddress output_values = 0; ///< written: count values, value-aligned; may be exactly `values`
        VkDeviceAddress temporary = 0; ///< temporary_size(count) bytes, 16-byte aligned; what it holds does not matter
        uint32_t        count = 0; ///< keys, up to 2^32 - 1; with count_address, an upper bound; of 0, nothing is done
        VkDeviceAddress count_address = 0; ///< if set: of a uint32 to use instead, at most `count`; nobody writes to it
        uint32_t begin_bit = 0, end_bit = 0; ///< the bits that order integers, end_bit behind the last; 0, 0: all
        Indirect indirect = {};              ///< if set, with count_address: where the grid lies
    };

    /// Fails with a reason where the device lacks a required feature (requirements.h) or that of narrow keys, or where the
    /// driver rejects a pipeline.
    static Result<Sort> create(const Context& context, const Desc& desc);

    /// Bytes of Args::temporary: those of keys and values, and a quarter more at most and some KiB; 0 of what is one dispatch. Never shrinks
    /// as count grows. It is memory of no operation's in particular: nothing needs to be in it before, and nothing that is of use is
    /// afterwards. Its barriers are those of an output.
    VkDeviceSize temporary_size(uint32_t count) const;

    /// 0: unlike other operations, it takes no scratch.
    VkDeviceSize scratch_size(uint32_t count) const;

    /// Of record() with these `args`: for IndirectCommand, which makes Args::indirect of it. All dispatches of one record() share it.
    Grid grid(const Args& args) const;

    /// What is wrong with `args`, if anything: "Checks" in core.h.
    Result<void> validate(const Args& args) const;

    /// Appends the sort to `commands`. Allocates nothing, submits nothing, waits for nothing.
    void record(VkCommandBuffer commands, const Args& args) const;

    Sort(Sort&&) noexcept;
    Sort& operator=(Sort&&) noexcept;
    ~Sort();

private:
    friend class Top;
    struct Plan;

    /// Rows of keys that are sorted side by side, each in one workgroup.
    struct Rows {
        uint32_t count       = 1;
        uint32_t stride      = 0;     ///< elements from one row of keys and values to the next
        uint32_t most_stored = 0;     ///< of each row, without a gap between rows
        bool     indices     = false; ///< are made instead of reading values of 4 bytes
        bool     nth         = false; ///< only the last of those is stored
    };

    static Result<Sort> create(const CoreDevice& device, const Profile* profile, const Desc& desc);

    bool is_one_tile(uint32_t count) const;
    void record_rows(VkCommandBuffer commands, const Args& args, const Rows& rows) const;

    explicit Sort(std::unique_ptr<Plan> plan);
    std::unique_ptr<Plan> plan_;
};

} // namespace vkprim
