// The ladders of `vkprim ladder`: for each primitive the steps of its textbooks, each of which wastes less than the one before.
//
// A step is a shader in the folder of its ladder, named in the order of the steps, that says of itself in its first lines:
//     // variants: pass           its roles, as the ladder's .cpp knows them
//     // step: tree, halves       its name
//     // idea: ...                a sentence
//     // shape: elements=1 ...    numbers for the host; see Kernel::shape
// The build finds it; there is no list.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/workload.h"
#include "pipeline.h"
#include "tools/ladder/ladder_push.h"

namespace vkprim::tools::ladder {

/// A shader of a ladder.
struct Kernel {
    std::string ladder, role, step, idea, shape;
    Shader      shader;

    /// The word behind "key=" in shape; empty where there is none.
    ///     elements    of an invocation
    ///     results     "invocation", "workgroup", "one": who writes one
    ///     threads     "few" where many elements fall to each invocation, by turns or as a section
    ///     bits        of a key, that a pass sorts by
    ///     cleared     1 where the results must be zeros before
    ///     barriers    of an invocation, shared: bytes of a workgroup; with N for its size and L for the logarithm, as in "2L+1", "0.5LL"
    ///     subgroups   operations that the device must have: "shuffle", "relative", "arithmetic"
    std::string text(const std::string& key) const;
    double      number(const std::string& key, uint32_t workgroup_size, double otherwise) const;
};

/// In the order of their files' names.
const std::vector<Kernel>& all_kernels();

std::vector<Kernel> kernels_of(const std::string& ladder, const std::string& role);

struct Problem;

/// One way to do something.
struct Step {
    std::string name, idea;
    bool        own      = false; ///< vkprim's, which chooses its workgroups itself
    bool        lesser   = false; ///< of two variants the slower, which charts with many lines leave out
    double      barriers = 0;     ///< of one workgroup
    double      shared   = 0;     ///< bytes
    std::string skipped;          ///< why it cannot run here

    std::function<Result<harness::Workload>(const Problem& problem)> prepare;
};

/// What all steps of a ladder do.
struct Problem {
    std::string                           data; ///< "u32"
    uint32_t                              count = 0;
    std::shared_ptr<const harness::Bytes> input;
    harness::Bytes                        expected;
    uint64_t                              bytes     = 0; ///< that any way to do it reads and writes
    harness::Format                       format    = harness::Format::u32;
    uint32_t                              max_polls = 512; ///< polls before a step that waits does without

    std::function<std::vector<Step>(const runtime::Device& device, uint32_t workgroup_size)> steps;
};

/// What problems are to be like.
struct Choice {
    uint32_t                              count  = 0;  ///< of elements
    uint32_t                              radius = 0;  ///< of a convolution's masks; 0: 8 in one dimension, 3 in two
    std::shared_ptr<const harness::Bytes> text   = {}; ///< of which a histogram counts the letters; null: random ones
};

struct Ladder {
    std::string name;
    std::string summary;
    uint32_t    most = 0; ///< elements

    std::function<std::vector<Problem>(const Choice& choice)> problems;
};

/// By name.
const std::vector<Ladder>& ladders();

Ladder convolution_ladder();
Ladder reduce_ladder();
Ladder scan_ladder();
Ladder histogram_ladder();
Ladder order_ladder();
Ladder sort_ladder();

/// Why a kernel cannot run there with workgroups of that size, or nothing.
std::string why_not(const runtime::Device& device, const Kernel& kernel, uint32_t workgroup_size);

/// Name, idea, barriers and shared memory of `kernel`.
Step step_of(const runtime::Device& device, const Kernel& kernel, uint32_t workgroup_size);

/// For a workload of vkprim's own.
harness::WorkloadDesc workload_desc_of(const Problem& problem);

/// What the library itself makes of a problem.
template <class Primitive, class Function>
Step own_step(const runtime::Device& device, const std::string& name, const std::string& idea,
              const typename Primitive::Desc& desc, Function args_of) {
    Step step;
    step.name    = name;
    step.idea    = idea;
    step.own     = true;
    step.prepare = [&device, desc, args_of](const Problem& problem) {
        return harness::workload_of<Primitive>(device, desc, workload_desc_of(problem), args_of);
    };
    return step;
}

/// Dispatches that are being recorded.
class Links {
public:
    virtual size_t count() const                                           = 0;
    virtual void   dispatch(VkCommandBuffer commands, size_t number) const = 0;
    virtual void   barrier(VkCommandBuffer commands) const                 = 0; ///< as vkprim records it

protected:
    ~Links() = default;
};

/// Records them, and what orders them.
using Order = std::function<void(VkCommandBuffer commands, const Links& links)>;

/// One behind the other, with a barrier between two.
void record_in_order(VkCommandBuffer commands, const Links& links);

/// Dispatches one behind the other, with what they work on.
class Chain {
public:
    /// `scratch_words`: memory for what lies between the dispatches.
    Chain(const runtime::Device& device, const Problem& problem, uint32_t workgroup_size, uint64_t scratch_words);

    VkDeviceAddress source() const;
    VkDeviceAddress target() const;
    VkDeviceAddress scratch(uint64_t word) const;

    /// Workgroups for `threads` invocations.
    uint32_t workgroups_for(uint64_t threads) const;

    void add(const Kernel& kernel, const LadderPush& push, uint32_t workgroups);
    void clear(VkDeviceAddress words, uint32_t count);

    /// Memory with `floats` in it; all kernels that are added find it as well in a uniform buffer, 16 bytes for each 4.
    VkDeviceAddress constants(const std::vector<float>& floats);

    /// With the first error, if there was any.
    Result<harness::Workload> finish(const Order& order = record_in_order);

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

} // namespace vkprim::tools::ladder
