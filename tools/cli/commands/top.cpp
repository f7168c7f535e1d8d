#include <fmt/format.h>
#include <vkprim/top.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include "harness/processors.h"
#include "harness/references.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools::top_command {

namespace {

constexpr uint64_t max_shown = 4096; ///< of --json, and of lines

struct Flags {
    JobFlags               job;
    std::string            output;
    std::optional<int64_t> axis;
    uint32_t               wanted   = 10;
    bool                   smallest = false, argsort = false, nth = false;
};

struct Operands {
    Array                array; ///< as it is in the file, its rows one behind the other
    Rows                 rows;
    Top::Desc            desc;
    std::vector<uint8_t> keys;
    uint32_t             wanted = 0; ///< of each row: no more than there are

    uint32_t count() const { return static_cast<uint32_t>(rows.length); }        ///< of a row
    uint32_t of_row() const { return desc.nth ? std::min(wanted, 1u) : wanted; } ///< so many of each are found
    uint64_t found() const { return rows.count * of_row(); }
};

Operands read_operands(const Flags& flags) {
    const std::string name = name_of(flags.job.source);
    Operands          operands;
    operands.array = read_elements(flags.job.source);
    operands.rows  = to_rows(operands.array, flags.axis, name);
    if (operands.array.count() > UINT32_MAX) {
        throw Failure{exit_usage,
                      fmt::format("{}: has {} elements, and top takes {}", name, operands.array.count(), UINT32_MAX)};
    }
    if (flags.nth && flags.wanted > operands.rows.length) {
        throw Failure{exit_usage, fmt::format("{}: there is no number {} of {} elements", name, flags.wanted,
                                              operands.rows.length)};
    }
    operands.desc.largest = !flags.smallest;
    operands.desc.nth     = flags.nth;
    operands.wanted       = static_cast<uint32_t>(std::min<uint64_t>(flags.wanted, operands.rows.length));
    return operands;
}

void take_keys(Operands& operands, const runtime::Device& device) {
    Array keys        = operands.array;
    operands.desc.key = to_device(keys, device);
    operands.keys     = std::move(keys.bytes);
}

/// The indices that are found, row by row.
std::vector<uint32_t> find_on(ArrayJob& job, const Top& top, const Operands& operands) {
    std::vector<uint32_t> indices(operands.found());
    if (indices.empty()) return indices;
    Top::Args args;
    args.count                      = operands.count();
    args.wanted                     = operands.wanted;
    args.segments.count             = static_cast<uint32_t>(operands.rows.count);
    const runtime::Buffer keys      = job.buffer(operands.keys.size());
    const runtime::Buffer found     = job.buffer(operands.found() * harness::input_size(operands.desc.key));
    const runtime::Buffer places    = job.buffer(operands.found() * 4);
    const runtime::Buffer temporary = job.buffer(top.temporary_size(args));
    args.keys                       = keys.address();
    args.output_keys                = found.address();
    args.output_indices             = places.address();
    args.temporary                  = temporary.address();
    job.upload(keys, operands.keys.data(), operands.keys.size());
    job.run(top, args);
    job.download(places, indices.data(), indices.size() * 4);
    return indices;
}

/// Whether `found` are what sorting a row's keys puts at the wanted places: they are in order, and as many keys are not above the last of
/// them as are wanted. That takes no sort.
bool is_right(const Operands& operands, const uint8_t* keys, const uint32_t* found) {
    const Sort::Desc as_sort{operands.desc.key, Sort::Values::none, operands.desc.largest};
    const uint32_t   size = harness::input_size(operands.desc.key), count = operands.count();
    const auto       at = [&](uint32_t index) {
        uint64_t bits = 0;
        std::memcpy(&bits, keys + uint64_t{index} * size, size);
        return std::pair(harness::sort_order(as_sort, bits), index); // of equal keys, the first one
    };
    for (uint32_t i = 0; i < operands.of_row(); ++i) {
        if (found[i] >= count || (i > 0 && at(found[i - 1]) >= at(found[i]))) return false;
    }
    const auto            last  = at(found[operands.of_row() - 1]);
    constexpr uint32_t    piece = 1u << 22;
    std::atomic<uint32_t> up_to_last{0};
    harness::on_all_processors((count - 1) / piece + 1, [&](uint32_t number) {
        uint32_t some = 0;
        for (uint32_t i = number * piece; i < count && i / piece == number; ++i) some += at(i) <= last ? 1 : 0;
        up_to_last += some;
    });
    return up_to_last == operands.wanted;
}

void check(const Operands& operands, const std::vector<uint32_t>& indices, const runtime::Device& device) {
    const uint64_t row_size = operands.rows.length * harness::input_size(operands.desc.key);
    const uint32_t of_row   = operands.of_row();
    for (uint64_t row = 0; row < operands.rows.count && of_row > 0; ++row) {
        if (is_right(operands, operands.keys.data() + row * row_size, &indices[row * of_row])) continue;
        require_right(fmt::format("row {}: what was found is not what the CPU finds", row), device);
    }
}

/// The elements that the indices say, of the file's own type.
Array gathered(const Operands& operands, const std::vector<uint32_t>& indices, const runtime::Device& device) {
    const uint64_t size = element_size(operands.array.type);
    Array          found{operands.array.type, {}, operands.rows.shape};
    found.bytes.resize(indices.size() * size);
    for (uint64_t i = 0; i < indices.size(); ++i) {
        if (indices[i] >= operands.count()) { // with --no-check, nobody has looked at them yet
            require_right(fmt::format("index {} of {}", indices[i], operands.count()), device);
        }
        const uint64_t from = i / operands.of_row() * operands.rows.length + indices[i];
        std::memcpy(&found.bytes[i * size], &operands.array.bytes[from * size], size);
    }
    if (!operands.desc.nth) found.shape.push_back(operands.wanted);
    return found;
}

std::string lines_of(const Operands& operands, const Array& found, const std::vector<uint32_t>& indices) {
    Array             wide = found;
    const ElementType type = widen(wide);
    std::string       text;
    for (uint64_t i = 0; i < indices.size(); ++i) {
        if (i > 0 && !operands.desc.nth && i % operands.wanted == 0) text += "\n";
        text += fmt::format("{} {}\n", value_text(type, bits_at(type, wide.bytes.data(), i)), indices[i]);
    }
    return text;
}

/// A list, or of several rows a list of lists.
template <class Value>
Json lists_of(const Operands& operands, Value value) {
    Json all = Json::array();
    for (uint64_t row = 0; row < operands.rows.count; ++row) {
        Json list = Json::array();
        for (uint64_t i = 0; i < operands.of_row(); ++i) list.push_back(value(row * operands.of_row() + i));
        if (!operands.rows.axis) return list;
        all.push_back(list);
    }
    return all;
}

void add_lists(Json& json, const Operands& operands, const Array& found, const std::vector<uint32_t>& indices) {
    Array             wide = found;
    const ElementType type = widen(wide);
    json["values"] =
        lists_of(operands, [&](uint64_t i) { return json_value(type, bits_at(type, wide.bytes.data(), i)); });
    json["indices"] = lists_of(operands, [&](uint64_t i) { return indices[i]; });
}

ExitCode run(const Flags& flags) {
    if (!flags.output.empty()) check_output("top", flags.output, flags.job);
    if (flags.argsort && flags.output.empty()) {
        throw Failure{exit_usage, "--argsort says what -o OUT.npy holds, and there is none"};
    }
    if (!flags.nth && flags.wanted > Top::most_wanted) {
        throw Failure{exit_usage,
                      fmt::format("-k {}: up to {} elements can be listed; --nth gives the last of any number alone",
                                  flags.wanted, Top::most_wanted)};
    }
    Operands operands = read_operands(flags);
    if (flags.output.empty() && operands.found() > max_shown) {
        throw Failure{exit_usage, fmt::format("{} elements are found: with more than {}, give a file to -o",
                                              operands.found(), max_shown)};
    }
    const runtime::Device device = open_device(flags.job.device);
    take_keys(operands, device);
    const Top                   top = need_device(Top::create(device.context(), operands.desc));
    ArrayJob                    job(device, "top");
    const std::vector<uint32_t> indices = find_on(job, top, operands);
    if (!flags.job.no_check) check(operands, indices, device);
    check_validation(device);
    const Array found = gathered(operands, indices, device);
    if (!flags.output.empty()) {
        if (flags.argsort)
            need_file(write_npy(flags.output, NumberType::u32, indices.data(), found.shape));
        else
            need_file(write_npy(flags.output, found.type, found.bytes.data(), found.shape));
    }
    Json json{{"op", "top"},
              {"type", type_name(operands.array.type)},
              {"count", operands.rows.length},
              {"order", flags.smallest ? "smallest" : "largest"},
              {"wanted", operands.wanted},
              {"nth", flags.nth}};
    if (operands.rows.axis) json["rows"] = operands.rows.count;
    if (flags.output.empty()) {
        add_lists(json, operands, found, indices);
    } else {
        json.update({{"argsort", flags.argsort}, {"output", flags.output}});
    }
    const std::string text = std::string(flags.nth ? "number {wanted} from the" : "{wanted}") +
                             " {order} of {count} {type}" + (operands.rows.axis ? ", of each of {rows} rows" : "") +
                             (flags.argsort ? "; indices" : "");
    tell({json, flags.output, text, [&] { return lines_of(operands, found, indices); }}, flags.job.json,
         job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(Each line is an element and its index, counted from 0; for more than 4096 lines, -o is needed. With --axis, the elements
of each row are printed, in the C order of the other axes, with an empty line between rows. Of equal elements, the one with
the lowest index comes first. For floats, -0 is below +0, and NaN is the largest.
K is at most 2^20, with --nth a row's length. --nth prints only the K-th: -k 501 --nth is the median of 1001 elements.
OUT.npy has the elements' type, or u32 with --argsort. Its shape is that of the other axes and one more at the end, which --nth
leaves out.
With --json, it prints an object with op, type, count (of a row), order, wanted, nth, rows, values and indices or argsort and
output, device, kernel_ms, total_ms (with transfers) and checked.

Examples:
  vkprim top scores.npy
  vkprim top logits.npy --axis -1 -k 64 -o best.npy --argsort
  vkprim top distances.npy --smallest -k 1
  vkprim top frame_times.npy -k 100 --nth          # of 10000: 1 % take longer)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job, Parts::none);
    options.add_option("-k", flags->wanted, "how many elements, at most; default: 10")
        .type_name("K")
        .within(1u, UINT32_MAX);
    options.add_flag("--nth", flags->nth, "only the last of them, the K-th element");
    options.add_flag("--smallest", flags->smallest, "the smallest, ascending; by default the largest, descending");
    add_axis_flag(options, flags->axis, "find them in each row along this axis");
    options.add_flag("--argsort", flags->argsort, "write the indices to OUT.npy, not the elements");
    options.add_option("-o,--output", flags->output, "a .npy file to write; '-': to standard output")
        .type_name("OUT.npy");
    return [flags] { return run(*flags); };
}

const Registration registration({"top", "Find a file's largest or smallest elements, and their indices", footer,
                                 setup});

} // namespace

} // namespace vkprim::tools::top_command
