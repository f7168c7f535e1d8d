// Which of scratch's words look-back uses, for GLSL and C++. There are three levels: a word for each tile; for each group of
// `group` tiles; for each super, which is `fan` groups.
#ifndef VKPRIM_LOOKBACK_H
#define VKPRIM_LOOKBACK_H
#include "push.h"

#define VKPRIM_LOOKBACK_LEVELS 3u

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
