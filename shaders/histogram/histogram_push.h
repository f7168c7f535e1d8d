#ifndef HISTOGRAM_PUSH_H
#define HISTOGRAM_PUSH_H
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/push.h>

// Ids of its specialization constants.
#define HISTOGRAM_BINS_ID (VKPRIM_OWN_ID + 0)
#define HISTOGRAM_COPIES_ID (VKPRIM_OWN_ID + 1)
#define HISTOGRAM_LOWER_ID (VKPRIM_OWN_ID + 2)
#define HISTOGRAM_LAST_ID (VKPRIM_OWN_ID + 3)
#define HISTOGRAM_SCALE_WHOLE_ID (VKPRIM_OWN_ID + 4)
#define HISTOGRAM_SCALE_HIGH_ID (VKPRIM_OWN_ID + 5)
#define HISTOGRAM_SCALE_LOW_ID (VKPRIM_OWN_ID + 6)
#define HISTOGRAM_VECTORS_ID (VKPRIM_OWN_ID + 7)
#define HISTOGRAM_GATHERS_ID (VKPRIM_OWN_ID + 8)
#define HISTOGRAM_RANGE_ID (VKPRIM_OWN_ID + 9)
#define HISTOGRAM_RANGES_ID (VKPRIM_OWN_ID + 10)
#define HISTOGRAM_CHANNEL_BINS_ID (VKPRIM_OWN_ID + 11)
#define HISTOGRAM_CHANNELS_ID (VKPRIM_OWN_ID + 12)
#define HISTOGRAM_WEIGHTS_ID (VKPRIM_OWN_ID + 13)
#define HISTOGRAM_WIDE_ID (VKPRIM_OWN_ID + 14)
#define HISTOGRAM_LEVEL_STEP_ID (VKPRIM_OWN_ID + 15)
#define HISTOGRAM_UPPER_HIGH_ID (VKPRIM_OWN_ID + 16)
#define HISTOGRAM_SHORT_PIECE_ID (VKPRIM_OWN_ID + 17)
#define HISTOGRAM_WIDTH_LOW_ID (VKPRIM_OWN_ID + 18)
#define HISTOGRAM_WIDTH_HIGH_ID (VKPRIM_OWN_ID + 19)
#define HISTOGRAM_NARROW_ID (VKPRIM_OWN_ID + 20)
#define HISTOGRAM_NEAR_ID (VKPRIM_OWN_ID + 21)
#define HISTOGRAM_SAMPLE_SIZE_ID (VKPRIM_OWN_ID + 22)
#define HISTOGRAM_FLOAT_ID (VKPRIM_OWN_ID + 23)

#define HISTOGRAM_SEGMENT_COST 4u // places that a segment between offsets takes beside its samples
#define HISTOGRAM_CLEARED 4u      // words of the counts of such segments that an invocation zeroes

struct HistogramPush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS counts_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;      // from input_address on
    VKPRIM_UINT    accumulate; // 0: counts are replaced
    VKPRIM_UINT    skipped;    // samples before input_address, counted by others
};

/// What is read besides the samples.
struct HistogramTables {
    VKPRIM_ADDRESS weights_address; // of the whole input
    VKPRIM_ADDRESS levels_address;
};

#if defined(ROWS) || defined(__cplusplus)
/// Which rows of a matrix, each with a histogram of its own.
struct HistogramRows {
    VKPRIM_ADDRESS rows_address;  // as count_address
    VKPRIM_UINT    rows;          // from `first` on
    VKPRIM_UINT    first;         // row
    VKPRIM_UINT    workgroups;    // of a row
    VKPRIM_UINT    pitch;         // bytes from one row to the next
    VKPRIM_UINT    weights_pitch; // the same for their weights
};

/// Words of scratch for one row or the only histogram: one counts arrivals; of the others, each has two counters of one word, or one of two.
#define HISTOGRAM_SCRATCH_WORDS(bins, counter_words) (1u + ((counter_words) * (bins) + 1u) / 2u)
#endif

#if defined(OFFSETS) || defined(__cplusplus)
/// Segments between offsets, each with a histogram of its own, and the samples that they are of.
struct HistogramSegments {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS counts_address;
    VKPRIM_ADDRESS offsets_address;
    VKPRIM_ADDRESS count_address;
    VKPRIM_ADDRESS segments_address;
    VKPRIM_UINT    count;       // samples of the whole input
    VKPRIM_UINT    segments;
    VKPRIM_UINT    offset_size; // bytes: 4 or 8
    VKPRIM_UINT    share;       // places of a workgroup
    VKPRIM_UINT    workgroups;  // of all parts
    VKPRIM_UINT    first;       // number of this dispatch's first workgroup in the operation
};
#endif

#ifdef __cplusplus
/// With CHANNELS_WEIGHTS_LEVELS.
struct HistogramGeneralPush {
    HistogramPush   push;
    HistogramTables tables;
};

/// With ROWS.
struct HistogramRowsPush {
    HistogramPush   push;
    HistogramTables tables;
    HistogramRows   matrix;
};

/// With OFFSETS.
struct HistogramSegmentsPush {
    HistogramSegments push;
    HistogramTables   tables;
};
#endif

#endif
