#include <vkprim/tiles.h>

#include <vkprim/glsl/lookback.h>
#include <vkprim/glsl/scratch.h>
#include <vkprim/glsl/tile.h>

namespace vkprim {

VkDeviceSize tiles_scratch_size(uint32_t tiles) { return scratch_bytes(lookback_words(tiles, TILE_FAN, TILE_FAN)); }

} // namespace vkprim
