#include <vkprim/scan.h>
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>

#include "array_job.h"
#include "harness/twins.h"

namespace vkprim::tools {

namespace {

struct Flags {
    JobFlags    job;
    std::string operation = "add";
    std::string output;
    bool        inclusive = false, exclusive = false;
};

ExitCode run(const Flags& flags) {
    if (!ends_with(flags.output, ".npy")) {
        throw Failure{exit_usage, flags.output + ": scan writes .npy files; choose a name that ends in .npy"};
    }
    Array             array     = read_elements(flags.job, input_kind(flags.job));
    const ElementType type      = element_type_of(array, flags.job.path);
    const Operation   operation = parse_operation(flags.operation, type, flags.job.path, harness::scan_cases());
    const Scan::Kind  kind      = flags.inclusive ? Scan::Kind::inclusive : Scan::Kind::exclusive;
    const char* const kind_name = flags.inclusive ? "inclusive" : "exclusive";
    const auto        count     = static_cast<uint32_t>(array.count());

    const runtime::Device device = open_device(flags.job.device);
    const Scan            scan   = need_device(Scan::create(device.context(), {type, operation, kind}));
    ArrayJob              job(device, "scan");
    const runtime::Buffer elements = job.buffer(array.bytes.size());
    const runtime::Buffer scratch  = job.zeros(scan.scratch_size(count));
    Scan::Args            args;
    args.input   = elements.address();
    args.output  = elements.address(); // in place: half the memory
    args.scratch = scratch.address();
    args.count   = count;

    std::vector<uint32_t> result(array.bytes.size() / 4);
    job.upload(elements, array.bytes.data(), array.bytes.size());
    job.run(scan, args, parts_of(flags.job, count));
    job.download(elements, result.data(), array.bytes.size());

    if (!flags.job.no_check) {
        auto* const expected = reinterpret_cast<uint32_t*>(array.bytes.data()); // in place here too
        harness::twin_scan(type, operation, kind, expected, expected, count);
        require_right(difference(type, expected, result.data(), count), device);
    }
    check_validation(device);
    need_file(write_npy(flags.output, array.type, result.data(), count));
    if (!flags.job.json) {
        print(fmt::format("{}: {} {}, {} {}\n{}\n", flags.output, count, type_name(type), kind_name, flags.operation,
                          job_line(job, device, flags.job)));
        return exit_good;
    }
    Json json;
    json["op"]          = flags.operation;
    json["kind"]        = kind_name;
    json["type"]        = type_name(type);
    json["count"]       = count;
    const uint64_t last = count > 0 ? bits_at(type, result.data(), count - 1) : 0;
    json["result"]      = count > 0 ? json_value(type, last) : Json();
    if (is_float(type)) json["result_bits"] = count > 0 ? Json(bits_text(type, last)) : Json();
    json["output"] = flags.output;
    add_job_json(json, job, device, flags.job);
    print(json_text(json));
    return exit_good;
}

constexpr const char* footer =
    R"(output[i] is the operation over the elements before i (--exclusive), or up to i (--inclusive).
OUT.npy has one dimension and the input's type; it appears only when complete and right.
With --json an object with op, kind, type, count, result (the last element), result_bits (floats),
output, device, kernel_ms, total_ms (with transfers) and checked.

Examples:
  vkprim scan samples.npy -o sums.npy
  vkprim scan samples.npy -o highest.npy --op max --inclusive
  vkprim scan samples.bin --type u32 -o sums.npy --json)";

std::function<ExitCode()> setup(CLI::App& app) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(app, flags->job);
    add_operation_flag(app, flags->operation, harness::scan_cases());
    app.add_option("-o,--output", flags->output, "the .npy file to write")->required()->type_name("OUT.npy");
    auto* inclusive = app.add_flag("--inclusive", flags->inclusive, "output[i] includes element i");
    app.add_flag("--exclusive", flags->exclusive, "output[i] leaves element i out; so without a flag")
        ->excludes(inclusive);
    return [flags] { return run(*flags); };
}

const Registration registration({"scan", "Write the running reduction of a file's elements", footer, setup});

} // namespace

} // namespace vkprim::tools
