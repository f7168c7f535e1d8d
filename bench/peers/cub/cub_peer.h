/* CUB behind a C interface, so that nothing else here needs CUDA's headers or compiler.
 *
 * One thread at a time. Functions return a CubPeerResult; what went wrong is in cub_peer_error(). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CubPeerResult {
    cub_peer_good          = 0,
    cub_peer_out_of_memory = 1,
    cub_peer_refused       = 2, /* CUB does not take these arguments in this formulation */
    cub_peer_failed        = 3,
} CubPeerResult;

/* What went wrong in the last call that did not return cub_peer_good. */
const char* cub_peer_error(void);

typedef struct CubPeerVersions {
    int cuda;   /* of the toolkit, as in 13000 for 13.0 */
    int driver; /* the CUDA version that the driver supports, likewise */
    int cub;    /* as in 300001 for 3.0.1 */
} CubPeerVersions;

/* Chooses the CUDA device with this UUID: the one of VkPhysicalDeviceIDProperties. */
CubPeerResult cub_peer_open(const uint8_t uuid[16], CubPeerVersions* versions);

/* select_flagged_...: flags of a byte, and behind them, at the next multiple of 16 bytes, the elements. select_range_u32: elements in
 * [lower, upper]. select_unique_u32: the first of each run of equal elements. partition_flagged_u32: input as of select_flagged_u32; behind
 * what is selected, from the last on, what is not. encode_runs_u32: an element of each run, and behind `count` of them the runs' lengths;
 * reduce_by_key_u32, whose input is as of select_flagged_u32, with keys of 4 bytes: the sums of their elements. All of these put out, last, how many. reduce_add_f16: a sum of halves, as a float. reduce_argmin_f32: the value, and as a uint32_t its
 * index. copy_u32: no CUB, but a kernel to compare the two sides' own costs with; count: a multiple of 4. histogram_rgba_u8: three of four interleaved channels; count: a multiple of 4. own_...: boxes of 6
 * floats, least and largest x, y, z; count, mean and sum of squared deviations of floats; two arrays of floats, one behind the other; an
 * inclusive scan of maps, scale and offset. sort_...: ascending; pairs: values of 4 bytes behind all keys, in input and output; indices: made
 * and put out as such values. segmented_...: a sum for each segment. Of rows of `row` elements, or: how many segments there are; from byte 16
 * on, their offsets of 4 bytes, one more than that; from the next multiple of 16 on, the elements. */
#define CUB_PEER_OPERATIONS(OPERATION)   \
    OPERATION(reduce_add_u32)            \
    OPERATION(reduce_add_f32)            \
    OPERATION(reduce_min_u32)            \
    OPERATION(reduce_add_u64)            \
    OPERATION(reduce_add_f64)            \
    OPERATION(reduce_add_f16)            \
    OPERATION(reduce_argmin_f32)         \
    OPERATION(scan_exclusive_add_u32)    \
    OPERATION(scan_inclusive_add_u32)    \
    OPERATION(scan_exclusive_add_f32)    \
    OPERATION(scan_exclusive_add_u64)    \
    OPERATION(scan_exclusive_add_f64)    \
    OPERATION(histogram_u8)              \
    OPERATION(histogram_rgba_u8)         \
    OPERATION(histogram_u32)             \
    OPERATION(histogram_f32)             \
    OPERATION(select_flagged_u32)        \
    OPERATION(select_flagged_indices)    \
    OPERATION(select_range_u32)          \
    OPERATION(select_unique_u32)         \
    OPERATION(partition_flagged_u32)     \
    OPERATION(encode_runs_u32)           \
    OPERATION(reduce_by_key_u32)         \
    OPERATION(copy_u32)                  \
    OPERATION(own_reduce_boxes)          \
    OPERATION(own_reduce_moments)        \
    OPERATION(own_reduce_dot)            \
    OPERATION(own_scan_affine)           \
    OPERATION(segmented_rows_add_f32)    \
    OPERATION(segmented_offsets_add_f32) \
    OPERATION(sort_keys_u32)             \
    OPERATION(sort_keys_u64)             \
    OPERATION(sort_pairs_u32)            \
    OPERATION(sort_pairs_u64)            \
    OPERATION(sort_indices_u32)

typedef enum CubPeerOperation {
#define CUB_PEER_ENUMERATOR(name) cub_peer_##name,
    CUB_PEER_OPERATIONS(CUB_PEER_ENUMERATOR)
#undef CUB_PEER_ENUMERATOR
} CubPeerOperation;

typedef struct CubPeerDesc {
    CubPeerOperation operation;
    uint64_t         count;  /* elements or samples */
    uint32_t         offset; /* elements before the input and the output, which are well aligned where it is 0 */
    uint32_t         bins;   /* of each channel of a histogram, over [lower, upper) */
    double           lower, upper;
    uint32_t         row; /* elements of a row */
} CubPeerDesc;

/* One operation with its data on the device. */
typedef struct CubPeerTask CubPeerTask;

CubPeerResult cub_peer_create(const CubPeerDesc* desc, const void* input, size_t input_size, CubPeerTask** task);
void          cub_peer_destroy(CubPeerTask* task);

/* There are several ways to ask CUB for one and the same result, and they differ in speed. */
uint32_t    cub_peer_formulations(const CubPeerTask* task);
const char* cub_peer_formulation_name(const CubPeerTask* task, uint32_t formulation);

size_t cub_peer_output_size(const CubPeerTask* task);

/* Runs one formulation once, into an output full of garbage, and copies that. */
CubPeerResult cub_peer_run(CubPeerTask* task, uint32_t formulation, void* output);

typedef struct CubPeerSchedule {
    double   warm_up_ms;
    double   least_run_ms; /* of one timed run */
    uint32_t runs;
} CubPeerSchedule;

/* Times several formulations one after another, with one warm-up ahead of all: milliseconds per operation, `runs` for
 * each. A run is a CUDA graph of repeated calls, between two events. Warm-up and all runs are queued at once, without
 * the host waiting in between, so that the clocks stay up. Each formulation must have gone through cub_peer_run(). */
CubPeerResult cub_peer_time(CubPeerTask* task, const uint32_t* formulations, uint32_t formulation_count,
                            const CubPeerSchedule* schedule, double* times_ms);

/* Copies the output as the last timed run left it; it was garbage before the first of those runs. */
CubPeerResult cub_peer_fetch(CubPeerTask* task, void* output);

#ifdef __cplusplus
}
#endif
