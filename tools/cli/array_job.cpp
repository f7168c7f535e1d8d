#include "array_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "stream/chunked_job.h"

namespace vkprim::tools {

namespace {

constexpr uint64_t step_size = 64u << 20; ///< bytes of one transfer between two looks of the progress bar
constexpr uint64_t part_size = 1u << 28;  ///< elements; slow GPUs take half a second for them
constexpr uint64_t max_rows  = 4096;      ///< of a submission

} // namespace

double ms_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void add_job_flags(Options& options, JobFlags& flags, Parts parts) {
    add_source_flags(options, flags.source, "the file to read; its content decides the format; '-': standard input");
    options.add_flag("--json", flags.json, "print one JSON object, on one line");
    options.add_flag("--no-check", flags.no_check, "do not check the result");
    if (parts == Parts::some) {
        options
            .add_option("--parts", flags.parts,
                        "submit the work in N parts, if the driver does not allow long\n"
                        "submissions; by default, a part has at most 2^28 elements")
            .type_name("N")
            .within(1, 1 << 20);
    }
    add_device_flags(options, flags.device);
}

uint32_t parts_of(const JobFlags& flags, uint64_t count) {
    if (flags.parts > 0) return flags.parts;
    return static_cast<uint32_t>(std::max<uint64_t>((count + part_size - 1) / part_size, 1));
}

namespace {

using Cases = std::vector<harness::ElementCase>;

/// Of the operations that `cases` have, those of one type, or of all; in the order of Operation.
std::vector<std::string> operation_names(const Cases& cases, std::optional<ElementType> type) {
    std::map<Operation, std::string> names;
    for (const harness::ElementCase& one : cases) {
        if (!type || one.type == *type) names[one.operation] = harness::name_of(one.operation);
    }
    std::vector<std::string> list;
    for (const auto& [operation, name] : names) list.push_back(name);
    return list;
}

} // namespace

void add_operation_flag(Options& options, std::string& name, const Cases& cases,
                        const std::vector<std::string>& others) {
    std::vector<std::string> names = operation_names(cases, std::nullopt);
    names.insert(names.end(), others.begin(), others.end());
    options
        .add_option("--op", name, fmt::format("{}; and, or, xor take integers; default: add", fmt::join(names, ", ")))
        .type_name("OP")
        .one_of(names);
}

Operation parse_operation(const std::string& name, ElementType type, const std::string& path, const Cases& cases) {
    for (const harness::ElementCase& one : cases) {
        if (one.type == type && harness::name_of(one.operation) == name) return one.operation;
    }
    throw Failure{exit_usage, fmt::format("{}: --op {} does not take {} elements; they have {}", path, name,
                                          type_name(type), fmt::join(operation_names(cases, type), ", "))};
}

harness::ElementCase reduction_of(ElementType type, Operation operation) {
    const bool is_sum = operation == Operation::add || operation == Operation::mul;
    return {type, operation, is_sum && !harness::is_float(type) && harness::input_size(type) < 8};
}

const char* chosen_by(Operation operation) {
    return operation == Operation::min || operation == Operation::argmin ? "smallest" : "largest";
}

Failure nothing_to_choose(const std::string& where, const char* wanted, bool is_empty) {
    return {exit_usage,
            fmt::format("{}has {}, so there is no {} one; {}", where, is_empty ? "no elements" : "no elements but NaN",
                        wanted, is_empty ? "--op add and mul take what is empty" : "replace NaN by numbers first")};
}

void add_kind_flags(Options& options, KindFlags& flags) {
    options.add_flag("--inclusive", flags.inclusive, "output[i] includes element i");
    options.add_flag("--exclusive", flags.exclusive, "output[i] does not include element i; the default")
        .excludes({"--inclusive"});
}

Option add_axis_flag(Options& options, std::optional<int64_t>& axis, const std::string& what) {
    return options.add_option("--axis", axis, fmt::format("{}; counted from 0, or from the last,\nwhich is -1", what))
        .type_name("N");
}

void check_output(const std::string& subcommand, const std::string& output, const JobFlags& flags) {
    if (output == "-" && flags.json) {
        throw Failure{exit_usage, "-o - and --json cannot share standard output; write the array into a file"};
    }
    if (output != "-" && !ends_with(output, ".npy")) {
        throw Failure{exit_usage, fmt::format("{}: {} writes .npy files; choose a name that ends in .npy, or -", output,
                                              subcommand)};
    }
}

namespace {

uint64_t row_offset(const Array& array, const Rows& rows, uint64_t row) {
    return row * rows.length * element_size(array.type);
}

} // namespace

// Memory from operator new is aligned for all types.
uint32_t* row_of(Array& array, const Rows& rows, uint64_t row) {
    return reinterpret_cast<uint32_t*>(array.bytes.data() + row_offset(array, rows, row));
}

const uint32_t* row_of(const Array& array, const Rows& rows, uint64_t row) {
    return reinterpret_cast<const uint32_t*>(array.bytes.data() + row_offset(array, rows, row));
}

ElementType to_device(Array& array, const runtime::Device& device) {
    if (!harness::has_bytes(device)) return widen(array);
    if (array.type == NumberType::boolean) {
        for (uint8_t& byte : array.bytes) byte = byte != 0 ? 1 : 0;
    }
    return read_type(array.type);
}

std::string type_name(ElementType type) { return harness::name_of(type); }

NumberType number_type(ElementType type) {
    switch (output_type(type)) {
        case ElementType::u32: return NumberType::u32;
        case ElementType::i32: return NumberType::i32;
        case ElementType::f32: return NumberType::f32;
        case ElementType::u64: return NumberType::u64;
        case ElementType::i64: return NumberType::i64;
        default: break;
    }
    return NumberType::f64;
}

bool is_float(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }

uint32_t element_size(ElementType type) { return 4 * harness::words_in(type); }

uint64_t bits_at(ElementType type, const void* elements, uint64_t index) {
    uint64_t       bits = 0;
    const uint32_t size = element_size(type);
    std::memcpy(&bits, static_cast<const uint8_t*>(elements) + index * size, size);
    return bits;
}

double double_of(ElementType type, uint64_t bits) {
    switch (output_type(type)) {
        case ElementType::i32: return value_of<int32_t>(bits);
        case ElementType::f32: return value_of<float>(bits);
        case ElementType::i64: return static_cast<double>(value_of<int64_t>(bits));
        case ElementType::f64: return value_of<double>(bits);
        default: return static_cast<double>(bits);
    }
}

std::string value_text(ElementType type, uint64_t bits) {
    switch (output_type(type)) {
        case ElementType::u32:
        case ElementType::u64: return fmt::format("{}", bits);
        case ElementType::i32: return fmt::format("{}", value_of<int32_t>(bits));
        case ElementType::i64: return fmt::format("{}", value_of<int64_t>(bits));
        case ElementType::f32: return fmt::format("{}", value_of<float>(bits));
        default: break;
    }
    return fmt::format("{}", value_of<double>(bits));
}

std::string bits_text(ElementType type, uint64_t bits) {
    return fmt::format("0x{:0{}x}", bits, 2 * element_size(type));
}

std::string difference(ElementType type, const void* expected, const void* got, uint64_t count) {
    return harness::difference_of({expected, got, count * harness::words_in(type) * 4, harness::format_of(type)});
}

void require_right(const std::string& what, const runtime::Device& device) {
    if (!what.empty()) throw Failure{exit_wrong, "wrong result from " + device.info().name + ": " + what};
}

Record record_of(const std::string& operation, uint64_t count, const Found& found) {
    Json json{{"op", operation},
              {"type", type_name(found.type)},
              {"count", count},
              {"result", json_value(found.type, found.bits)}};
    if (found.has_index) json["index"] = found.index;
    if (is_float(found.type)) json["result_bits"] = bits_text(found.type, found.bits);
    const std::string index = found.has_index ? fmt::format(" {}", found.index) : "";
    return {json, "", "", [line = value_text(found.type, found.bits) + index + "\n"] { return line; }};
}

runtime::Buffer ArrayJob::buffer(uint64_t size) {
    return need_device(device_.create_buffer(std::max<uint64_t>((size + 3) / 4 * 4, 4)));
}

runtime::Buffer ArrayJob::zeros(uint64_t size) {
    runtime::Buffer result = buffer(size);
    need_device(device_.fill(result, 0, result.size(), 0));
    return result;
}

void ArrayJob::upload(const runtime::Buffer& target, const void* data, uint64_t size) {
    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t offset = 0; offset < size; offset += step_size) {
        progress_.update("upload", offset, size);
        const uint64_t step = std::min(step_size, size - offset);
        need_device(device_.upload(target, offset, static_cast<const uint8_t*>(data) + offset, step));
    }
    total_ms_ += ms_since(begin);
}

void ArrayJob::download(const runtime::Buffer& source, uint64_t from, void* data, uint64_t size) {
    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t offset = 0; offset < size; offset += step_size) {
        progress_.update("download", offset, size);
        const uint64_t step = std::min(step_size, size - offset);
        need_device(device_.download(source, from + offset, static_cast<uint8_t*>(data) + offset, step));
    }
    progress_.update("check"); // what most callers do next
    total_ms_ += ms_since(begin);
}

uint64_t rows_in_submission(const RowWork& work) {
    if (work.parts > 1) return 1;
    return std::clamp<uint64_t>(part_size / std::max<uint64_t>(work.length, 1), 1, max_rows);
}

void ArrayJob::submit(const std::function<void(runtime::Commands&)>& record) {
    progress_.update("compute");
    const auto        begin    = std::chrono::steady_clock::now();
    runtime::Commands commands = need_device(device_.begin_commands(2));
    commands.timestamp();
    record(commands);
    commands.timestamp();
    kernel_ms_ += need_device(commands.submit_and_wait()).back();
    total_ms_ += ms_since(begin);
}

runtime::Device open_plain_device(DeviceFlags flags) {
    flags.values.push_back("device.subgroups=0");
    return open_device(flags);
}

Account ArrayJob::account(const JobFlags& flags, CheckedBy by) const {
    const char* const plain     = "the variant without subgroup operations";
    const bool        has_clock = device_.info().timestamp_period > 0, by_plain = by == CheckedBy::plain;
    const Json        values{{"device", device_.info().name},
                      {"kernel_ms", has_clock ? Json(kernel_ms_) : Json()},
                      {"total_ms", total_ms_},
                      {"checked", !flags.no_check && by_plain ? Json(plain) : Json(!flags.no_check)}};
    const std::string checked = flags.no_check ? "not checked"
                                : by_plain     ? std::string("the same bits as by ") + plain
                                               : "right to the bit, as the CPU computes it";
    return {filled((has_clock ? "kernel {kernel_ms:.3f} ms, " : "") +
                       ("{total_ms:.3f} ms with transfers, on {device}; " + checked),
                   values),
            values};
}

} // namespace vkprim::tools
