// Running a primitive on the elements of a file: the flags, the way to the device and back, the times, the check.
#pragma once

#include <vkprim/runtime.h>
#include <vkprim/scan.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/elements.h"
#include "input.h"
#include "program.h"
#include "record.h"
#include "rows.h"

namespace vkprim::tools {

/// How much of an array is worked on at once, for subcommands that take chunks (stream/chunked_job.h).
struct ChunkFlags {
    std::string memory;    ///< bytes, as "512M"; empty: what the devices have
    uint32_t    count = 0; ///< chunks; 0: as the memory demands
};

/// The flags that all subcommands on files share.
struct JobFlags {
    Source      source;
    bool        json     = false;
    bool        no_check = false;
    uint32_t    parts    = 0; ///< 0: as few as keep each of them short
    ChunkFlags  chunks;
    DeviceFlags device;
};

/// Whether a primitive has Args::part.
enum class Parts { some, none };

/// FILE, --type, --raw, --json, --no-check, --parts where there are some, and the flags of a device.
void add_job_flags(Options& options, JobFlags& flags, Parts parts = Parts::some);

/// --op: an operation of `cases`, or one of `others`. `type` and `path` say for what, in the Failure where those elements have no such
/// operation.
void      add_operation_flag(Options& options, std::string& name, const std::vector<harness::ElementCase>& cases,
                             const std::vector<std::string>& others = {});
Operation parse_operation(const std::string& name, ElementType type, const std::string& path,
                          const std::vector<harness::ElementCase>& cases);

/// What a reduction of the program computes: sums and products of integers in 64 bits, as numpy does.
harness::ElementCase reduction_of(ElementType type, Operation operation);

/// The Failure where `operation` has nothing to choose from in `where`: no elements, or NaN alone, which it ignores.
Failure nothing_to_choose(const std::string& where, const char* wanted, bool is_empty);

/// "smallest" or "largest".
const char* chosen_by(Operation operation);

/// --inclusive and --exclusive, of a scan.
struct KindFlags {
    bool inclusive = false, exclusive = false;

    Scan::Kind  kind() const { return inclusive ? Scan::Kind::inclusive : Scan::Kind::exclusive; }
    const char* name() const { return inclusive ? "inclusive" : "exclusive"; }
};

void add_kind_flags(Options& options, KindFlags& flags);

/// --axis, which does `what`.
Option add_axis_flag(Options& options, std::optional<int64_t>& axis, const std::string& what);

/// A Failure where `output` is no .npy file and not "-", or both it and --json are to go to standard output.
void check_output(const std::string& subcommand, const std::string& output, const JobFlags& flags);

/// How many parts an operation on `count` elements is to have.
uint32_t parts_of(const JobFlags& flags, uint64_t count);

/// Brings elements to the type in which the device reads them: as they are, bool as u8 of 0 and 1; or widened, where it reads no bytes.
ElementType to_device(Array& array, const runtime::Device& device);

/// A row's elements as words of 32 bits.
uint32_t*       row_of(Array& array, const Rows& rows, uint64_t row);
const uint32_t* row_of(const Array& array, const Rows& rows, uint64_t row);

std::string type_name(ElementType type); ///< "u32", "f64"
NumberType  number_type(ElementType type);
bool        is_float(ElementType type);
uint32_t    element_size(ElementType type); ///< bytes

/// The bits of an element, the upper ones zero where it has fewer than 64; and the T that bits are.
uint64_t bits_at(ElementType type, const void* elements, uint64_t index);

template <class T>
T value_of(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value); // little-endian
    return value;
}

/// The value, rounded where it has more than 53 bits.
double double_of(ElementType type, uint64_t bits);

/// The value as a person wants it: "1.5".
std::string value_text(ElementType type, uint64_t bits);

/// "0x3fc00000".
std::string bits_text(ElementType type, uint64_t bits);

/// Empty where the two are equal to the bit. Otherwise the first difference, in value and bits, and how many there are.
std::string difference(ElementType type, const void* expected, const void* got, uint64_t count);

/// A Failure with exit_wrong where `what` is not empty.
void require_right(const std::string& what, const runtime::Device& device);

/// A reduction's result: an element, and of operations that find one its index.
struct Found {
    ElementType type;
    uint64_t    bits      = 0;
    bool        has_index = false;
    uint64_t    index     = 0;
};

/// What is said of it, of `count` elements.
Record record_of(const std::string& operation, uint64_t count, const Found& found);

/// Rows of elements, to run a primitive on each.
struct RowWork {
    uint64_t rows   = 1;
    uint64_t length = 0; ///< elements of each
    uint32_t parts  = 1; ///< of each
};

/// How many of them go into one submission: as many as keep it short, one where they have parts.
uint64_t rows_in_submission(const RowWork& work);

/// What a result was compared with. Where there is no CPU reference, the variant without subgroup operations computes it in another way, to
/// the same bits.
enum class CheckedBy { cpu, plain };

/// Work on one device, and the time it took. Every step may end in a Failure.
class ArrayJob {
public:
    ArrayJob(const runtime::Device& device, const std::string& label) : device_(device), progress_(label) {}

    /// At least `size` bytes, of undefined content or all zero; a whole number of words.
    runtime::Buffer buffer(uint64_t size);
    runtime::Buffer zeros(uint64_t size);

    void upload(const runtime::Buffer& target, const void* data, uint64_t size);
    void download(const runtime::Buffer& source, void* data, uint64_t size) { download(source, 0, data, size); }
    void download(const runtime::Buffer& source, uint64_t from, void* data, uint64_t size);

    /// Each part in a submission of its own, so that none is long.
    template <class Primitive>
    void run(const Primitive& primitive, typename Primitive::Args args, uint32_t parts) {
        for (args.part.parts = parts; args.part.number < parts; ++args.part.number) {
            submit([&](runtime::Commands& commands) { record(primitive, args, commands); });
        }
    }

    /// Of a primitive without parts.
    template <class Primitive>
    void run(const Primitive& primitive, const typename Primitive::Args& args) {
        submit([&](runtime::Commands& commands) { record(primitive, args, commands); });
    }

    /// One row after the other, with the Args that `args_of(row)` gives: many in a submission, where rows have one part.
    template <class Primitive, class ArgsOf>
    void run_rows(const Primitive& primitive, const RowWork& work, ArgsOf args_of) {
        const uint64_t step = rows_in_submission(work);
        for (uint64_t begin = 0; begin < work.rows; begin += step) {
            const uint64_t end = std::min(work.rows, begin + step);
            if (work.parts > 1) {
                run(primitive, args_of(begin), work.parts);
                continue;
            }
            submit([&](runtime::Commands& commands) {
                for (uint64_t row = begin; row < end; ++row) {
                    if (row > begin) commands.barrier(); // they share scratch
                    record(primitive, args_of(row), commands);
                }
            });
        }
    }

    /// device, kernel_ms (of all run(), null where the device has no clock), total_ms (also of upload() and download()) and checked; or
    /// "kernel 1.2 ms, 3.4 ms with transfers, on NAME; right to the bit, as the CPU computes it".
    Account account(const JobFlags& flags, CheckedBy by = CheckedBy::cpu) const;

private:
    template <class Primitive>
    static void record(const Primitive& primitive, const typename Primitive::Args& args, runtime::Commands& commands) {
        if (const auto valid = primitive.validate(args); !valid) {
            throw Failure{exit_code_of(valid.error()), valid.error().reason};
        }
        primitive.record(commands.handle(), args);
    }

    void submit(const std::function<void(runtime::Commands&)>& record);

    const runtime::Device& device_;
    Progress               progress_;
    double                 kernel_ms_ = 0, total_ms_ = 0;
};

double ms_since(std::chrono::steady_clock::time_point begin);

/// The same device, with the variant without subgroup operations.
runtime::Device open_plain_device(DeviceFlags flags);

} // namespace vkprim::tools
