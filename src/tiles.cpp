#include <vkprim/tiles.h>

#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/scratch.h>
#include <vkprim/glsl/detail/tile.h>

namespace vkprim {

VkDeviceSize tiles_scratch_size(uint32_t tiles, uint32_t element_words) {
    return vkprim_scratch_bytes(vkprim_lookback_words(tiles, VKPRIM_TILE_FAN, VKPRIM_TILE_FAN) *
                                vkprim_scratch_slots(element_words));
}

} // namespace vkprim
