#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vkprim/reduce.h>
#include <vkprim/segmented_reduce.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "chunk_commands.h"
#include "exact_rows.h"
#include "harness/references.h"
#include "harness/sizes.h"
#include "own.h"
#include "tools/cli/array_job.h"
#include "tools/cli/offsets.h"
#include "tools/cli/rows.h"

namespace vkprim::tools::reduce_command {

namespace {

constexpr uint64_t max_json_results = 4096;
constexpr uint64_t longest_cut_row = 1024; ///< with --order any; longer ones have a dispatch each, which is faster then

struct Flags {
    JobFlags               job;
    OwnFlags               own;
    std::string            operation = "add", order = "fixed", output, offsets;
    std::optional<int64_t> axis;

    Order order_of_sums() const { return order == "any" ? Order::any : Order::fixed; }

    /// Whether there is a result for each of some rows or segments.
    bool has_many() const { return axis || !offsets.empty(); }
};

/// What --op has beside the library's operations.
enum class Statistic { none, minmax, mean, var };

const std::vector<std::string> statistic_names = {"minmax", "mean", "var"};

Statistic statistic_of(const std::string& name) {
    const auto found = std::find(statistic_names.begin(), statistic_names.end(), name);
    return found == statistic_names.end() ? Statistic::none
                                          : static_cast<Statistic>(1 + (found - statistic_names.begin()));
}

using Words = std::vector<uint32_t>;

/// A Failure where min, max, argmin or argmax have nothing to choose from in a row: no elements, or nothing but NaN, which they ignore.
void need_choice(const Flags& flags, Statistic statistic, Operation operation, const RowNumbers& numbers,
                 std::optional<size_t> axis) {
    if (statistic != Statistic::minmax && (statistic != Statistic::none || !harness::chooses(operation))) return;
    for (uint64_t row = 0; row < numbers.rows; ++row) {
        if (has_number(numbers, row)) continue;
        const char* const wanted = statistic == Statistic::minmax ? "smallest or largest" : chosen_by(operation);
        const std::string of_row = axis ? fmt::format("row {} along axis {} ", row, *axis) : "";
        throw nothing_to_choose(name_of(flags.job.source) + ": " + of_row, wanted, numbers.length == 0);
    }
}

/// What is said of each row: `values` of a type, and of operations that find one, its index behind it.
struct Results {
    ElementType type      = ElementType::u32;
    uint32_t    values    = 1;
    bool        has_index = false;
    Words       words     = {};

    uint32_t    value_words() const { return values * harness::words_in(type); }
    uint32_t    words_each() const { return value_words() + (has_index ? 1 : 0); }
    const void* at(uint64_t row) const { return words.data() + row * words_each(); }
    uint64_t    bits(uint64_t row, uint32_t value) const { return bits_at(type, at(row), value); }
    uint32_t    index(uint64_t row) const { return words[row * words_each() + value_words()]; }

    std::string text(uint64_t row) const {
        std::vector<std::string> parts;
        for (uint32_t value = 0; value < values; ++value) parts.push_back(value_text(type, bits(row, value)));
        if (has_index) parts.push_back(fmt::format("{}", index(row)));
        return fmt::format("{}\n", fmt::join(parts, " "));
    }

    Json json(uint64_t row) const {
        if (values == 1) return json_value(type, bits(row, 0));
        Json all = Json::array();
        for (uint32_t value = 0; value < values; ++value) all.push_back(json_value(type, bits(row, value)));
        return all;
    }
};

/// An array's rows, and where they lie on the device.
struct RowInput {
    const Array&    array;
    const Rows&     rows;
    ElementType     type;
    uint32_t        parts;
    runtime::Buffer buffer;

    uint64_t row_size() const { return rows.length * element_size(type); }
};

/// The same rows' elements, as they are computed.
RowNumbers numbers_of(const Array& array, const Rows& rows) {
    const auto load = [&array](uint64_t begin, uint32_t count, uint32_t* words) {
        widen_to(array.type, array.bytes.data() + begin * element_size(array.type), count,
                 reinterpret_cast<uint8_t*>(words));
    };
    return {computed_type(widened(array.type)), rows.count, rows.length, load};
}

RowInput upload_rows(ArrayJob& job, const Array& array, const Rows& rows, ElementType type, uint32_t parts) {
    RowInput input{array, rows, type, parts, job.buffer(array.bytes.size())};
    job.upload(input.buffer, array.bytes.data(), array.bytes.size());
    return input;
}

/// `words_each` words of each row.
Words reduce_rows(ArrayJob& job, const Reduce& reduce, const RowInput& input, uint32_t words_each) {
    const uint64_t        result_size = words_each * 4;
    const runtime::Buffer output      = job.buffer(input.rows.count * result_size);
    const runtime::Buffer scratch =
        job.zeros(harness::scratch_size_of(reduce, static_cast<uint32_t>(input.rows.length)));
    const auto args_of = [&](uint64_t row) {
        Reduce::Args args;
        args.input                   = input.buffer.address() + row * input.row_size();
        args.parameters.addresses[0] = args.input;
        args.output                  = output.address() + row * result_size;
        args.scratch                 = scratch.address();
        args.count                   = static_cast<uint32_t>(input.rows.length);
        return args;
    };
    Words words(input.rows.count * words_each);
    job.run_rows(reduce, {input.rows.count, input.rows.length, input.parts}, args_of);
    job.download(output, words.data(), words.size() * 4);
    return words;
}

/// The same of one of the library's operations, in a dispatch for as many rows as one takes.
Words reduce_segments(const JobFlags& flags, ArrayJob& job, const SegmentedReduce& reduce, const RowInput& input,
                      uint32_t words_each) {
    const uint64_t        result_size = words_each * 4, length = input.rows.length;
    const uint64_t        at_once = std::clamp<uint64_t>((1u << 31) / (length + 4), 1, input.rows.count);
    const runtime::Buffer output  = job.buffer(input.rows.count * result_size);
    SegmentedReduce::Args args;
    args.count                    = static_cast<uint32_t>(length);
    args.segments.count           = static_cast<uint32_t>(at_once);
    const runtime::Buffer scratch = job.zeros(reduce.scratch_size(args));
    args.scratch                  = scratch.address();
    for (uint64_t row = 0; row < input.rows.count; row += at_once) {
        args.segments.count = static_cast<uint32_t>(std::min(at_once, input.rows.count - row));
        args.input          = input.buffer.address() + row * input.row_size();
        args.output         = output.address() + row * result_size;
        job.run(reduce, args, parts_of(flags, args.segments.count * length));
    }
    Words words(input.rows.count * words_each);
    job.download(output, words.data(), words.size() * 4);
    return words;
}

/// Calls `difference_of(row)`, which returns what is wrong with it, unless nothing is to be checked.
template <class Function>
void check_rows(const Flags& flags, const Rows& rows, const runtime::Device& device, const Function& difference_of) {
    for (uint64_t row = 0; row < rows.count && !flags.job.no_check; ++row) {
        const std::string wrong = difference_of(row);
        require_right(wrong.empty() || !flags.has_many() ? wrong : fmt::format("row {}, {}", row, wrong), device);
    }
}

/// What differs from the CPU's in the result of a row of `length` elements, if anything does.
std::string difference_of(const Results& results, uint64_t row, const Reduce::Desc& desc, const uint32_t* elements,
                          uint64_t length) {
    const auto     count    = static_cast<uint32_t>(length);
    const Words    expected = desc.order == Order::any
                                  ? harness::reference_exact_sum(desc.type, elements, count)
                                  : harness::reference_reduce(reduction_of(desc.type, desc.operation), elements, count);
    const auto     value    = difference(results.type, expected.data(), results.at(row), 1);
    const uint32_t index    = results.has_index ? results.index(row) : 0;
    return !value.empty() || !results.has_index ? value : difference(ElementType::u32, &expected.back(), &index, 1);
}

template <class T>
void put_value(Results& results, T value) {
    Words words(sizeof value / 4);
    std::memcpy(words.data(), &value, sizeof value);
    results.words.insert(results.words.end(), words.begin(), words.end());
}

Results results_of(ElementType type, const std::vector<double>& values) {
    Results results{type};
    for (const double value : values) {
        if (type == ElementType::f32) {
            put_value(results, static_cast<float>(value));
        } else {
            put_value(results, value);
        }
    }
    return results;
}

/// One of the library's operations on each row, compared with the CPU's.
Results reduce_by(const Flags& flags, const runtime::Device& device, ArrayJob& job, const RowInput& input,
                  Operation operation) {
    const harness::ElementCase element_case = reduction_of(input.type, operation);
    Results                    results{harness::result_type(element_case)};
    const uint32_t             words_each = harness::result_size(element_case) / 4;
    results.has_index                     = words_each > results.value_words();
    Reduce::Desc reduce_desc{input.type, operation};
    reduce_desc.order = flags.order_of_sums();
    reduce_desc.wide  = element_case.wide;
    if (reduce_desc.order == Order::any && input.rows.count > 1 && input.rows.length <= longest_cut_row) {
        RowAdder add(flags.job, device, job, input.rows.count, input.rows.length);
        results = results_of(input.type,
                             sum_rows(numbers_of(input.array, input.rows), {all_bits, 1, input.type}, std::ref(add)));
    } else if (input.rows.count > 1 && input.row_size() <= UINT32_MAX && reduce_desc.order == Order::fixed) {
        const SegmentedReduce::Desc desc{input.type, operation, SegmentLayout::rows, nullptr, element_case.wide};
        const auto                  reduce = need_device(SegmentedReduce::create(device.context(), desc));
        results.words                      = reduce_segments(flags.job, job, reduce, input, words_each);
    } else {
        const auto reduce = need_device(Reduce::create(device.context(), reduce_desc));
        results.words     = reduce_rows(job, reduce, input, words_each);
    }
    check_rows(flags, input.rows, device, [&](uint64_t row) {
        return difference_of(results, row, reduce_desc, row_of(input.array, input.rows, row), input.rows.length);
    });
    return results;
}

/// The same of the segments between offsets.
Results reduce_between(const Flags& flags, const runtime::Device& device, ArrayJob& job, const RowInput& input,
                       const std::vector<uint32_t>& offsets, Operation operation) {
    const harness::ElementCase element_case = reduction_of(input.type, operation);
    Results                    results{harness::result_type(element_case)};
    const uint64_t             result_size = harness::result_size(element_case);
    results.has_index                      = result_size / 4 > results.value_words();
    SegmentedReduce::Desc desc{input.type, operation};
    desc.wide                    = element_case.wide;
    const auto            reduce = need_device(SegmentedReduce::create(device.context(), desc));
    const OffsetsOnDevice on_device(job, offsets);
    SegmentedReduce::Args args;
    on_device.put_into(args, input.array.count());
    const runtime::Buffer output  = job.buffer(on_device.segments * result_size);
    const runtime::Buffer scratch = job.zeros(reduce.scratch_size(args));
    args.input                    = input.buffer.address();
    args.output                   = output.address();
    args.scratch                  = scratch.address();
    job.run(reduce, args, input.parts);
    results.words.resize(on_device.segments * result_size / 4);
    job.download(output, results.words.data(), results.words.size() * 4);
    check_rows(flags, input.rows, device, [&](uint64_t segment) {
        const uint32_t  begin = offsets[segment], length = offsets[segment + 1] - begin;
        const uint32_t* words = row_of(input.array, input.rows, 0) + uint64_t{begin} * harness::words_in(input.type);
        return difference_of(results, segment, {input.type, operation}, words, length);
    });
    return results;
}

/// The least and the largest of each row.
Results minmax_of(const Flags& flags, const runtime::Device& device, ArrayJob& job, const RowInput& input) {
    const Results  least = reduce_by(flags, device, job, input, Operation::min);
    const Results  most  = reduce_by(flags, device, job, input, Operation::max);
    const uint32_t words = least.value_words();
    Results        both{input.type, 2};
    for (uint64_t row = 0; row < input.rows.count; ++row) {
        for (const Results* one : {&least, &most}) {
            const auto begin = one->words.begin() + static_cast<std::ptrdiff_t>(row * words);
            both.words.insert(both.words.end(), begin, begin + words);
        }
    }
    return both;
}

/// Means of f32 elements as f32, others and variances as f64.
Results mean_of(const RowNumbers& numbers, Statistic statistic, const AddRows& add) {
    if (statistic == Statistic::var) return results_of(ElementType::f64, variances_of_rows(numbers, add));
    return results_of(numbers.type == ElementType::f32 ? ElementType::f32 : ElementType::f64,
                      means_of_rows(numbers, add));
}

void write_results(const std::string& output, const Results& results, const Rows& rows) {
    // numpy's argmin and argmax are indices.
    const uint32_t       size = results.has_index ? 4 : results.value_words() * 4;
    const NumberType     type = results.has_index ? NumberType::u32 : number_type(results.type);
    std::vector<uint8_t> bytes(rows.count * size);
    for (uint64_t row = 0; row < rows.count; ++row) {
        const uint32_t index = results.has_index ? results.index(row) : 0;
        std::memcpy(bytes.data() + row * size, results.has_index ? &index : results.at(row), size);
    }
    Shape shape = rows.shape;
    if (results.values > 1) shape.push_back(results.values);
    need_file(write_npy(output, type, bytes.data(), shape));
}

Json json_of(const Flags& flags, const Results& results, const Rows& rows, uint64_t count) {
    Json json{{"op", flags.operation}, {"type", type_name(results.type)}, {"count", count}};
    if (!flags.has_many()) {
        json["result"] = results.json(0);
        if (results.has_index) json["index"] = results.index(0);
        if (is_float(results.type) && results.values == 1)
            json["result_bits"] = bits_text(results.type, results.bits(0, 0));
        return json;
    }
    if (rows.axis) json["axis"] = *rows.axis;
    json["shape"] = rows.shape;
    if (rows.count <= max_json_results) {
        json["results"] = Json::array();
        for (uint64_t row = 0; row < rows.count; ++row) {
            json["results"].push_back(results.json(row));
            if (results.has_index) json["indices"].push_back(results.index(row));
        }
    }
    if (!flags.output.empty()) json["output"] = flags.output;
    return json;
}

/// One of the library's operations on an array in chunks.
ExitCode run_in_chunks(const Flags& flags, const MappedArray& array) {
    const ElementType computed = computed_type(widened(array.type));
    const Operation   operation =
        parse_operation(flags.operation, computed, name_of(flags.job.source), harness::element_cases());
    need_choice(flags, Statistic::none, operation, {computed, 1, array.count, LoadFrom(array)}, std::nullopt);
    const harness::ElementCase reduction = reduction_of(computed, operation);
    const ElementType          type      = harness::result_type(reduction);
    const bool                 has_index = operation == Operation::argmin || operation == Operation::argmax;
    ChunkedJob                 job(flags.job, "reduce", array);
    const ChunkedResult        result = reduce_in_chunks(job, flags.job, reduction);
    job.finish();
    tell(record_of(flags.operation, array.count, {type, result.bits, has_index, result.index}), flags.job.json,
         job.account());
    return exit_good;
}

/// What on the command line needs the array in one piece.
std::string whole_flag(const Flags& flags) {
    if (!flags.own.file.empty()) return "--operation";
    if (flags.has_many()) return flags.axis ? "--axis" : "--offsets";
    if (flags.order_of_sums() == Order::any) return "--order any";
    return statistic_of(flags.operation) == Statistic::none ? "" : "--op " + flags.operation;
}

ExitCode run(const Flags& flags) {
    if (!flags.output.empty() && !flags.has_many()) {
        throw Failure{exit_usage, "--output is for many results: it needs --axis or --offsets"};
    }
    if (const auto large = array_for_chunks(flags.job, whole_flag(flags))) return run_in_chunks(flags, *large);
    if (!flags.own.file.empty()) return run_own_reduce(flags.job, flags.own);
    if (!flags.output.empty()) check_output("reduce", flags.output, flags.job);
    const std::string name      = name_of(flags.job.source);
    const Statistic   statistic = statistic_of(flags.operation);
    Array             array     = read_elements(flags.job.source);
    Rows              rows      = to_rows(array, flags.axis, name);
    const bool        is_mean   = statistic == Statistic::mean || statistic == Statistic::var;
    const ElementType type      = is_mean ? computed_type(widened(array.type)) : widen(array);
    const Operation   operation = statistic == Statistic::none
                                      ? parse_operation(flags.operation, type, name, harness::element_cases())
                                      : Operation::add;
    const uint64_t    count     = array.count();
    const bool        is_sum    = statistic == Statistic::none && operation == Operation::add;
    if (flags.order_of_sums() == Order::any && !(is_sum && (type == ElementType::f32 || type == ElementType::f64))) {
        throw Failure{exit_usage,
                      fmt::format("--order any is for sums of f32 and f64, which --op {} of {} is not: leave it out",
                                  flags.operation, type_name(type))};
    }
    if (!flags.offsets.empty() && statistic != Statistic::none) {
        throw Failure{exit_usage, fmt::format("--op {} is not for --offsets; choose another, or --axis for rows of one "
                                              "length",
                                              flags.operation)};
    }
    const std::vector<uint32_t> offsets = read_offsets(flags.offsets, count, name);
    if (!offsets.empty()) {
        rows.count = offsets.size() - 1;
        rows.shape = {rows.count};
    }

    const RowNumbers numbers = numbers_of(array, rows);
    if (offsets.empty()) need_choice(flags, statistic, operation, numbers, rows.axis);

    const runtime::Device device = open_device(flags.job.device);
    ArrayJob              job(device, "reduce");
    const auto            compute = [&]() -> Results {
        if (is_mean) {
            RowAdder add(flags.job, device, job, rows.count, rows.length);
            return mean_of(numbers, statistic, std::ref(add));
        }
        const RowInput input = upload_rows(job, array, rows, type, parts_of(flags.job, rows.length));
        if (!offsets.empty()) return reduce_between(flags, device, job, input, offsets, operation);
        return statistic == Statistic::minmax ? minmax_of(flags, device, job, input)
                                                         : reduce_by(flags, device, job, input, operation);
    };
    const Results results = compute();
    check_validation(device);
    if (!flags.output.empty()) write_results(flags.output, results, rows);
    const auto lines = [&] {
        std::string text;
        for (uint64_t row = 0; row < rows.count; ++row) text += results.text(row);
        return text;
    };
    const std::string of =
        rows.axis ? "along axis {axis} of " + shape_text(array.shape) : "of segments of {count} elements";
    tell({json_of(flags, results, rows, count), flags.output, fmt::format("{} {{type}}, {{op}} {}", rows.count, of),
          lines},
         flags.job.json, job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(Prints the value (argmin and argmax: and its index), or with --json an object with op, type, count, result, index
(argmin and argmax), result_bits (floats), device, kernel_ms, total_ms (with transfers) and checked; with --operation,
operation and compile_ms in place of op and type.
--op minmax gives the smallest and the largest element. --op mean divides the sum by the count; --op var is the mean
squared deviation from the mean, as in numpy. Both add without rounding, in integers, on every device. The mean of f16
and f32 is f32, other means are f64. A mean is rounded once. A variance is f64. Only each deviation and its square are
rounded. These three are not for --offsets.
With --axis there is a value for each row along it, as in numpy, and the result has one dimension less. The values
are printed one on each line, or written into OUT.npy (for argmin and argmax the indices, as u32); --json has axis,
shape and up to 4096 results (and indices) instead of result.
With --offsets there is likewise a value for each segment, which has the elements from one offset up to the next one: n + 1
offsets make n segments. An empty segment gives the operation's identity, with index 4294967295, as does one of NaN
alone with min, max, argmin and argmax, which ignore NaN.
Arrays of several dimensions are taken in C order, whatever order the file has, so argmin and argmax count as
numpy does. Sums and products of bool and integers are computed in 64 bits, as in numpy, and the result is i64 or u64. Other
operations on bool and types of 8 and 16 bits are computed in 32 bits, as is the result; but the mean of integers and var
are f64. An empty array or row gives the operation's identity; mean and var give NaN. Where min, max, minmax, argmin or
argmax have nothing to choose from, since an array or row is empty or has only NaN, the command fails. Float sums have
the same bits on every device. With --order any, a sum of f32 or f64 is the exact sum, rounded once. Its bits do not
depend on the order of the elements; for f64 they are those of Python's math.fsum.

Examples:
  vkprim reduce samples.npy
  vkprim reduce samples.npy --op max --json
  vkprim reduce samples.npy --op minmax
  vkprim reduce samples.npy --order any
  vkprim reduce table.npy --axis 0 -o sums.npy
  vkprim reduce values.npy --offsets row_starts.npy -o row_sums.npy
  generate | vkprim reduce - --type f32 --device llvmpipe)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job);
    add_operation_flag(options, flags->operation, harness::element_cases(), statistic_names);
    options
        .add_option("--order", flags->order,
                    "of float sums: fixed, a tree that depends on the count; or any, the exact\n"
                    "sum, which is the same for every order of the elements; default: fixed")
        .one_of(std::vector<std::string>{"fixed", "any"});
    add_own_flags(options, flags->own);
    options.get_option("--operation").excludes({"--order"});
    add_chunk_flags(options, flags->job.chunks);
    add_axis_flag(options, flags->axis, "reduce each row along this axis").excludes({"--operation"});
    add_offsets_flag(options, flags->offsets, "reduce each segment").excludes({"--operation", "--axis", "--order"});
    options
        .add_option("-o,--output", flags->output,
                    "the .npy file to write, with --axis or --offsets; '-': to standard output")
        .type_name("OUT.npy")
        .excludes({"--operation"});
    return [flags] { return run(*flags); };
}

const Registration registration({"reduce", "Reduce the elements of a file to one value", footer, setup});

} // namespace

} // namespace vkprim::tools::reduce_command
