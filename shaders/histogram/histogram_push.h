#include <vkprim/glsl/push.h>

struct HistogramPush {
    ADDRESS input_address;
    ADDRESS counts_address;
    ADDRESS scratch;
    ADDRESS count_address;
    UINT    count;      // from input_address on
    UINT    accumulate; // 0: counts are replaced
    UINT    skipped;    // samples before input_address, counted by others
};
