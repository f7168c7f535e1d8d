#include <vkprim/scan.h>
#include <vkprim/segmented_scan.h>

#include <fmt/format.h>

#include <functional>
#include <memory>

#include "chunk_commands.h"
#include "harness/references.h"
#include "own.h"
#include "tools/cli/array_job.h"
#include "tools/cli/files/output_file.h"
#include "tools/cli/offsets.h"
#include "tools/cli/rows.h"
#include "tools/cli/sum_range.h"

namespace vkprim::tools::scan_command {

namespace {

struct Flags {
    JobFlags               job;
    OwnFlags               own;
    std::string            operation = "add";
    std::string            output, offsets;
    std::optional<int64_t> axis;
    KindFlags              kind;
    bool                   wide = false; ///< integers in 64 bits
};

/// One row, in parts.
void scan_row(ArrayJob& job, const Scan& scan, const runtime::Buffer& elements, uint64_t length, uint32_t parts) {
    Scan::Args args;
    args.count                    = static_cast<uint32_t>(length);
    const runtime::Buffer scratch = job.zeros(scan.scratch_size(args));
    args.input = args.output = elements.address(); // in place: half the memory
    args.scratch             = scratch.address();
    job.run(scan, args, parts);
}

/// Rows, in a dispatch for as many of them as one takes.
void scan_rows(const JobFlags& flags, ArrayJob& job, const SegmentedScan& scan, const runtime::Buffer& elements,
               const Rows& rows, uint64_t row_size) {
    const uint64_t      at_once = std::clamp<uint64_t>((1u << 31) / (rows.length + 4), 1, rows.count);
    SegmentedScan::Args args;
    args.count                    = static_cast<uint32_t>(rows.length);
    args.segments.count           = static_cast<uint32_t>(at_once);
    const runtime::Buffer scratch = job.zeros(scan.scratch_size(args));
    args.scratch                  = scratch.address();
    for (uint64_t row = 0; row < rows.count; row += at_once) {
        args.segments.count = static_cast<uint32_t>(std::min(at_once, rows.count - row));
        args.input = args.output = elements.address() + row * row_size;
        job.run(scan, args, parts_of(flags, args.segments.count * rows.length));
    }
}

/// Segments between offsets.
void scan_segments(ArrayJob& job, const SegmentedScan& scan, const runtime::Buffer& elements, uint64_t count,
                   const std::vector<uint32_t>& offsets, uint32_t parts) {
    const OffsetsOnDevice on_device(job, offsets);
    SegmentedScan::Args   args;
    on_device.put_into(args, count);
    const runtime::Buffer scratch = job.zeros(scan.scratch_size(args));
    args.input = args.output = elements.address();
    args.scratch             = scratch.address();
    job.run(scan, args, parts);
}

/// The outputs of rows, or of segments where there are offsets, one behind the other.
std::vector<uint8_t> scan_all(const JobFlags& flags, ArrayJob& job, const runtime::Device& device, const Array& array,
                              const Rows& rows, const std::vector<uint32_t>& offsets, const Scan::Desc& desc) {
    const uint64_t        row_size = rows.length * element_size(array.type);
    const runtime::Buffer elements = job.buffer(array.bytes.size());
    std::vector<uint8_t>  result(array.bytes.size());
    job.upload(elements, array.bytes.data(), array.bytes.size());
    if (!offsets.empty()) {
        const SegmentedScan::Desc segmented{desc.type, desc.operation, desc.kind, SegmentLayout::offsets};
        const auto                scan = need_device(SegmentedScan::create(device.context(), segmented));
        scan_segments(job, scan, elements, array.count(), offsets, parts_of(flags, array.count()));
    } else if (rows.count == 1) {
        const auto scan = need_device(Scan::create(device.context(), desc));
        scan_row(job, scan, elements, rows.length, parts_of(flags, rows.length));
    } else if (rows.count > 1) {
        const SegmentedScan::Desc segmented{desc.type, desc.operation, desc.kind, SegmentLayout::rows};
        const auto                scan = need_device(SegmentedScan::create(device.context(), segmented));
        scan_rows(flags, job, scan, elements, rows, row_size);
    }
    job.download(elements, result.data(), result.size());
    return result;
}

/// What is said of a scan, whatever way it was computed.
struct Scanned {
    ElementType type;
    Operation   operation;
    uint64_t    count   = 0;
    uint64_t    last    = 0;              ///< the bits of the last element
    bool        wrapped = false;          ///< a sum of 32 bits
    std::string of      = {};             ///< " along axis 0 of (2, 3)"
    Json        rows    = Json::object(); ///< axis and shape, or segments
};

/// Whether a sum wraps, of rows or of the segments between offsets.
bool any_wraps(const Array& array, const Rows& rows, const std::vector<uint32_t>& offsets, const Scan::Desc& desc) {
    if (!tells_wrapping(desc.type, desc.operation)) return false;
    const auto wraps_in = [&](const uint32_t* elements, uint64_t length) {
        const uint64_t sums = desc.kind == Scan::Kind::inclusive ? length : std::max<uint64_t>(length, 1) - 1;
        return wraps(desc.type, 0, sum_range_of(desc.type, elements, sums));
    };
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
        if (wraps_in(row_of(array, rows, 0) + offsets[i], offsets[i + 1] - offsets[i])) return true;
    }
    for (uint64_t row = 0; row < rows.count && offsets.empty(); ++row) {
        if (wraps_in(row_of(array, rows, row), rows.length)) return true;
    }
    return false;
}

Record record_of(const Flags& flags, const Scanned& scanned) {
    Json json{{"op", flags.operation},
              {"kind", flags.kind.name()},
              {"type", type_name(scanned.type)},
              {"count", scanned.count}};
    json.update(scanned.rows);
    json["result"] = scanned.count > 0 ? json_value(scanned.type, scanned.last) : Json();
    if (is_float(scanned.type)) {
        json["result_bits"] = scanned.count > 0 ? Json(bits_text(scanned.type, scanned.last)) : Json();
    }
    if (tells_wrapping(scanned.type, scanned.operation)) json["wrapped"] = scanned.wrapped;
    json["output"] = flags.output;
    const char* const wrapped =
        scanned.wrapped ? "\na sum wrapped: it is outside of {type}; --wide gives sums of 64 bits" : "";
    return {json, flags.output, "{count} {type}, {kind} {op}" + scanned.of + wrapped};
}

/// A Failure if --wide is not for that type.
void check_wide(const Flags& flags, ElementType type) {
    if (!flags.wide || !is_float(type)) return;
    throw Failure{exit_usage, fmt::format("{}: --wide is for integers, not for {}; leave it out",
                                          name_of(flags.job.source), type_name(type))};
}

ExitCode run_in_chunks(const Flags& flags, const MappedArray& array) {
    const ElementType computed = computed_type(widened(array.type));
    check_wide(flags, computed);
    const ElementType type = flags.wide ? harness::result_type({computed, Operation::add, true}) : computed;
    const Operation   operation =
        parse_operation(flags.operation, type, name_of(flags.job.source), harness::scan_cases());
    ChunkedJob        job(flags.job, "scan", array);
    const ChunkedSums sums = scan_in_chunks(job, flags.job, {type, operation, flags.kind.kind()}, flags.output);
    tell(record_of(flags, {type, operation, array.count, sums.last, sums.wrapped}), flags.job.json, job.account());
    return exit_good;
}

/// What on the command line needs the array in one piece.
std::string whole_flag(const Flags& flags) {
    if (!flags.own.file.empty()) return "--operation";
    if (flags.axis) return "--axis";
    if (!flags.offsets.empty()) return "--offsets";
    if (!flags.job.device.inject.empty()) return "--inject";
    return is_stream(flags.output) ? "-o " + flags.output : "";
}

ExitCode run(const Flags& flags) {
    check_output("scan", flags.output, flags.job);
    if (const auto large = array_for_chunks(flags.job, whole_flag(flags), flags.wide))
        return run_in_chunks(flags, *large);
    if (!flags.own.file.empty()) return run_own_scan(flags.job, flags.own, flags.kind.inclusive, flags.output);
    const std::string name  = name_of(flags.job.source);
    Array             array = read_elements(flags.job.source);
    Rows              rows  = to_rows(array, flags.axis, name);
    check_wide(flags, computed_type(widened(array.type)));
    const ElementType type      = flags.wide ? widen_to_64(array) : widen(array);
    const Operation   operation = parse_operation(flags.operation, type, name, harness::scan_cases());
    const Scan::Kind  kind      = flags.kind.kind();
    const uint64_t    count     = array.count();
    const Shape       shape     = rows.axis ? array.shape : Shape{count};
    if (count == 0) rows.count = 0; // they may be many, and have nothing to scan
    const std::vector<uint32_t> offsets = read_offsets(flags.offsets, count, name);

    const runtime::Device device = open_device(flags.job.device);
    ArrayJob              job(device, "scan");
    std::vector<uint8_t>  result  = scan_all(flags.job, job, device, array, rows, offsets, {type, operation, kind});
    const bool            wrapped = any_wraps(array, rows, offsets, {type, operation, kind});
    if (!flags.job.no_check) {
        const auto scan_here = [&](uint32_t* elements, uint64_t length) { // in place here too
            harness::reference_scan(type, operation, kind, elements, elements, static_cast<uint32_t>(length));
        };
        for (size_t i = 0; i + 1 < offsets.size(); ++i) {
            scan_here(row_of(array, rows, 0) + uint64_t{offsets[i]} * harness::words_in(type),
                      offsets[i + 1] - offsets[i]);
        }
        for (uint64_t row = 0; row < rows.count && offsets.empty(); ++row)
            scan_here(row_of(array, rows, row), rows.length);
        require_right(difference(type, array.bytes.data(), result.data(), count), device);
    }
    check_validation(device);
    result = from_rows(std::move(result), rows, array);
    need_file(write_npy(flags.output, array.type, result.data(), shape));

    Scanned scanned{type, operation, count};
    scanned.wrapped = wrapped;
    if (count > 0) scanned.last = bits_at(type, result.data(), count - 1);
    if (rows.axis) {
        scanned.of   = fmt::format(" along axis {} of {}", *rows.axis, shape_text(shape));
        scanned.rows = {{"axis", *rows.axis}, {"shape", shape}};
    }
    if (!offsets.empty()) {
        scanned.of   = fmt::format(" of {} segments", offsets.size() - 1);
        scanned.rows = {{"segments", offsets.size() - 1}};
    }
    tell(record_of(flags, scanned), flags.job.json, job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(output[i] is the reduction of the elements before i (--exclusive), or up to and including i (--inclusive).
OUT.npy has one dimension, with --axis the input's shape, and with --operation a row for each element of several words; it
appears only when complete and right.
With --offsets, the running reduction restarts at each offset, and ends at the next one: n + 1 offsets make n segments.
Elements before the first offset and after the last are copied unchanged.
Without --axis, arrays of several dimensions are taken in C order, whatever order the file has.
bool and types of 8 and 16 bits are computed in 32 bits, and OUT.npy has 32 bits; for other types it has the same type.
If an integer sum of 32 bits wraps, the printed text says so. With --wide, integers of up to 32 bits are computed in 64 bits,
as numpy.cumsum does, and OUT.npy has i64 or u64.
With --json, it prints an object with op, kind, type, count, axis, shape, segments, result (the last element), result_bits
(floats), wrapped (integer sums of 32 bits: whether one wrapped), output, device, kernel_ms, total_ms (with transfers)
and checked; with --operation, operation and compile_ms in place of op and type.

Examples:
  vkprim scan samples.npy -o sums.npy
  vkprim scan samples.npy -o highest.npy --op max --inclusive
  vkprim scan counts.npy -o sums.npy --inclusive --wide
  vkprim scan table.npy --axis -1 -o sums.npy
  vkprim scan values.npy --offsets row_starts.npy -o sums.npy
  vkprim scan - --type u32 -o - < samples.bin | vkprim reduce - --op max)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job);
    add_operation_flag(options, flags->operation, harness::scan_cases());
    add_axis_flag(options, flags->axis, "scan each row along this axis by itself");
    add_own_flags(options, flags->own);
    add_chunk_flags(options, flags->job.chunks);
    options.add_flag("--wide", flags->wide, "integers of up to 32 bits in 64 bits, in the output, too");
    options.get_option("--operation").excludes({"--axis", "--wide"});
    add_offsets_flag(options, flags->offsets, "scan each segment").excludes({"--operation", "--axis"});
    options.add_option("-o,--output", flags->output, "the .npy file to write; '-': to standard output")
        .required()
        .type_name("OUT.npy");
    add_kind_flags(options, flags->kind);
    return [flags] { return run(*flags); };
}

const Registration registration({"scan", "Write the running reduction of a file's elements", footer, setup});

} // namespace

} // namespace vkprim::tools::scan_command
