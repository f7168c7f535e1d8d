#include <vkprim/sort.h>

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <memory>

#include "chunk_commands.h"
#include "harness/references.h"
#include "tools/cli/array_job.h"
#include "tools/cli/files/output_file.h"

namespace vkprim::tools::sort_command {

namespace {

using Values = Sort::Values;

struct Flags {
    JobFlags               job;
    std::string            output;
    std::optional<int64_t> by; ///< a column
    std::optional<int64_t> axis;
    std::vector<uint32_t>  bits;
    bool                   descending = false, argsort = false;
};

/// All that can be said before anything is read.
void check_flags(const Flags& flags) {
    check_output("sort", flags.output, flags.job);
    if (flags.by && flags.axis) {
        throw Failure{exit_usage, "--by moves whole rows, and --axis sorts each row by itself: choose one"};
    }
    if (flags.bits.empty() || flags.bits[0] < flags.bits[1]) return;
    throw Failure{exit_usage,
                  fmt::format("--bits {} {} is empty: BEGIN must be below END", flags.bits[0], flags.bits[1])};
}

/// What is sorted: rows of a table by the keys of one column, or single elements, which are their own keys, all or along an axis.
struct Operands {
    Array                 rows; ///< as they are in the file, in C order; or one behind the other along the axis
    Rows                  layout;
    uint64_t              row_size = 0; ///< bytes that a key moves
    std::optional<size_t> column;
    Sort::Desc            desc;
    Array                 keys;
    uint32_t              count  = 0; ///< of keys that are sorted together, and of a table's rows
    uint32_t              groups = 1; ///< of so many keys, each sorted by itself

    uint64_t all() const { return uint64_t{count} * groups; }
};

size_t column_of(const Array& array, int64_t by, const std::string& name) {
    if (array.shape.size() != 2) {
        throw Failure{exit_usage, fmt::format("{}: --by {}: an array of shape {} has no columns; it takes one of two "
                                              "dimensions",
                                              name, by, shape_text(array.shape))};
    }
    const auto columns = static_cast<int64_t>(array.shape[1]);
    if (by < -columns || by >= columns) {
        throw Failure{exit_usage, fmt::format("{}: --by {}: an array of shape {} has no such column; choose {} to {}",
                                              name, by, shape_text(array.shape), -columns, columns - 1)};
    }
    return static_cast<size_t>(by < 0 ? by + columns : by);
}

void check_bits(const Flags& flags, NumberType type) {
    if (flags.bits.empty()) return;
    const std::string name = name_of(flags.job.source);
    const uint32_t    size = element_size(type);
    if (size < 4 || type == NumberType::f32 || type == NumberType::f64) {
        throw Failure{exit_usage, fmt::format("{}: holds {}, but --bits takes keys of u32, i32, u64 and i64", name,
                                              type_name(type))};
    }
    if (flags.bits[1] > 8 * size) {
        throw Failure{exit_usage, fmt::format("{}: --bits {} {}: {} keys have {} bits", name, flags.bits[0],
                                              flags.bits[1], type_name(type), 8 * size)};
    }
}

Operands read_operands(const Flags& flags) {
    const std::string name = name_of(flags.job.source);
    Operands          operands;
    Array&            rows = operands.rows;
    rows                   = read_elements(flags.job.source);
    operands.layout        = to_rows(rows, flags.axis, name);
    check_bits(flags, rows.type);
    if (flags.axis && rows.count() > UINT32_MAX) {
        throw Failure{exit_usage,
                      fmt::format("{}: has {} elements, and --axis takes {}", name, rows.count(), UINT32_MAX)};
    }
    const uint32_t size = element_size(rows.type);
    Array&         keys = operands.keys;
    keys                = {rows.type, {}, {rows.count()}};
    operands.row_size   = size;
    if (flags.by) {
        operands.column   = column_of(rows, *flags.by, name);
        operands.row_size = rows.shape[1] * size;
        keys.shape        = {rows.shape[0]};
        keys.bytes.resize(rows.shape[0] * size);
        for (uint64_t i = 0; i < rows.shape[0]; ++i) {
            std::memcpy(&keys.bytes[i * size], &rows.bytes[i * operands.row_size + *operands.column * size], size);
        }
    } else {
        keys.bytes = rows.bytes;
    }
    operands.count  = static_cast<uint32_t>(flags.axis ? operands.layout.length : keys.count());
    operands.groups = static_cast<uint32_t>(operands.layout.count);
    if (flags.axis && operands.count == 0) operands.groups = 0; // they may be many, and have nothing to sort
    operands.desc.descending = flags.descending;
    operands.desc.segments   = flags.axis ? SegmentLayout::rows : SegmentLayout::none;
    return operands;
}

void take_keys(Operands& operands, const Flags& flags, const runtime::Device& device) {
    const NumberType type = operands.rows.type;
    operands.desc.key     = to_device(operands.keys, device);
    // What is not its own key is fetched from where the indices say: rows of any size, and elements of their own bits.
    const bool keys_alone = !flags.by && !flags.argsort && operands.keys.type == type && type != NumberType::boolean;
    operands.desc.values  = keys_alone ? Values::none : Values::indices;
}

uint32_t first_bit(const Flags& flags) { return flags.bits.empty() ? 0 : flags.bits[0]; }
uint32_t end_bit(const Flags& flags) { return flags.bits.empty() ? 0 : flags.bits[1]; }

/// The keys in their order, or where they come from.
std::vector<uint8_t> sort_on(ArrayJob& job, const Sort& sort, const Operands& operands, const Flags& flags) {
    const bool            alone        = operands.desc.values == Values::none;
    const uint64_t        indices_size = alone ? 0 : operands.all() * 4;
    const uint64_t        result_size  = alone ? operands.keys.bytes.size() : indices_size;
    const runtime::Buffer keys         = job.buffer(operands.keys.bytes.size());
    const runtime::Buffer indices      = job.buffer(indices_size);
    Sort::Args            args;
    args.count                      = operands.count;
    args.segments.count             = operands.groups;
    const runtime::Buffer temporary = job.buffer(sort.temporary_size(args));
    args.keys                       = keys.address();
    args.output_keys                = args.keys; // in place: less memory
    args.output_values              = alone ? 0 : indices.address();
    args.temporary                  = temporary.address();
    args.begin_bit                  = first_bit(flags);
    args.end_bit                    = end_bit(flags);
    std::vector<uint8_t> result(result_size);
    job.upload(keys, operands.keys.bytes.data(), operands.keys.bytes.size());
    job.run(sort, args);
    job.download(alone ? keys : indices, result.data(), result.size());
    return result;
}

/// Rows of `size` bytes, from the places that `indices` say, in each group of `count` rows.
std::vector<uint8_t> gathered(const std::vector<uint8_t>& rows, uint64_t size, const std::vector<uint32_t>& indices,
                              uint64_t count) {
    std::vector<uint8_t> result(rows.size());
    for (uint64_t i = 0; i < indices.size() && size > 0; ++i) {
        std::memcpy(&result[i * size], &rows[(i / count * count + indices[i]) * size], size);
    }
    return result;
}

std::vector<uint32_t> words_of(const std::vector<uint8_t>& bytes) {
    std::vector<uint32_t> words(bytes.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

void check(const Operands& operands, const Flags& flags, const std::vector<uint8_t>& got,
           const runtime::Device& device) {
    const Array&          keys       = operands.keys;
    const uint64_t        group_size = uint64_t{operands.count} * element_size(keys.type);
    std::vector<uint32_t> from;
    for (uint64_t group = 0; group < operands.groups && operands.count > 0; ++group) {
        const auto order = harness::reference_sort(operands.desc, keys.bytes.data() + group * group_size,
                                                   operands.count, first_bit(flags), end_bit(flags));
        from.insert(from.end(), order.begin(), order.end());
    }
    if (operands.desc.values == Values::indices) {
        require_right(difference(ElementType::u32, from.data(), got.data(), from.size()), device);
        return;
    }
    Array expected{keys.type, gathered(keys.bytes, element_size(keys.type), from, operands.count), {from.size()}};
    Array found{keys.type, got, {from.size()}};
    widen(found);
    const ElementType type = widen(expected);
    require_right(difference(type, expected.bytes.data(), found.bytes.data(), from.size()), device);
}

/// What OUT.npy holds, of `sorted`: keys, or indices of rows.
std::vector<uint8_t> output_of(const Operands& operands, const Flags& flags, std::vector<uint8_t> sorted,
                               const runtime::Device& device) {
    if (operands.desc.values == Values::none || flags.argsort) return sorted;
    const std::vector<uint32_t> from = words_of(sorted);
    for (const uint32_t index : from) { // with --no-check, nobody has looked at them yet
        if (index >= operands.count) require_right(fmt::format("row {} of {}", index, operands.count), device);
    }
    return gathered(operands.rows.bytes, operands.row_size, from, operands.count);
}

/// What is said of a sort, whatever way it was computed.
struct Sorted {
    NumberType  type;
    uint64_t    count   = 0;
    std::string what    = "{count} {type}"; ///< or "{count} rows of 3 {type} by column {by}"
    Json        columns = Json::object();   ///< by and shape, or axis, rows and shape
};

Record record_of(const Flags& flags, const Sorted& sorted) {
    Json json{{"op", "sort"},
              {"type", type_name(sorted.type)},
              {"count", sorted.count},
              {"order", flags.descending ? "descending" : "ascending"},
              {"argsort", flags.argsort}};
    json.update(sorted.columns);
    if (!flags.bits.empty()) json["bits"] = flags.bits;
    json["output"]         = flags.output;
    const std::string bits = flags.bits.empty() ? "" : fmt::format(", bits {} to {}", flags.bits[0], flags.bits[1] - 1);
    return {json, flags.output, sorted.what + bits + ", {order}" + (flags.argsort ? "; indices" : "")};
}

ExitCode run_in_chunks(const Flags& flags, const MappedArray& array) {
    check_bits(flags, array.type);
    ChunkedJob job(flags.job, "sort", array);
    sort_in_chunks(job, flags.job, {first_bit(flags), end_bit(flags)}, flags.descending, flags.output);
    tell(record_of(flags, {array.type, array.count}), flags.job.json, job.account());
    return exit_good;
}

/// What on the command line needs the array in one piece.
std::string whole_flag(const Flags& flags) {
    if (flags.argsort) return "--argsort";
    if (flags.by) return "--by";
    if (flags.axis) return "--axis";
    return is_stream(flags.output) ? "-o " + flags.output : "";
}

ExitCode run(const Flags& flags) {
    check_flags(flags);
    if (const auto large = array_for_chunks(flags.job, whole_flag(flags))) return run_in_chunks(flags, *large);
    Operands         operands = read_operands(flags);
    const NumberType type     = flags.argsort ? NumberType::u32 : operands.rows.type;
    const bool       reshapes = flags.axis || (operands.column && !flags.argsort);
    const Shape      shape    = reshapes ? operands.rows.shape : Shape{operands.count};

    const runtime::Device device = open_device(flags.job.device);
    take_keys(operands, flags, device);
    const Sort           sort = need_device(Sort::create(device.context(), operands.desc));
    ArrayJob             job(device, "sort");
    std::vector<uint8_t> result = sort_on(job, sort, operands, flags);
    if (!flags.job.no_check) check(operands, flags, result, device);
    check_validation(device);
    result = output_of(operands, flags, std::move(result), device);
    result = from_rows(std::move(result), operands.layout, Array{type, {}, shape});
    need_file(write_npy(flags.output, type, result.data(), shape));

    Sorted sorted{operands.rows.type, operands.count};
    if (operands.column) {
        sorted.what    = fmt::format("{{count}} rows of {} {{type}} by column {{by}}", operands.rows.shape[1]);
        sorted.columns = {{"by", *operands.column}, {"shape", operands.rows.shape}};
    }
    if (flags.axis) {
        sorted.what    = fmt::format("{} {{type}} along axis {{axis}} of {}", operands.all(), shape_text(shape));
        sorted.columns = {{"axis", *operands.layout.axis}, {"rows", operands.layout.count}, {"shape", shape}};
    }
    tell(record_of(flags, sorted), flags.job.json, job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(Equal elements keep their order, also with --descending. For floats, -0 is below +0, and NaN is last, or first with
--descending.
OUT.npy has the elements' type and one dimension; with --by the table's shape, and whole rows move; with --axis the
array's shape; with --argsort, the indices of the elements or rows in their new order, along the axis if any, as u32. It
appears only when complete and right.
Without --by and --axis, arrays of several dimensions are taken in C order, whatever order the file has.
With --json, it prints an object with op, type, count (elements, of a row with --axis; or rows with --by), order, argsort, by,
axis, rows, shape, bits, output, device, kernel_ms, total_ms (with transfers) and checked.

Examples:
  vkprim sort samples.npy -o sorted.npy
  vkprim sort samples.npy --descending --argsort -o ranking.npy
  vkprim sort table.npy --by 2 -o table.npy
  vkprim sort scores.npy --axis -1 -o sorted.npy
  vkprim sort - --type u64 --bits 32 64 -o - < pairs.bin)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job, Parts::none);
    add_chunk_flags(options, flags->job.chunks);
    options.add_flag("--descending", flags->descending, "the largest first");
    options.add_flag("--argsort", flags->argsort, "write the indices of the elements, not the elements");
    options
        .add_option("--by", flags->by,
                    "sort the rows of a table by this column; counted from 0, or from the\n"
                    "last, which is -1")
        .type_name("COLUMN");
    add_axis_flag(options, flags->axis, "sort each row along this axis by itself");
    options
        .add_option("--bits", flags->bits,
                    "for u32, i32, u64 and i64: order by the bits BEGIN to END - 1 only, where\n"
                    "the lowest bit is 0")
        .values(2, 2)
        .type_name("BEGIN END");
    options.add_option("-o,--output", flags->output, "the .npy file to write; '-': to standard output")
        .required()
        .type_name("OUT.npy");
    return [flags] { return run(*flags); };
}

const Registration registration({"sort", "Write a file's elements, or a table's rows, in ascending or descending order",
                                 footer, setup});

} // namespace

} // namespace vkprim::tools::sort_command
