#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/harness.h"
#include "tools/cli/program.h"
#include "tools/cli/record.h"
#include "tools/cli/sizes.h"

namespace vkprim::tools::bench_command {

namespace {

struct Flags {
    DeviceFlags device;
    std::string op       = "all", type, sizes, bound, csv, json;
    bool        indirect = false;
};

/// One measurement to make, and what came of it.
struct Row {
    std::string                         op;
    const harness::BenchDesc*           desc = nullptr;
    harness::BenchSize                  size = 0;
    std::optional<harness::BenchResult> result;
    std::string                         error; ///< where there is no result
};

/// Tells as well how the count is known.
std::string name_of(const Row& row) {
    if (row.size.bound == 0) return row.desc->name;
    return fmt::format("{}, bound {}{}", row.desc->name, size_text(row.size.bound),
                       row.size.indirect ? ", indirect" : "");
}

/// The bandwidth that this device's copy kernel reaches.
struct Yardstick {
    uint32_t count = 0;
    double   gbps  = 0; ///< 0: unknown
};

/// Fills in result or error. A Failure where the device is at fault.
void measure(const runtime::Device& device, Row& row) {
    const auto prepared = row.desc->prepare(device, row.size);
    const auto result   = prepared ? harness::measure(device, *prepared) : prepared.error();
    if (result) {
        row.result = *result;
    } else if (out_of_memory(result.error().code)) {
        row.error = "does not fit into memory";
    } else if (result.error().kind == ErrorKind::unsupported_device) {
        row.error = "skipped: " + result.error().reason;
    } else {
        throw Failure{exit_code_of(result.error()), fmt::format("{} {}, {} elements: {}", row.op, row.desc->name,
                                                                row.size.count, result.error().reason)};
    }
}

std::vector<Row> plan_rows(const Flags& flags, const std::vector<uint32_t>& sizes) {
    std::vector<Row> rows;
    const auto       bounds = flags.bound.empty() ? std::vector<uint32_t>{0} : parse_sizes(flags.bound, "--bound");
    const uint32_t   bound  = bounds.front();
    if (bounds.size() > 1) throw Failure{exit_usage, "--bound: it must be one number"};
    if (bound > 0 && bound < *std::max_element(sizes.begin(), sizes.end())) {
        throw Failure{exit_usage, "--bound: it must not be below any of --sizes"};
    }
    for (const harness::Subject& subject : harness::subjects()) {
        if (flags.op != "all" && flags.op != subject.name) continue;
        for (const harness::BenchDesc& desc : subject.benches) {
            if (!flags.type.empty() && flags.type != desc.type) continue;
            for (const uint32_t count : sizes) {
                const harness::BenchSize size(count, bound, flags.indirect);
                if (size.counting() <= desc.counting) rows.push_back({subject.name, &desc, size, {}, {}});
            }
        }
    }
    if (rows.empty()) {
        throw Failure{exit_usage, fmt::format("there is no benchmark of --op {}{}{}{}", flags.op,
                                              flags.type.empty() ? "" : " with --type " + flags.type,
                                              bound > 0 ? " with --bound" : "", flags.indirect ? " --indirect" : "")};
    }
    return rows;
}

/// The copy kernel at the largest of `sizes` that fits into memory.
Yardstick measure_copy(const runtime::Device& device, const std::vector<uint32_t>& sizes) {
    const auto& subjects = harness::subjects();
    const auto  copy =
        std::find_if(subjects.begin(), subjects.end(), [](const auto& one) { return one.name == "copy"; });
    if (copy == subjects.end() || copy->benches.empty()) return {};
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        Row row{copy->name, &copy->benches.front(), *size, {}, {}};
        measure(device, row);
        if (row.result) return {*size, row.result->gbps};
    }
    return {};
}

double percent_of_copy(const Row& row, const Yardstick& copy) {
    return copy.gbps > 0 ? 100 * row.result->gbps / copy.gbps : 0;
}

std::string gbps_text(double gbps) { return gbps < 10 ? fmt::format("{:.3f}", gbps) : fmt::format("{:.1f}", gbps); }

constexpr const char* line_format = "{:<10} {:<{}} {:>11} {:>11}  {:<23} {:>9} {:>7}  {}\n";

/// Of the longest name.
size_t name_width(const std::vector<Row>& rows) {
    size_t width = 0;
    for (const Row& row : rows) width = std::max(width, name_of(row).size());
    return width;
}

std::string row_text(const Row& row, const Yardstick& copy, size_t width) {
    if (!row.result) {
        return fmt::format("{:<10} {:<{}} {:>11} {}\n", row.op, name_of(row), width, size_text(row.size.count),
                           row.error);
    }
    const harness::BenchResult& result = *row.result;
    return fmt::format(
        line_format, row.op, name_of(row), width, size_text(row.size.count), fmt::format("{:.4f}", result.median_ms),
        fmt::format("{:.4f}..{:.4f}", result.fastest_ms, result.slowest_ms), gbps_text(result.gbps),
        fmt::format("{:.1f}", percent_of_copy(row, copy)), result.wrong.empty() ? "right" : "WRONG: " + result.wrong);
}

Json report(const runtime::DeviceInfo& device, const std::vector<Row>& rows, const Yardstick& copy) {
    Json json{{"device", json_device(device)},
              {"copy", {{"count", copy.count}, {"gbps", copy.gbps}}},
              {"results", Json::array()}};
    for (const Row& row : rows) {
        Json one = {{"op", row.op}, {"name", name_of(row)}, {"type", row.desc->type}, {"count", row.size.count}};
        if (row.result) {
            one["median_ms"]       = row.result->median_ms;
            one["fastest_ms"]      = row.result->fastest_ms;
            one["slowest_ms"]      = row.result->slowest_ms;
            one["gbps"]            = row.result->gbps;
            one["percent_of_copy"] = percent_of_copy(row, copy);
            one["right"]           = row.result->wrong.empty();
            if (!row.result->wrong.empty()) one["wrong"] = row.result->wrong;
        } else {
            one["error"] = row.error;
        }
        json["results"].push_back(std::move(one));
    }
    return json;
}

std::string csv_text(Json results) {
    const std::vector<std::string> columns = {"op",         "name",       "type", "count",           "median_ms",
                                              "fastest_ms", "slowest_ms", "gbps", "percent_of_copy", "right",
                                              "remark"};
    std::string                    out     = fmt::format("{}\n", fmt::join(columns, ","));
    for (Json& one : results) {
        for (const char* remark : {"wrong", "error"}) {
            if (one.contains(remark)) one["remark"] = one[remark];
        }
        out += csv_line(columns, one);
    }
    return out;
}

ExitCode run(const Flags& flags) {
    check_outputs({{"--csv", flags.csv}, {"--json", flags.json}});
    std::vector<uint32_t> sizes;
    if (!flags.sizes.empty()) sizes = parse_sizes(flags.sizes);
    if (sizes.empty()) plan_rows(flags, {1}); // bad flags are told before devices are looked for
    const runtime::Device device = open_device(flags.device);
    need_timestamps(device);
    const bool software = device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (sizes.empty()) sizes = parse_sizes(software ? "2^10..2^22" : "2^10..2^28");
    std::vector<Row> rows = plan_rows(flags, sizes);

    const size_t width = name_width(rows);
    const bool   lines = flags.csv != "-" && flags.json != "-";
    Progress     progress("bench");
    progress.update("copy");
    const Yardstick copy = measure_copy(device, sizes);
    if (lines) {
        print(fmt::format("{}\ncopy kernel: {} GB/s at {} elements\n\n", device_line(device.info()),
                          gbps_text(copy.gbps), size_text(copy.count)));
        print(fmt::format(line_format, "op", "name", width, "count", "median ms", "fastest..slowest", "GB/s", "% copy",
                          ""));
    }
    bool wrong = false;
    for (Row& row : rows) {
        progress.update(row.op, static_cast<uint64_t>(&row - rows.data()), rows.size());
        measure(device, row);
        wrong = wrong || (row.result && !row.result->wrong.empty());
        if (lines) print(row_text(row, copy, width));
    }
    const Json json = report(device.info(), rows, copy);
    if (!flags.csv.empty()) write_report(flags.csv, csv_text(json["results"]));
    if (!flags.json.empty()) write_report(flags.json, json_text(json, 2));
    check_validation(device);
    return wrong ? exit_wrong : exit_good;
}

std::vector<std::string> op_names() {
    std::vector<std::string> names;
    for (const harness::Subject& subject : harness::subjects()) {
        if (!subject.benches.empty()) names.push_back(subject.name);
    }
    names.push_back("all");
    return names;
}

/// Of all benchmarks, in their order.
std::vector<std::string> type_names() {
    std::vector<std::string> names;
    for (const harness::Subject& subject : harness::subjects()) {
        for (const harness::BenchDesc& bench : subject.benches) {
            if (std::find(names.begin(), names.end(), bench.type) == names.end()) names.push_back(bench.type);
        }
    }
    return names;
}

constexpr const char* footer =
    R"(Each line shows the median, fastest and slowest of 15 timed runs on a warm device; GB/s, counting each byte to read or
write once; and this bandwidth in percent of the device's copy kernel at the largest size that fits.
The last result of each line is compared with the CPU's. Exit code 1 if any was wrong.
SIZES are numbers such as 1000 or 2^20, separated by commas; 2^10..2^28 goes from one to the other by factors of four.
Without --sizes, they are 2^10..2^28, and on software devices 2^10..2^22.

Examples:
  vkprim bench
  vkprim bench --op scan --type u32 --sizes 2^28
  vkprim bench --op reduce --sizes 1000,2^20..2^26 --csv reduce.csv
  vkprim bench --op scan --sizes 1000 --bound 100000000 --indirect
  vkprim bench --device llvmpipe --json -)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_option("--op", flags->op, "what to measure; default: all").type_name("OP").one_of(op_names());
    options.add_option("--type", flags->type, "only this element or sample type").type_name("T").one_of(type_names());
    options.add_option("--sizes", flags->sizes, "counts of elements, see below").type_name("SIZES");
    options
        .add_option("--bound", flags->bound,
                    "put the count into GPU memory, and tell the host only that it is at most N; skips operations that "
                    "do not support this")
        .type_name("N");
    options
        .add_flag("--indirect", flags->indirect,
                  "size the grid by that count, with one more dispatch; skips operations that do not support this")
        .needs("--bound");
    options.add_option("--csv", flags->csv, "write a table; '-': to standard output, instead of the lines")
        .type_name("FILE");
    options.add_option("--json", flags->json, "write a report; '-': to standard output, instead of the lines")
        .type_name("FILE");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"bench", "Measure a device", footer, setup});

} // namespace

} // namespace vkprim::tools::bench_command
