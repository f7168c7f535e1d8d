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
