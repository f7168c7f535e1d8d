// Which of scratch's words look-back uses, for GLSL and C++. There are three levels: a word for each tile; for each group of
// `group` tiles; for each super, which is `fan` groups.
#ifndef VKPRIM_LOOKBACK_H
#define VKPRIM_LOOKBACK_H
#include "push.h"

#define LOOKBACK_LEVELS 3u

/// Words of the levels below `level`, for `tiles` tiles.
FUNCTION UINT lookback_words_below(UINT level, UINT tiles, UINT group, UINT fan) {
    UINT words = 0u;
    for (UINT l = 0u; l < level; ++l) {
        words += tiles;
        tiles = (tiles + group - 1u) / group;
        group = fan;
    }
    return words;
}

FUNCTION UINT lookback_words(UINT tiles, UINT group, UINT fan) {
    return lookback_words_below(LOOKBACK_LEVELS, tiles, group, fan);
}
#endif
