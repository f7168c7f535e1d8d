#include <vkprim/glsl/detail/push.h>

struct HistogramPush {
    VKPRIM_ADDRESS input_address;
    VKPRIM_ADDRESS counts_address;
    VKPRIM_ADDRESS scratch;
    VKPRIM_ADDRESS count_address;
    VKPRIM_UINT    count;      // from input_address on
    VKPRIM_UINT    accumulate; // 0: counts are replaced
    VKPRIM_UINT    skipped;    // samples before input_address, counted by others
};

/// What stands beside the samples.
struct HistogramTables {
    VKPRIM_ADDRESS weights_address; // of the whole input
    VKPRIM_ADDRESS levels_address;
};

#ifdef __cplusplus
/// With GENERAL.
struct HistogramGeneralPush {
    HistogramPush   push;
    HistogramTables tables;
};
#endif
