// How look-back lays out its scratch memory, for GLSL and C++. All of it is zero between operations.
//
// Word 0 is the ticket that orders the tiles, word 1 counts arrivals. From LOOKBACK_WORDS on there are words of 8 bytes at
// three levels: one for each tile; one for each group of `group` tiles; one for each super, which is `fan` groups.
#include "push.h"
#ifdef __cplusplus
#define FUNCTION inline
#else
#define FUNCTION
#endif

#define LOOKBACK_LEVELS 3u
#define LOOKBACK_WORDS 16u // byte offset

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

/// Bytes, a multiple of 16.
FUNCTION UINT lookback_scratch_size(UINT tiles, UINT group, UINT fan) {
    return (LOOKBACK_WORDS + 8u * lookback_words_below(LOOKBACK_LEVELS, tiles, group, fan) + 15u) / 16u * 16u;
}
#undef FUNCTION
