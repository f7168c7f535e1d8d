#include "../include/push.h"

struct HistogramPush {
    ADDRESS input_address;
    ADDRESS counts_address;
    ADDRESS scratch; // word 0: workgroups that have arrived; from byte 16 on: one counter per bin
    ADDRESS count_address;
    UINT    count;
    UINT    accumulate; // 0: counts are replaced
};
