// What Sort does, and parts of SegmentedSort and Top.
#pragma once

#include <vkprim/sort.h>

#include "../shaders/sort/sort_push.h"
#include "pipeline.h"
#include "sort_keys.h"
#include "tuning/sort.h"

#include <algorithm>

namespace vkprim {

struct Sorter {
    using Args   = Sort::Args;
    using Values = Sort::Values;

    /// What is sorted: rows of so many keys, below 2^32 in all.
    struct Matrix {
        uint32_t count, rows;

        Matrix(uint32_t count_, uint32_t rows_) : count(count_), rows(rows_) {}
        explicit Matrix(const Args& args) : Matrix(args.count, args.segments.count) {}
        uint64_t elements() const { return uint64_t{count} * rows; }
    };

    /// The passes of a sort: all have the same number of bits, except the last ones.
    struct Passes {
        uint32_t count = 0, begin = 0, digit_bits = 0, end = 0;

        Passes(const SortBits& bits, bool in_place) : begin(bits.begin), end(bits.end) {
            count = (end - begin - 1) / SORT_DIGIT_BITS + 1;
            // From input to output through temporary memory: a pass cannot write where it reads.
            if (in_place && count % 2 != 0) ++count;
            digit_bits = (end - begin - 1) / count + 1;
        }
        uint32_t shift_of(uint32_t pass) const { return begin + pass * digit_bits; }
        uint32_t bits_of(uint32_t pass) const { return std::min(digit_bits, end - std::min(end, shift_of(pass))); }
    };

    /// Rows of keys that are sorted side by side, each in one workgroup.
    struct Rows {
        uint32_t count       = 1;
        uint32_t stride      = 0;     ///< elements from one row of keys and values to the next
        uint32_t most_stored = 0;     ///< keys of each row, at most, without a gap between rows
        bool     indices     = false; ///< are generated instead of reading values of 4 bytes
        bool     nth         = false; ///< only the last of those is stored
    };

    CoreDevice device;
    Sort::Desc desc;
    SortTuning tuning;
    struct {
        Pipeline tiny, small, count, scan, usual, large;
    } pipelines = {};

    /// `desc` as Sort::create() has checked it.
    static Result<Sorter> create(const CoreDevice& device, const Profile* profile, const Sort::Desc& desc);

    bool         is_one_tile(uint32_t count) const { return count <= std::max(tuning.tiny.tile, tuning.small.tile); }
    VkDeviceSize temporary_size(uint32_t count, uint32_t rows = 1) const;
    Grid         grid(const Args& args) const;
    Result<void> validate(const Args& args) const;
    void         record(VkCommandBuffer commands, const Args& args) const;
    void         record_rows(VkCommandBuffer commands, const Args& args, const Rows& rows) const;

    uint32_t key_size() const { return element_type_size(desc.key); }
    uint32_t value_size() const { return sort_value_size(desc.values); }
    bool     reads_values() const { return desc.values > Values::indices; }
    bool is_large(const Matrix& matrix) const { return tuning.has_large() && matrix.elements() >= tuning.large_count; }
    uint32_t     tile(const Matrix& matrix) const { return is_large(matrix) ? tuning.large.tile : tuning.usual.tile; }
    uint32_t     tiles(const Matrix& matrix) const { return (matrix.count - 1) / tile(matrix) + 1; }    ///< of a row
    uint32_t     chunk(const Matrix& matrix) const;                                                     ///< tiles
    uint32_t     chunks(const Matrix& matrix) const { return (tiles(matrix) - 1) / chunk(matrix) + 1; } ///< of a row
    uint64_t     most_tiles(const Matrix& matrix) const;  ///< of all rows; never less for more elements
    uint64_t     most_chunks(const Matrix& matrix) const; ///< likewise
    bool         is_tiny(const Matrix& matrix) const { return tuning.has_tiny() && matrix.count <= tuning.tiny.tile; }
    uint32_t     rows_each(const Matrix& matrix) const; ///< of a workgroup, if a row is one tile
    uint32_t     workgroups(const Matrix& matrix) const { return (matrix.rows - 1) / rows_each(matrix) + 1; }
    VkDeviceSize values_offset(const Matrix& matrix) const;
    VkDeviceSize counts_offset(const Matrix& matrix) const;
    VkDeviceSize tile_counts_offset(const Matrix& matrix) const;
    Passes       passes_of(const Args& args) const;
    void         record_pass(VkCommandBuffer commands, const SortPush& push, const Args& args) const;
};

} // namespace vkprim
