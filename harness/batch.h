// Operations in one command buffer, and whether memory holds afterwards what the CPU references say: every output, and every
// byte around the outputs and in the inputs.
#pragma once

#include "property.h"

#include <map>

namespace vkprim::harness {

/// Primitives by variant, created when they are first asked for.
class Operators {
public:
    explicit Operators(const runtime::Device& device) : device_(device) {}

    Result<const Operator*> get(const Step& step);

    /// Of all steps, on as many threads as there are processors: drivers take long. `on_progress` is called now and then.
    Result<void> create_all(const std::vector<Step>& steps, const std::function<void()>& on_progress);

    const Operator& at(const Step& step) const {
        return operators_.at(step.name());
    } ///< that get() or create_all() has created

private:
    const runtime::Device&          device_;
    std::map<std::string, Operator> operators_;
};

/// Zero-filled once; one queue's alone. Operations in different ranges may run at the same time. Guard words lie behind each range.
struct Scratch {
    static Result<Scratch> create(const runtime::Device& device, VkDeviceSize range_size, uint32_t ranges);

    /// Zeros and guard words again, now for ranges of `range_size` bytes, which is no more than in create().
    Result<void> reset(const runtime::Device& device, VkDeviceSize range_size);

    VkDeviceAddress address(uint32_t range) const { return buffer.address() + range * stride; }
    VkDeviceSize    size() const { return ranges * stride; }

    runtime::Buffer buffer;
    VkDeviceSize    range_size = 0; ///< bytes, a multiple of 4
    VkDeviceSize    stride     = 0; ///< bytes from one range to the next
    uint32_t        ranges     = 0;
};

struct Batch {
    Case                  steps;
    std::vector<uint32_t> ranges;      ///< of scratch, one for each step
    uint32_t              garbage = 0; ///< what memory holds where nothing is
};

/// Bytes that a step takes in a batch's memory, guard words among them.
VkDeviceSize memory_size(const Step& step);

struct Fault {
    size_t      step  = 0; ///< number of the batch's steps: what is wrong is scratch
    uint32_t    range = 0;
    std::string what;
};

/// Runs batches, one after the other in the same memory, each `rounds` times over in its command buffer.
class BatchRunner {
public:
    /// `operators` must have what batches hold, and outlive this, as `device` must.
    BatchRunner(const runtime::Device& device, const Operators& operators) : device_(device), operators_(operators) {}

    /// Memory for batches of up to `memory` bytes and `scratch` bytes of scratch. Keeps what it has where that is enough.
    Result<void> reserve(VkDeviceSize memory, VkDeviceSize scratch, uint32_t rounds = 1);

    /// The CPU's part, and most of the work: data, and what the CPU references make of it.
    void prepare(const Batch& batch);

    /// Records all that the GPU does, with the barriers that the contract asks for and no others between the steps. An error
    /// where validate() refuses one.
    Result<void> record(runtime::Commands& commands, const Scratch& scratch);

    /// What is wrong, once the commands have completed.
    std::vector<Fault> check() const;

private:
    /// Of a step, in bytes from the beginning of the memory.
    struct Place {
        VkDeviceSize begin = 0, input = 0, output = 0, output_size = 0, count = 0, end = 0;
        VkDeviceSize temporary = 0, temporary_size = 0; ///< full of garbage again once the step is through
        Format       format = Format::u32;
    };
    struct Comparison;

    Result<void> record_step(runtime::Commands& commands, const Scratch& scratch, size_t step) const;
    std::string  fault_in(const Place& place) const;

    const runtime::Device&      device_;
    const Operators&            operators_;
    uint32_t                    rounds_   = 1;
    VkDeviceSize                capacity_ = 0, scratch_ = 0;
    runtime::Buffer             images_;    ///< on the host: memory before, and `capacity_` bytes on, memory after
    runtime::Buffer             originals_; ///< a copy of images_ on the device, where there are several rounds
    runtime::Buffer             memory_;    ///< on the device: where the operations work
    runtime::Buffer             verdicts_;  ///< of all rounds but the last
    runtime::Buffer             results_;   ///< on the host: memory, scratch, verdicts
    std::shared_ptr<Comparison> comparison_;
    Batch                       batch_;
    std::vector<Place>          places_;
    VkDeviceSize                size_               = 0;                      ///< of the batch
    VkDeviceSize                scratch_range_size_ = 0, scratch_stride_ = 0; ///< of the batch
};

/// Runs cases, each on scratch that is zero-filled for it.
class CaseRunner {
public:
    explicit CaseRunner(const runtime::Device& device)
        : device_(device), operators_(device), runner_(device, operators_) {}

    /// What is wrong; empty where nothing is. An error where it could not be run.
    Result<std::string> run(const Case& steps);

private:
    const runtime::Device& device_;
    Operators              operators_;
    BatchRunner            runner_;
    Scratch                scratch_;
};

/// Cases number 0 to `cases` - 1 of the seed as a group of the verifier's, each failure made as small as it gets: that
/// case's text is its name. An error where the device failed.
struct RandomCasesDesc {
    VariantsDesc variants; ///< and the seed of all
    uint32_t     cases   = 100;
    uint32_t     largest = 1u << 18; ///< elements
};
Result<GroupResult> run_random_cases(const runtime::Device& device, const RandomCasesDesc& desc,
                                     const std::function<void(uint32_t done, const Case& next)>& on_case = {});

/// The smallest case that fails like this one, which must fail.
Shrunk shrink_on(CaseRunner& runner, const Case& failing, const std::string& what, const ShrinkLimits& limits = {});

} // namespace vkprim::harness
