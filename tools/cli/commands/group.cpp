#include <vkprim/compact.h>
#include <vkprim/segmented_reduce.h>
#include <vkprim/sort.h>

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <unordered_map>

#include "harness/references.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools::group_command {

namespace {

constexpr uint64_t max_shown = 4096; ///< groups that are printed

struct Flags {
    JobFlags    job;                            ///< of the keys
    Source      values;                         ///< no path: groups are counted
    std::string operation, output, keys_output; ///< no operation: add

    std::string reduced_by() const { return operation.empty() ? "add" : operation; }
};

/// Operations whose result is one element.
const std::vector<harness::ElementCase>& cases() {
    static const std::vector<harness::ElementCase> all = [] {
        std::vector<harness::ElementCase> some;
        for (const harness::ElementCase& one : harness::element_cases()) {
            if (one.operation != Operation::argmin && one.operation != Operation::argmax) some.push_back(one);
        }
        return some;
    }();
    return all;
}

/// All that can be said before anything is read.
void check_flags(const Flags& flags) {
    if (flags.output.empty() != flags.keys_output.empty()) {
        throw Failure{exit_usage, "-o and --keys-output go together: one takes the results, the other the keys"};
    }
    if (!flags.operation.empty() && flags.values.path.empty()) {
        throw Failure{exit_usage, "--op reduces values, and there are none; give their file to --values"};
    }
    if (flags.keys_output == "-") throw Failure{exit_usage, "--keys-output cannot be standard output; name a file"};
    if (!flags.output.empty()) {
        for (const std::string& path : {flags.output, flags.keys_output}) check_output("group", path, flags.job);
        check_outputs({{"-o", flags.output}, {"--keys-output", flags.keys_output}});
    }
    if (flags.job.source.path == "-" && flags.values.path == "-") {
        throw Failure{exit_usage, "FILE and --values cannot share standard input; name a file for one of them"};
    }
}

struct Operands {
    NumberType           type = NumberType::u32; ///< of the keys in the file
    Array                keys, values;           ///< widened; there may be no values
    std::vector<uint8_t> file_keys;              ///< as they are in the file, if they have fewer than 4 bytes
    ElementType          key = ElementType::u32, value = ElementType::u32;
    uint32_t             value_size = 0;  ///< bytes; 0: no values, groups are counted
    harness::ElementCase sum        = {}; ///< what results are

    uint32_t count() const { return static_cast<uint32_t>(keys.count()); }
    uint32_t key_words() const { return element_size(key) / 4; }
    bool     counts() const { return value_size == 0; }
};

Operands read_operands(const Flags& flags) {
    Operands          operands;
    const std::string name = name_of(flags.job.source);
    operands.keys          = read_elements(flags.job.source);
    to_rows(operands.keys, std::nullopt, name);
    operands.type = operands.keys.type;
    if (element_size(operands.type) < 4) operands.file_keys = operands.keys.bytes;
    operands.key = widen(operands.keys);
    if (flags.values.path.empty()) return operands;
    operands.values = read_elements(flags.values);
    to_rows(operands.values, std::nullopt, name_of(flags.values));
    if (operands.values.count() != operands.count()) {
        throw Failure{exit_usage, fmt::format("{}: has {} values, but {} has {} keys; each needs a value",
                                              name_of(flags.values), operands.values.count(), name, operands.count())};
    }
    check_shapes(flags.values, operands.values.shape, flags.job.source, operands.keys.shape);
    operands.value      = widen(operands.values);
    operands.value_size = element_size(operands.value);
    operands.sum        = reduction_of(operands.value,
                                       parse_operation(flags.reduced_by(), operands.value, name_of(flags.values), cases()));
    return operands;
}

/// The groups, in the order of their keys: the words of a key, and where its elements begin; at the end, the count.
struct Groups {
    std::vector<uint32_t> keys, offsets, results; ///< results: words, of values alone

    uint64_t count() const { return offsets.size() - 1; }
};

/// Sorts, finds runs of equal keys, and reduces each.
Groups group_on(ArrayJob& job, const runtime::Device& device, const Operands& operands) {
    const uint32_t count      = operands.count();
    const uint64_t value_size = operands.value_size;
    const auto     move       = value_size == 0   ? Sort::Values::none
                                : value_size == 4 ? Sort::Values::bytes4
                                                  : Sort::Values::bytes8;
    const Sort     sort       = need_device(Sort::create(device.context(), {operands.key, move}));
    Compact::Desc  runs;
    runs.key              = operands.key_words() == 2 ? KeyType::u64 : KeyType::u32; // only bits are compared
    runs.keep             = Compact::Keep::run_heads;
    runs.copy             = Compact::Copy::keys_and_indices;
    runs.indices_end      = true;
    const Compact compact = need_device(Compact::create(device.context(), runs));

    const uint64_t        keys_size = uint64_t{count} * operands.key_words() * 4;
    const runtime::Buffer keys = job.buffer(keys_size), values = job.buffer(count * value_size);
    Sort::Args            by_key;
    Compact::Args         heads;
    by_key.count = heads.count      = count;
    const runtime::Buffer temporary = job.buffer(sort.temporary_size(by_key));
    const runtime::Buffer unique = job.buffer(keys_size), offsets = job.buffer(uint64_t{count} * 4 + 4);
    const runtime::Buffer kept = job.buffer(4), scratch = job.zeros(compact.scratch_size(heads));
    job.upload(keys, operands.keys.bytes.data(), operands.keys.bytes.size());
    job.upload(values, operands.values.bytes.data(), operands.values.bytes.size());

    by_key.keys = by_key.output_keys = keys.address();
    by_key.values = by_key.output_values = value_size > 0 ? values.address() : 0;
    by_key.temporary                     = temporary.address();
    job.run(sort, by_key);

    heads.keys    = keys.address();
    heads.output  = unique.address();
    heads.indices = offsets.address();
    heads.kept    = kept.address();
    heads.scratch = scratch.address();
    job.run(compact, heads, 1);

    uint32_t found = 0;
    job.download(kept, &found, sizeof found);
    found = std::min(found, count); // a wrong device may claim more
    Groups groups;
    groups.keys.resize(uint64_t{found} * operands.key_words());
    groups.offsets.resize(uint64_t{found} + 1);
    job.download(unique, groups.keys.data(), groups.keys.size() * 4);
    job.download(offsets, groups.offsets.data(), groups.offsets.size() * 4);
    if (operands.counts() || found == 0) return groups;

    if (uint64_t{count} + uint64_t{found} * 4 > UINT32_MAX) { // SegmentedReduce::Args
        throw Failure{exit_usage,
                      fmt::format("{} keys in {} groups are too many to reduce values of: the elements and four "
                                  "for each group must be below 2^32",
                                  count, found)};
    }
    SegmentedReduce::Desc desc{operands.sum.type, operands.sum.operation};
    desc.wide         = operands.sum.wide;
    const auto reduce = need_device(SegmentedReduce::create(device.context(), desc));
    groups.results.resize(found * (harness::result_size(operands.sum) / 4));
    const runtime::Buffer results = job.buffer(groups.results.size() * 4);
    SegmentedReduce::Args sums;
    sums.input                 = values.address();
    sums.count                 = count;
    sums.segments.count        = found;
    sums.segments.offsets      = offsets.address();
    sums.output                = results.address();
    const runtime::Buffer more = job.zeros(reduce.scratch_size(sums));
    sums.scratch               = more.address();
    job.run(reduce, sums, 1);
    job.download(results, groups.results.data(), groups.results.size() * 4);
    return groups;
}

void check(const Operands& operands, const Groups& got, const runtime::Device& device) {
    const uint32_t        count = operands.count();
    const auto            from  = harness::reference_sort({operands.key}, operands.keys.bytes.data(), count);
    std::vector<uint64_t> keys(count);
    std::vector<uint8_t>  values;
    const uint64_t        size = operands.value_size;
    for (uint32_t i = 0; i < count; ++i) {
        keys[i]          = bits_at(operands.key, operands.keys.bytes.data(), from[i]);
        const auto begin = operands.values.bytes.begin() + static_cast<std::ptrdiff_t>(from[i] * size);
        values.insert(values.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    Groups expected;
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0 && keys[i] == keys[i - 1]) continue;
        expected.keys.push_back(static_cast<uint32_t>(keys[i]));
        if (operands.key_words() == 2) expected.keys.push_back(static_cast<uint32_t>(keys[i] >> 32));
        expected.offsets.push_back(i);
    }
    expected.offsets.push_back(count);
    if (expected.count() != got.count()) {
        require_right(fmt::format("expected {} groups, got {}", expected.count(), got.count()), device);
    }
    require_right(difference(operands.key, expected.keys.data(), got.keys.data(), expected.count()), device);
    require_right(difference(ElementType::u32, expected.offsets.data(), got.offsets.data(), expected.count() + 1),
                  device);
    if (operands.counts()) return;
    for (size_t group = 0; group < expected.count(); ++group) {
        const uint32_t begin = expected.offsets[group], length = expected.offsets[group + 1] - begin;
        const auto     words  = harness::elements_in(operands.value, &values[begin * size], length);
        const auto     result = harness::reference_reduce(operands.sum, words.data(), length);
        expected.results.insert(expected.results.end(), result.begin(), result.end());
    }
    require_right(
        difference(harness::result_type(operands.sum), expected.results.data(), got.results.data(), expected.count()),
        device);
}

/// What is written of each group: its result, or how many elements it has.
struct Column {
    ElementType           type = ElementType::u32;
    std::vector<uint32_t> words;
};

Column column_of(const Operands& operands, const Groups& groups) {
    if (!operands.counts()) return {harness::result_type(operands.sum), groups.results};
    Column counts;
    for (size_t i = 0; i < groups.count(); ++i) counts.words.push_back(groups.offsets[i + 1] - groups.offsets[i]);
    return counts;
}

/// Keys in the type that the file has, by where one of each stands there.
std::vector<uint8_t> narrowed(const Operands& operands, const Groups& groups, const runtime::Device& device) {
    const uint32_t                         size = element_size(operands.type);
    std::unordered_map<uint32_t, uint32_t> places;
    for (uint32_t i = 0; size < 4 && i < operands.count(); ++i) {
        uint32_t key;
        std::memcpy(&key, &operands.keys.bytes[i * uint64_t{4}], 4);
        places.emplace(key, i);
    }
    std::vector<uint8_t> bytes(groups.count() * size);
    for (size_t i = 0; i < groups.count(); ++i) {
        const uint8_t* from = reinterpret_cast<const uint8_t*>(&groups.keys[i * operands.key_words()]);
        if (size < 4) {
            const auto place = places.find(groups.keys[i]);
            if (place == places.end()) require_right(fmt::format("key {} is none of the file's", i), device);
            from = &operands.file_keys[place->second * uint64_t{size}];
        }
        std::memcpy(&bytes[i * size], from, size);
    }
    return bytes;
}

ExitCode run(const Flags& flags) {
    check_flags(flags);
    const Operands        operands = read_operands(flags);
    const runtime::Device device   = open_device(flags.job.device);
    ArrayJob              job(device, "group");
    const Groups          groups = group_on(job, device, operands);
    if (!flags.job.no_check) check(operands, groups, device);
    check_validation(device);
    const Column column = column_of(operands, groups);
    if (flags.output.empty() && groups.count() > max_shown) {
        throw Failure{exit_usage,
                      fmt::format("there are {} groups: with more than {}, give files to -o and --keys-output",
                                  groups.count(), max_shown)};
    }
    if (!flags.output.empty()) {
        const std::vector<uint8_t> keys = narrowed(operands, groups, device);
        need_file(write_npy(flags.keys_output, operands.type, keys.data(), groups.count()));
        need_file(write_npy(flags.output, number_type(column.type), column.words.data(), groups.count()));
    }
    Json        json{{"op", operands.counts() ? "count" : flags.reduced_by()},
              {"key_type", type_name(operands.type)},
              {"type", type_name(column.type)},
              {"count", operands.count()},
              {"groups", groups.count()}};
    std::string lines;
    if (flags.output.empty()) {
        for (const char* list : {"keys", "results"}) json[list] = Json::array();
        for (size_t i = 0; i < groups.count(); ++i) {
            const uint64_t key   = bits_at(operands.key, groups.keys.data(), i);
            const uint64_t value = bits_at(column.type, column.words.data(), i);
            json["keys"].push_back(json_value(operands.key, key));
            json["results"].push_back(json_value(column.type, value));
            lines += fmt::format("{} {}\n", value_text(operands.key, key), value_text(column.type, value));
        }
    } else {
        json.update({{"output", flags.output}, {"keys_output", flags.keys_output}});
    }
    const char* const text = "{op} of each of {groups} groups of {count} {key_type} keys";
    tell({json, flags.output, text, [&] { return lines; }}, flags.job.json, job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(Groups elements by equal keys, and prints a line for each group, in the order of the keys: the key, and how many elements
it has; with --values, the reduction of their values by --op. Keys have at most 64 bits. Float keys are equal if their bits are,
so -0 and 0 are two groups, and so are NaNs of different bits. The values of a group are combined in the order of the
file, so float sums have the same bits on every device. Sums and products of bool and integers are computed in 64 bits, as
in numpy, and the results are i64 or u64. Other operations on bool and values of 8 and 16 bits are computed in 32 bits, as
are the results.
For more than 4096 groups, -o and --keys-output are needed; the keys keep their type.
With --json, it prints an object with op, key_type, type (of the results), count (elements), groups, keys and results or
output and keys_output, device, kernel_ms, total_ms (with transfers) and checked.

Examples:
  vkprim group categories.npy
  vkprim group categories.npy --values prices.npy --op max
  vkprim group ids.npy --values amounts.npy -o sums.npy --keys-output ids_once.npy)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job, Parts::none);
    options.add_option("--values", flags->values.path, "the file of the values, one for each key; '-': standard input")
        .type_name("FILE");
    options.add_option("--values-type", flags->values.type, "type of its raw bytes, as --type is of FILE's")
        .needs("--values")
        .type_name("T");
    add_operation_flag(options, flags->operation, cases());
    options
        .add_option("-o,--output", flags->output,
                    "the .npy file for the results, with --keys-output; '-': to standard output")
        .type_name("OUT.npy");
    options
        .add_option("--keys-output", flags->keys_output,
                    "the .npy file for the keys of the groups, with --output; not '-'")
        .type_name("KEYS.npy");
    return [flags] { return run(*flags); };
}

const Registration registration({"group", "Count the elements of each key, or reduce their values (group by)", footer,
                                 setup});

} // namespace

} // namespace vkprim::tools::group_command
