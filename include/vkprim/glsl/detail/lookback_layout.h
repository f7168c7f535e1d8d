// Look-back's stages and faults, and which of scratch's words it uses, for GLSL and C++. There are three levels: a word for each tile; for each group of
// `group` tiles; for each supergroup, which is `fan` groups.
#ifndef VKPRIM_LOOKBACK_LAYOUT_H
#define VKPRIM_LOOKBACK_LAYOUT_H
#include "push.h"

#define VKPRIM_LOOKBACK_LEVELS 3u

// What a dispatch does: all in one, or a stage of several, in which nobody waits.
VKPRIM_CONSTANT VKPRIM_STAGE_ALL = 0, VKPRIM_STAGE_TILES = 1, VKPRIM_STAGE_GROUPS = 2, VKPRIM_STAGE_SUPERGROUPS = 3, VKPRIM_STAGE_OUTPUTS = 4;

// Faults that a test may ask for in some of the workgroups: one does not publish its tile's aggregate, until it must help because it
// waits itself; publishes it late, when others have stopped polling; starts late; or publishes late, while everybody who helps
// dawdles, too, between seeing that a word is missing and loading the tile's input.
VKPRIM_CONSTANT VKPRIM_FAULT_WITHHOLD = 1, VKPRIM_FAULT_LATE = 2, VKPRIM_FAULT_STALL = 3, VKPRIM_FAULT_DAWDLE = 4;

/// Words of the levels below `level`, for `tiles` tiles.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_lookback_words_below(VKPRIM_UINT level, VKPRIM_UINT tiles, VKPRIM_UINT group, VKPRIM_UINT fan) {
    VKPRIM_UINT words = 0u;
    for (VKPRIM_UINT l = 0u; l < level; ++l) {
        words += tiles;
        tiles = (tiles + group - 1u) / group;
        group = fan;
    }
    return words;
}

VKPRIM_FUNCTION VKPRIM_UINT vkprim_lookback_words(VKPRIM_UINT tiles, VKPRIM_UINT group, VKPRIM_UINT fan) {
    return vkprim_lookback_words_below(VKPRIM_LOOKBACK_LEVELS, tiles, group, fan);
}
#endif
