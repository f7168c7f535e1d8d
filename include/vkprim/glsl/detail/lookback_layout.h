// Look-back's stages and faults, and the layout of its words in scratch, for GLSL and C++. There are three levels: a word for each tile; for
// each group of `group` tiles; and for each supergroup of `fan` groups.
#ifndef VKPRIM_LOOKBACK_LAYOUT_H
#define VKPRIM_LOOKBACK_LAYOUT_H
#include "push.h"

#define VKPRIM_LOOKBACK_LEVELS 3u

// What a dispatch does: everything, or one of several stages, in which no workgroup waits.
VKPRIM_CONSTANT VKPRIM_STAGE_ALL = 0, VKPRIM_STAGE_TILES = 1, VKPRIM_STAGE_GROUPS = 2, VKPRIM_STAGE_SUPERGROUPS = 3, VKPRIM_STAGE_OUTPUTS = 4;

// Faults that a test may inject into some of the workgroups. Such a workgroup
//     WITHHOLD  does not publish its tile's aggregate, until it becomes a helper itself
//     LATE      publishes it late, when others have stopped polling
//     STALL     starts late
//     DAWDLE    publishes it late; in addition, helpers wait between seeing that a word is missing and loading the tile's input
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
