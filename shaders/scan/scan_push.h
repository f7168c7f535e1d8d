#include "../include/push.h"

struct ScanPush {
    ADDRESS input_address;
    ADDRESS output_address;
    ADDRESS scratch; // lookback.h
    ADDRESS count_address;
    UINT    count;
};

// The shape of a tile, which is part of a float's result: each invocation holds SCAN_ROWS vectors of four elements, and
// SCAN_LANES invocations share a contiguous run of SCAN_ROWS rows.
#define SCAN_ROWS 4u
#define SCAN_LANES 32u
#define SCAN_PER_INVOCATION 16u // elements
