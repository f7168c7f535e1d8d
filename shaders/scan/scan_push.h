#ifndef VKPRIM_SCAN_PUSH_H
#define VKPRIM_SCAN_PUSH_H
#include "../include/push.h"

struct ScanPush {
    ADDRESS input_address;
    ADDRESS output_address;
    ADDRESS scratch;
    ADDRESS count_address;
    UINT    count;
    UINT    first; // number of the first workgroup, where others have been dispatched before
};

// The order in which floats are added, which is part of the result. It does not depend on the size of a tile, which is one
// block, or two.
#define SCAN_RUN 512u    // elements: four rows of 32 vectors of four
#define SCAN_BLOCK 4096u // elements: eight runs
#define SCAN_FAN 256u    // blocks in a group of lookback.glsl, and groups in a super
#endif
