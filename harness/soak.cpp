#include "soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

namespace vkprim::harness {
namespace {

constexpr uint32_t scratch_ranges_per_queue = 4;
constexpr uint32_t steps_per_batch          = 256;
constexpr size_t   shown_misses             = 4;

/// What a class of devices can do in a moment.
struct Load {
    uint32_t     largest = 0; ///< elements of an operation
    VkDeviceSize memory  = 0; ///< bytes of a batch, at most
    uint32_t rounds = 0; ///< the GPU is faster than the CPU reference: it runs a batch this many times per reference
};

Load load_of(const runtime::Device& device) {
    const bool software = device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return software ? Load{1u << 20, VkDeviceSize{24} << 20, 1} : Load{1u << 23, VkDeviceSize{96} << 20, 16};
}

uint64_t bytes_of(const Step& step) {
    const Model model = step.model();
    return uint64_t{step.count} * model.input_size + model.output_size(step.count);
}

Batch draw_batch(const Variants& variants, Random random, const Load& load) {
    Batch        batch;
    VkDeviceSize size = 0;
    batch.garbage     = static_cast<uint32_t>(random.next() >> 32);
    for (uint32_t i = 0; i < steps_per_batch; ++i) {
        const Step     step  = variants.draw(random, load.largest);
        const uint32_t range = random.below(scratch_ranges_per_queue);
        if (size + memory_size(step) > load.memory) continue;
        size += memory_size(step);
        batch.steps.push_back(step);
        batch.ranges.push_back(range);
    }
    return batch;
}

/// What all threads share.
class Soak {
public:
    Soak(const runtime::Device& device, const SoakOptions& options)
        : device_(device),
          options_(options),
          load_(load_of(device)),
          variants_(options.variants, &device),
          operators_(device) {
        if (options.rounds > 0) load_.rounds = options.rounds;
    }

    Result<SoakResult> run(const std::function<void(const SoakProgress&)>& on_progress);

private:
    Result<void> create(const std::function<void(const SoakProgress&)>& on_progress);
    Result<void> run_batch(BatchRunner& runner, uint32_t queue, uint64_t number);
    void         work(uint32_t slot);
    bool         next_batch(uint64_t& number);
    void         note(uint64_t number, const Batch& batch, const std::vector<Fault>& faults);

    const runtime::Device&   device_;
    const SoakOptions&       options_;
    Load                     load_;
    Variants                 variants_;
    Operators                operators_;
    std::vector<Scratch>     scratch_;      ///< one for each queue
    std::vector<BatchRunner> runners_;      ///< one for each command buffer in flight, with a thread
    std::mutex               device_mutex_; ///< one thread at a time uses the device
    std::mutex               mutex_;        ///< of all below
    std::condition_variable  ended_;
    uint32_t                 running_    = 0; ///< threads
    uint64_t                 next_batch_ = 0;
    double                   began_      = 0;
    SoakResult               result_;
    std::optional<Error>     error_;
};

/// Pipelines and memory, ahead of the clock.
Result<void> Soak::create(const std::function<void(const SoakProgress&)>& on_progress) {
    if (variants_.all().empty()) {
        return Error{ErrorKind::invalid_desc, "no operation's name begins with '" + options_.variants.only + "'"};
    }
    const auto created = operators_.create_all(variants_.all(), [&] {
        if (on_progress) on_progress({});
    });
    if (!created) return created.error();
    VkDeviceSize scratch_size = 0;
    for (const Step& step : variants_.all()) {
        // Bounds may be beyond the count; see Variants::draw().
        scratch_size = std::max(scratch_size, operators_.at(step).scratch_size(2 * load_.largest + 70000));
    }
    result_.queues = device_.queue_count();
    // Enough for the device to have work while the host checks and prepares: a thread for each.
    const uint32_t threads  = std::max(1u, std::thread::hardware_concurrency());
    const uint32_t for_each = std::clamp((threads + result_.queues) / result_.queues, 2u, 4u);
    result_.in_flight       = result_.queues * for_each;
    for (uint32_t queue = 0; queue < result_.queues; ++queue) {
        auto scratch = Scratch::create(device_, scratch_size, scratch_ranges_per_queue);
        if (!scratch) return scratch.error();
        scratch_.push_back(std::move(*scratch));
    }
    for (uint32_t slot = 0; slot < result_.in_flight; ++slot) {
        BatchRunner& runner   = runners_.emplace_back(device_, operators_);
        auto         reserved = runner.reserve(load_.memory, scratch_[0].size(), load_.rounds);
        if (!reserved) return reserved;
    }
    return {};
}

bool Soak::next_batch(uint64_t& number) {
    std::lock_guard lock(mutex_);
    number = next_batch_++;
    if (error_ || result_.mismatches > 0) return false;
    if (!options_.batch) return seconds_now() - began_ < options_.seconds;
    const bool more = number < result_.in_flight;
    number          = *options_.batch;
    return more;
}

void Soak::note(uint64_t number, const Batch& batch, const std::vector<Fault>& faults) {
    std::lock_guard lock(mutex_);
    ++result_.batches;
    result_.operations += batch.steps.size() * load_.rounds;
    for (const Step& step : batch.steps) result_.bytes += bytes_of(step) * load_.rounds;
    result_.mismatches += faults.size();
    for (const Fault& fault : faults) {
        if (result_.shown.size() == shown_misses) break;
        SoakMismatch mismatch;
        mismatch.batch     = number;
        const bool in_step = fault.step < batch.steps.size();
        mismatch.what      = (in_step ? text_of(batch.steps[fault.step]) + ": " : "") + fault.what;
        for (size_t i = 0; i < batch.steps.size() && i <= fault.step; ++i) {
            if (batch.ranges[i] == fault.range) mismatch.steps.push_back(batch.steps[i]);
        }
        result_.shown.push_back(std::move(mismatch));
    }
}

Result<void> Soak::run_batch(BatchRunner& runner, uint32_t queue, uint64_t number) {
    const uint64_t seed  = Random(options_.variants.seed).next() ^ Random(~number).next();
    const Batch    batch = draw_batch(variants_, Random(seed), load_);
    runner.prepare(batch);
    const auto begin = [&] {
        std::lock_guard lock(device_mutex_);
        return device_.begin_commands(0, queue);
    };
    auto commands = begin();
    if (!commands) return commands.error();
    if (auto recorded = runner.record(*commands, scratch_[queue]); !recorded) return recorded;
    if (auto submitted = commands->submit(); !submitted) return submitted;
    if (auto done = commands->wait(); !done) return done.error();
    note(number, batch, runner.check());
    return {};
}

/// A thread: batches one after the other in one command buffer at a time.
void Soak::work(uint32_t slot) {
    Result<void> outcome;
    try {
        for (uint64_t number = 0; outcome && next_batch(number);) {
            outcome = run_batch(runners_[slot], slot % result_.queues, number);
        }
    } catch (const std::bad_alloc&) {
        outcome = Error{VK_ERROR_OUT_OF_HOST_MEMORY, "not enough memory on this machine for the CPU's part of a batch"};
    }
    std::lock_guard lock(mutex_);
    if (!outcome && !error_) error_ = outcome.error();
    --running_;
    ended_.notify_one();
}

Result<SoakResult> Soak::run(const std::function<void(const SoakProgress&)>& on_progress) {
    if (auto created = create(on_progress); !created) return created.error();
    began_   = seconds_now();
    running_ = result_.in_flight;
    std::vector<std::thread> threads;
    for (uint32_t slot = 0; slot < result_.in_flight; ++slot) threads.emplace_back([this, slot] { work(slot); });
    {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::milliseconds(500), [this] { return running_ == 0; })) {
            const SoakProgress progress{seconds_now() - began_, result_.operations};
            lock.unlock();
            if (on_progress) on_progress(progress);
            lock.lock();
        }
        result_.seconds = seconds_now() - began_;
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) return *error_;
    return result_;
}

} // namespace

Result<SoakResult> soak(const runtime::Device& device, const SoakOptions& options,
                        const std::function<void(const SoakProgress&)>& on_progress) {
    return Soak(device, options).run(on_progress);
}

} // namespace vkprim::harness
