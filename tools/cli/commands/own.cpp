#include "own.h"
#include "harness/sizes.h"

#include <fmt/format.h>
#include <vkprim/compact.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <cstring>

namespace vkprim::tools {

uint32_t parse_parameter(const std::string& text) {
    try {
        size_t   end  = 0;
        uint32_t word = 0;
        if (text.find_first_not_of("+-0123456789xabcdefABCDEF") == std::string::npos &&
            text.find_first_of(".") == std::string::npos) {
            const long long value = std::stoll(text, &end, 0);
            if (end == text.size() && value >= INT32_MIN && value <= UINT32_MAX) return static_cast<uint32_t>(value);
        }
        const float value = std::stof(text, &end);
        std::memcpy(&word, &value, sizeof word);
        if (end == text.size()) return word;
    } catch (const std::exception&) { // no number, or too large a one: below
    }
    throw Failure{exit_usage,
                  fmt::format("--parameter {}: is no number: 1.5 is a float, 15 an integer of 32 bits", text)};
}

namespace {

/// Rows of an array, each a number or all numbers but for the first dimension.
uint64_t rows_of(const Array& array) { return array.shape.empty() ? 1 : array.shape[0]; }

uint32_t count_within(uint64_t count, const std::string& name) {
    if (count > UINT32_MAX) throw Failure{exit_usage, fmt::format("{}: has more than 2^32 - 1 elements", name)};
    return static_cast<uint32_t>(count);
}

} // namespace

uint32_t count_of(const Array& array, const std::string& name, const OperationFile& file, const OwnFlags& own) {
    const uint64_t bytes = array.bytes.size(), size = file.words() * 4;
    uint64_t       count = rows_of(array);
    if (!file.loads()) {
        if (array.type == NumberType::f64 || array.type == NumberType::f16) {
            throw Failure{exit_usage,
                          fmt::format("{}: has {}, but members of {} have 32 bits: with numpy, .astype('f4') "
                                      "makes it f32, and .view('u4') hands its bits over",
                                      name, dtype_name(array.type), own.file)};
        }
        if (bytes % size != 0) {
            throw Failure{exit_usage,
                          fmt::format("{}: {} bytes are no whole number of elements of {} bytes, which {} has", name,
                                      bytes, size, own.file)};
        }
        count = bytes / size;
    }
    return count_within(count, name);
}

namespace {

using Words = std::vector<uint32_t>;

/// What all runs of an operation on a file share.
struct OwnWork {
    const JobFlags& flags;
    const OwnFlags& own;
    Array           array;
    std::string     name; ///< of the file
};

OwnWork read_work(const JobFlags& flags, const OwnFlags& own) {
    OwnWork work{flags, own, read_elements(flags.source), name_of(flags.source)};
    if (work.array.fortran_order) to_rows(work.array, std::nullopt, work.name); // into C order
    return work;
}

/// Those of --parameter, and the file's content.
Parameters parameters_of(const OwnFlags& own, const runtime::Buffer& input) {
    Parameters parameters;
    parameters.addresses[0] = input.address();
    for (size_t i = 0; i < own.parameters.size(); ++i) parameters.words[i] = parse_parameter(own.parameters[i]);
    return parameters;
}

struct Done {
    Words         words; ///< of the output
    OperationFile file;
    uint32_t      count = 0;
    double        compile_ms;
};

template <class Primitive>
Done run_on(const OwnWork& work, const runtime::Device& device, ArrayJob& job, typename Primitive::Desc desc) {
    constexpr bool reduces = std::is_same_v<Primitive, Reduce>;
    const auto     begin   = std::chrono::steady_clock::now();
    OperationFile  file(work.own.file, device, reduces, !reduces);
    const double   compile_ms = ms_since(begin);
    if (file.stores()) {
        throw Failure{exit_usage,
                      work.own.file + ": has a store() of its own, so there is no output; leave VKPRIM_HAS_STORE away"};
    }
    desc.own                        = &file.operation();
    const Primitive       primitive = need_device(Primitive::create(device.context(), desc));
    const uint32_t        count     = count_of(work.array, work.name, file, work.own);
    Words                 words((reduces ? 1 : uint64_t{count}) * file.words());
    const runtime::Buffer input = job.buffer(work.array.bytes.size()), output = job.buffer(words.size() * 4);
    const runtime::Buffer scratch = job.zeros(harness::scratch_size_of(primitive, count));

    typename Primitive::Args args;
    args.input      = input.address();
    args.parameters = parameters_of(work.own, input);
    args.output     = output.address();
    args.scratch    = scratch.address();
    args.count      = count;
    job.upload(input, work.array.bytes.data(), work.array.bytes.size());
    if (!words.empty()) job.run(primitive, args, parts_of(work.flags, count));
    job.download(output, words.data(), words.size() * 4);
    return {std::move(words), std::move(file), count, compile_ms};
}

/// There is no CPU reference for the user's code.
template <class Primitive>
Done run_checked(const OwnWork& work, const runtime::Device& device, ArrayJob& job,
                 const typename Primitive::Desc& desc) {
    Done done = run_on<Primitive>(work, device, job, desc);
    if (!work.flags.no_check) {
        const runtime::Device plain = open_plain_device(work.flags.device);
        ArrayJob              again(plain, "check");
        const Words           expected = run_on<Primitive>(work, plain, again, desc).words;
        require_right(difference(ElementType::u32, expected.data(), done.words.data(), expected.size()), plain);
        check_validation(plain);
    }
    check_validation(device);
    return done;
}

/// The numbers of the rows that a predicate keeps.
struct Kept {
    Words  rows;
    double compile_ms;
};

Kept kept_on(const OwnWork& work, const runtime::Device& device, ArrayJob& job) {
    constexpr uint64_t output_at  = 16; // behind how many are kept, at a multiple of 16
    const auto         begin      = std::chrono::steady_clock::now();
    const auto         predicate  = compile_predicate(work.own.file, device);
    const double       compile_ms = ms_since(begin);
    Compact::Desc      desc;
    desc.copy                     = Compact::Copy::indices;
    desc.own                      = &predicate.operation();
    const Compact         compact = need_device(Compact::create(device.context(), desc));
    const uint32_t        count   = count_within(rows_of(work.array), work.name);
    const runtime::Buffer input   = job.buffer(work.array.bytes.size());
    const runtime::Buffer output  = job.buffer(output_at + uint64_t{count} * 4);
    const runtime::Buffer scratch = job.zeros(harness::scratch_size_of(compact, count));
    Compact::Args         args;
    args.parameters = parameters_of(work.own, input);
    args.output     = output.address() + output_at;
    args.kept       = output.address();
    args.scratch    = scratch.address();
    args.count      = count;

    uint32_t kept = 0;
    job.upload(input, work.array.bytes.data(), work.array.bytes.size());
    job.run(compact, args, parts_of(work.flags, count));
    job.download(output, 0, &kept, sizeof kept);
    Words rows(std::min(kept, count)); // a wrong device may claim more
    job.download(output, output_at, rows.data(), rows.size() * 4);
    return {std::move(rows), compile_ms};
}

/// Writes those rows of an array.
void write_rows(const std::string& output, const Array& array, const Words& rows, const runtime::Device& device) {
    for (const uint32_t row : rows) { // with --no-check, nobody has looked at them yet
        if (row >= rows_of(array)) require_right(fmt::format("row {} of {}", row, rows_of(array)), device);
    }
    const uint64_t       size = rows.empty() ? 0 : array.bytes.size() / rows_of(array);
    std::vector<uint8_t> bytes(rows.size() * size);
    for (size_t i = 0; i < rows.size(); ++i) {
        std::memcpy(bytes.data() + i * size, array.bytes.data() + rows[i] * size, size);
    }
    Shape shape = array.shape;
    if (shape.empty()) shape.resize(1);
    shape[0] = rows.size();
    need_file(write_npy(output, array.type, bytes.data(), shape));
}

ExitCode tell(const OwnWork& work, const ArrayJob& job, const Record& record) {
    tools::tell(record, work.flags.json, job.account(work.flags, CheckedBy::plain));
    return exit_good;
}

void add_parameter_flag(Options& options, OwnFlags& flags) {
    options.add_option("--parameter", flags.parameters, "words 0 to 3 of its parameters: 1.5 is a float, 15 an integer")
        .type_name("X")
        .values(1, 4)
        .needs("--operation");
}

} // namespace

void add_own_flags(Options& options, OwnFlags& flags) {
    options
        .add_option("--operation", flags.file,
                    "an element and an operation of your own, in a file that vkprim/glsl/operation.glsl\n"
                    "describes; elements are made of all of FILE's bytes. If the file has a load(), FILE's\n"
                    "content lies at parameter address 0, and each index of its first dimension is an\n"
                    "element. Such code is trusted: it can read and write any memory of the device")
        .type_name("FILE.glsl")
        .excludes({"--op"});
    add_parameter_flag(options, flags);
}

void add_predicate_flags(Options& options, OwnFlags& flags) {
    options
        .add_option("--operation", flags.file,
                    "keep the rows of FILE (its numbers, or all but its first dimension) that a\n"
                    "predicate of your own keeps, in a file that vkprim/glsl/predicate.glsl describes.\n"
                    "FILE's content lies at parameter address 0. Such code is trusted: it can read and\n"
                    "write any memory of the device")
        .type_name("FILE.glsl")
        .excludes({"--keys", "--above", "--below", "--between", "--outside", "--unique"});
    add_parameter_flag(options, flags);
}

ExitCode run_own_compact(const JobFlags& flags, const OwnFlags& own, bool indices, const std::string& output) {
    const OwnWork         work   = read_work(flags, own);
    const runtime::Device device = open_device(flags.device);
    ArrayJob              job(device, "compact");
    const Kept            kept = kept_on(work, device, job);
    if (!flags.no_check) {
        const runtime::Device plain = open_plain_device(flags.device);
        ArrayJob              again(plain, "check");
        const Words           expected = kept_on(work, plain, again).rows;
        if (expected.size() != kept.rows.size()) {
            require_right(fmt::format("expected {} kept, got {}", expected.size(), kept.rows.size()), plain);
        }
        require_right(difference(ElementType::u32, expected.data(), kept.rows.data(), expected.size()), plain);
        check_validation(plain);
    }
    check_validation(device);
    if (indices) {
        need_file(write_npy(output, NumberType::u32, kept.rows.data(), kept.rows.size()));
    } else {
        write_rows(output, work.array, kept.rows, device);
    }
    const Json json{{"op", "compact"},
                    {"operation", own.file},
                    {"type", type_name(indices ? NumberType::u32 : work.array.type)},
                    {"count", rows_of(work.array)},
                    {"kept", kept.rows.size()},
                    {"output", output},
                    {"compile_ms", kept.compile_ms}};
    return tell(
        work, job,
        {json, output, std::string("{kept} of {count} kept, {operation}; {type}") + (indices ? " indices" : "")});
}

ExitCode run_own_reduce(const JobFlags& flags, const OwnFlags& own) {
    const OwnWork         work   = read_work(flags, own);
    const runtime::Device device = open_device(flags.device);
    ArrayJob              job(device, "reduce");
    const Done            done = run_checked<Reduce>(work, device, job, {});
    const Json            json{{"operation", own.file},
                    {"count", done.count},
                    {"result", done.file.json(done.words.data())},
                    {"compile_ms", done.compile_ms}};
    return tell(work, job, {json, "", "", [&] { return done.file.text(done.words.data()) + "\n"; }});
}

ExitCode run_own_scan(const JobFlags& flags, const OwnFlags& own, bool inclusive, const std::string& output) {
    const OwnWork         work   = read_work(flags, own);
    const runtime::Device device = open_device(flags.device);
    ArrayJob              job(device, "scan");
    Scan::Desc            desc;
    desc.kind       = inclusive ? Scan::Kind::inclusive : Scan::Kind::exclusive;
    const Done done = run_checked<Scan>(work, device, job, desc);
    // One type for all, as .npy files have it: floats or integers where all members are, else the bits.
    const auto all_are = [&](const char* types) {
        for (const Field& field : done.file.fields()) {
            if (std::string(types).find(field.type[0]) == std::string::npos) return false;
        }
        return true;
    };
    const NumberType type  = all_are("fv") ? NumberType::f32 : all_are("i") ? NumberType::i32 : NumberType::u32;
    const Shape      shape = done.file.words() == 1 ? Shape{done.count} : Shape{done.count, done.file.words()};
    need_file(write_npy(output, type, done.words.data(), shape));
    Json json{{"operation", own.file}, {"kind", inclusive ? "inclusive" : "exclusive"}, {"count", done.count}};
    if (done.count > 0) json["result"] = done.file.json(&done.words[done.words.size() - done.file.words()]);
    json.update({{"output", output}, {"compile_ms", done.compile_ms}});
    return tell(work, job, {json, output, "{count} elements of {operation}, {kind}"});
}

} // namespace vkprim::tools
