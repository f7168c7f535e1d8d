// What the program and the tests share: how each primitive is proven and measured.
//
// One file per primitive registers a Subject: its cases against its CPU reference, and its benchmarks. There is no list of them.
#pragma once

#include <vkprim/runtime.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vkprim::harness {

/// Small and fast random numbers with the same sequence everywhere (Steele, Lea, Flood: SplitMix64, 2014).
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next();
    uint32_t below(uint32_t bound) { return static_cast<uint32_t>((next() >> 32) * bound >> 32); }

private:
    uint64_t state_;
};

/// Of a steady clock.
double seconds_now();

/// `brief`: of `pairs`, the first group of each way through the shaders.
/// `pairs`: the fewest cases, of which every pair of a group, a count and a shape is one; of scans as many groups as types and operations.
/// `quick`: every count in every shape, of groups that load, look back and store differently; pairs of the others.
/// `full`: every count in every shape, of all groups; on a CPU, pairs of the counts above 2^19.
enum class Extent { brief, pairs, quick, full };

/// What the quick extent has of a group: every count in every shape, or pairs.
enum class Cover { all, pairs };

struct VerifyOptions {
    Extent      extent = Extent::quick;
    uint64_t    seed   = 1;
    std::string only;                ///< run only cases whose name begins with this; empty for all
    bool        create_only = false; ///< create what would be verified, and run no case
    std::string after;               ///< run this case, too: what came before those in `only`, on the same scratch

    /// Of a subject's groups, only those whose number has the rest `group` when divided by `groups`.
    uint32_t group = 0, groups = 1;

    std::vector<uint32_t> counts; ///< of elements; if any, instead of edge_counts()

    /// Called ahead of each case, and ahead of the creation of each group's primitive, with its name; `after` as in Mismatch.
    std::function<void(const std::string& name, const std::string& after)> on_case = {};
};

/// A wrong result, as a person wants to see it.
struct Mismatch {
    std::string case_name;
    std::string what; ///< index, expected and got in value and bits; or the error
    std::string after =
        {}; ///< the case that used the same scratch before, if any: on other scratch, this one may be right
};

struct GroupResult {
    std::string           name; ///< such as "scan f32 add inclusive"
    uint32_t              cases   = 0;
    uint32_t              failed  = 0;
    double                seconds = 0;
    std::string           skipped;    ///< why nothing ran, where nothing did
    std::vector<Mismatch> mismatches; ///< the first few
};

/// How outputs look to a person.
enum class Format { u32, i32, f32, u64, i64, f64, u8, u16 };

/// Bytes of a value.
inline uint32_t size_of(Format format) {
    constexpr uint32_t sizes[] = {4, 4, 4, 8, 8, 8, 1, 2};
    return sizes[static_cast<uint32_t>(format)];
}

struct Subject;

/// Memory for one case: `size` bytes at `offset` into a buffer, with guard words on both sides.
struct Range {
    VkDeviceAddress address = 0;
    VkDeviceSize    offset  = 0; ///< in the arena
    VkDeviceSize    size    = 0; ///< bytes
};

/// Runs cases on one device. A subject's verify function calls it in this order: group(); and for each case wants(),
/// input(), output(), run(), expect().
class Verifier {
public:
    Verifier(const runtime::Device& device, const VerifyOptions& options);

    const runtime::Device& device() const { return device_; }
    const Context&         context() const { return device_.context(); }
    Extent                 extent() const { return options_.extent; }

    /// Those that VerifyOptions asks for, if any.
    const std::vector<uint32_t>& counts() const { return options_.counts; }

    /// Counts worth testing, where it asks for none: 0, 1, and around everything that has a size in the shaders; more where
    /// extent() is full.
    std::vector<uint32_t> edge_counts() const;

    /// All that `subject` verifies, with what scratch holds.
    void run_all_of(const Subject& subject);

    /// Begins a group of cases; the one before ends. False where VerifyOptions::only leaves none of its cases, or the brief extent has had
    /// a group of that `way` through the shaders.
    bool group(const std::string& name, Cover quick_cover = Cover::all, const std::string& way = {});

    /// Whether to run the case: it is within VerifyOptions::only. Begins the case if so.
    bool wants(const std::string& name);

    /// The case's own random numbers: a function of seed and name alone.
    Random random() const;

    /// The group cannot run on this device.
    void skip(const std::string& why);

    /// Memory with `data` in it, `misalignment` bytes after a 256-byte boundary; garbage around it, which is guard words where
    /// the output is in place.
    Range input(const void* data, VkDeviceSize size, uint32_t misalignment);

    /// Memory full of garbage, guard words on both sides.
    Range output(VkDeviceSize size, uint32_t misalignment);

    /// The word that output() has filled it with, at multiples of 4 bytes.
    uint32_t output_guard() const { return output_guard_; }

    /// A uint32 on the GPU.
    VkDeviceAddress gpu_count(uint32_t count);

    /// `size` bytes of scratch, with guard words behind; behind what the operation before has left, where that is more. It is
    /// zero-filled once: every operation must leave it ready for the next, of whatever kind.
    /// With `left`: new scratch, as an operation with look-back has left it that has that many words there.
    VkDeviceAddress scratch(VkDeviceSize size, uint32_t left = 0);

    /// `size` bytes that an operation may use as it likes, full of garbage, with guard words on both sides.
    VkDeviceAddress temporary(VkDeviceSize size);

    struct RunOptions {
        uint32_t times = 1; ///< record it again
        uint32_t parts = 1; ///< of which an operation consists
    };

    /// Whether validate() takes the operation. Ends the case with its reason where not.
    template <class Primitive>
    bool takes(const Primitive& primitive, const typename Primitive::Args& args) {
        return case_failed_ || check(primitive.validate(args));
    }

    /// Records `record`, every part of it, behind a barrier each, and submits it.
    void run(const std::function<void(VkCommandBuffer, const Part&)>& record, const RunOptions& options);

    /// Ends the case: `range` must hold `expected`, all guard words must be untouched, and scratch must be ready again.
    void expect(const Range& range, const void* expected, Format format);

    /// Ends the case as failed, with a reason; for create() that refuses what it should take.
    void fail(const std::string& why);

    std::vector<GroupResult> finish();

    /// Called at the end of each group.
    std::function<void(const GroupResult&)> on_group;

private:
    void end_group();
    bool is_of_pairs(const std::string& name);
    bool is_long_on_a_cpu(const std::string& name) const;
    bool check(const Result<void>& result);
    bool reserve_scratch(VkDeviceSize end);
    void expect_output(const Range& range, const void* expected, Format format);
    void expect_scratch();
    void expect_temporary();
    void renew_scratch();

    const runtime::Device&   device_;
    VerifyOptions            options_;
    std::vector<GroupResult> groups_;
    Cover                    quick_cover_ = Cover::all; ///< of the group
    double                   group_began_ = 0;
    std::set<std::string>    ways_; ///< of this subject's groups, so far
    uint32_t                 group_number_ = 0, count_number_ = 0, shape_number_ = 0; ///< for is_of_pairs()
    std::string              count_text_;
    std::string              case_name_;
    bool                     case_failed_ = false;
    runtime::Buffer          input_, output_, scratch_, temporary_, count_;
    uint32_t                 input_guard_ = 0, output_guard_ = 0;
    VkDeviceSize             temporary_size_ = 0;   ///< of this case
    std::string              scratch_user_;         ///< the last case that used scratch and left it ready, if any
    bool                     uses_scratch_ = false; ///< this case
    VkDeviceSize             scratch_end_  = 0; ///< bytes from its beginning to its guard words, where there are any
    VkDeviceSize scratch_left_ = 0; ///< bytes that hold what the last operation has left; behind that are zeros
};

using Bytes = std::vector<uint8_t>;

/// One thing to measure, ready to run.
struct Workload {
    uint64_t                             bytes_read    = 0; ///< each element once
    uint64_t                             bytes_written = 0;
    std::function<void(VkCommandBuffer)> record; ///< one operation
    std::function<std::string()>         check;  ///< empty where the last result was right, else what was wrong
    std::shared_ptr<void>                memory; ///< keeps buffers and pipelines alive

    // For who measures something else on the same data.
    std::shared_ptr<const Bytes>                  input;    ///< what it reads, from the first element on
    std::function<std::shared_ptr<const Bytes>()> expected; ///< what the CPU reference makes of it; computed once
    std::function<Result<void>()>                 upload;   ///< hands the input to the device once more
    std::function<Result<Bytes>()>                download; ///< what the device has made of it
};

/// Where the count of elements lies.
enum class Counting {
    host,
    gpu,
    gpu_with_grid, ///< which is made of the count
};

struct BenchSize {
    uint32_t count;    ///< elements
    uint32_t bound;    ///< if set, the count lies on the GPU, and this is all that the host knows of it
    bool     indirect; ///< with a bound: the grid is made of the count

    BenchSize(uint32_t count_, uint32_t bound_ = 0, bool indirect_ = false)
        : count(count_), bound(bound_), indirect(indirect_) {}

    uint32_t host_count() const { return bound > 0 ? bound : count; } ///< of Args
    Counting counting() const {
        return bound == 0 ? Counting::host : indirect ? Counting::gpu_with_grid : Counting::gpu;
    }
};

/// The same work in another library, for those who compare (bench/peers).
struct Peer {
    /// The leading rows show how time grows with size, the others what a type or an option changes.
    enum class Sizes { leading, others, large, wide, largest };

    std::string operation; ///< as bench/peers/cub/cub_peer.h has it: "reduce_add_u32"; empty: none
    Sizes       sizes  = Sizes::others;
    uint32_t    offset = 0;           ///< elements before input and output
    uint32_t    bins   = 0;           ///< of a histogram
    double      lower = 0, upper = 0; ///< of a histogram, or of a range of keys
    uint32_t    row = 0;              ///< elements of a row
};

struct BenchDesc {
    std::string name; ///< "add u32", "u8 256 bins": unique within the subject
    std::string type; ///< element or sample type, for --type
    uint32_t    element_size = 4;
    std::function<Result<Workload>(const runtime::Device& device, const BenchSize& size)> prepare;

    Counting    counting = Counting::gpu_with_grid; ///< the last that it can
    Peer        peer     = {};
    std::string variant =
        {}; ///< of the subject's Property, if the host's cost of creating and recording it is of interest
};

/// A benchmark with its peer; with `variant`, where the host's cost is of interest.
inline BenchDesc with_peer(BenchDesc bench, Peer peer, std::string variant = {}) {
    bench.peer    = std::move(peer);
    bench.variant = std::move(variant);
    return bench;
}

/// A number that a profile may set, and how `vkprim tune` finds the best.
struct Tunable {
    std::string knob;      ///< as profiles name it: "scan.prefetch_distance"
    std::string bench;     ///< of the same subject: the one that decides
    uint32_t    count = 0; ///< of elements, in that

    std::vector<uint32_t> candidates;       ///< values to try
    std::vector<uint32_t> on_software = {}; ///< instead of these on software devices, if any
};

/// What random inputs hold, the plainest first; `special`: few values, among them those that are special for the type.
enum class Data : uint32_t { zeros, ones, index, special, random };

/// What an operation does to memory, without a device: the CPU reference with what it works on.
struct Model {
    uint32_t input_size       = 4; ///< bytes of an element or sample, to which inputs are aligned
    uint32_t output_alignment = 4;
    bool     in_place         = false; ///< whether the output may be exactly the input
    bool     gpu_count        = true;  ///< whether the count may lie on the GPU
    Format   format           = Format::u32;

    std::function<uint64_t(uint32_t count)> output_size; ///< bytes

    /// What the operation reads besides, a multiple of 64 bytes, which ends where the first element begins.
    Bytes ahead = {};

    std::function<uint64_t(uint32_t bound)> temporary_size =
        {}; ///< bytes that are enough on every device, if any are needed
    std::function<Bytes(uint32_t count, Data data, Random random)> input;

    /// Turns what the output held before into what it must hold; `output` may be exactly `input` where in_place is set.
    std::function<void(const uint8_t* input, uint32_t count, uint8_t* output)> expect;
};

/// What record() of any primitive takes.
struct Operands {
    VkDeviceAddress input = 0, output = 0, scratch = 0, count_address = 0;
    uint32_t        count     = 0;
    Part            part      = {};
    VkDeviceAddress temporary = 0; ///< Model::temporary_size() bytes
};

/// A primitive that has been created.
struct Operator {
    std::function<VkDeviceSize(uint32_t count)>                             scratch_size;
    std::function<Result<void>(const Operands& operands)>                   validate;
    std::function<void(VkCommandBuffer commands, const Operands& operands)> record;

    std::shared_ptr<void> object; ///< the primitive itself

    /// Assigns the object over that of `other`, of the same primitive, and moves it on from there, into the Operator that it gives.
    std::function<Operator(const Operator& other)> move_over;
};

/// The Args of a primitive that has no others: reduce, scan.
template <class Primitive>
typename Primitive::Args args_of(const Operands& operands) {
    return {operands.input, operands.output, operands.scratch, operands.count, operands.count_address, operands.part};
}

/// Whether Args have a size, where a count is not all that tells how much an operation does.
template <class Args, class = void>
inline constexpr bool args_have_size = false;
template <class Args>
inline constexpr bool args_have_size<Args, std::void_t<decltype(&Args::size)>> = true;

/// Whether Args have rows of a matrix, and a count of each.
template <class Args, class = void>
inline constexpr bool args_have_rows = false;
template <class Args>
inline constexpr bool args_have_rows<Args, std::void_t<decltype(&Args::rows)>> = true;

template <class Primitive>
VkDeviceSize scratch_size_of(const Primitive& primitive, const typename Primitive::Args& args) {
    if constexpr (std::is_invocable_v<decltype(&Primitive::scratch_size), const Primitive&, uint32_t, uint32_t>) {
        return primitive.scratch_size(args.count, args.rows);
    } else if constexpr (!args_have_size<typename Primitive::Args>) {
        return primitive.scratch_size(args.count);
    } else if constexpr (std::is_invocable_v<decltype(&Primitive::scratch_size), const Primitive&,
                                             decltype(args.size)>) {
        return primitive.scratch_size(args.size);
    } else {
        return primitive.scratch_size(args.size.count);
    }
}

/// `args_of` makes a Primitive::Args of Operands.
template <class Primitive, class Function>
Operator operator_of(Primitive created, Function args_of) {
    const auto primitive = std::make_shared<Primitive>(std::move(created));
    return {[=](uint32_t count) {
                Operands operands;
                operands.count = count;
                return scratch_size_of(*primitive, args_of(operands));
            },
            [=](const Operands& operands) { return primitive->validate(args_of(operands)); },
            [=](VkCommandBuffer commands, const Operands& operands) { primitive->record(commands, args_of(operands)); },
            primitive,
            [=](const Operator& other) {
                auto& target = *static_cast<Primitive*>(other.object.get());
                target       = std::move(*primitive);
                return operator_of(Primitive(std::move(target)), args_of);
            }};
}

/// How a subject takes part in random cases (property.h, soak.h). A variant is what it is created with, as words such as
/// "f32 add exclusive"; none of them contains "count=", by which they end.
struct Property {
    std::function<std::string(Random&)>                                                 draw; ///< any variant
    std::function<Result<Model>(const std::string& variant)>                            model;
    std::function<Result<Operator>(const Context& context, const std::string& variant)> create;
    std::function<std::vector<std::string>(const std::string& variant)> simpler; ///< to try instead, the simplest first

    /// Whether a device can do it; empty where every one can.
    std::function<bool(const runtime::Device& device, const std::string& variant)> runs_on = {};
};

/// Bounds of a number that a profile may set.
struct Knob {
    std::string name; ///< "scan.prefetch_distance"
    uint32_t    least = 0, most = 0;
    uint32_t    least_on_software = least; ///< create() refuses less on a CPU
    /// Fewer cases go so far on a CPU, whose driver unrolls the loop of a batch, and compiles 64 rows for 10 s.
    uint32_t most_on_software = most;
};

/// How a value of a profile shows in the last pipeline that create() makes.
struct KnobEffect {
    std::string name;
    uint32_t    value       = 0;
    uint32_t    constant_id = 0, constant = 0;
};

/// What one variant of a Property promises beyond its results, for tests that look at it through a spy. What is not said here is not
/// compared; all else that such tests look at is the same for every primitive.
struct Contract {
    std::string             variant;
    std::optional<uint32_t> pipelines; ///< that create() makes; fewer where the tuning for a device wants no more
    std::optional<uint32_t> pipelines_on_cpu; ///< the same on a CPU, if they are fewer

    std::map<std::string, uint32_t>
        all_shapes; ///< values of a profile with which it makes all of them, on a CPU as well

    std::optional<uint32_t> pipelines_without_waits; ///< the same without waiting
    std::optional<uint32_t> dispatches;              ///< that record() appends
    std::optional<uint32_t> barriers;

    /// Whatever the input's address: no vector is loaded that does not begin at a multiple of 16.
    std::optional<bool> one_pipeline;

    std::optional<bool> one_row; ///< however many elements: no more workgroups than any device's grid is wide

    uint32_t     most_elements = UINT32_MAX; ///< of an operation
    VkDeviceSize most_scratch  = 64 << 20;   ///< less than so many bytes are enough for these

    std::vector<Knob>         knobs; ///< all, if any are said
    std::optional<KnobEffect> effect;
};

/// Whether the floats of a variant are declared to round to nearest even, where a device has that.
struct Rounding {
    std::string variant;
    bool        declared = false;
};

/// Where tests have no time for all cases: beginnings of the names of those that they run, without the subject's. Empty: all.
struct Selection {
    std::vector<std::string> accesses;     ///< while each access is checked
    std::vector<std::string> levels;       ///< on every lesser device
    std::vector<std::string> other_levels; ///< besides, on those without subgroups, and without waiting
    std::vector<std::string> faults;       ///< with faults, of subjects whose tiles look back; and with prefetch
};

struct Subject {
    std::string                    name;   ///< "reduce"
    std::function<void(Verifier&)> verify; ///< may be empty
    std::vector<BenchDesc>         benches;
    std::vector<Tunable>           tunables  = {}; ///< in the order in which they are tuned
    Property                       property  = {}; ///< may be empty
    std::vector<Contract>          contracts = {}; ///< of some variants; none: of one, with nothing said
    std::vector<Rounding>          rounding  = {};
    Selection                      selection = {};
};

/// All subjects, by name.
const std::vector<Subject>& subjects();

/// Registers a subject from a namespace-scope variable.
struct Registration {
    explicit Registration(Subject subject);
};

/// Verifies every subject, on a thread for each of `devices`, which are one opened several times. Which cases there are does not
/// depend on how many. `on_group`, which is told the one that it ran on, and VerifyOptions::on_case are called by one thread at a time.
std::vector<GroupResult> verify(const std::vector<const runtime::Device*>& devices, const VerifyOptions& options,
                                const std::function<void(const runtime::Device&, const GroupResult&)>& on_group);

/// Creates the pipeline of the copy kernel, every benchmark's yardstick, for what its driver says of it.
Result<void> compile_copy(const runtime::Device& device);

/// A value and its bits, as mismatches show them: "1.5 (0x3fc00000)".
std::string format_value(Format format, uint64_t bits);

struct Comparand {
    const void* expected = nullptr;
    const void* got      = nullptr;
    uint64_t    bytes    = 0;
    Format      format   = Format::u32;
};

/// The first value that differs, and how many do; empty where none does.
std::string difference_of(const Comparand& comparand);

struct BenchResult {
    double      median_ms = 0, fastest_ms = 0, slowest_ms = 0;
    double      gbps = 0; ///< (bytes read + bytes written) / median
    std::string wrong;    ///< what check() said
};

struct MeasureOptions {
    double   warm_up_ms   = 700; ///< ahead of the timed runs, in the same submission; none on software devices
    double   least_run_ms = 2;   ///< of one timed run, so that the timestamps' own cost does not show
    uint32_t runs         = 15;
    double   once_ms      = 0; ///< how long one operation takes, where that is known; 0: find out first
};

/// Milliseconds per operation in each of options.runs timestamped runs, in the order in which they ran. A run is enough
/// repetitions to last, with barriers between them, as dependent dispatches have.
Result<std::vector<double>> measure_runs(const runtime::Device& device, const Workload& workload,
                                         const MeasureOptions& options);

/// measure_runs() as a BenchResult, with the last result checked.
Result<BenchResult> measure(const runtime::Device& device, const Workload& workload,
                            const MeasureOptions& options = {});

} // namespace vkprim::harness
