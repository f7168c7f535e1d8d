#include <fmt/format.h>
#include <vkprim/reduce.h>
#include <CLI/CLI.hpp>

#include <cstring>
#include <memory>

#include "array_job.h"
#include "harness/twins.h"
#include "own.h"
#include "rows.h"

namespace vkprim::tools {

namespace {

constexpr uint64_t max_json_results = 4096;

struct Flags {
    JobFlags               job;
    OwnFlags               own;
    std::string            operation = "add", output;
    std::optional<int64_t> axis;
};

/// What the device makes of each row: words_each words, of which a value is in front, and of operations that find one its
/// index behind it.
struct Results {
    ElementType           type       = ElementType::u32;
    uint32_t              words_each = 1;
    std::vector<uint32_t> words;

    bool            has_index() const { return words_each > harness::words_in(type); }
    const uint32_t* at(uint64_t row) const { return words.data() + row * words_each; }
    uint64_t        bits(uint64_t row) const { return bits_at(type, at(row), 0); }
    uint32_t        index(uint64_t row) const { return at(row)[words_each - 1]; }

    std::string text(uint64_t row) const {
        return value_text(type, bits(row)) + (has_index() ? fmt::format(" {}", index(row)) : "") + "\n";
    }
};

Results reduce_rows(ArrayJob& job, const Reduce& reduce, const Array& array, const Rows& rows, Results results,
                    uint32_t parts) {
    const uint64_t        row_size = rows.length * element_size(results.type), result_size = results.words_each * 4;
    const runtime::Buffer input   = job.buffer(array.bytes.size());
    const runtime::Buffer output  = job.buffer(rows.count * result_size);
    const runtime::Buffer scratch = job.zeros(reduce.scratch_size(static_cast<uint32_t>(rows.length)));
    const auto            args_of = [&](uint64_t row) {
        Reduce::Args args;
        args.input   = input.address() + row * row_size;
        args.output  = output.address() + row * result_size;
        args.scratch = scratch.address();
        args.count   = static_cast<uint32_t>(rows.length);
        return args;
    };
    results.words.resize(rows.count * results.words_each);
    job.upload(input, array.bytes.data(), array.bytes.size());
    job.run_rows(reduce, {rows.count, rows.length, parts}, args_of);
    job.download(output, results.words.data(), results.words.size() * 4);
    return results;
}

/// Empty, or how the result of a row differs from the CPU's.
std::string row_difference(const Results& results, uint64_t row, const std::vector<uint32_t>& expected) {
    const std::string value = difference(results.type, expected.data(), results.at(row), 1);
    if (!value.empty() || !results.has_index()) return value;
    const uint32_t index = results.index(row);
    return difference(ElementType::u32, &expected.back(), &index, 1);
}

void write_results(const std::string& output, const Results& results, const Rows& rows) {
    // numpy's argmin and argmax are indices.
    const uint32_t       size = results.has_index() ? 4 : element_size(results.type);
    const NumberType     type = results.has_index() ? NumberType::u32 : number_type(results.type);
    std::vector<uint8_t> bytes(rows.count * size);
    for (uint64_t row = 0; row < rows.count; ++row) {
        const uint32_t index = results.index(row);
        std::memcpy(bytes.data() + row * size, results.has_index() ? &index : results.at(row), size);
    }
    need_file(write_npy(output, type, bytes.data(), rows.shape));
}

Json json_of(const Flags& flags, const Results& results, const Rows& rows, uint64_t count) {
    Json json;
    json["op"]    = flags.operation;
    json["type"]  = type_name(results.type);
    json["count"] = count;
    if (!rows.axis) {
        json["result"] = json_value(results.type, results.bits(0));
        if (results.has_index()) json["index"] = results.index(0);
        if (is_float(results.type)) json["result_bits"] = bits_text(results.type, results.bits(0));
        return json;
    }
    json["axis"]  = *rows.axis;
    json["shape"] = rows.shape;
    if (rows.count <= max_json_results) {
        json["results"] = Json::array();
        for (uint64_t row = 0; row < rows.count; ++row) {
            json["results"].push_back(json_value(results.type, results.bits(row)));
            if (results.has_index()) json["indices"].push_back(results.index(row));
        }
    }
    if (!flags.output.empty()) json["output"] = flags.output;
    return json;
}

ExitCode run(const Flags& flags) {
    if (!flags.own.file.empty()) return run_own_reduce(flags.job, flags.own);
    if (!flags.output.empty()) check_output("reduce", flags.output, flags.job);
    const std::string name      = name_of(flags.job.source);
    Array             array     = read_elements(flags.job.source);
    const Rows        rows      = to_rows(array, flags.axis, name);
    const ElementType type      = widen(array);
    const Operation   operation = parse_operation(flags.operation, type, name, harness::element_cases());
    const uint64_t    count     = array.count();

    const runtime::Device device = open_device(flags.job.device);
    const Reduce          reduce = need_device(Reduce::create(device.context(), {type, operation}));
    ArrayJob              job(device, "reduce");
    const Results         results =
        reduce_rows(job, reduce, array, rows, {type, harness::result_size({type, operation}) / 4, {}},
                    parts_of(flags.job, rows.length));
    for (uint64_t row = 0; row < rows.count && !flags.job.no_check; ++row) {
        const auto length = static_cast<uint32_t>(rows.length);
        const auto wrong =
            row_difference(results, row, harness::twin_reduce(type, operation, row_of(array, rows, row), length));
        require_right(wrong.empty() || !rows.axis ? wrong : fmt::format("row {}, {}", row, wrong), device);
    }
    check_validation(device);
    if (!flags.output.empty()) write_results(flags.output, results, rows);
    if (flags.job.json) {
        Json json = json_of(flags, results, rows, count);
        add_job_json(json, job, device, flags.job);
        print(json_text(json));
    } else if (!flags.output.empty()) {
        print_about(flags.output, fmt::format("{}: {} {}, {} along axis {} of {}\n{}\n", output_name(flags.output),
                                              rows.count, type_name(type), flags.operation, *rows.axis,
                                              shape_text(array.shape), job_line(job, device, flags.job)));
    } else {
        std::string text;
        for (uint64_t row = 0; row < rows.count; ++row) text += results.text(row);
        print(text);
    }
    return exit_good;
}

constexpr const char* footer =
    R"(Prints the value: nothing else, or with --json an object with op, type, count, result, result_bits
(floats), device, kernel_ms, total_ms (with transfers) and checked.
With --axis there is a value for each row along it, as numpy has it, and the result has one dimension less. They
are printed one on a line, or written into OUT.npy (of argmin and argmax the indices, as u32); --json has axis,
shape and up to 4096 results (and indices) instead of result.
Arrays of several dimensions are taken in C order, whatever order the file has, so argmin and argmax count as
numpy does. bool and integers and floats of 8 and 16 bits are computed in 32 bits; the result has 32 bits.
An empty array or row gives the operation's identity. Float sums have the same bits on every device.

Examples:
  vkprim reduce samples.npy
  vkprim reduce samples.npy --op max --json
  vkprim reduce table.npy --axis 0 -o sums.npy
  generate | vkprim reduce - --type f32 --device llvmpipe)";

std::function<ExitCode()> setup(CLI::App& app) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(app, flags->job);
    add_operation_flag(app, flags->operation, harness::element_cases());
    add_own_flags(app, flags->own);
    auto* axis = add_axis_flag(app, flags->axis, "reduce each row along this axis");
    axis->excludes("--operation");
    app.add_option("-o,--output", flags->output, "the .npy file to write, with --axis; '-': to standard output")
        ->needs(axis)
        ->type_name("OUT.npy");
    return [flags] { return run(*flags); };
}

const Registration registration({"reduce", "Reduce the elements of a file to one value", footer, setup});

} // namespace

} // namespace vkprim::tools
