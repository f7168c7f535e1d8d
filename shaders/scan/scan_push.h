#include "../include/push.h"

struct ScanPush {
    ADDRESS input_address;
    ADDRESS output_address;
    ADDRESS scratch; // lookback.h
    ADDRESS count_address;
    UINT    count;
};

// The shape of a tile, which is part of a float's result: a team of 32 invocations has a contiguous run of SCAN_ROWS rows,
// of which each invocation holds one vector of four elements.
#define SCAN_ROWS 12u // a multiple of 4
#define SCAN_PER_INVOCATION (4u * SCAN_ROWS) // elements
