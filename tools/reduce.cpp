#include <fmt/format.h>
#include <vkprim/reduce.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "array_job.h"
#include "harness/twins.h"

namespace vkprim::tools {

namespace {

struct Flags {
    JobFlags    job;
    std::string operation = "add";
};

ExitCode run(const Flags& flags) {
    const Array       array     = read_elements(flags.job, input_kind(flags.job));
    const ElementType type      = element_type_of(array, flags.job.path);
    const Operation   operation = parse_operation(flags.operation, type, flags.job.path, harness::element_cases());
    const auto        count     = static_cast<uint32_t>(array.count());

    const runtime::Device device = open_device(flags.job.device);
    const Reduce          reduce = need_device(Reduce::create(device.context(), {type, operation}));
    ArrayJob              job(device, "reduce");
    const runtime::Buffer input   = job.buffer(array.bytes.size());
    const uint32_t        words   = harness::result_words({type, operation});
    const runtime::Buffer output  = job.buffer(words * 4);
    const runtime::Buffer scratch = job.zeros(reduce.scratch_size(count));
    Reduce::Args          args;
    args.input   = input.address();
    args.output  = output.address();
    args.scratch = scratch.address();
    args.count   = count;

    std::vector<uint32_t> results(words);
    job.upload(input, array.bytes.data(), array.bytes.size());
    job.run(reduce, args, parts_of(flags.job, count));
    job.download(output, results.data(), words * 4);

    // A value; of operations that find one, its index behind it.
    const uint64_t result    = bits_at(type, results.data(), 0);
    const bool     has_index = words > harness::words_in(type);
    if (!flags.job.no_check) {
        const auto expected = harness::twin_reduce(type, operation, words_of(array), count);
        require_right(difference(type, expected.data(), results.data(), 1), device);
        if (has_index) require_right(difference(ElementType::u32, &expected.back(), &results.back(), 1), device);
    }
    check_validation(device);
    if (!flags.job.json) {
        print(value_text(type, result) + (has_index ? fmt::format(" {}", results.back()) : "") + "\n");
        return exit_good;
    }
    Json json;
    json["op"]     = flags.operation;
    json["type"]   = type_name(type);
    json["count"]  = count;
    json["result"] = json_value(type, result);
    if (has_index) json["index"] = results.back();
    if (is_float(type)) json["result_bits"] = bits_text(type, result);
    add_job_json(json, job, device, flags.job);
    print(json_text(json));
    return exit_good;
}

constexpr const char* footer =
    R"(Prints the value: nothing else, or with --json an object with op, type, count, result, result_bits
(floats), device, kernel_ms, total_ms (with transfers) and checked.
An empty array gives the operation's identity. Float sums have the same bits on every device.

Examples:
  vkprim reduce samples.npy
  vkprim reduce samples.npy --op max --json
  vkprim reduce samples.bin --type f32 --device llvmpipe)";

std::function<ExitCode()> setup(CLI::App& app) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(app, flags->job);
    add_operation_flag(app, flags->operation, harness::element_cases());
    return [flags] { return run(*flags); };
}

const Registration registration({"reduce", "Reduce the elements of a file to one value", footer, setup});

} // namespace

} // namespace vkprim::tools
