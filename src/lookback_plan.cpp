#include "lookback_plan.h"

#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/scratch.h>
#include <vkprim/glsl/detail/tile.h>

namespace vkprim {

Lookback::Lookback(const CoreDevice& device, const Desc& desc)
    : device_(device),
      primitive_(desc.primitive),
      waits_(desc.waits && desc.tuning.waits != 0),
      only_aligned_(desc.aligned),
      tuning_(desc.tuning),
      slots_(desc.slots),
      block_(VKPRIM_TILE_BLOCK / 16 * desc.run_elements),
      // If all tiles have one block, small counts need no pipeline of their own.
      small_count_(desc.tuning.blocks > 1 ? desc.tuning.small_tiles * block_ : 0) {}

std::vector<LookbackShape> Lookback::shapes() const {
    std::vector<LookbackShape> shapes;
    const auto                 add = [&](LookbackShape::Role role, bool aligned, uint32_t stage) {
        if (!aligned && only_aligned_) return;
        const uint32_t addresses = aligned                ? VKPRIM_RUNS_ALIGNED
                                                   : tuning_.aligned != 0 ? VKPRIM_RUNS_ANYWHERE
                                                                          : VKPRIM_RUNS_BY_WORDS;
        const bool     small     = role == LookbackShape::small;
        // Few tiles all start at once, so there is none to prefetch.
        const uint32_t distance = small || stage != VKPRIM_STAGE_ALL ? 0 : tuning_.prefetch_distance;
        shapes.push_back({role, addresses, small ? 1 : tuning_.blocks, small, distance, stage});
    };
    const bool vectors = has_vectors(true);
    if (waits_) {
        if (vectors && small_count_ > 0) add(LookbackShape::small, true, VKPRIM_STAGE_ALL);
        if (vectors) add(LookbackShape::large, true, VKPRIM_STAGE_ALL);
        add(LookbackShape::unaligned, false, VKPRIM_STAGE_ALL);
    } else {
        if (vectors) add(LookbackShape::tiles, true, VKPRIM_STAGE_TILES);
        add(LookbackShape::unaligned_tiles, false, VKPRIM_STAGE_TILES);
        add(LookbackShape::groups, true, VKPRIM_STAGE_GROUPS);
        add(LookbackShape::supergroups, true, VKPRIM_STAGE_SUPERGROUPS);
        if (vectors) add(LookbackShape::outputs, true, VKPRIM_STAGE_OUTPUTS);
        add(LookbackShape::unaligned_outputs, false, VKPRIM_STAGE_OUTPUTS);
    }
    return shapes;
}

void Lookback::add_to(PipelineList& pipelines, const LookbackShape& shape, PipelineDesc desc) {
    constexpr const char* names[] = {"small",       "large",   "unaligned",        "tiles", "unaligned tiles", "groups",
                                     "supergroups", "outputs", "unaligned outputs"};
    static_assert(std::size(names) == LookbackShape::role_count);
    desc.name        = std::string(primitive_) + ", " + names[shape.role];
    desc.tickets     = shape.stage == VKPRIM_STAGE_ALL && tuning_.tickets != 0;
    desc.fault       = tuning_.fault;
    desc.fault_share = tuning_.fault_share;
    pipelines.add(pipelines_[shape.role], std::move(desc));
}

LookbackSteps Lookback::steps(uint32_t count, bool is_aligned, const Part& part) const {
    using Shape = LookbackShape;
    LookbackSteps steps;
    const bool    aligned = has_vectors(is_aligned);
    const Share   tiles   = share(count, aligned, part);
    if (waits_) {
        const auto role = !aligned ? Shape::unaligned : is_small(count, aligned) ? Shape::small : Shape::large;
        steps.add(pipelines_[role], tiles);
        return steps;
    }
    const uint32_t all_tiles = tiles_of(count, tuning_.blocks);
    // Groups of so many tiles: those that end in this part, and have tiles after them.
    const auto closed = [&](uint32_t size) {
        const uint32_t first = std::min(tiles.first, all_tiles - 1) / size;
        return Share{first, std::min(tiles.first + tiles.count, all_tiles - 1) / size - first};
    };
    const uint32_t group  = VKPRIM_TILE_FAN / tuning_.blocks;
    const Share    groups = closed(group), supergroups = closed(group * VKPRIM_TILE_FAN);
    if (tiles.count > 0) steps.add(pipelines_[aligned ? Shape::tiles : Shape::unaligned_tiles], tiles);
    if (groups.count > 0) steps.add(pipelines_[Shape::groups], groups);
    if (supergroups.count > 0) steps.add(pipelines_[Shape::supergroups], supergroups);
    steps.add(pipelines_[aligned ? Shape::outputs : Shape::unaligned_outputs], tiles);
    return steps;
}

uint32_t Lookback::scratch_words(uint32_t count) const {
    const uint32_t small = std::min(tiles_of(count, 1), small_count_ / block_),
                   group = VKPRIM_TILE_FAN / tuning_.blocks;
    const uint32_t large = vkprim_lookback_words(tiles_of(count, tuning_.blocks), group, VKPRIM_TILE_FAN);
    return std::max(small, large) * slots_;
}

bool Lookback::fits(uint32_t count) const { return count == 0 || scratch_words(count) < VKPRIM_SCRATCH_MOST_LEFT; }

VkDeviceSize Lookback::scratch_size(uint32_t count) const {
    return vkprim_scratch_bytes(count == 0 ? 0 : scratch_words(count));
}

} // namespace vkprim
