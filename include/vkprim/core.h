// vkprim: parallel primitives for any Vulkan GPU. What all primitives share.
//
// Every primitive has the same three calls:
//     create        builds the pipelines; may fail, and then gives a reason
//     scratch_size  bytes of scratch memory that one record() needs; the Args need no addresses yet
//     record        appends the work to the caller's command buffer; cannot fail, allocates nothing, submits nothing, waits for nothing
// A fourth is optional: validate checks the Args of a record(). ChunkedReduce and ChunkedScan have a record call for each pass over an array, and
// temporary_size() instead of scratch_size().
//
// The caller owns the device, all memory, the barriers and the submission.
//
// Barriers   All accesses happen in VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, except that Args::indirect is read in
//            VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT with VK_ACCESS_INDIRECT_COMMAND_READ_BIT. Earlier writes to inputs (offsets, weights and
//            levels included), to counts in GPU memory and to scratch need a barrier before record(), which makes them visible to
//            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT in that stage. Outputs and temporary memory need the same barrier if
//            anything has written them before. If earlier commands only read that memory, an execution dependency on them is enough. record()
//            writes outputs, scratch and temporary memory with VK_ACCESS_SHADER_WRITE_BIT in that stage. So two operations need such a
//            barrier between them if they share scratch or temporary memory, if both write to the same output, or if the second reads what
//            the first writes. If the second writes what the first only reads, an execution dependency is enough. Temporary memory is
//            Args::temporary of Sort, SegmentedSort, Top, ChunkedReduce and ChunkedScan. It need not be initialized. Unless Args says
//            otherwise, its content is undefined afterwards. Synchronization validation does not follow device addresses, so it does not
//            report a barrier that is missing here.
// Scratch    Zero-fill it once before the first use. From then on, let only operations use it: each leaves it ready for the next, of any
//            kind and size, at the same address. A scan leaves words in scratch. The next scan, compaction or segmented scan clears them,
//            even where they lie beyond its own scratch_size(). Always allocate the largest size that any operation at this address needs.
//            Zero-fill all of it again after any other use of the memory, after an operation that was abandoned before all of its parts had
//            run (Part), and after a SegmentedReduce or SegmentedScan whose offsets descend. The address of scratch must be a multiple of 16.
//            A buffer of VK_SHARING_MODE_EXCLUSIVE that moves to another queue family needs an ownership transfer, which keeps its content;
//            otherwise zero-fill it again there. Data that operations have written need the transfer, too.
// Addresses  Unless Args says otherwise, an address must be a multiple of the element's size; multiples of 16 are fastest. For elements of
//            your own (Desc::own), the address must be a multiple of 16 if an element has 16 or 32 bytes, of 8 if it has 8 or 24, and
//            otherwise of 4. For results of argmin and argmax, it is a multiple of 4. No byte outside the ranges that Args names is read or
//            written, with two exceptions. "Scratch" above is one. The other: if Features::storage_buffer_8bit_access is off, Compact's u8
//            keys, and Histogram's u8 and u16 samples, are read in whole aligned words of 4 bytes. A buffer must then contain the words in
//            which the first and the last byte of the range lie. The buffers need VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT and must stay
//            alive until the work has completed.
// Overlap    Memory that is written must not overlap any other memory in the same Args, unless Args says so. Scratch and temporary memory
//            are written.
// Counts     With `count_address`, the GPU reads a uint32 at that address, a multiple of 4, and the operation uses the smaller of this
//            uint32 and `count`. Nothing may write to the uint32 while the operation runs. The same holds for segments.count_address.
//            For a count of 0, scans, sorts, Top and Expand write nothing, Reduce and SegmentedReduce write identities,
//            Compact writes zeros to `kept` and with Desc::indices_end one zero to the indices, and Histogram writes zeros unless it
//            accumulates.
// Checks     validate(args) finds on the host what is wrong with Args: an address that is null or not aligned, memory that
//            is written and overlaps other memory, an invalid `part` or `indirect`, a count too large for the device's grid. It is
//            cheap, takes no lock, and works in every build. If vkprim was compiled without NDEBUG, record() calls it, and ends the
//            program with give_up() if something is wrong. Otherwise record() with such Args is undefined behavior. If the length of
//            a range depends on a count in GPU memory, or on how much Compact keeps, validate() checks the range's first element
//            only. It does not know whether there is a buffer at an address, nor what scratch contains.
// Floats     Sums and products must be rounded to nearest, ties to even. Their shaders declare this (RoundingModeRTE of float controls) if
//            the device has shaderRoundingModeRTEFloat32. They do not declare it for f64, nor on NVIDIA GPUs, which round this way anyway
//            and are slower with the declaration. Without the declaration, Vulkan leaves the rounding to the driver, and float results have
//            the promised bits only if it rounds to nearest even: `vkprim doctor` tests that. A driver may preserve denormal operands and
//            results, or flush them to zero. Shaders ask for neither, which is fastest. So sums and products that depend on denormals are
//            unspecified, except for sums with Order::any. All other operations are exact for denormals, too.
// Commands   The command buffer must be recording, outside of a render pass, for a queue family with VK_QUEUE_COMPUTE_BIT. It may be
//            a secondary one, and may be submitted more than once; between submissions that share memory, the same barriers are
//            needed. Args is read during record() only.
// Lost state After record(), the compute pipeline binding and all push constants, including those of graphics, are undefined. Bound
//            descriptor sets and graphics state are unchanged.
// Long work  Args::part divides an operation into parts, each of a tile or more: see Part. The sorts and Top have no parts.
// Threads    All const functions of an object, such as record(), scratch_size() and validate(), may be called from several threads at
//            once, on different command buffers. create() may run on several threads at once, too, with one Context, and
//            Context::parallel_for lets it compile the pipelines of one object at once: drivers then compile most of them in parallel.
//            The allocator, the VkPipelineCache and on_pipeline are then used by several threads at once. A VkPipelineCache allows that
//            unless it was created with EXTERNALLY_SYNCHRONIZED. Destroy an object before the device, once all work recorded with it has
//            completed and will not be submitted again. A moved-from object can only be assigned to or destroyed.
#pragma once

#include <vkprim/export.h>
#include <vkprim/version.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vkprim {

namespace detail {

/// Owns an object whose type is known in vkprim's sources alone, so that a class which holds it needs no destructor or moves of its own.
template <class T>
struct Owned : std::unique_ptr<T, void (*)(T*)> {
    Owned(std::unique_ptr<T> object)
        : std::unique_ptr<T, void (*)(T*)>(object.release(), [](T* owned) { delete owned; }) {}
};

} // namespace detail

/// All types are little-endian. Integers of 8 bytes, and min and max of f64, need no feature of the device. Sums and products of f64 need
/// Features::shader_float64, except for sums with Order::any.
///
/// Elements of 1 and 2 bytes need Features::storage_buffer_8bit_access, and so do such keys of Sort, SegmentedSort and Top. Compact's u8
/// keys and Histogram's u8 and u16 samples do not: see "Addresses". Reductions and scans take such elements as input only. They convert
/// each element to the u32, i32 or f32 of the same value, compute in that type, and write outputs of that type. So sums and products of
/// f16 have the same bits as those of f32 with the same values. But in sums and products, an element that is denormal in 16 bits may
/// count as zero, depending on the driver. Sort and Top move keys of 1 and 2 bytes as they are.
enum class ElementType : uint32_t { u32, i32, f32, u64, i64, f64, u8, i8, u16, i16, f16 };

/// The type of computations and of outputs: u32, i32 or f32 for types of 1 and 2 bytes, else `type`. This function does not know Desc::wide,
/// with which reductions compute and write u64, or i64 for signed integers.
VKPRIM_API ElementType output_type(ElementType type);

/// Integer arithmetic wraps modulo 2^32, or 2^64 with 64 bits or Desc::wide. The bit operations take integers only.
/// A float sum or product that is zero is +0, and one that is NaN has the bits 0x7fc00000, or 0x7ff8000000000000. Float min and max
/// ignore NaN and order -0 before +0.
///
/// argmin and argmax are for reductions only, and for elements of 4 bytes. Their result has 8 bytes: the smallest
/// or largest value, and its index as a uint32. Among equal values, the one with the lowest index is taken. NaN is ignored. The two
/// zeros are equal; if the result is a zero, it is +0. If there is no element, or only NaN, the value is the identity of min (for argmin)
/// or of max (for argmax), and the index is 0xffffffff.
enum class Operation : uint32_t { add, mul, min, max, bit_and, bit_or, bit_xor, argmin, argmax };

/// Whether a float sum depends on the order of its elements, for a Desc that has a member of this type. Integer sums never do.
///
/// fixed: floats are added in a tree that depends on the count alone (ARCHITECTURE.md, "The order of floats"). If the elements are
/// reordered, the sum may have other bits.
///
/// any: the result is the exact sum of all elements, rounded once, to nearest even. It depends only on which elements there are, not on
/// their order. Its error is at most half a unit in the last place. Python's math.fsum gives the same bits for f64. Denormal elements are
/// exact, and the result may be denormal, on every device. A sum of zeros is +0. The result is infinite only if the exact sum rounds to
/// infinity; partial sums cannot overflow. With an infinite element, the result is that infinity. With infinities of both signs, or NaN,
/// it is NaN with the bits 0x7fc00000, or 0x7ff8000000000000. The size of scratch does not depend on the count. For sums of f32 and f64 only.
enum class Order : uint32_t { fixed, any };

/// Returns the bits of the identity of `operation` (the result for an empty range), as an element of output_type(type). If that
/// type has 4 bytes, the upper 32 bits are zero. For argmin and argmax, the index is in the upper 32 bits.
VKPRIM_API uint64_t identity_bits(ElementType type, Operation operation);

/// An operation can be recorded in several parts, if one dispatch would take longer than a watchdog allows (two seconds on
/// Windows) or than a frame has time for. The result has the same bits as in one part.
///
/// Record every part, in the order of `number`, beginning with 0. All other fields of Args, and the count in GPU memory, stay
/// the same. The parts may be in one submission or in several. Two parts need a barrier between them, like two operations that
/// share scratch and output. Until the last part has completed, no other operation may use the scratch. If you abandon the
/// operation before that, zero-fill scratch.
///
/// A part processes at most count / parts elements, plus one tile. A tile is what a workgroup processes at once. It has at most 65536
/// elements, or 131072 for elements of your own with more than two words. With segments, other numbers are divided by the parts:
///
///     SegmentedReduce, SegmentedScan, Histogram with offsets   elements of all segments + 4 * segments
///     Expand                                                   elements + segments
///     Histogram of at least as many rows as parts              rows, rounded up
///     Histogram of fewer rows                                  samples of each row, in steps of 16 bytes
///
/// A part of a Reduce with `count_address` processes up to twice as many. And if a part has more workgroups than m =
/// maxComputeWorkGroupCount[0], it is dispatched as a grid that is m workgroups wide: then each part but the last has a multiple of m
/// workgroups, which may be up to m - 1 more.
struct Part {
    uint32_t number = 0; ///< below `parts`
    uint32_t parts  = 1;
};

/// How many workgroups an operation has: count / elements, rounded up, but no fewer than `least` and no more than `most`.
/// IndirectCommand also limits this number to maxComputeWorkGroupCount[0] * maxComputeWorkGroupCount[1].
struct Grid {
    uint32_t elements = 256;        ///< elements per workgroup; at least 1
    uint32_t least    = 0;          ///< workgroups; at most `most`
    uint32_t most     = UINT32_MAX; ///< workgroups
};

/// Where a VkDispatchIndirectCommand lies, in a buffer with VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT. IndirectCommand (indirect.h)
/// computes the command from a count in GPU memory and an operation's grid(). Then no idle workgroups are launched when the count is far
/// below its bound. Scan and Compact ignore Args::indirect if their workgroups do not wait: with Desc::waits = false, and on devices
/// where vkprim or a profile turns waiting off. They then dispatch as many workgroups as the upper bound `count` needs.
struct Indirect {
    VkBuffer     buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0; ///< a multiple of 4
};

/// What went wrong, grouped by who can fix it. In brackets, the Error::code that goes with it. Later versions add kinds at the end.
enum class ErrorKind : uint32_t {
    invalid_desc,       ///< create() does not support the Desc (VK_ERROR_FORMAT_NOT_SUPPORTED)
    invalid_args,       ///< arguments are wrong: validate(), the runtime, vkprim::mpi (VK_ERROR_VALIDATION_FAILED_EXT)
    invalid_context,    ///< a handle or an entry point is missing in the Context (VK_ERROR_INITIALIZATION_FAILED)
    invalid_profile,    ///< a Profile is malformed or does not fit the device (VK_ERROR_FORMAT_NOT_SUPPORTED)
    invalid_operation,  ///< compile() found errors in an operation of your own (VK_ERROR_INVALID_SHADER_NV)
    unsupported_device, ///< the device, or Context::features, lacks something (VK_ERROR_FEATURE_NOT_PRESENT)
    vulkan,             ///< a Vulkan call failed (its result), or memory ran out (VK_ERROR_OUT_OF_..._MEMORY)
    other,              ///< something outside of Vulkan failed, such as MPI (VK_ERROR_UNKNOWN)
};

/// Why something failed: the kind, a Vulkan result code, and a sentence that says what is wrong and what to do.
struct Error {
    ErrorKind   kind = ErrorKind::other;
    VkResult    code = VK_ERROR_UNKNOWN; ///< of a Vulkan call, it may be positive: VK_PIPELINE_COMPILE_REQUIRED
    std::string reason;

    Error() = default;
    VKPRIM_API Error(ErrorKind error_kind, std::string text);   ///< with the code of that kind
    VKPRIM_API Error(VkResult vulkan_result, std::string text); ///< ErrorKind::vulkan
};

/// Prints `reason` to stderr and ends the program with std::abort().
[[noreturn]] VKPRIM_API void give_up(const std::string& reason);

/// Either a T or an Error. `if (result)` tests which; `*result` and `result->` give the T, error() the Error. Accessing the value of an
/// error, or the error of a value, is a programming error: it ends the program with give_up() and the Error's reason. Nothing throws.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Error error) : content_(std::move(error)) {}

    explicit     operator bool() const { return content_.index() == 0; }
    T&           operator*() & { return value_of(content_); }
    const T&     operator*() const& { return value_of(content_); }
    T&&          operator*() && { return std::move(value_of(content_)); }
    T*           operator->() { return &value_of(content_); }
    const T*     operator->() const { return &value_of(content_); }
    const Error& error() const {
        const Error* const error = std::get_if<1>(&content_);
        if (!error) give_up("vkprim: error() of a Result that has no error");
        return *error;
    }

private:
    template <class Content>
    static auto& value_of(Content& content) {
        auto* const value = std::get_if<0>(&content);
        if (!value) {
            const Error* const error = std::get_if<1>(&content);
            give_up("vkprim: the value of a Result that is an error: " + (error ? error->reason : std::string()));
        }
        return *value;
    }

    std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    explicit     operator bool() const { return !error_; }
    const Error& error() const {
        if (!error_) give_up("vkprim: error() of a Result that has no error");
        return *error_;
    }

private:
    std::optional<Error> error_;
};

/// The Vulkan features that vkprim can make use of; requirements.h finds and merges them.
struct Features {
    bool buffer_device_address            = false; ///< required
    bool vulkan_memory_model              = false; ///< required
    bool vulkan_memory_model_device_scope = false; ///< not for vkprim, but for other shaders: requirements.h
    bool shader_int64                     = false; ///< with the next field: workgroups exchange totals as 64-bit values
    bool shader_buffer_int64_atomics      = false; ///< see shader_int64
    bool subgroup_size_control            = false; ///< fixes the subgroup size where it may vary
    bool compute_full_subgroups           = false; ///< without it, no subgroup operations are used
    bool storage_buffer_8bit_access       = false; ///< elements of 1 and 2 bytes: see ElementType
    bool shader_float64                   = false; ///< for sums, products and histograms of f64
};

/// Tuning parameters for one device, found by `vkprim tune` on that device, and features of the device that vkprim must not use.
/// vkprim/profile.h describes them, and reads and writes them as JSON. Results never depend on them.
///
/// create() uses the names that begin with `device.` or with the primitive's own name, such as `scan.`. Scan, Compact and SegmentedScan
/// also use those with `lookback.`. Top and SegmentedSort contain a Sort, and also use those with `sort.`. If a name begins in one of these
/// ways, create() rejects it if it is unknown or its value is out of bounds. It ignores all other names. It also rejects a profile for
/// another device. The error has ErrorKind::invalid_profile and a reason.
struct Profile {
    uint32_t                        vendor_id = 0, device_id = 0; ///< of the VkPhysicalDevice that it is for
    std::map<std::string, uint32_t> values; ///< "scan.prefetch_distance" -> 231; others keep vkprim's values
};

/// The device that primitives are created on. Only read during create(); nothing here is owned.
struct Context {
    PFN_vkGetInstanceProcAddr    get_instance_proc_addr = nullptr; ///< of volk, of the loader, or the engine's own
    VkInstance                   instance               = VK_NULL_HANDLE;
    VkPhysicalDevice             physical_device        = VK_NULL_HANDLE;
    VkDevice                     device                 = VK_NULL_HANDLE; ///< must outlive what is created on it
    Features                     features;                                ///< as enabled in `device`
    VkPipelineCache              pipeline_cache = VK_NULL_HANDLE;         ///< optional
    const VkAllocationCallbacks* allocator      = nullptr; ///< optional; must outlive what is created with it
    const Profile*               profile        = nullptr; ///< optional
    VkPipelineCreateFlags        pipeline_flags = 0;       ///< for all pipelines, such as CAPTURE_STATISTICS
    uint32_t                     api_version    = 0; ///< VkApplicationInfo::apiVersion of `instance`; 0: the device's

    /// Optional: called for each pipeline that create() builds, with the time that the driver took; for statistics or debug names.
    /// `name` is valid during the call only.
    std::function<void(const char* name, VkPipeline pipeline, double milliseconds)> on_pipeline = {};

    /// Optional: what runs tasks at once, such as an engine's job system. It calls task(0) to task(count - 1), each once, on any threads, and
    /// returns when all have returned. create() compiles the pipelines of an object with it; without it, one after the other.
    std::function<void(uint32_t count, const std::function<void(uint32_t)>& task)> parallel_for = {};
};

} // namespace vkprim
