#include "../include/push.h"

struct HistogramPush {
    ADDRESS input_address;
    ADDRESS counts_address;
    ADDRESS scratch;
    ADDRESS count_address;
    UINT    count;
    UINT    accumulate; // 0: counts are replaced
};
