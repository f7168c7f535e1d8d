// Runs the cases of a subject on a device, and compares what they write.
#pragma once

#include <vkprim/runtime.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model.h"

namespace vkprim::harness {

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
    /// The case that used the same scratch before, if any: on other scratch, this one may be right.
    std::string after = {};
};

struct GroupResult {
    std::string           name; ///< such as "scan f32 add inclusive"
    uint32_t              cases   = 0;
    uint32_t              failed  = 0;
    double                seconds = 0;
    std::string           skipped;    ///< why nothing ran, where nothing did
    std::vector<Mismatch> mismatches; ///< the first few
};

struct Subject;

/// How a case lies in memory, and how it is recorded.
struct Shape {
    uint32_t input_misalignment  = 0; ///< bytes
    uint32_t output_misalignment = 0; ///< bytes
    bool     in_place            = false;
    uint32_t bound               = 0; ///< with a count on the GPU
    uint32_t parts               = 1;
    uint32_t left                = 0; ///< words that the operation before has left in scratch, if any
    uint32_t stride              = 0; ///< bytes from one element of the input to the next; 0: neighbours
};

/// Memory for one case: `size` bytes at `offset` into a buffer, with guard words on both sides.
struct Range {
    VkDeviceAddress address = 0;
    VkDeviceSize    offset  = 0; ///< in the arena
    VkDeviceSize    size    = 0; ///< bytes
};

/// Runs cases on one device. A subject's verify function calls it in this order: group(), create(); and for each case wants(),
/// input(), output(), operands(), lend(), prove().
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

    /// The primitive of a group. Nothing where create() refuses it, which is a case that has failed.
    template <class Primitive>
    std::optional<Primitive> create(const typename Primitive::Desc& desc) {
        auto created = Primitive::create(context(), desc);
        if (created) return std::move(*created);
        if (wants("create")) fail(created.error().reason);
        return std::nullopt;
    }

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

    /// What an operation works on: `count` elements from `input` to `output`.
    Operands operands(const Range& input, const Range& output, uint32_t count, uint32_t bound = 0);

    /// Scratch and temporary memory, as much as the primitive asks for; `left` as in scratch().
    template <class Primitive>
    void lend(const Primitive& primitive, typename Primitive::Args& args, uint32_t left = 0) {
        if constexpr (args_have_scratch<typename Primitive::Args>) {
            args.scratch = scratch(primitive.scratch_size(args), left);
        }
        if constexpr (takes_temporary<Primitive>) args.temporary = temporary(primitive.temporary_size(args));
    }

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

    /// The rest of a case: takes(), run() and expect().
    template <class Primitive>
    void prove(const Primitive& primitive, typename Primitive::Args args, const RunOptions& options,
               const Range& output, const void* expected, Format format) {
        if (!takes(primitive, args)) return;
        const auto record = [&](VkCommandBuffer commands, const Part& part) {
            if constexpr (args_have_part<typename Primitive::Args>) args.part = part;
            primitive.record(commands, args);
        };
        run(record, options);
        expect(output, expected, format);
    }

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

/// Verifies every subject, on a thread for each of `devices`, which are one opened several times. Which cases there are does not
/// depend on how many. `on_group`, which is told the one that it ran on, and VerifyOptions::on_case are called by one thread at a time.
std::vector<GroupResult> verify(const std::vector<const runtime::Device*>& devices, const VerifyOptions& options,
                                const std::function<void(const runtime::Device&, const GroupResult&)>& on_group);

} // namespace vkprim::harness
