// The order in which a reduction combines elements, which is a part of a float's result (ARCHITECTURE.md, "The order of floats").
#pragma once

#include "../shaders/reduce/reduce_push.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace vkprim::harness {

/// Neighbours that an invocation loads at once.
template <class T>
constexpr uint32_t vector_of = sizeof(T) == 4   ? 4
                               : sizeof(T) == 8 ? 2
                                                : 1;

/// Folds `count` values, a power of two, in pairs (i, i xor 1), (i, i xor 2), ... `Op` has an identity() and is called with two elements.
template <class Op, class T>
T fold_pairs(T* values, uint32_t count) {
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) values[i] = Op()(values[i], values[i + width]);
    }
    return values[0];
}

/// A matrix of `columns` columns, of the elements load(first), load(first + 1), ..., folded from top to bottom and then across; `rows` at a
/// time, 1 or 4, which are folded in pairs.
template <class Op, uint32_t rows = 1, class Load>
auto fold_matrix(const Load& load, uint64_t begin, uint32_t count, uint32_t columns) {
    using T = decltype(Op::identity());
    std::vector<T> totals(columns, Op::identity());
    for (uint64_t first = 0; first < count; first += uint64_t{rows} * columns) {
        for (uint64_t at = first; at < std::min<uint64_t>(count, first + columns); ++at) {
            std::array<T, rows> column;
            for (uint32_t r = 0; r < rows; ++r) {
                column[r] = at + r * columns < count ? T(load(begin + at + r * columns)) : Op::identity();
            }
            T& total = totals[at - first];
            total    = Op()(total, fold_pairs<Op>(column.data(), rows));
        }
    }
    return fold_pairs<Op>(totals.data(), columns);
}

/// log2 of a tile's elements, in an array of `count`, at least one: as Reduce has it, and for more elements ChunkedReduce.
template <class T>
uint32_t log2_tile_of(uint64_t count) {
    if (count <= UINT32_MAX) return reduce_log2_tile(static_cast<uint32_t>(count), vector_of<T>);
    uint32_t log2_tile = 0;
    while ((count - 1) >> log2_tile >= reduce_most_tiles(vector_of<T>)) ++log2_tile;
    return log2_tile;
}

/// The total of a tile, of the elements load(first) to load(first + count - 1).
template <class Op, class Load>
auto reduce_tile(const Load& load, uint64_t first, uint32_t count) {
    using T                 = decltype(Op::identity());
    constexpr uint32_t rows = vector_of<T> == 1 ? 4 : 1; // fold_tile.glsl
    return fold_matrix<Op, rows>(load, first, count, REDUCE_COLUMNS / 4 * vector_of<T>);
}

/// The reduction of the totals of tiles, at least one.
template <class Op, class T>
T fold_tiles(std::vector<T> partials) {
    while (partials.size() > 1) {
        std::vector<T> groups;
        for (size_t first = 0; first < partials.size(); first += VKPRIM_FOLD_FAN) {
            const auto members = static_cast<uint32_t>(std::min<size_t>(VKPRIM_FOLD_FAN, partials.size() - first));
            groups.push_back(fold_matrix<Op>([&](uint64_t i) { return partials[i]; }, first, members, VKPRIM_FOLD_FAN));
        }
        partials = std::move(groups);
    }
    return partials[0];
}

/// The reduction of the elements load(0) to load(count - 1), as Reduce does it where the operation commutes.
template <class Op, class Load>
auto reduce_in_order(const Load& load, uint32_t count) {
    using T = decltype(Op::identity());
    if (count == 0) return Op::identity();
    const uint32_t tile = 1u << log2_tile_of<T>(count);
    std::vector<T> partials;
    for (uint64_t first = 0; first < count; first += tile) {
        partials.push_back(
            reduce_tile<Op>(load, first, static_cast<uint32_t>(std::min<uint64_t>(tile, count - first))));
    }
    return fold_tiles<Op>(std::move(partials));
}

} // namespace vkprim::harness
