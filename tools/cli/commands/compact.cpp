#include <vkprim/compact.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "harness/sizes.h"
#include "own.h"
#include "tools/cli/array_job.h"

namespace vkprim::tools::compact_command {

namespace {

using Copy = Compact::Copy;
using Keep = Compact::Keep;

struct Flags {
    JobFlags              job;
    Source                keys; ///< no path: the elements themselves
    std::string           output;
    std::optional<double> above, below;
    std::vector<double>   between, outside;
    bool                  indices = false, unique = false;
    OwnFlags              own;
};

/// All that can be said before anything is read.
void check_flags(const Flags& flags) {
    check_output("compact", flags.output, flags.job);
    if (flags.job.source.path == "-" && flags.keys.path == "-") {
        throw Failure{exit_usage, "FILE and --keys cannot share standard input; name a file for one of them"};
    }
    const auto check_number = [](const char* flag, const std::optional<double>& value) {
        if (value && std::isnan(*value)) throw Failure{exit_usage, fmt::format("{} nan: it must be a number", flag)};
    };
    check_number("--above", flags.above);
    check_number("--below", flags.below);
    const auto check_range = [](const char* flag, const std::vector<double>& range) {
        if (range.empty() || range[0] <= range[1]) return;
        throw Failure{exit_usage, fmt::format("{} {} {} is empty: LO must not be above HI", flag, range[0], range[1])};
    };
    check_range("--between", flags.between);
    check_range("--outside", flags.outside);
}

/// Which keys are kept, in words.
std::string keep_text(const Flags& flags) {
    if (!flags.between.empty()) return fmt::format("between {} and {}", flags.between[0], flags.between[1]);
    if (!flags.outside.empty()) return fmt::format("outside {} to {}", flags.outside[0], flags.outside[1]);
    if (flags.above && flags.below) return fmt::format("above {} and below {}", *flags.above, *flags.below);
    if (flags.above) return fmt::format("above {}", *flags.above);
    if (flags.below) return fmt::format("below {}", *flags.below);
    return flags.unique ? "unlike the one before" : "not zero";
}

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The key next to `bound`, upwards or downwards; NaN where there is none.
double next_key(KeyType type, double bound, double towards) {
    if (type != KeyType::f32) return towards > 0 ? std::floor(bound) + 1 : std::ceil(bound) - 1;
    const auto nearest = static_cast<float>(bound), end = static_cast<float>(towards);
    return nearest == end ? std::nan("") : static_cast<double>(std::nextafter(nearest, end));
}

struct Range {
    Keep   keep  = Keep::nonzero;
    double lower = -infinity, upper = infinity;
};

/// Which keys are kept, as Compact has it: with both ends.
Range range_of(const Flags& flags, KeyType type) {
    if (!flags.between.empty()) return {Keep::inside, flags.between[0], flags.between[1]};
    if (!flags.outside.empty()) return {Keep::outside, flags.outside[0], flags.outside[1]};
    if (!flags.above && !flags.below) return {flags.unique ? Keep::run_heads : Keep::nonzero};
    Range range{Keep::inside};
    if (flags.above) range.lower = next_key(type, *flags.above, infinity);
    if (flags.below) range.upper = next_key(type, *flags.below, -infinity);
    return range;
}

/// What is compacted, as the device gets it.
struct Operands {
    NumberType            type = NumberType::u32; ///< of the output
    KeyType               key  = KeyType::u8;
    std::string           key_name; ///< of the type that keys are compared in
    Copy                  copy = Copy::keys;
    Array                 keys;
    std::vector<uint32_t> elements; ///< of Copy::elements: the bits of each, behind zeros where they are fewer

    uint32_t count() const { return static_cast<uint32_t>(keys.count()); }
    uint32_t key_size() const { return key == KeyType::u8 ? 1 : key == KeyType::u64 ? 8 : 4; }
    uint32_t copy_size() const { return copy == Copy::keys ? key_size() : 4; } ///< bytes of each output
};

std::vector<uint32_t> words_of(const Array& array) {
    const uint32_t        size = element_size(array.type);
    std::vector<uint32_t> words(array.count());
    for (size_t i = 0; i < words.size(); ++i) std::memcpy(&words[i], array.bytes.data() + i * size, size);
    return words;
}

/// The elements in C order. `most`: bytes that they may have, 4 or 8.
Array read_elements_of(const Source& source, uint32_t most) {
    Array array = read_elements(source);
    if (element_size(array.type) > most) {
        const NumberType smaller = array.type == NumberType::u64   ? NumberType::u32
                                   : array.type == NumberType::i64 ? NumberType::i32
                                                                   : NumberType::f32;
        throw Failure{exit_usage, fmt::format("{}: holds {}, but compact takes elements and keys of at most 32 bits, "
                                              "and of 64 bits only keys of --unique; convert it, in numpy with "
                                              "a.astype('{}'){}",
                                              name_of(source), type_name(array.type), dtype_name(smaller),
                                              smaller == NumberType::f32 ? ", which rounds" : " if all fit")};
    }
    to_rows(array, std::nullopt, name_of(source));
    return array;
}

Operands read_operands(const Flags& flags) {
    const bool     own_keys    = !flags.keys.path.empty();
    const uint32_t most_of_key = flags.unique ? 8 : 4;
    Operands       operands;
    Array          file = read_elements_of(flags.job.source, own_keys ? 4 : most_of_key);
    operands.type       = flags.indices ? NumberType::u32 : file.type;
    if (flags.indices) {
        operands.copy = Copy::indices;
    } else if (own_keys || element_size(file.type) < 4) {
        operands.copy     = Copy::elements;
        operands.elements = words_of(file);
    }
    const Shape shape = file.shape;
    operands.keys     = own_keys ? read_elements_of(flags.keys, most_of_key) : std::move(file);
    if (own_keys && operands.count() != operands.elements.size()) {
        throw Failure{exit_usage,
                      fmt::format("{}: has {} keys, but {} has {} elements; each needs a key", name_of(flags.keys),
                                  operands.count(), name_of(flags.job.source), operands.elements.size())};
    }
    if (own_keys) check_shapes(flags.keys, operands.keys.shape, flags.job.source, shape);
    const bool takes_bytes = element_size(operands.keys.type) == 1 && operands.keys.type != NumberType::i8;
    operands.key_name      = "u8";
    if (takes_bytes && !flags.unique) return operands; // KeyType::u8
    const ElementType key = widen(operands.keys);
    operands.key_name     = type_name(key);
    switch (key) {
        case ElementType::i32: operands.key = KeyType::i32; break;
        case ElementType::f32: operands.key = KeyType::f32; break;
        default: operands.key = element_size(key) == 8 ? KeyType::u64 : KeyType::u32; break;
    }
    return operands;
}

/// The key as a number, which may be NaN.
double key_at(const Operands& operands, uint32_t index) {
    if (operands.key == KeyType::u8) return operands.keys.bytes[index];
    const uint8_t* const at = operands.keys.bytes.data() + uint64_t{index} * 4;
    const auto           as = [&](auto key) {
        std::memcpy(&key, at, sizeof key);
        return static_cast<double>(key);
    };
    return operands.key == KeyType::f32 ? as(0.0f) : operands.key == KeyType::i32 ? as(int32_t{}) : as(uint32_t{});
}

/// As the flags say it, and not as the device is told.
bool is_kept(const Flags& flags, KeyType type, double key) {
    const auto bound = [&](double end) {
        return type == KeyType::f32 ? static_cast<double>(static_cast<float>(end)) : end;
    };
    const auto inside = [&](const std::vector<double>& range) {
        return key >= bound(range[0]) && key <= bound(range[1]);
    };
    if (!flags.between.empty()) return inside(flags.between);
    if (!flags.outside.empty()) return !inside(flags.outside);
    if (!flags.above && !flags.below) return key != 0;
    return (!flags.above || key > bound(*flags.above)) && (!flags.below || key < bound(*flags.below));
}

bool is_unlike_before(const Operands& operands, uint32_t index) {
    const uint32_t       size = operands.key_size();
    const uint8_t* const at   = operands.keys.bytes.data() + uint64_t{index} * size;
    return index == 0 || std::memcmp(at - size, at, size) != 0;
}

/// What is written: outputs of so many bytes.
struct Kept {
    uint32_t             size = 4; ///< of each
    std::vector<uint8_t> bytes;

    uint64_t count() const { return bytes.size() / size; }
};

/// What the device must give.
Kept reference(const Flags& flags, const Operands& operands) {
    Kept kept{operands.copy_size(), {}};
    for (uint32_t i = 0; i < operands.count(); ++i) {
        if (flags.unique ? !is_unlike_before(operands, i) : !is_kept(flags, operands.key, key_at(operands, i)))
            continue;
        const uint32_t element = operands.copy == Copy::elements ? operands.elements[i] : i;
        const auto*    from    = operands.copy == Copy::keys ? &operands.keys.bytes[uint64_t{i} * kept.size]
                                                             : reinterpret_cast<const uint8_t*>(&element);
        kept.bytes.insert(kept.bytes.end(), from, from + kept.size);
    }
    return kept;
}

Kept compact_on(ArrayJob& job, const Compact& compact, const Operands& operands, const Range& range, uint32_t parts) {
    constexpr uint64_t    output_at     = 16; // behind how many are kept, at a multiple of 16
    const uint32_t        count         = operands.count();
    const uint64_t        elements_size = operands.elements.size() * 4;
    const runtime::Buffer keys          = job.buffer(operands.keys.bytes.size());
    const runtime::Buffer elements      = job.buffer(elements_size);
    const runtime::Buffer output        = job.buffer(output_at + uint64_t{count} * operands.copy_size());
    const runtime::Buffer scratch       = job.zeros(harness::scratch_size_of(compact, count));
    Compact::Args         args;
    args.keys     = keys.address();
    args.elements = operands.copy == Copy::elements ? elements.address() : 0;
    args.output   = output.address() + output_at;
    args.kept     = output.address();
    args.scratch  = scratch.address();
    args.count    = count;
    args.lower    = range.lower;
    args.upper    = range.upper;

    uint32_t number = 0;
    job.upload(keys, operands.keys.bytes.data(), operands.keys.bytes.size());
    job.upload(elements, operands.elements.data(), elements_size);
    job.run(compact, args, parts);
    job.download(output, 0, &number, sizeof number);
    number = std::min(number, count); // a wrong device may claim more
    Kept kept{operands.copy_size(), {}};
    kept.bytes.resize(uint64_t{number} * kept.size);
    job.download(output, output_at, kept.bytes.data(), kept.bytes.size());
    return kept;
}

void check(const Kept& expected, const Kept& got, const Operands& operands, const runtime::Device& device) {
    if (expected.count() != got.count()) {
        require_right(fmt::format("expected {} kept, got {}", expected.count(), got.count()), device);
    }
    const ElementType type = computed_type(operands.type);
    require_right(difference(type, expected.bytes.data(), got.bytes.data(), expected.count()), device);
}

void write_kept(const std::string& output, NumberType type, const Kept& kept) {
    const uint32_t       size = element_size(type);
    std::vector<uint8_t> bytes(kept.count() * size);
    for (size_t i = 0; i < kept.count(); ++i) {
        std::memcpy(bytes.data() + i * size, kept.bytes.data() + i * kept.size, size);
    }
    need_file(write_npy(output, type, bytes.data(), kept.count()));
}

ExitCode run(const Flags& flags) {
    check_flags(flags);
    if (!flags.own.file.empty()) return run_own_compact(flags.job, flags.own, flags.indices, flags.output);
    const Operands operands = read_operands(flags);
    const Range    range    = range_of(flags, operands.key);
    const uint32_t count    = operands.count();

    const runtime::Device device = open_device(flags.job.device);
    const Compact compact = need_device(Compact::create(device.context(), {operands.key, range.keep, operands.copy}));
    ArrayJob      job(device, "compact");
    const auto    kept = compact_on(job, compact, operands, range, parts_of(flags.job, count));
    if (!flags.job.no_check) check(reference(flags, operands), kept, operands, device);
    check_validation(device);
    write_kept(flags.output, operands.type, kept);

    const Json json{{"op", "compact"},
                    {"keep", keep_text(flags)},
                    {"key_type", operands.key_name},
                    {"type", type_name(operands.type)},
                    {"count", count},
                    {"kept", kept.count()},
                    {"output", flags.output}};
    tell(
        {json, flags.output, std::string("{kept} of {count} kept, {keep}; {type}") + (flags.indices ? " indices" : "")},
        flags.job.json, job.account(flags.job));
    return exit_good;
}

constexpr const char* footer =
    R"(Keeps the elements whose key the flags select, in their order; without such a flag, those whose key is not zero.
Keys are the elements themselves, or those of --keys; both have at most 32 bits, but keys of --unique may have 64. For
float keys, bounds are rounded to the nearest f32; -0 is 0, and NaN is neither zero nor in any range, so --outside keeps
it. --unique compares bits, so there -0 differs from 0. It looks at neighbours only; run 'vkprim sort' first to bring
equal keys together.
OUT.npy has one dimension and the elements' type, or with --indices u32; it appears only when complete and right.
Arrays of several dimensions are taken in C order, whatever order the file has.
With --operation, FILE may have any type, and OUT.npy has FILE's shape, but fewer rows.
With --json, it prints an object with op, keep, key_type, type, count, kept, output, device, kernel_ms, total_ms (with
transfers) and checked; with --operation, operation and compile_ms in place of keep and key_type.

Examples:
  vkprim compact samples.npy --above 0.5 -o high.npy
  vkprim compact samples.npy --between -1 1 --indices -o where.npy
  vkprim compact samples.npy --keys mask.npy -o kept.npy
  vkprim sort ids.npy -o - | vkprim compact - --unique -o different.npy
  vkprim compact points.npy --operation near.glsl --parameter 2.5 -o near.npy
  vkprim compact - --type i32 -o - < samples.bin | vkprim reduce -)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    add_job_flags(options, flags->job);
    options.add_option("--keys", flags->keys.path, "the file of the keys, one for each element; '-': standard input")
        .type_name("FILE");
    options.add_option("--keys-type", flags->keys.type, "type of its raw bytes, as --type is of FILE's")
        .needs("--keys")
        .type_name("T");
    options.add_flag("--indices", flags->indices, "write the indices of the elements that are kept, from 0")
        .excludes({"--keys"});
    options.add_option("--above", flags->above, "keep keys above X").type_name("X");
    options.add_option("--below", flags->below, "keep keys below X; with --above, keys between the two").type_name("X");
    options.add_option("--between", flags->between, "keep keys from LO to HI, both included")
        .values(2, 2)
        .type_name("LO HI")
        .excludes({"--above", "--below"});
    options.add_option("--outside", flags->outside, "keep keys that are not from LO to HI")
        .values(2, 2)
        .type_name("LO HI")
        .excludes({"--above", "--below", "--between"});
    options.add_flag("--unique", flags->unique, "keep the first of each run of equal keys")
        .excludes({"--above", "--below", "--between", "--outside"});
    add_predicate_flags(options, flags->own);
    options.add_option("-o,--output", flags->output, "the .npy file to write; '-': to standard output")
        .required()
        .type_name("OUT.npy");
    return [flags] { return run(*flags); };
}

const Registration registration({"compact", "Write the elements of a file that a condition keeps", footer, setup});

} // namespace

} // namespace vkprim::tools::compact_command
