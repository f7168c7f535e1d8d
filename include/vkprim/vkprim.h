// The C interface: C99, for C and for every language that binds to C. docs/c.md shows it in C, Python and Rust.
//
// It is the C++ interface in C, and adds no rules but those below. What a primitive computes, and what each field means, is in the
// primitive's C++ header: vkprim_scan_args is Scan::Args of scan.h. The rules for barriers, scratch, addresses, counts, lifetimes and
// threads are at the top of core.h. An address or size of 0 and a pointer that is NULL count as not set.
//
// Functions  Each primitive has these, except where its C++ class lacks one, and those of its C++ class besides. chunked_reduce
//            and chunked_scan have some for each pass over an array: see below.
//                _create        builds the pipelines; writes the handle, or NULL if it fails
//                _destroy       frees the object at once: call it when all work recorded with it has completed and will not be
//                               submitted again; ignores NULL
//                _scratch_size  bytes of scratch memory that one _record needs
//                _validate      says what is wrong with the args of a _record
//                _record        appends the work to a command buffer
//                _grid          writes the grid of a _record, for vkprim_indirect_command
// Structs    A struct whose first field is struct_size may get more fields in a later version. Fill it with its _init function, which
//            sets struct_size and gives each field its default, and then change fields:
//                vkprim_scan_args args;
//                vkprim_scan_args_init(&args, sizeof args);
//            The library reads struct_size bytes. Fields beyond them have their defaults, so a program that was compiled with an older
//            header runs with a newer library. With an older library, a field that it does not know must be 0, or the call fails. A
//            struct without struct_size never changes. A field `reserved` must be 0. Structs have no padding where pointers have 8 bytes.
// Errors     A function that returns VkResult returns a negative one if it fails. It then writes the kind, the code and the reason,
//            a sentence, to `error`, unless `error` is NULL. If it succeeds, it does not change `error`. No function throws. A
//            function that runs out of host memory returns VK_ERROR_OUT_OF_HOST_MEMORY. Where the code is not negative, the function
//            returns VK_ERROR_UNKNOWN: with VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, the code may be
//            VK_PIPELINE_COMPILE_REQUIRED.
// Handles    Instead of a valid handle or a place for a result, NULL is an error in functions that return VkResult, and undefined
//            behavior in the others, except _destroy.
// Booleans   VkBool32: any value other than 0 is true.
// Record     _record fails if it cannot read `args`: if `args` is NULL, or if a struct_size or `reserved` is wrong. It then records
//            nothing. _validate checks whether the fields are right; see "Checks" in core.h.
#pragma once

#include <vkprim/export.h>
#include <vkprim/version.h>
#include <vulkan/vulkan.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---- */

/// What went wrong, grouped by who can fix it. Later versions add kinds at the end.
typedef enum vkprim_error_kind {
    VKPRIM_ERROR_INVALID_DESC      = 0, ///< _create does not support the desc (VK_ERROR_FORMAT_NOT_SUPPORTED)
    VKPRIM_ERROR_INVALID_ARGS      = 1, ///< arguments are wrong (VK_ERROR_VALIDATION_FAILED_EXT)
    VKPRIM_ERROR_INVALID_CONTEXT   = 2, ///< something is missing in the context (VK_ERROR_INITIALIZATION_FAILED)
    VKPRIM_ERROR_INVALID_PROFILE   = 3, ///< a profile does not fit the device (VK_ERROR_FORMAT_NOT_SUPPORTED)
    VKPRIM_ERROR_INVALID_OPERATION = 4, ///< not used by these functions
    VKPRIM_ERROR_UNSUPPORTED_DEVICE =
        5,                     ///< the device, or its features, lacks something (VK_ERROR_FEATURE_NOT_PRESENT)
    VKPRIM_ERROR_VULKAN   = 6, ///< a Vulkan call failed, or memory ran out
    VKPRIM_ERROR_OTHER    = 7,
    VKPRIM_ERROR_MAX_ENUM = 0x7fffffff
} vkprim_error_kind;

/// Why a function failed, with the caller's buffer for the reason. Ignored if struct_size is too small.
typedef struct vkprim_error {
    size_t            struct_size;
    vkprim_error_kind kind;        ///< written
    VkResult          code;        ///< written: what the function returned, or a code that is not negative ("Errors")
    char*             reason;      ///< written: the reason, cut to reason_size bytes, of which the last is 0; or NULL
    size_t            reason_size; ///< bytes of the buffer `reason`
} vkprim_error;

/* ---- features and the device ---- */

/// Features (core.h).
typedef struct vkprim_features {
    size_t   struct_size;
    VkBool32 buffer_device_address;
    VkBool32 vulkan_memory_model;
    VkBool32 vulkan_memory_model_device_scope;
    VkBool32 shader_int64;
    VkBool32 shader_buffer_int64_atomics;
    VkBool32 subgroup_size_control;
    VkBool32 compute_full_subgroups;
    VkBool32 storage_buffer_8bit_access;
    VkBool32 shader_float64;
    uint32_t reserved;
} vkprim_features;

/// RequirementsQuery (requirements.h).
typedef struct vkprim_requirements_query {
    size_t                    struct_size;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    VkInstance                instance;
    VkPhysicalDevice          physical_device;
    uint32_t                  api_version; ///< VkApplicationInfo::apiVersion of `instance`; 0: the device's
    uint32_t                  reserved;
} vkprim_requirements_query;

typedef struct vkprim_profile_value {
    const char* name; ///< "scan.prefetch_distance": see profile.h
    uint32_t    value;
    uint32_t    reserved;
} vkprim_profile_value;

/// Profile (core.h).
typedef struct vkprim_profile {
    size_t                      struct_size;
    uint32_t                    vendor_id; ///< of the VkPhysicalDevice that it is for
    uint32_t                    device_id;
    const vkprim_profile_value* values; ///< value_count of them; of a name that comes twice, the last counts
    size_t                      value_count;
} vkprim_profile;

/// Context (core.h), without on_pipeline and parallel_for. Only read during _create.
typedef struct vkprim_context {
    size_t                       struct_size;
    PFN_vkGetInstanceProcAddr    get_instance_proc_addr;
    VkInstance                   instance;
    VkPhysicalDevice             physical_device;
    VkDevice                     device;         ///< must outlive what is created on it
    const vkprim_features*       features;       ///< as enabled in `device`: those of vkprim_merge_features
    VkPipelineCache              pipeline_cache; ///< optional
    const VkAllocationCallbacks* allocator;      ///< optional; must outlive what is created with it
    const vkprim_profile*        profile;        ///< optional
    VkPipelineCreateFlags        pipeline_flags;
    uint32_t                     api_version; ///< VkApplicationInfo::apiVersion of `instance`; 0: the device's
} vkprim_context;

VKPRIM_API void vkprim_error_init(vkprim_error* error, size_t struct_size);
VKPRIM_API void vkprim_features_init(vkprim_features* features, size_t struct_size);
VKPRIM_API void vkprim_requirements_query_init(vkprim_requirements_query* query, size_t struct_size);
VKPRIM_API void vkprim_profile_init(vkprim_profile* profile, size_t struct_size);
VKPRIM_API void vkprim_context_init(vkprim_context* context, size_t struct_size);

/// Before vkCreateDevice, what to enable there: the features that vkprim requires or makes use of and the device supports, and the device
/// extensions that those need. Two calls, as in Vulkan: with `extensions` NULL, writes their number to *extension_count; otherwise, writes
/// up to *extension_count names, whose number is written there, and returns VK_INCOMPLETE if there are more. The names live as long as
/// the library is loaded. `features` and `extension_count` may be NULL. Fails with VKPRIM_ERROR_UNSUPPORTED_DEVICE where the device
/// cannot run vkprim.
VKPRIM_API VkResult vkprim_query_requirements(const vkprim_requirements_query* query, vkprim_features* features,
                                              uint32_t* extension_count, const char** extensions, vkprim_error* error);

/// merge_features (requirements.h): enables `wanted` in the structures of `chain`, and appends none. Writes to `enabled` what is enabled in
/// them afterwards, for vkprim_context::features. `wanted` and `enabled` may be the same.
VKPRIM_API VkResult vkprim_merge_features(const vkprim_features* wanted, VkPhysicalDeviceFeatures2* chain,
                                          vkprim_features* enabled, vkprim_error* error);

/// MissingStructure (requirements.h). The texts live as long as the library is loaded.
typedef struct vkprim_missing_structure {
    VkStructureType type;
    uint32_t        reserved;
    const char*     name;   ///< "VkPhysicalDeviceSubgroupSizeControlFeatures"
    const char*     effect; ///< what vkprim does without it, a sentence
} vkprim_missing_structure;

/// missing_structures (requirements.h): those that vkprim_merge_features does not find in `chain`. Two calls, as in Vulkan: with
/// `structures` NULL, writes their number to *count; otherwise, writes up to *count of them, whose number is written there, and returns
/// VK_INCOMPLETE if there are more.
VKPRIM_API VkResult vkprim_missing_structures(const vkprim_features* wanted, const VkPhysicalDeviceFeatures2* chain,
                                              uint32_t* count, vkprim_missing_structure* structures,
                                              vkprim_error* error);

/* ---- what primitives share: core.h, operation.h ---- */

typedef enum vkprim_element_type {
    VKPRIM_ELEMENT_U32      = 0,
    VKPRIM_ELEMENT_I32      = 1,
    VKPRIM_ELEMENT_F32      = 2,
    VKPRIM_ELEMENT_U64      = 3,
    VKPRIM_ELEMENT_I64      = 4,
    VKPRIM_ELEMENT_F64      = 5,
    VKPRIM_ELEMENT_U8       = 6,
    VKPRIM_ELEMENT_I8       = 7,
    VKPRIM_ELEMENT_U16      = 8,
    VKPRIM_ELEMENT_I16      = 9,
    VKPRIM_ELEMENT_F16      = 10,
    VKPRIM_ELEMENT_MAX_ENUM = 0x7fffffff
} vkprim_element_type;

typedef enum vkprim_operation {
    VKPRIM_OPERATION_ADD      = 0,
    VKPRIM_OPERATION_MUL      = 1,
    VKPRIM_OPERATION_MIN      = 2,
    VKPRIM_OPERATION_MAX      = 3,
    VKPRIM_OPERATION_BIT_AND  = 4,
    VKPRIM_OPERATION_BIT_OR   = 5,
    VKPRIM_OPERATION_BIT_XOR  = 6,
    VKPRIM_OPERATION_ARGMIN   = 7,
    VKPRIM_OPERATION_ARGMAX   = 8,
    VKPRIM_OPERATION_MAX_ENUM = 0x7fffffff
} vkprim_operation;

typedef enum vkprim_order {
    VKPRIM_ORDER_FIXED    = 0,
    VKPRIM_ORDER_ANY      = 1,
    VKPRIM_ORDER_MAX_ENUM = 0x7fffffff
} vkprim_order;

/// Part (core.h). The default is number 0 of 1 part.
typedef struct vkprim_part {
    uint32_t number; ///< below `parts`
    uint32_t parts;
} vkprim_part;

/// Grid (core.h).
typedef struct vkprim_grid {
    uint32_t elements; ///< per workgroup; at least 1
    uint32_t least;    ///< workgroups
    uint32_t most;     ///< workgroups
} vkprim_grid;

/// Indirect (core.h).
typedef struct vkprim_indirect {
    VkBuffer     buffer;
    VkDeviceSize offset; ///< bytes, a multiple of 4
} vkprim_indirect;

/// Parameters (operation.h): for the code of `own`.
typedef struct vkprim_parameters {
    VkDeviceAddress addresses[4];
    uint32_t        words[4];
} vkprim_parameters;

/// SPIR-V.
typedef struct vkprim_module {
    const uint32_t* words;
    size_t          size; ///< bytes
} vkprim_module;

/// OwnOperation (operation.h): an element and an operation of your own, or a predicate. Only read during _create.
typedef struct vkprim_own_operation {
    size_t        struct_size;
    vkprim_module reduce[3];
    vkprim_module scan[3];
    vkprim_module compact[3];
    vkprim_module segmented_reduce[3];
    vkprim_module segmented_scan[3];
} vkprim_own_operation;

VKPRIM_API void vkprim_own_operation_init(vkprim_own_operation* own, size_t struct_size);

/// SegmentLayout (segments.h).
typedef enum vkprim_segment_layout {
    VKPRIM_SEGMENTS_NONE     = 0,
    VKPRIM_SEGMENTS_OFFSETS  = 1,
    VKPRIM_SEGMENTS_ROWS     = 2,
    VKPRIM_SEGMENTS_MAX_ENUM = 0x7fffffff
} vkprim_segment_layout;

/// Segments (segments.h).
typedef struct vkprim_segments {
    uint32_t        count;       ///< default: 1
    uint32_t        offset_size; ///< bytes; default: 4
    VkDeviceAddress count_address;
    VkDeviceAddress offsets; ///< read: count + 1 integers
    VkDeviceSize    pitch;   ///< bytes
    uint32_t        longest; ///< elements
    uint32_t        reserved;
} vkprim_segments;

/// output_type (core.h).
VKPRIM_API vkprim_element_type vkprim_output_type(vkprim_element_type type);

/// identity_bits (core.h).
VKPRIM_API uint64_t vkprim_identity_bits(vkprim_element_type type, vkprim_operation operation);

/// tiles_scratch_size (tiles.h), and reduction_scratch_size (reduction.h): for shaders of your own.
VKPRIM_API VkDeviceSize vkprim_tiles_scratch_size(uint32_t tiles, uint32_t element_words);
VKPRIM_API VkDeviceSize vkprim_reduction_scratch_size(uint32_t workgroups, uint32_t element_words);

/* ---- reduction to one element: reduce.h ---- */

typedef struct vkprim_reduce vkprim_reduce;

typedef struct vkprim_reduce_desc {
    size_t                      struct_size;
    vkprim_element_type         type;      ///< default: VKPRIM_ELEMENT_U32
    vkprim_operation            operation; ///< default: VKPRIM_OPERATION_ADD
    const vkprim_own_operation* own;       ///< if set, replaces `type` and `operation`
    VkBool32                    aligned;
    VkBool32                    strided;
    vkprim_order                order;
    VkBool32                    wide; ///< sums and products of integers in 64 bits
} vkprim_reduce_desc;

typedef struct vkprim_reduce_args {
    size_t            struct_size;
    VkDeviceAddress   input;   ///< read: count elements
    VkDeviceAddress   output;  ///< written: one element
    VkDeviceAddress   scratch; ///< vkprim_reduce_scratch_size() bytes
    VkDeviceAddress   count_address;
    uint32_t          count;
    uint32_t          stride; ///< bytes
    vkprim_part       part;
    vkprim_indirect   indirect;
    vkprim_parameters parameters;
} vkprim_reduce_args;

VKPRIM_API void     vkprim_reduce_desc_init(vkprim_reduce_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_reduce_args_init(vkprim_reduce_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_reduce_create(const vkprim_context* context, const vkprim_reduce_desc* desc,
                                         vkprim_reduce** reduce, vkprim_error* error);
VKPRIM_API void     vkprim_reduce_destroy(vkprim_reduce* reduce);
/// Writes the bytes of vkprim_reduce_args::scratch. Of `args`, only count is used.
VKPRIM_API VkResult vkprim_reduce_scratch_size(const vkprim_reduce* reduce, const vkprim_reduce_args* args,
                                               VkDeviceSize* size, vkprim_error* error);
VKPRIM_API VkResult vkprim_reduce_grid(const vkprim_reduce* reduce, const vkprim_reduce_args* args, vkprim_grid* grid,
                                       vkprim_error* error);
VKPRIM_API VkResult vkprim_reduce_validate(const vkprim_reduce* reduce, const vkprim_reduce_args* args,
                                           vkprim_error* error);
VKPRIM_API VkResult vkprim_reduce_record(const vkprim_reduce* reduce, VkCommandBuffer commands,
                                         const vkprim_reduce_args* args, vkprim_error* error);

/* ---- scan: scan.h ---- */

typedef struct vkprim_scan vkprim_scan;

typedef enum vkprim_scan_kind {
    VKPRIM_SCAN_EXCLUSIVE = 0,
    VKPRIM_SCAN_INCLUSIVE = 1,
    VKPRIM_SCAN_MAX_ENUM  = 0x7fffffff
} vkprim_scan_kind;

typedef struct vkprim_scan_desc {
    size_t                      struct_size;
    vkprim_element_type         type;      ///< default: VKPRIM_ELEMENT_U32
    vkprim_operation            operation; ///< default: VKPRIM_OPERATION_ADD
    vkprim_scan_kind            kind;      ///< default: VKPRIM_SCAN_EXCLUSIVE
    VkBool32                    waits;     ///< default: VK_TRUE
    VkBool32                    aligned;
    VkBool32                    strided;
    const vkprim_own_operation* own; ///< if set, replaces `type` and `operation`
} vkprim_scan_desc;

typedef struct vkprim_scan_args {
    size_t            struct_size;
    VkDeviceAddress   input;   ///< read: count elements
    VkDeviceAddress   output;  ///< written: count elements; may be `input`
    VkDeviceAddress   scratch; ///< vkprim_scan_scratch_size() bytes
    VkDeviceAddress   count_address;
    uint32_t          count;
    uint32_t          stride; ///< bytes
    vkprim_part       part;
    vkprim_indirect   indirect;
    vkprim_parameters parameters;
} vkprim_scan_args;

VKPRIM_API void     vkprim_scan_desc_init(vkprim_scan_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_scan_args_init(vkprim_scan_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_scan_create(const vkprim_context* context, const vkprim_scan_desc* desc, vkprim_scan** scan,
                                       vkprim_error* error);
VKPRIM_API void     vkprim_scan_destroy(vkprim_scan* scan);
/// Writes the bytes of vkprim_scan_args::scratch. Of `args`, only count is used.
VKPRIM_API VkResult vkprim_scan_scratch_size(const vkprim_scan* scan, const vkprim_scan_args* args, VkDeviceSize* size,
                                             vkprim_error* error);
VKPRIM_API VkResult vkprim_scan_grid(const vkprim_scan* scan, const vkprim_scan_args* args, vkprim_grid* grid,
                                     vkprim_error* error);
VKPRIM_API VkResult vkprim_scan_validate(const vkprim_scan* scan, const vkprim_scan_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_scan_record(const vkprim_scan* scan, VkCommandBuffer commands, const vkprim_scan_args* args,
                                       vkprim_error* error);

/* ---- compaction: compact.h ---- */

typedef struct vkprim_compact vkprim_compact;

typedef enum vkprim_key_type {
    VKPRIM_KEY_U8       = 0,
    VKPRIM_KEY_U32      = 1,
    VKPRIM_KEY_I32      = 2,
    VKPRIM_KEY_F32      = 3,
    VKPRIM_KEY_U64      = 4,
    VKPRIM_KEY_MAX_ENUM = 0x7fffffff
} vkprim_key_type;

typedef enum vkprim_compact_keep {
    VKPRIM_COMPACT_KEEP_NONZERO   = 0,
    VKPRIM_COMPACT_KEEP_INSIDE    = 1,
    VKPRIM_COMPACT_KEEP_OUTSIDE   = 2,
    VKPRIM_COMPACT_KEEP_RUN_HEADS = 3,
    VKPRIM_COMPACT_KEEP_MAX_ENUM  = 0x7fffffff
} vkprim_compact_keep;

typedef enum vkprim_compact_copy {
    VKPRIM_COMPACT_COPY_KEYS                 = 0,
    VKPRIM_COMPACT_COPY_ELEMENTS             = 1,
    VKPRIM_COMPACT_COPY_INDICES              = 2,
    VKPRIM_COMPACT_COPY_KEYS_AND_INDICES     = 3,
    VKPRIM_COMPACT_COPY_ELEMENTS_AND_INDICES = 4,
    VKPRIM_COMPACT_COPY_MAX_ENUM             = 0x7fffffff
} vkprim_compact_copy;

typedef enum vkprim_compact_rejected {
    VKPRIM_COMPACT_REJECTED_DROPPED  = 0,
    VKPRIM_COMPACT_REJECTED_PACKED   = 1,
    VKPRIM_COMPACT_REJECTED_DIVIDED  = 2,
    VKPRIM_COMPACT_REJECTED_MAX_ENUM = 0x7fffffff
} vkprim_compact_rejected;

typedef struct vkprim_compact_desc {
    size_t                      struct_size;
    vkprim_key_type             key;   ///< default: VKPRIM_KEY_U8
    vkprim_compact_keep         keep;  ///< default: VKPRIM_COMPACT_KEEP_NONZERO
    vkprim_compact_copy         copy;  ///< default: VKPRIM_COMPACT_COPY_ELEMENTS
    VkBool32                    waits; ///< default: VK_TRUE
    VkBool32                    aligned;
    vkprim_compact_rejected     rejected; ///< default: VKPRIM_COMPACT_REJECTED_DROPPED
    VkBool32                    indices_end;
    vkprim_segment_layout       segments; ///< default: VKPRIM_SEGMENTS_NONE
    const vkprim_own_operation* own;      ///< if set, a predicate, which replaces `key` and `keep`
} vkprim_compact_desc;

typedef struct vkprim_compact_args {
    size_t            struct_size;
    VkDeviceAddress   keys;     ///< read: count keys
    VkDeviceAddress   elements; ///< read: count elements
    VkDeviceAddress   output;   ///< written: what is kept
    VkDeviceAddress   indices;  ///< written, with ..._AND_INDICES
    VkDeviceAddress   rejected; ///< written, unless VKPRIM_COMPACT_REJECTED_DROPPED
    VkDeviceAddress   above;    ///< written, with VKPRIM_COMPACT_REJECTED_DIVIDED
    VkDeviceAddress   kept;     ///< written: how many, uint32_t
    VkDeviceAddress   scratch;  ///< vkprim_compact_scratch_size() bytes
    VkDeviceAddress   count_address;
    double            lower;
    double            upper;
    uint32_t          count;
    uint32_t          reserved;
    vkprim_segments   segments;
    vkprim_part       part;
    vkprim_indirect   indirect;
    vkprim_parameters parameters;
} vkprim_compact_args;

VKPRIM_API void     vkprim_compact_desc_init(vkprim_compact_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_compact_args_init(vkprim_compact_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_compact_create(const vkprim_context* context, const vkprim_compact_desc* desc,
                                          vkprim_compact** compact, vkprim_error* error);
VKPRIM_API void     vkprim_compact_destroy(vkprim_compact* compact);
/// Writes the bytes of vkprim_compact_args::scratch. Of `args`, only count is used.
VKPRIM_API VkResult vkprim_compact_scratch_size(const vkprim_compact* compact, const vkprim_compact_args* args,
                                                VkDeviceSize* size, vkprim_error* error);
VKPRIM_API VkResult vkprim_compact_grid(const vkprim_compact* compact, const vkprim_compact_args* args,
                                        vkprim_grid* grid, vkprim_error* error);
VKPRIM_API VkResult vkprim_compact_validate(const vkprim_compact* compact, const vkprim_compact_args* args,
                                            vkprim_error* error);
VKPRIM_API VkResult vkprim_compact_record(const vkprim_compact* compact, VkCommandBuffer commands,
                                          const vkprim_compact_args* args, vkprim_error* error);

/* ---- histogram: histogram.h ---- */

typedef struct vkprim_histogram vkprim_histogram;

typedef enum vkprim_sample_type {
    VKPRIM_SAMPLE_U8       = 0,
    VKPRIM_SAMPLE_U16      = 1,
    VKPRIM_SAMPLE_U32      = 2,
    VKPRIM_SAMPLE_I32      = 3,
    VKPRIM_SAMPLE_F32      = 4,
    VKPRIM_SAMPLE_F64      = 5,
    VKPRIM_SAMPLE_MAX_ENUM = 0x7fffffff
} vkprim_sample_type;

typedef enum vkprim_weights {
    VKPRIM_WEIGHTS_NONE     = 0,
    VKPRIM_WEIGHTS_U32      = 1,
    VKPRIM_WEIGHTS_I32      = 2,
    VKPRIM_WEIGHTS_MAX_ENUM = 0x7fffffff
} vkprim_weights;

typedef struct vkprim_histogram_desc {
    size_t                struct_size;
    vkprim_sample_type    type;             ///< default: VKPRIM_SAMPLE_U8
    uint32_t              bins;             ///< default: 256
    double                lower;            ///< default: 0
    double                upper;            ///< default: 256
    uint32_t              channels;         ///< default: 1
    uint32_t              counted_channels; ///< default: 0, which is all
    vkprim_weights        weights;
    VkBool32              wide;
    VkBool32              levels;
    vkprim_segment_layout segments; ///< default: VKPRIM_SEGMENTS_NONE
} vkprim_histogram_desc;

typedef struct vkprim_histogram_args {
    size_t          struct_size;
    VkDeviceAddress input;   ///< read: count samples
    VkDeviceAddress counts;  ///< written or added to: uint32_t or uint64_t for each bin
    VkDeviceAddress scratch; ///< vkprim_histogram_scratch_size() bytes
    VkDeviceAddress count_address;
    VkDeviceAddress weights; ///< read, with vkprim_histogram_desc::weights
    VkDeviceAddress levels;  ///< read, with vkprim_histogram_desc::levels
    uint32_t        count;
    VkBool32        accumulate;
    vkprim_segments segments;
    vkprim_part     part;
} vkprim_histogram_args;

VKPRIM_API void     vkprim_histogram_desc_init(vkprim_histogram_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_histogram_args_init(vkprim_histogram_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_histogram_create(const vkprim_context* context, const vkprim_histogram_desc* desc,
                                            vkprim_histogram** histogram, vkprim_error* error);
VKPRIM_API void     vkprim_histogram_destroy(vkprim_histogram* histogram);
/// Writes the bytes of vkprim_histogram_args::scratch. Of `args`, only count and segments.count are used.
VKPRIM_API VkResult vkprim_histogram_scratch_size(const vkprim_histogram* histogram, const vkprim_histogram_args* args,
                                                  VkDeviceSize* size, vkprim_error* error);
VKPRIM_API VkResult vkprim_histogram_validate(const vkprim_histogram* histogram, const vkprim_histogram_args* args,
                                              vkprim_error* error);
VKPRIM_API VkResult vkprim_histogram_record(const vkprim_histogram* histogram, VkCommandBuffer commands,
                                            const vkprim_histogram_args* args, vkprim_error* error);

/* ---- sort: sort.h ---- */

typedef struct vkprim_sort vkprim_sort;

typedef enum vkprim_sort_values {
    VKPRIM_SORT_VALUES_NONE     = 0,
    VKPRIM_SORT_VALUES_INDICES  = 1,
    VKPRIM_SORT_VALUES_BYTES4   = 2,
    VKPRIM_SORT_VALUES_BYTES8   = 3,
    VKPRIM_SORT_VALUES_BYTES16  = 4,
    VKPRIM_SORT_VALUES_MAX_ENUM = 0x7fffffff
} vkprim_sort_values;

typedef struct vkprim_sort_desc {
    size_t                struct_size;
    vkprim_element_type   key;    ///< default: VKPRIM_ELEMENT_U32
    vkprim_sort_values    values; ///< default: VKPRIM_SORT_VALUES_NONE
    VkBool32              descending;
    vkprim_segment_layout segments; ///< default: VKPRIM_SEGMENTS_NONE
} vkprim_sort_desc;

typedef struct vkprim_sort_args {
    size_t          struct_size;
    VkDeviceAddress keys;          ///< read: count keys of each row
    VkDeviceAddress values;        ///< read: as many values
    VkDeviceAddress output_keys;   ///< written: as many keys; may be `keys`
    VkDeviceAddress output_values; ///< written: as many values; may be `values`
    VkDeviceAddress temporary;     ///< vkprim_sort_temporary_size() bytes
    VkDeviceAddress count_address;
    uint32_t        count;
    uint32_t        begin_bit;
    uint32_t        end_bit;
    uint32_t        reserved;
    vkprim_segments segments;
    vkprim_indirect indirect;
} vkprim_sort_args;

VKPRIM_API void     vkprim_sort_desc_init(vkprim_sort_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_sort_args_init(vkprim_sort_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_sort_create(const vkprim_context* context, const vkprim_sort_desc* desc, vkprim_sort** sort,
                                       vkprim_error* error);
VKPRIM_API void     vkprim_sort_destroy(vkprim_sort* sort);
/// Writes the bytes of vkprim_sort_args::temporary. Of `args`, only count and segments.count are used.
VKPRIM_API VkResult vkprim_sort_temporary_size(const vkprim_sort* sort, const vkprim_sort_args* args,
                                               VkDeviceSize* size, vkprim_error* error);
/// Writes 0: it takes no scratch.
VKPRIM_API VkResult vkprim_sort_scratch_size(const vkprim_sort* sort, const vkprim_sort_args* args, VkDeviceSize* size,
                                             vkprim_error* error);
VKPRIM_API VkResult vkprim_sort_grid(const vkprim_sort* sort, const vkprim_sort_args* args, vkprim_grid* grid,
                                     vkprim_error* error);
VKPRIM_API VkResult vkprim_sort_validate(const vkprim_sort* sort, const vkprim_sort_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_sort_record(const vkprim_sort* sort, VkCommandBuffer commands, const vkprim_sort_args* args,
                                       vkprim_error* error);

/* ---- the smallest or largest keys: top.h ---- */

#define VKPRIM_TOP_MOST_WANTED 0x100000u ///< Top::most_wanted

typedef struct vkprim_top vkprim_top;

typedef struct vkprim_top_desc {
    size_t              struct_size;
    vkprim_element_type key; ///< default: VKPRIM_ELEMENT_F32
    VkBool32            largest;
    VkBool32            nth;
    uint32_t            reserved;
} vkprim_top_desc;

typedef struct vkprim_top_args {
    size_t          struct_size;
    VkDeviceAddress keys;           ///< read: count keys of each row
    VkDeviceAddress output_keys;    ///< written: segments.count * wanted keys
    VkDeviceAddress output_indices; ///< written: as many uint32_t
    VkDeviceAddress temporary;      ///< vkprim_top_temporary_size() bytes
    VkDeviceAddress count_address;
    uint32_t        count;
    uint32_t        wanted;
    vkprim_segments segments;
} vkprim_top_args;

VKPRIM_API void     vkprim_top_desc_init(vkprim_top_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_top_args_init(vkprim_top_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_top_create(const vkprim_context* context, const vkprim_top_desc* desc, vkprim_top** top,
                                      vkprim_error* error);
VKPRIM_API void     vkprim_top_destroy(vkprim_top* top);
/// Writes the bytes of vkprim_top_args::temporary. Of `args`, only count, wanted and segments.count are used.
VKPRIM_API VkResult vkprim_top_temporary_size(const vkprim_top* top, const vkprim_top_args* args, VkDeviceSize* size,
                                              vkprim_error* error);
/// Writes 0: it takes no scratch.
VKPRIM_API VkResult vkprim_top_scratch_size(const vkprim_top* top, const vkprim_top_args* args, VkDeviceSize* size,
                                            vkprim_error* error);
VKPRIM_API VkResult vkprim_top_validate(const vkprim_top* top, const vkprim_top_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_top_record(const vkprim_top* top, VkCommandBuffer commands, const vkprim_top_args* args,
                                      vkprim_error* error);

/* ---- run-length decoding: expand.h ---- */

typedef struct vkprim_expand vkprim_expand;

typedef enum vkprim_expand_values {
    VKPRIM_EXPAND_VALUES_INDICES  = 0,
    VKPRIM_EXPAND_VALUES_BYTES4   = 1,
    VKPRIM_EXPAND_VALUES_BYTES8   = 2,
    VKPRIM_EXPAND_VALUES_BYTES16  = 3,
    VKPRIM_EXPAND_VALUES_MAX_ENUM = 0x7fffffff
} vkprim_expand_values;

typedef struct vkprim_expand_desc {
    size_t               struct_size;
    vkprim_expand_values values; ///< default: VKPRIM_EXPAND_VALUES_BYTES4
    uint32_t             reserved;
} vkprim_expand_desc;

typedef struct vkprim_expand_args {
    size_t          struct_size;
    VkDeviceAddress values; ///< read: segments.count values
    VkDeviceAddress output; ///< written: count values
    uint32_t        count;
    uint32_t        reserved;
    vkprim_segments segments;
    vkprim_part     part;
} vkprim_expand_args;

VKPRIM_API void     vkprim_expand_desc_init(vkprim_expand_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_expand_args_init(vkprim_expand_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_expand_create(const vkprim_context* context, const vkprim_expand_desc* desc,
                                         vkprim_expand** expand, vkprim_error* error);
VKPRIM_API void     vkprim_expand_destroy(vkprim_expand* expand);
/// Writes 0: it takes no scratch.
VKPRIM_API VkResult vkprim_expand_scratch_size(const vkprim_expand* expand, const vkprim_expand_args* args,
                                               VkDeviceSize* size, vkprim_error* error);
VKPRIM_API VkResult vkprim_expand_validate(const vkprim_expand* expand, const vkprim_expand_args* args,
                                           vkprim_error* error);
VKPRIM_API VkResult vkprim_expand_record(const vkprim_expand* expand, VkCommandBuffer commands,
                                         const vkprim_expand_args* args, vkprim_error* error);

/* ---- reduction of segments: segmented_reduce.h ---- */

typedef struct vkprim_segmented_reduce vkprim_segmented_reduce;

typedef struct vkprim_segmented_reduce_desc {
    size_t                      struct_size;
    vkprim_element_type         type;      ///< default: VKPRIM_ELEMENT_U32
    vkprim_operation            operation; ///< default: VKPRIM_OPERATION_ADD
    vkprim_segment_layout       segments;  ///< default: VKPRIM_SEGMENTS_OFFSETS
    VkBool32                    wide;      ///< sums and products of integers in 64 bits
    const vkprim_own_operation* own;       ///< if set, replaces `type` and `operation`
} vkprim_segmented_reduce_desc;

typedef struct vkprim_segmented_reduce_args {
    size_t            struct_size;
    VkDeviceAddress   input;   ///< read: the elements
    VkDeviceAddress   output;  ///< written: an element for each segment
    VkDeviceAddress   scratch; ///< vkprim_segmented_reduce_scratch_size() bytes
    VkDeviceAddress   count_address;
    uint32_t          count;
    uint32_t          reserved;
    vkprim_segments   segments;
    vkprim_part       part;
    vkprim_parameters parameters;
} vkprim_segmented_reduce_args;

VKPRIM_API void     vkprim_segmented_reduce_desc_init(vkprim_segmented_reduce_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_segmented_reduce_args_init(vkprim_segmented_reduce_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_segmented_reduce_create(const vkprim_context*               context,
                                                   const vkprim_segmented_reduce_desc* desc,
                                                   vkprim_segmented_reduce** segmented_reduce, vkprim_error* error);
VKPRIM_API void     vkprim_segmented_reduce_destroy(vkprim_segmented_reduce* segmented_reduce);
/// Writes the bytes of vkprim_segmented_reduce_args::scratch. Of `args`, only count and segments.count are used.
VKPRIM_API VkResult vkprim_segmented_reduce_scratch_size(const vkprim_segmented_reduce*      segmented_reduce,
                                                         const vkprim_segmented_reduce_args* args, VkDeviceSize* size,
                                                         vkprim_error* error);
VKPRIM_API VkResult vkprim_segmented_reduce_validate(const vkprim_segmented_reduce*      segmented_reduce,
                                                     const vkprim_segmented_reduce_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_segmented_reduce_record(const vkprim_segmented_reduce* segmented_reduce,
                                                   VkCommandBuffer commands, const vkprim_segmented_reduce_args* args,
                                                   vkprim_error* error);

/* ---- scan of segments: segmented_scan.h ---- */

typedef struct vkprim_segmented_scan vkprim_segmented_scan;

typedef struct vkprim_segmented_scan_desc {
    size_t                      struct_size;
    vkprim_element_type         type;      ///< default: VKPRIM_ELEMENT_U32
    vkprim_operation            operation; ///< default: VKPRIM_OPERATION_ADD
    vkprim_scan_kind            kind;      ///< default: VKPRIM_SCAN_EXCLUSIVE
    vkprim_segment_layout       segments;  ///< default: VKPRIM_SEGMENTS_OFFSETS
    VkBool32                    waits;     ///< default: VK_TRUE
    uint32_t                    reserved;
    const vkprim_own_operation* own; ///< if set, replaces `type` and `operation`
} vkprim_segmented_scan_desc;

typedef struct vkprim_segmented_scan_args {
    size_t            struct_size;
    VkDeviceAddress   input;   ///< read: the elements
    VkDeviceAddress   output;  ///< written: as many elements; may be `input`
    VkDeviceAddress   scratch; ///< vkprim_segmented_scan_scratch_size() bytes
    VkDeviceAddress   count_address;
    uint32_t          count;
    uint32_t          reserved;
    vkprim_segments   segments;
    VkDeviceSize      output_pitch; ///< bytes
    vkprim_part       part;
    vkprim_parameters parameters;
} vkprim_segmented_scan_args;

VKPRIM_API void     vkprim_segmented_scan_desc_init(vkprim_segmented_scan_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_segmented_scan_args_init(vkprim_segmented_scan_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_segmented_scan_create(const vkprim_context* context, const vkprim_segmented_scan_desc* desc,
                                                 vkprim_segmented_scan** segmented_scan, vkprim_error* error);
VKPRIM_API void     vkprim_segmented_scan_destroy(vkprim_segmented_scan* segmented_scan);
/// Writes the bytes of vkprim_segmented_scan_args::scratch. Of `args`, only count and segments.count are used.
VKPRIM_API VkResult vkprim_segmented_scan_scratch_size(const vkprim_segmented_scan*      segmented_scan,
                                                       const vkprim_segmented_scan_args* args, VkDeviceSize* size,
                                                       vkprim_error* error);
VKPRIM_API VkResult vkprim_segmented_scan_validate(const vkprim_segmented_scan*      segmented_scan,
                                                   const vkprim_segmented_scan_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_segmented_scan_record(const vkprim_segmented_scan* segmented_scan, VkCommandBuffer commands,
                                                 const vkprim_segmented_scan_args* args, vkprim_error* error);

/* ---- sort of segments: segmented_sort.h ---- */

typedef struct vkprim_segmented_sort vkprim_segmented_sort;

typedef struct vkprim_segmented_sort_desc {
    size_t                struct_size;
    vkprim_element_type   key;    ///< default: VKPRIM_ELEMENT_U32
    vkprim_sort_values    values; ///< default: VKPRIM_SORT_VALUES_NONE
    VkBool32              descending;
    vkprim_segment_layout segments; ///< default: VKPRIM_SEGMENTS_OFFSETS
} vkprim_segmented_sort_desc;

typedef struct vkprim_segmented_sort_args {
    size_t          struct_size;
    VkDeviceAddress keys;          ///< read: the keys
    VkDeviceAddress values;        ///< read: as many values
    VkDeviceAddress output_keys;   ///< written: as many keys; may be `keys`
    VkDeviceAddress output_values; ///< written: as many values; may be `values`
    VkDeviceAddress temporary;     ///< vkprim_segmented_sort_temporary_size() bytes
    VkDeviceAddress count_address;
    uint32_t        count;
    uint32_t        begin_bit;
    uint32_t        end_bit;
    uint32_t        reserved;
    vkprim_segments segments;
} vkprim_segmented_sort_args;

VKPRIM_API void     vkprim_segmented_sort_desc_init(vkprim_segmented_sort_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_segmented_sort_args_init(vkprim_segmented_sort_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_segmented_sort_create(const vkprim_context* context, const vkprim_segmented_sort_desc* desc,
                                                 vkprim_segmented_sort** segmented_sort, vkprim_error* error);
VKPRIM_API void     vkprim_segmented_sort_destroy(vkprim_segmented_sort* segmented_sort);
VKPRIM_API uint32_t vkprim_segmented_sort_most_short(const vkprim_segmented_sort* segmented_sort);
/// Writes the bytes of vkprim_segmented_sort_args::temporary. Of `args`, only count, segments.count and segments.longest are used.
VKPRIM_API VkResult vkprim_segmented_sort_temporary_size(const vkprim_segmented_sort*      segmented_sort,
                                                         const vkprim_segmented_sort_args* args, VkDeviceSize* size,
                                                         vkprim_error* error);
/// Writes 0: it takes no scratch.
VKPRIM_API VkResult vkprim_segmented_sort_scratch_size(const vkprim_segmented_sort*      segmented_sort,
                                                       const vkprim_segmented_sort_args* args, VkDeviceSize* size,
                                                       vkprim_error* error);
VKPRIM_API VkResult vkprim_segmented_sort_validate(const vkprim_segmented_sort*      segmented_sort,
                                                   const vkprim_segmented_sort_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_segmented_sort_record(const vkprim_segmented_sort* segmented_sort, VkCommandBuffer commands,
                                                 const vkprim_segmented_sort_args* args, vkprim_error* error);

/* ---- arrays in chunks: chunks.h, chunked_reduce.h, chunked_scan.h ---- */

#define VKPRIM_CHUNK_STEP 0x100000u                       ///< chunk_step
#define VKPRIM_MAX_CHUNKED_COUNT ((uint64_t)1 << 36)      ///< max_chunked_count
#define VKPRIM_MAX_CHUNKED_LONG_COUNT ((uint64_t)1 << 35) ///< max_chunked_long_count

typedef struct vkprim_chunked_reduce vkprim_chunked_reduce;
typedef struct vkprim_chunked_scan   vkprim_chunked_scan;

/// Chunk (chunks.h).
typedef struct vkprim_chunk {
    uint64_t begin; ///< elements, a multiple of VKPRIM_CHUNK_STEP
    uint32_t count; ///< elements
    uint32_t reserved;
} vkprim_chunk;

/// TotalsRange (chunks.h).
typedef struct vkprim_totals_range {
    VkDeviceSize offset; ///< bytes
    VkDeviceSize size;   ///< bytes
} vkprim_totals_range;

typedef struct vkprim_chunked_reduce_desc {
    size_t              struct_size;
    vkprim_element_type type;      ///< default: VKPRIM_ELEMENT_U32
    vkprim_operation    operation; ///< default: VKPRIM_OPERATION_ADD
    VkBool32            wide;      ///< sums and products of integers in 64 bits
    uint32_t            reserved;
} vkprim_chunked_reduce_desc;

typedef struct vkprim_chunked_reduce_totals_args {
    size_t          struct_size;
    VkDeviceAddress input;  ///< read: the chunk's elements
    VkDeviceAddress totals; ///< written: vkprim_chunked_reduce_totals_range() of the totals that begin here
    vkprim_chunk    chunk;
    uint64_t        whole; ///< elements of the array
} vkprim_chunked_reduce_totals_args;

typedef struct vkprim_chunked_reduce_result_args {
    size_t          struct_size;
    VkDeviceAddress totals;    ///< read: vkprim_chunked_reduce_totals_size() bytes
    VkDeviceAddress temporary; ///< vkprim_chunked_reduce_temporary_size() bytes
    VkDeviceAddress output;    ///< written: one element
    uint64_t        whole;     ///< elements of the array
} vkprim_chunked_reduce_result_args;

VKPRIM_API void     vkprim_chunked_reduce_desc_init(vkprim_chunked_reduce_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_chunked_reduce_totals_args_init(vkprim_chunked_reduce_totals_args* args, size_t struct_size);
VKPRIM_API void     vkprim_chunked_reduce_result_args_init(vkprim_chunked_reduce_result_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_chunked_reduce_create(const vkprim_context* context, const vkprim_chunked_reduce_desc* desc,
                                                 vkprim_chunked_reduce** chunked_reduce, vkprim_error* error);
VKPRIM_API void     vkprim_chunked_reduce_destroy(vkprim_chunked_reduce* chunked_reduce);
VKPRIM_API VkDeviceSize vkprim_chunked_reduce_totals_size(const vkprim_chunked_reduce* chunked_reduce, uint64_t whole);
/// Writes the range for a chunk of an array of `whole` elements.
VKPRIM_API void         vkprim_chunked_reduce_totals_range(const vkprim_chunked_reduce* chunked_reduce,
                                                           const vkprim_chunk* chunk, uint64_t whole,
                                                           vkprim_totals_range* range);
VKPRIM_API VkDeviceSize vkprim_chunked_reduce_temporary_size(const vkprim_chunked_reduce* chunked_reduce);
VKPRIM_API VkResult     vkprim_chunked_reduce_validate_totals(const vkprim_chunked_reduce*             chunked_reduce,
                                                              const vkprim_chunked_reduce_totals_args* args,
                                                              vkprim_error*                            error);
VKPRIM_API VkResult     vkprim_chunked_reduce_validate_result(const vkprim_chunked_reduce*             chunked_reduce,
                                                              const vkprim_chunked_reduce_result_args* args,
                                                              vkprim_error*                            error);
VKPRIM_API VkResult     vkprim_chunked_reduce_record_totals(const vkprim_chunked_reduce*             chunked_reduce,
                                                            VkCommandBuffer                          commands,
                                                            const vkprim_chunked_reduce_totals_args* args,
                                                            vkprim_error*                            error);
VKPRIM_API VkResult     vkprim_chunked_reduce_record_result(const vkprim_chunked_reduce*             chunked_reduce,
                                                            VkCommandBuffer                          commands,
                                                            const vkprim_chunked_reduce_result_args* args,
                                                            vkprim_error*                            error);

typedef struct vkprim_chunked_scan_desc {
    size_t              struct_size;
    vkprim_element_type type;      ///< default: VKPRIM_ELEMENT_U32
    vkprim_operation    operation; ///< default: VKPRIM_OPERATION_ADD
    vkprim_scan_kind    kind;      ///< default: VKPRIM_SCAN_EXCLUSIVE
    uint32_t            reserved;
} vkprim_chunked_scan_desc;

typedef struct vkprim_chunked_scan_args {
    size_t          struct_size;
    VkDeviceAddress input;     ///< read: the chunk's elements
    VkDeviceAddress output;    ///< written: as many elements; may be `input`
    VkDeviceAddress totals;    ///< vkprim_chunked_scan_totals_size() bytes
    VkDeviceAddress temporary; ///< vkprim_chunked_scan_temporary_size() bytes
    vkprim_chunk    chunk;
} vkprim_chunked_scan_args;

VKPRIM_API void         vkprim_chunked_scan_desc_init(vkprim_chunked_scan_desc* desc, size_t struct_size);
VKPRIM_API void         vkprim_chunked_scan_args_init(vkprim_chunked_scan_args* args, size_t struct_size);
VKPRIM_API VkResult     vkprim_chunked_scan_create(const vkprim_context* context, const vkprim_chunked_scan_desc* desc,
                                                   vkprim_chunked_scan** chunked_scan, vkprim_error* error);
VKPRIM_API void         vkprim_chunked_scan_destroy(vkprim_chunked_scan* chunked_scan);
VKPRIM_API VkDeviceSize vkprim_chunked_scan_totals_size(const vkprim_chunked_scan* chunked_scan, uint64_t count);
/// Writes the range for a chunk.
VKPRIM_API void vkprim_chunked_scan_totals_range(const vkprim_chunked_scan* chunked_scan, const vkprim_chunk* chunk,
                                                 vkprim_totals_range* range);
VKPRIM_API VkDeviceSize vkprim_chunked_scan_temporary_size(const vkprim_chunked_scan* chunked_scan, uint32_t count);
VKPRIM_API VkResult     vkprim_chunked_scan_validate(const vkprim_chunked_scan*      chunked_scan,
                                                     const vkprim_chunked_scan_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_chunked_scan_record_totals(const vkprim_chunked_scan* chunked_scan, VkCommandBuffer commands,
                                                      const vkprim_chunked_scan_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_chunked_scan_record_outputs(const vkprim_chunked_scan* chunked_scan,
                                                       VkCommandBuffer commands, const vkprim_chunked_scan_args* args,
                                                       vkprim_error* error);
VKPRIM_API VkResult vkprim_chunked_scan_record(const vkprim_chunked_scan* chunked_scan, VkCommandBuffer commands,
                                               const vkprim_chunked_scan_args* args, vkprim_error* error);

/* ---- commands of indirect dispatches and draws: indirect.h ---- */

typedef struct vkprim_indirect_command vkprim_indirect_command;

typedef enum vkprim_indirect_command_kind {
    VKPRIM_INDIRECT_COMMAND_DISPATCH     = 0,
    VKPRIM_INDIRECT_COMMAND_DRAW         = 1,
    VKPRIM_INDIRECT_COMMAND_DRAW_INDEXED = 2,
    VKPRIM_INDIRECT_COMMAND_MAX_ENUM     = 0x7fffffff
} vkprim_indirect_command_kind;

typedef struct vkprim_indirect_command_desc {
    size_t                       struct_size;
    vkprim_indirect_command_kind kind; ///< default: VKPRIM_INDIRECT_COMMAND_DISPATCH
    uint32_t                     reserved;
} vkprim_indirect_command_desc;

typedef struct vkprim_indirect_command_args {
    size_t          struct_size;
    VkDeviceAddress command;       ///< written: the command
    VkDeviceAddress count_address; ///< read: a uint32_t
    uint32_t        bound;         ///< default: UINT32_MAX
    vkprim_grid     grid;          ///< default: {256, 0, UINT32_MAX}
    uint32_t        vertices;
    uint32_t        reserved;
} vkprim_indirect_command_args;

VKPRIM_API void     vkprim_indirect_command_desc_init(vkprim_indirect_command_desc* desc, size_t struct_size);
VKPRIM_API void     vkprim_indirect_command_args_init(vkprim_indirect_command_args* args, size_t struct_size);
VKPRIM_API VkResult vkprim_indirect_command_create(const vkprim_context*               context,
                                                   const vkprim_indirect_command_desc* desc,
                                                   vkprim_indirect_command** indirect_command, vkprim_error* error);
VKPRIM_API void     vkprim_indirect_command_destroy(vkprim_indirect_command* indirect_command);
/// Writes 0: it takes no scratch.
VKPRIM_API VkResult vkprim_indirect_command_scratch_size(const vkprim_indirect_command*      indirect_command,
                                                         const vkprim_indirect_command_args* args, VkDeviceSize* size,
                                                         vkprim_error* error);
VKPRIM_API VkResult vkprim_indirect_command_validate(const vkprim_indirect_command*      indirect_command,
                                                     const vkprim_indirect_command_args* args, vkprim_error* error);
VKPRIM_API VkResult vkprim_indirect_command_record(const vkprim_indirect_command* indirect_command,
                                                   VkCommandBuffer commands, const vkprim_indirect_command_args* args,
                                                   vkprim_error* error);

#ifdef __cplusplus
} // extern "C"
#endif
