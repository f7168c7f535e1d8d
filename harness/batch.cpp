#include "batch.h"

#include "elements.h"
#include "harness/shaders/compare/compare_push.h"
#include "recorder.h"
#include "scratch.h"
#include "shaders/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

namespace vkprim::harness {
namespace {

constexpr VkDeviceSize line = 64; // nobody's bytes lie between two ranges, and ranges begin at multiples of this
constexpr VkDeviceSize verdict_size = COMPARE_WORDS * 4;

VkDeviceSize round_up(VkDeviceSize size) { return (size + line - 1) / line * line; }

std::vector<uint32_t> words_at(const void* data, VkDeviceSize size) {
    std::vector<uint32_t> words(size / 4);
    std::memcpy(words.data(), data, words.size() * 4);
    return words;
}

/// Bytes of temporary memory that a step takes.
VkDeviceSize temporary_size(const Model& model, const Step& step) {
    return model.temporary_size ? round_up(model.temporary_size(std::max(step.count, step.bound))) : 0;
}

} // namespace

Result<const Operator*> Operators::get(const Step& step) {
    const std::string name  = step.name();
    auto              found = operators_.find(name);
    if (found == operators_.end()) {
        auto created = step.subject->property.create(device_.context(), step.variant);
        if (!created) return created.error();
        found = operators_.emplace(name, std::move(*created)).first;
    }
    return &found->second;
}

Result<void> Operators::create_all(const std::vector<Step>& steps, const std::function<void()>& on_progress) {
    std::mutex              mutex; ///< of all below
    std::condition_variable ended;
    std::optional<Error>    error;
    size_t                  next = 0, running = std::max(1u, std::thread::hardware_concurrency());
    const auto              work = [&] {
        std::unique_lock lock(mutex);
        while (!error && next < steps.size()) {
            const Step& step = steps[next++];
            lock.unlock();
            auto created = step.subject->property.create(device_.context(), step.variant);
            lock.lock();
            if (created) {
                operators_.emplace(step.name(), std::move(*created));
            } else {
                error = created.error();
            }
        }
        --running;
        ended.notify_one();
    };
    std::vector<std::thread> threads;
    for (size_t i = running; i > 0; --i) threads.emplace_back(work);
    {
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, std::chrono::milliseconds(250), [&] { return running == 0; })) {
            lock.unlock();
            if (on_progress) on_progress();
            lock.lock();
        }
    }
    for (std::thread& thread : threads) thread.join();
    if (error) return *error;
    return {};
}

Result<Scratch> Scratch::create(const runtime::Device& device, VkDeviceSize range_size, uint32_t ranges) {
    Scratch scratch;
    scratch.stride = round_up(range_size + scratch_guard_words * 4);
    scratch.ranges = ranges;
    auto buffer    = device.create_buffer(scratch.size());
    if (!buffer) return buffer.error();
    scratch.buffer = std::move(*buffer);
    if (auto done = scratch.reset(device, range_size); !done) return done.error();
    return scratch;
}

Result<void> Scratch::reset(const runtime::Device& device, VkDeviceSize new_range_size) {
    range_size = new_range_size;
    for (VkDeviceSize range = 0; range < ranges; ++range) {
        if (range_size > 0) {
            if (auto done = device.fill(buffer, range * stride, range_size, 0); !done) return done;
        }
        auto done = device.fill(buffer, range * stride + range_size, scratch_guard_words * 4, scratch_guard);
        if (!done) return done;
    }
    return {};
}

VkDeviceSize memory_size(const Step& step) {
    const Model        model     = step.model();
    const VkDeviceSize input     = round_up(step.input_offset + VkDeviceSize{step.count} * model.input_size);
    const VkDeviceSize output    = round_up(step.output_offset + model.output_size(step.count));
    const VkDeviceSize temporary = temporary_size(model, step);
    return input + model.ahead.size() + (step.in_place ? 0 : output + line) + (temporary > 0 ? temporary + line : 0) +
           4 * line;
}

/// A pipeline that compares memory on the device.
struct BatchRunner::Comparison {
    CoreDevice core;
    Pipeline   pipeline;
};

Result<void> BatchRunner::reserve(VkDeviceSize memory, VkDeviceSize scratch, uint32_t rounds) {
    rounds_ = rounds;
    if (rounds > 1 && !comparison_) {
        auto core = CoreDevice::create(device_.context());
        if (!core) return core.error();
        PipelineDesc desc;
        desc.shader    = shaders::compare_any;
        desc.name      = "compare";
        desc.push_size = sizeof(ComparePush);
        auto pipeline  = Pipeline::create(*core, desc);
        if (!pipeline) return pipeline.error();
        comparison_ = std::make_shared<Comparison>(Comparison{*core, std::move(*pipeline)});
    }
    if (memory <= capacity_ && scratch <= scratch_) return {};
    const VkDeviceSize capacity = round_up(std::max(memory, capacity_)), most_scratch = std::max(scratch, scratch_);
    const VkDeviceSize verdicts = rounds * verdict_size;
    struct Wanted {
        runtime::Buffer* buffer;
        VkDeviceSize     size;
        bool             on_host;
    };
    for (const Wanted& wanted :
         {Wanted{&images_, 2 * capacity, true}, Wanted{&originals_, rounds > 1 ? 2 * capacity : 0, false},
          Wanted{&memory_, capacity, false}, Wanted{&verdicts_, verdicts, false},
          Wanted{&results_, capacity + round_up(most_scratch) + verdicts, true}}) {
        if (wanted.size <= wanted.buffer->size()) continue;
        *wanted.buffer = runtime::Buffer();
        auto created   = wanted.on_host ? device_.create_host_buffer(wanted.size) : device_.create_buffer(wanted.size);
        if (!created) return created.error();
        *wanted.buffer = std::move(*created);
    }
    capacity_ = capacity;
    scratch_  = most_scratch;
    return {};
}

void BatchRunner::prepare(const Batch& batch) {
    batch_ = batch;
    places_.clear();
    size_ = 0;
    std::vector<Model> models;
    for (const Step& step : batch.steps) {
        const Model& model = models.emplace_back(step.model());
        Place        place;
        place.format         = model.format;
        place.begin          = size_;
        place.count          = place.begin + line;
        place.input          = place.count + 2 * line + model.ahead.size() + step.input_offset;
        place.output_size    = model.output_size(step.count);
        const auto input_end = round_up(place.input + VkDeviceSize{step.count} * model.input_size);
        place.output         = step.in_place ? place.input : input_end + line + step.output_offset;
        place.end            = place.begin + memory_size(step);
        place.temporary_size = temporary_size(model, step);
        place.temporary      = place.end - line - place.temporary_size;
        size_                = place.end;
        places_.push_back(place);
    }

    auto* const before = static_cast<uint8_t*>(images_.data());
    auto* const after  = before + capacity_;
    std::fill_n(reinterpret_cast<uint32_t*>(before), size_ / 4, batch.garbage);
    for (size_t i = 0; i < places_.size(); ++i) {
        const Step&  step  = batch.steps[i];
        const Bytes  input = models[i].input(step.count, step.data, Random(step.seed));
        const Bytes& ahead = models[i].ahead;
        if (!input.empty()) std::memcpy(before + places_[i].input, input.data(), input.size());
        if (!ahead.empty()) std::memcpy(before + places_[i].input - ahead.size(), ahead.data(), ahead.size());
        std::memcpy(before + places_[i].count, &step.count, sizeof step.count);
    }
    std::memcpy(after, before, size_);
    for (size_t i = 0; i < places_.size(); ++i) {
        models[i].expect(before + places_[i].input, batch.steps[i].count, after + places_[i].output);
    }
}

Result<void> BatchRunner::record_step(runtime::Commands& commands, const Scratch& scratch, size_t step) const {
    const VkDeviceAddress memory = memory_.address();
    const Step&           one    = batch_.steps[step];
    Operands              operands;
    operands.input         = memory + places_[step].input;
    operands.output        = memory + places_[step].output;
    operands.scratch       = scratch.address(batch_.ranges[step]);
    operands.temporary     = memory + places_[step].temporary;
    operands.count         = one.bound > 0 ? one.bound : one.count;
    operands.count_address = one.bound > 0 ? memory + places_[step].count : 0;
    for (uint32_t number = 0; number < one.parts; ++number) {
        if (number > 0) commands.barrier();
        operands.part      = {number, one.parts};
        const Operator& op = operators_.at(one);
        if (auto valid = op.validate(operands); !valid) return valid;
        op.record(commands.handle(), operands);
    }
    return {};
}

Result<void> BatchRunner::record(runtime::Commands& commands, const Scratch& scratch) {
    scratch_range_size_ = scratch.range_size;
    scratch_stride_     = scratch.stride;
    if (rounds_ > 1) {
        commands.copy(images_, originals_, {0, 0, size_});
        commands.copy(images_, originals_, {capacity_, capacity_, size_});
        std::memset(static_cast<uint8_t*>(results_.data()) + capacity_ + round_up(scratch_), 0, rounds_ * verdict_size);
        commands.copy(results_, verdicts_, {capacity_ + round_up(scratch_), 0, rounds_ * verdict_size});
        commands.barrier();
    }
    for (uint32_t round = 0; round < rounds_; ++round) {
        commands.copy(rounds_ > 1 ? originals_ : images_, memory_, {0, 0, size_});
        commands.barrier();
        // Operations in the same range of scratch need a barrier between; others share neither scratch nor outputs.
        std::vector<bool> in_use(scratch.ranges, false);
        for (size_t step = 0; step < places_.size(); ++step) {
            if (in_use[batch_.ranges[step]]) {
                commands.barrier();
                in_use.assign(scratch.ranges, false);
            }
            in_use[batch_.ranges[step]] = true;
            if (auto recorded = record_step(commands, scratch, step); !recorded) return recorded;
        }
        commands.barrier();
        bool restored = false;
        for (const Place& place : places_) {
            if (place.temporary_size == 0) continue;
            commands.copy(rounds_ > 1 ? originals_ : images_, memory_,
                          {place.temporary, place.temporary, place.temporary_size});
            restored = true;
        }
        if (restored) commands.barrier();
        if (round + 1 == rounds_) break;
        const ComparePush push{originals_.address() + capacity_, memory_.address(),
                               verdicts_.address() + round * verdict_size, static_cast<uint32_t>(size_ / 16)};
        const uint32_t    tile = 256 * COMPARE_VECTORS;
        record_dispatch(commands.handle(), comparison_->core, comparison_->pipeline, &push,
                        (push.vectors + tile - 1) / tile);
        commands.barrier();
    }
    commands.copy(memory_, results_, {0, 0, size_});
    commands.copy(scratch.buffer, results_, {0, capacity_, scratch.size()});
    if (rounds_ > 1) commands.copy(verdicts_, results_, {0, capacity_ + round_up(scratch_), rounds_ * verdict_size});
    return {};
}

/// What is wrong in a step's memory after the last round; empty where nothing is.
std::string BatchRunner::fault_in(const Place& place) const {
    const auto* const expected = static_cast<const uint8_t*>(images_.data()) + capacity_;
    const auto* const got      = static_cast<const uint8_t*>(results_.data());
    if (std::memcmp(expected + place.begin, got + place.begin, place.end - place.begin) == 0) return {};
    const std::string difference =
        difference_of({expected + place.output, got + place.output, place.output_size, place.format});
    if (!difference.empty()) return difference;
    VkDeviceSize i = place.begin;
    while (expected[i] == got[i]) ++i;
    const bool ahead = i < place.output;
    return fmt::format("a byte outside the output was overwritten, {} bytes {} it",
                       ahead ? place.output - i : i - place.output - place.output_size + 1,
                       ahead ? "before" : "behind");
}

std::vector<Fault> BatchRunner::check() const {
    std::vector<Fault> faults;
    const auto* const  results = static_cast<const uint8_t*>(results_.data());
    for (uint32_t round = 0; round + 1 < rounds_; ++round) {
        const auto verdict = words_at(results + capacity_ + round_up(scratch_) + round * verdict_size, verdict_size);
        if (verdict[COMPARE_COMPARED] != size_ / 16) {
            faults.push_back({0, batch_.ranges[0], "the comparison on the GPU did not run"});
        } else if (verdict[COMPARE_DIFFERING] > 0) {
            const VkDeviceSize at = VkDeviceSize{~verdict[COMPARE_FIRST]} * 4;
            size_t             i  = 0;
            while (i + 1 < places_.size() && places_[i].end <= at) ++i;
            faults.push_back(
                {i, batch_.ranges[i],
                 fmt::format("round {}: {} words of the batch's memory differ, the first {} bytes behind the "
                             "beginning of the output",
                             round, verdict[COMPARE_DIFFERING],
                             static_cast<int64_t>(at) - static_cast<int64_t>(places_[i].output))});
        }
    }
    for (size_t i = 0; i < places_.size(); ++i) {
        const std::string what = fault_in(places_[i]);
        if (!what.empty()) faults.push_back({i, batch_.ranges[i], what});
    }
    const uint32_t ranges =
        batch_.ranges.empty() ? 0 : 1 + *std::max_element(batch_.ranges.begin(), batch_.ranges.end());
    for (uint32_t range = 0; range < ranges; ++range) {
        const auto*       at   = results + capacity_ + range * scratch_stride_;
        const std::string what = scratch_fault(words_at(at, scratch_range_size_));
        const std::string guard =
            scratch_guard_fault(words_at(at + scratch_range_size_, scratch_guard_words * 4).data());
        if (!guard.empty()) faults.push_back({batch_.steps.size(), range, guard});
        if (what.empty()) continue;
        faults.push_back({batch_.steps.size(), range, "scratch is not ready for the next operation: " + what});
    }
    return faults;
}

Result<std::string> CaseRunner::run(const Case& steps) {
    VkDeviceSize memory = 0, scratch = 0;
    for (const Step& step : steps) {
        const auto created = operators_.get(step);
        if (!created) return created.error();
        memory += memory_size(step);
        scratch = std::max(scratch, (*created)->scratch_size(std::max(step.count, step.bound)));
    }
    if (scratch + scratch_guard_words * 4 > scratch_.stride) {
        auto larger = Scratch::create(device_, 2 * scratch, 1);
        if (!larger) return larger.error();
        scratch_ = std::move(*larger);
    }
    if (auto done = scratch_.reset(device_, scratch); !done) return done.error();
    if (auto reserved = runner_.reserve(memory, scratch_.size()); !reserved) return reserved.error();
    runner_.prepare({steps, std::vector<uint32_t>(steps.size(), 0), 0xdeadbeef});

    auto commands = device_.begin_commands();
    if (!commands) return commands.error();
    if (auto recorded = runner_.record(*commands, scratch_); !recorded) return recorded.error();
    if (auto done = commands->submit_and_wait(); !done) return done.error();
    const std::vector<Fault> faults = runner_.check();
    if (faults.empty()) return std::string();
    const size_t step = faults[0].step;
    return (step + 1 < steps.size() ? text_of(steps[step]) + ": " : "") + faults[0].what;
}

Shrunk shrink_on(CaseRunner& runner, const Case& failing, const std::string& what, const ShrinkLimits& limits) {
    // What cannot be run, such as a variant that create() refuses, is no simpler case.
    const auto judge = [&](const Case& steps) {
        auto fault = runner.run(steps);
        return fault ? *fault : std::string();
    };
    return shrink(failing, what, judge, limits);
}

Result<GroupResult> run_random_cases(const runtime::Device& device, const RandomCasesDesc& desc,
                                     const std::function<void(uint32_t done, const Case& next)>& on_case) {
    constexpr size_t shown_misses = 4;
    const double     began        = seconds_now();
    const Variants   variants(desc.variants, &device);
    CaseRunner       runner(device);
    GroupResult      group;
    group.name = "random cases";
    for (uint32_t number = 0; number < desc.cases && !variants.all().empty(); ++number) {
        const Case steps = draw_case(variants, desc.variants.seed, number, desc.largest);
        if (on_case) on_case(number, steps);
        auto fault = runner.run(steps);
        if (!fault) {
            Error error  = fault.error();
            error.reason = text_of(steps) + ": " + error.reason;
            return error;
        }
        ++group.cases;
        if (fault->empty()) continue;
        if (++group.failed > shown_misses) continue;
        const Shrunk shrunk = shrink_on(runner, steps, *fault);
        group.mismatches.push_back({text_of(shrunk.smallest), shrunk.what});
    }
    group.seconds = seconds_now() - began;
    return group;
}

} // namespace vkprim::harness
