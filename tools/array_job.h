// Running a primitive on the elements of a file: reading them, the way to the device and back, the times, the check.
#pragma once

#include <vkprim/runtime.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/elements.h"
#include "program.h"

namespace vkprim::tools {

/// Where elements come from, and the flags that all subcommands on files share.
struct JobFlags {
    std::string path;
    std::string type; ///< of raw bytes; empty where the file says it
    bool        raw      = false;
    bool        json     = false;
    bool        no_check = false;
    uint32_t    parts    = 0; ///< 0: as few as keep each of them short
    DeviceFlags device;
};

/// FILE, --type, --raw, --json, --no-check, --parts and the flags of a device.
void add_job_flags(CLI::App& app, JobFlags& flags);

/// --op: an operation of `cases`. `type` and `path` say for what, in the Failure where those elements have no such operation.
void      add_operation_flag(CLI::App& app, std::string& name, const std::vector<harness::ElementCase>& cases);
Operation parse_operation(const std::string& name, ElementType type, const std::string& path,
                          const std::vector<harness::ElementCase>& cases);

/// How many parts an operation on `count` elements is to have.
uint32_t parts_of(const JobFlags& flags, uint64_t count);

/// What the file is: by its content, by a name that ends in .npy, or because a flag says so.
FileKind input_kind(const JobFlags& flags);

/// The elements of a .npy file or of raw bytes.
Array read_elements(const JobFlags& flags, FileKind kind);

/// Elements that reduce and scan take. A Failure where `array` holds others, which names `path` and what to do.
ElementType element_type_of(const Array& array, const std::string& path);

/// The elements as words of 32 bits.
const uint32_t* words_of(const Array& array);

std::string type_name(ElementType type); ///< "u32", "f64"
bool        is_float(ElementType type);
uint32_t    element_size(ElementType type); ///< bytes

/// The bits of an element, the upper ones zero where it has fewer than 64.
uint64_t bits_at(ElementType type, const void* elements, uint64_t index);

/// The value as a person wants it: "1.5".
std::string value_text(ElementType type, uint64_t bits);

/// "0x3fc00000".
std::string bits_text(ElementType type, uint64_t bits);

/// Empty where the two are equal to the bit. Otherwise the first difference, in value and bits, and how many there are.
std::string difference(ElementType type, const void* expected, const void* got, uint64_t count);

/// A Failure with exit_wrong where `what` is not empty.
void require_right(const std::string& what, const runtime::Device& device);

/// Work on one device, and the time it took. Every step may end in a Failure.
class ArrayJob {
public:
    ArrayJob(const runtime::Device& device, const std::string& label) : device_(device), progress_(label) {}

    /// At least `size` bytes, of undefined content or all zero; a whole number of words.
    runtime::Buffer buffer(uint64_t size);
    runtime::Buffer zeros(uint64_t size);

    void upload(const runtime::Buffer& target, const void* data, uint64_t size);
    void download(const runtime::Buffer& source, void* data, uint64_t size);

    /// Each part in a submission of its own, so that none is long.
    template <class Primitive>
    void run(const Primitive& primitive, typename Primitive::Args args, uint32_t parts) {
        for (args.part.parts = parts; args.part.number < parts; ++args.part.number) {
            if (const auto valid = primitive.validate(args); !valid) {
                throw Failure{exit_code_of(valid.error()), valid.error().reason};
            }
            run([&](VkCommandBuffer commands) { primitive.record(commands, args); });
        }
    }

    double                total_ms() const { return total_ms_; } ///< of all upload(), run() and download()
    std::optional<double> kernel_ms() const; ///< of all run(); nothing where the device has no clock

private:
    void run(const std::function<void(VkCommandBuffer)>& record);

    const runtime::Device& device_;
    Progress               progress_;
    double                 kernel_ms_ = 0, total_ms_ = 0;
};

/// Adds device, kernel_ms, total_ms and checked.
void add_job_json(Json& json, const ArrayJob& job, const runtime::Device& device, const JobFlags& flags);

/// "kernel 1.2 ms, 3.4 ms with transfers, on NAME; checked against the CPU".
std::string job_line(const ArrayJob& job, const runtime::Device& device, const JobFlags& flags);

} // namespace vkprim::tools
