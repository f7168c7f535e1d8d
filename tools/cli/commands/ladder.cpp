#include "picture.h"
#include "tools/ladder/climb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/cli/program.h"
#include "tools/cli/record.h"
#include "tools/cli/sizes.h"

namespace vkprim::tools::ladder_command {

namespace {

using ladder::Choice;
using ladder::Ladder;
using ladder::Problem;
using ladder::Row;
using ladder::Step;

struct Flags {
    DeviceFlags device;
    std::string ladder         = "all", count, text, picture, blurred, json;
    uint32_t    workgroup_size = 256, radius = 0;
    bool        ideas = false, sweep = false;
};

/// The one that is asked for; of a sweep for none, all that are there.
std::vector<DeviceFlags> devices_of(const Flags& flags) {
    if (!flags.sweep || !flags.device.selector.empty()) return {flags.device};
    std::vector<DeviceFlags> all;
    for (const runtime::DeviceInfo& info : need_device(runtime::list_devices())) {
        if (!info.usable) continue;
        all.push_back(flags.device);
        all.back().selector = std::to_string(info.index);
    }
    return all.empty() ? std::vector<DeviceFlags>{flags.device} : all;
}

/// Of the masks that pictures are blurred with.
uint32_t radius_of(const Flags& flags) { return flags.radius > 0 ? flags.radius : 8; }

constexpr const char* line_format = "{:<{}} {:>5} {:>11} {:>11} {:>8} {:>8} {:>7} {:>4} {:>7}  {}\n";

/// What vkprim's own steps have of a workgroup is no textbook's, so it is left out.
Json json_of(const Row& row) {
    Json json = {{"ladder", row.ladder},
                 {"data", row.data},
                 {"count", row.count},
                 {"step", row.step.name},
                 {"idea", row.step.idea}};
    if (!row.step.own) {
        json.update({{"workgroup_size", row.workgroup_size},
                     {"barriers", row.step.barriers},
                     {"shared_bytes", row.step.shared}});
    }
    if (!row.result) {
        json["skipped"] = row.error;
        return json;
    }
    json.update({{"median_ms", row.result->median_ms},
                 {"full_ms", row.full_ms},
                 {"gbps", row.result->gbps},
                 {"percent_of_copy", 100 * row.result->gbps / row.copy_gbps}});
    if (row.gain > 0) json["gain"] = row.gain;
    json["agrees"] = row.result->wrong.empty();
    if (!row.result->wrong.empty()) json["wrong"] = row.result->wrong;
    return json;
}

std::string row_text(const Row& row, size_t width) {
    const Json json = json_of(row);
    const auto cell = [&](const char* name, const std::string& format, const char* without = "") {
        return json.contains(name) ? filled("{" + (name + format), json) : without;
    };
    const std::string verdict = !row.result ? "{skipped}" : row.result->wrong.empty() ? "agrees" : "WRONG: {wrong}";
    return fmt::format(line_format, row.step.name, width, cell("workgroup_size", "}", "-"), cell("median_ms", ":.4f}"),
                       cell("full_ms", ":.3f}"), cell("gbps", ":.2f}"), cell("gain", ":.2f}x"),
                       row.copy_gbps > 0 ? cell("percent_of_copy", ":.1f} %") : "", cell("barriers", ":.0f}", "-"),
                       cell("shared_bytes", ":.0f}", "-"), filled(verdict, json));
}

std::string heading_text(size_t width) {
    return fmt::format(line_format, "step", width, "size", "ms", "in all", "GB/s", "gain", "% copy", "bar.", "shared",
                       "");
}

/// Of each step the row that is fastest.
std::string best_text(const std::vector<Row>& rows, size_t width) {
    std::string text = "\nthe best size of each\n" + heading_text(width);
    for (size_t first = 0, last = 0; first < rows.size(); first = last) {
        const Row* best = nullptr;
        for (last = first; last < rows.size() && rows[last].step.name == rows[first].step.name; ++last) {
            if (rows[last].result && (!best || rows[last].result->median_ms < best->result->median_ms))
                best = &rows[last];
        }
        if (best) text += row_text(*best, width);
    }
    return text;
}

/// Prints the rows of one problem as they come.
std::vector<Row> climb_in_lines(const runtime::Device& device, const Ladder& ladder, const Problem& problem,
                                const Flags& flags) {
    const double copy  = ladder::copy_gbps(device, problem.count);
    const bool   lines = flags.json != "-";
    size_t       width = 0;
    for (const Step& step : problem.steps(device, flags.workgroup_size)) width = std::max(width, step.name.size());
    if (lines) {
        print(fmt::format("\n{}: {}, {} elements, {}; the copy kernel moves {:.1f} GB/s\n", ladder.name, ladder.summary,
                          size_text(problem.count), problem.data, copy) +
              heading_text(width));
    }
    std::string step;
    const auto  on_row = [&](const Row& row) {
        if (!lines) return;
        if (flags.ideas && step != row.step.name) print(row.step.idea + "\n");
        step = row.step.name;
        print(row_text(row, width));
    };
    const auto sizes = flags.sweep ? ladder::all_workgroup_sizes() : std::vector<uint32_t>{flags.workgroup_size};
    Progress   progress("ladder");
    const auto on_step = [&](const Step& begun) { progress.update(ladder.name + ", " + begun.name); };
    const auto rows    = ladder::climb(device, ladder, problem, sizes, copy, {on_step, on_row});
    if (lines && flags.sweep) print(best_text(rows, width));
    return rows;
}

/// As flags say; otherwise as many as the device takes seconds for, but where sizes of workgroups are compared always as many.
uint32_t count_of(const runtime::Device& device, const Flags& flags) {
    if (flags.count.empty())
        return device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU && !flags.sweep ? 1u << 20 : 67108865;
    const std::vector<uint32_t> counts = parse_sizes(flags.count, "--count");
    if (counts.size() != 1) throw Failure{exit_usage, "--count " + flags.count + ": one number is expected"};
    return counts[0];
}

/// What one ladder takes and others do not is refused, and an output that has no folder, before minutes have gone by.
void check_flags(const Flags& flags) {
    const auto only_for = [&](const char* ladder, const char* flag, const std::string& value) {
        if (!value.empty() && flags.ladder != ladder)
            throw Failure{exit_usage,
                          fmt::format("{0} is for one ladder: vkprim ladder {1} {0} {2}", flag, ladder, value)};
    };
    only_for("convolution", "--picture", flags.picture);
    only_for("convolution", "--radius", flags.radius > 0 ? std::to_string(flags.radius) : "");
    only_for("histogram", "--text", flags.text);
    if (flags.blurred == "-") throw Failure{exit_usage, "--blurred -: the picture needs a file"};
    check_outputs({{"--json", flags.json}, {"--blurred", flags.blurred}});
}

/// What the flags hand to the steps.
struct Inputs {
    Choice               choice;
    std::optional<Image> picture;
};

Inputs inputs_of(const Flags& flags) {
    Inputs inputs;
    inputs.choice.radius = flags.radius;
    if (!flags.text.empty())
        inputs.choice.text = std::make_shared<harness::Bytes>(need_file(read_raw(flags.text, NumberType::u8)).bytes);
    if (inputs.choice.text && inputs.choice.text->empty()) throw Failure{exit_usage, flags.text + ": is empty"};
    if (!flags.picture.empty()) inputs.picture = need_file(read_image(flags.picture));
    return inputs;
}

/// A Failure where these are more than the ladder can take.
void check_count(const Ladder& ladder, const Inputs& inputs) {
    uint64_t count = inputs.choice.count;
    if (inputs.choice.text && ladder.name == "histogram") count = std::max<uint64_t>(count, inputs.choice.text->size());
    if (inputs.picture) count = uint64_t{inputs.picture->width} * inputs.picture->height;
    if (count > ladder.most)
        throw Failure{exit_usage, fmt::format("{} takes at most {} elements", ladder.name, ladder.most)};
}

std::vector<Problem> problems_of(const Ladder& of, const Inputs& inputs, const Flags& flags) {
    if (!inputs.picture) return of.problems(inputs.choice);
    Problem problem = problem_of(*inputs.picture, 0, radius_of(flags));
    problem.data    = fmt::format("the first channel of {}, {} by {}, radius {}", flags.picture, inputs.picture->width,
                                  inputs.picture->height, radius_of(flags));
    return {problem};
}

std::vector<Row> climb_all(const runtime::Device& device, const Flags& flags, Inputs inputs) {
    need_timestamps(device);
    inputs.choice.count = count_of(device, flags);
    std::vector<Ladder> wanted;
    for (const Ladder& ladder : ladder::ladders()) {
        if (flags.ladder == "all" || flags.ladder == ladder.name) wanted.push_back(ladder);
    }
    for (const Ladder& ladder : wanted) check_count(ladder, inputs);

    if (flags.json != "-") print(device_line(device.info()) + "\n");
    std::vector<Row> rows;
    for (const Ladder& ladder : wanted) {
        for (const Problem& problem : problems_of(ladder, inputs, flags)) {
            for (Row& row : climb_in_lines(device, ladder, problem, flags)) rows.push_back(std::move(row));
        }
    }
    if (!flags.blurred.empty()) {
        const auto blurred = tools::blurred(device, *inputs.picture, radius_of(flags), flags.workgroup_size);
        need_file(write_png(flags.blurred, need_device(blurred)));
    }
    check_validation(device);
    return rows;
}

Json json_of(const runtime::DeviceInfo& device, const std::vector<Row>& rows) {
    Json steps = Json::array();
    for (const Row& row : rows) steps.push_back(json_of(row));
    return {{"device", json_device(device)}, {"steps", steps}};
}

ExitCode run(const Flags& flags) {
    check_flags(flags);
    const Inputs inputs = inputs_of(flags);
    Json         json;
    json["vkprim"]  = VKPRIM_VERSION_TEXT;
    json["devices"] = Json::array();
    std::optional<Failure> failure; // of one device, which does not lose what the others had
    bool                   wrong = false;
    for (const DeviceFlags& one : devices_of(flags)) {
        try {
            const runtime::Device  device = open_device(one);
            const std::vector<Row> rows   = climb_all(device, flags, inputs);
            json["devices"].push_back(json_of(device.info(), rows));
            for (const Row& row : rows) wrong = wrong || (row.result && !row.result->wrong.empty());
        } catch (const Failure& caught) {
            if (!failure) failure = caught;
        }
    }
    if (!flags.json.empty() && !json["devices"].empty()) write_report(flags.json, json_text(json, 2));
    if (failure) throw Failure(*failure);
    return wrong ? exit_wrong : exit_good;
}

std::vector<std::string> names() {
    std::vector<std::string> names{"all"};
    for (const Ladder& ladder : ladder::ladders()) names.push_back(ladder.name);
    return names;
}

constexpr const char* footer =
    R"(Each line is one algorithm, from the simplest in textbooks to vkprim's own. It shows the workgroup size; the median time,
without and with the transfers; the bandwidth, from the bytes to read and write; the speed-up over the step before; the
percentage of the copy kernel's bandwidth; and the barriers and bytes of shared memory of a workgroup ('-' for vkprim's
own). The last result of each line is compared with the CPU's. Exit code 1 if any was wrong.

Examples:
  vkprim ladder
  vkprim ladder scan --ideas
  vkprim ladder reduce --count 2^28 --workgroup-size 512
  vkprim ladder scan --sweep-workgroup-size
  vkprim ladder histogram --text book.txt
  vkprim ladder convolution --picture photo.png --blurred blurred.png
  vkprim ladder --device llvmpipe --json ladder.json)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_option("ladder", flags->ladder, "which ladder; default: all").type_name("NAME").one_of(names());
    options
        .add_option(
            "--count", flags->count,
            "how many elements, such as 1000 or 2^20; default: 67108865, on software devices 2^20 except in a sweep")
        .type_name("N");
    options
        .add_option("--workgroup-size", flags->workgroup_size,
                    "invocations of a workgroup, a power of two; default: 256")
        .type_name("N")
        .one_of(ladder::all_workgroup_sizes());
    options
        .add_flag("--sweep-workgroup-size", flags->sweep,
                  "run each step with all powers of two from 2 to 1024; without --device, on all devices")
        .excludes({"--workgroup-size"});
    options
        .add_option("--radius", flags->radius,
                    "radius of the convolution masks; default: 8, in two dimensions 3, for pictures 8")
        .type_name("N")
        .within(1u, LADDER_RADIUS);
    options.add_option("--text", flags->text, "a text file, whose letters the histograms count").type_name("FILE");
    options.add_option("--picture", flags->picture, "PNG, JPEG, PGM or PPM, whose first channel the convolutions take")
        .type_name("FILE")
        .excludes({"--count"});
    options.add_option("--blurred", flags->blurred, "write the picture with all channels, blurred, as PNG")
        .type_name("FILE")
        .needs("--picture");
    options.add_flag("--ideas", flags->ideas, "explain each step in a sentence");
    options.add_option("--json", flags->json, "write a report; '-': to standard output, instead of the lines")
        .type_name("FILE");
    add_device_flags(options, flags->device);
    return [flags] { return run(*flags); };
}

const Registration registration({"ladder", "Run textbook algorithms step by step, from the simplest to vkprim's",
                                 footer, setup});

} // namespace

} // namespace vkprim::tools::ladder_command
