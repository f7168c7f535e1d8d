// vkprim: parallel primitives for any Vulkan GPU. The words that all primitives share.
//
// Every primitive has the same three verbs:
//     create        builds the pipelines; the only call that can fail, and then with a reason
//     scratch_size  bytes of scratch memory that one record() needs
//     record        appends the work to the caller's command buffer: no allocation, no submission, no wait
// And a fourth for those who want to know: validate, which says what is wrong with what record() is to get.
//
// The caller owns the device, all memory, the barriers and the submission.
//
// Barriers   All accesses of all primitives happen in VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT. Before record(), make
//            inputs, `count_address` and scratch available to VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT in
//            that stage; after it, outputs and scratch were written with VK_ACCESS_SHADER_WRITE_BIT there. Two
//            operations need such a barrier between them where they share scratch, where both write to the same output,
//            and where one writes what the other reads, whichever comes first.
//            Args::indirect alone is read as VK_ACCESS_INDIRECT_COMMAND_READ_BIT in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT.
//            What takes several dispatches, such as a sort, records the barriers between them itself.
//            Synchronization validation follows no device addresses: it does not report a barrier that is missing here.
// Scratch    Zero-filled once by its owner before the first use, and from then on for operations alone: each leaves it
//            ready for the next, of any kind and size, at the same address. A small one may still write what a large one
//            before it used; so take the bytes of the largest, and zero-fill before any other use. Aligned to 16 bytes.
//            A buffer of VK_SHARING_MODE_EXCLUSIVE that goes to another queue family needs a transfer of ownership, which
//            keeps its content, or is zero-filled anew there. So do data that operations have written.
// Addresses  Any address aligned to the element works; a 16-byte aligned one is fastest. No byte outside of the ranges that Args
//            names is read or written, but for one case: where Features::storage_buffer_8bit_access is off, keys and samples
//            of u8 and u16 are read in whole words of 4 bytes, so a buffer must hold those that its first and last byte lie in.
//            The buffers need VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT and must stay alive until the work has completed.
// Counts     With `count_address`, the GPU's count is used where it is below `count`, and `count` where it is above.
// Checks     validate(args) finds on the host what is wrong with Args: an address that is null or not aligned, memory that
//            is written and overlaps other memory, parts, `indirect`, a count too large for the device's grid. It is cheap,
//            takes no lock, and works in every build; record() asserts it in builds with assertions. How long a range is
//            that depends on a count on the GPU, or on how much Compact keeps, it cannot know: of these it looks at the
//            first element. It does not know whether there is a buffer at an address, nor what scratch holds.
// Floats     Sums and products are rounded to nearest, ties to even. Their shaders declare it (RoundingModeRTE of float
//            controls) where the device has shaderRoundingModeRTEFloat32; not on NVIDIA GPUs, which round so without being
//            told and are slower if they are. Of f64 nothing is declared. Where nothing is declared, Vulkan leaves the
//            rounding to the driver, and the bits of float results are the promised ones only if it rounds so: `vkprim
//            doctor` finds out. Denormal operands and results are kept or flushed to zero as the driver has it: nothing is
//            declared, so that drivers take the faster way, and results that meet them are not promised.
// Lost state record() leaves the command buffer's compute pipeline binding and push constants undefined.
// Long work  Args::part cuts an operation into dispatches as short as the caller likes: see Part.
// Threads    record(), scratch_size() and validate() are const and may be called from several threads at once, on different command
//            buffers. create() may run on several threads at once, too, with one Context: drivers compile most pipelines in
//            parallel then. What the Context points to must allow that, as a VkPipelineCache does unless it was created with
//            EXTERNALLY_SYNCHRONIZED. An object may be destroyed once the work recorded with it has completed.
#pragma once

#include <vkprim/export.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vkprim {

/// Little-endian. Integers of 8 bytes need nothing of the device, nor do min and max of f64; sums and products of f64 need
/// Features::shader_float64.
///
/// Elements of 1 and 2 bytes take Features::storage_buffer_8bit_access. Reduce and Scan have them in the input alone: they compute in 32
/// bits, with the u32, i32 or f32 of the same value, and outputs are of that type. Sums and products of f16 are those of the elements as
/// f32, whose bits they have; but an element that is denormal in 16 bits may count as zero, as the driver has it. Sort and Top move keys
/// of 1 and 2 bytes as they are.
enum class ElementType : uint32_t { u32, i32, f32, u64, i64, f64, u8, i8, u16, i16, f16 };

/// The type that elements are computed in, and that outputs have: u32, i32 or f32 for those of 1 and 2 bytes, else `type`.
VKPRIM_API ElementType output_type(ElementType type);

/// Integer arithmetic wraps modulo 2^32 or 2^64; the bit operations take integers only.
/// A float sum or product that is zero is +0, and one that is NaN has the bits 0x7fc00000, or 0x7ff8000000000000. Float min and max
/// ignore NaN and order -0 before +0.
///
/// argmin and argmax are reduce's alone, of elements of 4 bytes. Their result is 8 bytes: the least or the largest value, and as a uint32
/// its index, of equal values the first. NaN never wins, and the zeros are equal: +0. Where there is no element, or nothing but NaN,
/// it is what min or max give, and the index 0xffffffff.
enum class Operation : uint32_t { add, mul, min, max, bit_and, bit_or, bit_xor, argmin, argmax };

/// The neutral element of `operation`, as the bits of an element of output_type(type), the upper ones zero where it has fewer: what an
/// empty range reduces to.
/// Of argmin and argmax, the index is in the upper 32 bits.
VKPRIM_API uint64_t identity_bits(ElementType type, Operation operation);

/// One of several parts in which an operation is recorded, where one dispatch would take longer than a watchdog allows (two
/// seconds on Windows) or a frame has time for. The result has the same bits as in one part.
///
/// Record every part, from number 0 up, with otherwise the same Args and the same count in GPU memory, in one submission or
/// in several; between two parts a barrier as between two operations that share scratch and output. Until the last one is
/// through, scratch belongs to this operation: zero-fill it if you give up before.
///
/// A part goes through at most count / parts elements and one tile, which has at most 65536; up to twice as many in reduce
/// with `count_address`; a row of workgroups more where it has more of them than a row of the device's grid.
struct Part {
    uint32_t number = 0; ///< below `parts`
    uint32_t parts  = 1;
};

/// How many workgroups an operation has: one for each so many elements, between two limits, of which `least` is not the larger;
/// and no more than the device's grid has in its first two dimensions, to which IndirectCommand cuts what a count asks for.
struct Grid {
    uint32_t elements = 256; ///< of a workgroup; at least 1
    uint32_t least    = 0;   ///< workgroups
    uint32_t most     = UINT32_MAX;
};

/// Where a VkDispatchIndirectCommand lies, in a buffer with VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT: IndirectCommand (indirect.h)
/// makes it of a count on the GPU and an operation's grid(). Then a count far below its bound is not paid for by workgroups
/// that find nothing to do. Where Desc::waits is false, operations take several dispatches and the bound's grids all the same.
struct Indirect {
    VkBuffer     buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0; ///< a multiple of 4
};

/// Why something failed: a Vulkan result code, and a sentence that says what is wrong and what to do.
struct Error {
    VkResult    code = VK_ERROR_UNKNOWN;
    std::string reason;
};

/// Prints `reason` to stderr and ends the program with std::abort().
[[noreturn]] VKPRIM_API void give_up(const std::string& reason);

/// Either a T or an Error. `if (result)` asks which; `*result` and `result->` give the T, error() the Error. Who takes the one
/// for the other has forgotten to ask: that ends the program with give_up() and the Error's reason. Nothing throws.
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
    bool vulkan_memory_model_device_scope = false; ///< for other shaders on the device: requirements.h
    bool shader_int64                     = false; ///< with the next one: scan talks between workgroups in 64-bit words
    bool shader_buffer_int64_atomics      = false; ///< see shader_int64
    bool subgroup_size_control            = false; ///< pins the subgroup size where it may vary
    bool compute_full_subgroups           = false; ///< subgroups without idle invocations; off: no subgroup operations
    bool storage_buffer_8bit_access       = false; ///< elements of 1 and 2 bytes; reads keys and samples to the byte
    bool shader_float64                   = false; ///< for sums, products and histograms of f64
};

/// Numbers that are fast on one device, found there by `vkprim tune`, and what is not to be used of it; vkprim/profile.h
/// lists them, and reads and writes them as JSON.
/// Results never depend on them. create() refuses a profile that is for another device, names what the primitive does not
/// know, or goes beyond what it can do, with VK_ERROR_FORMAT_NOT_SUPPORTED and a reason.
struct Profile {
    uint32_t                        vendor_id = 0, device_id = 0; ///< of the VkPhysicalDevice that it is for
    std::map<std::string, uint32_t> values; ///< "scan.ahead" -> 231; what it does not name stays as vkprim has it
};

/// The device that primitives are created on. Only read during create(); nothing here is owned.
struct Context {
    PFN_vkGetInstanceProcAddr    get_instance_proc_addr = nullptr; ///< volk's, the loader's, or the engine's own
    VkInstance                   instance               = VK_NULL_HANDLE;
    VkPhysicalDevice             physical_device        = VK_NULL_HANDLE;
    VkDevice                     device                 = VK_NULL_HANDLE; ///< must outlive what is created on it
    Features                     features;                                ///< as switched on in `device`
    VkPipelineCache              pipeline_cache = VK_NULL_HANDLE;         ///< optional
    const VkAllocationCallbacks* allocator      = nullptr; ///< optional; must outlive what is created with it
    const Profile*               profile        = nullptr; ///< optional
    VkPipelineCreateFlags        pipeline_flags = 0;       ///< of all pipelines, such as CAPTURE_STATISTICS
    uint32_t                     api_version    = 0; ///< VkApplicationInfo::apiVersion of `instance`; 0: the device's

    /// Optional: told of each pipeline that create() builds, and of how long the driver took, for statistics or debug names. The
    /// name is there during the call.
    std::function<void(const char* name, VkPipeline pipeline, double milliseconds)> on_pipeline = {};
};

} // namespace vkprim
