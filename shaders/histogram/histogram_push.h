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

struct HistogramPush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS counts_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;      // from input_address on
    VKPRIM_UINT    accumulate; // 0: counts are replaced
    VKPRIM_UINT    skipped;    // samples before input_address, counted by others
};
