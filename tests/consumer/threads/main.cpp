// 8 threads record and submit operations of the same four objects, each in a command buffer of its own and with memory
// of its own.
#include <vkprim/compact.h>
#include <vkprim/histogram.h>
#include <vkprim/reduce.h>
#include <vkprim/runtime.h>
#include <vkprim/scan.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

/// Drivers and layers are not built with ThreadSanitizer, which does not see how their threads wait for each other.
extern "C" const char* __tsan_default_suppressions() {
    return "race:libvk_swiftshader.so\n"
           "race:libvulkan_lvp.so\n"
           "race:libVkLayer_khronos_validation.so\n"
           "deadlock:libVkLayer_khronos_validation.so\n";
}

namespace {

using namespace vkprim;

constexpr uint32_t threads = 8, rounds = 5, bins = 256;

[[noreturn]] void fail(const std::string& reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::exit(1);
}

template <class T>
T need(Result<T> result) {
    if (!result) fail(result.error().reason);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// The objects that all threads share.
struct Objects {
    Reduce    reduce;
    Scan      scan;
    Histogram histogram;
    Compact   compact;
};

/// What one thread works on: input, and behind it in one array the results of the four.
struct Work {
    uint32_t              count, total_at = count, sums_at = total_at + 1, bins_at = sums_at + count;
    uint32_t              kept_at = bins_at + bins, packed_at = kept_at + 1, size = packed_at + count;
    std::vector<uint32_t> words = std::vector<uint32_t>(size); ///< as they must be in the end
    runtime::Buffer       memory, scratch;
    runtime::Commands     commands;

    Work(const runtime::Device& device, const Objects& objects, uint32_t number)
        : count(5000 + 1237 * number),
          memory(need(device.create_buffer(size * 4))),
          scratch(
              need(device.create_buffer(std::max({scratch_size(objects.reduce), scratch_size(objects.scan),
                                                  scratch_size(objects.histogram), scratch_size(objects.compact)})))),
          commands(need(device.begin_commands())) {
        for (uint32_t i = 0; i < count; ++i) words[i] = (i + number) * 2654435761u >> 23; // below 512
        need(device.upload(memory, 0, words.data(), size * 4));
        need(device.fill(scratch, 0, scratch.size() / 4 * 4, 0));
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t word = words[i];
            words[sums_at + i]  = words[total_at];
            words[total_at] += word;
            if (word >= bins) continue;
            ++words[bins_at + word];
            words[packed_at + words[kept_at]++] = word;
        }
    }

    template <class Primitive>
    VkDeviceSize scratch_size(const Primitive& primitive) const {
        typename Primitive::Args args;
        args.count = count;
        return primitive.scratch_size(args);
    }

    void run(const Objects& objects) {
        const VkDeviceAddress input = memory.address();
        for (uint32_t round = 0; round < rounds; ++round) {
            Reduce::Args total;
            total.input   = input;
            total.output  = input + total_at * 4;
            total.scratch = scratch.address();
            total.count   = count;
            objects.reduce.record(commands.handle(), total);
            commands.barrier();
            Scan::Args sums;
            sums.input   = input;
            sums.output  = input + sums_at * 4;
            sums.scratch = scratch.address();
            sums.count   = count;
            objects.scan.record(commands.handle(), sums);
            commands.barrier();
            Histogram::Args counts;
            counts.input   = input;
            counts.counts  = input + bins_at * 4;
            counts.scratch = scratch.address();
            counts.count   = count;
            objects.histogram.record(commands.handle(), counts);
            commands.barrier();
            Compact::Args packed;
            packed.keys    = input;
            packed.output  = input + packed_at * 4;
            packed.kept    = input + kept_at * 4;
            packed.scratch = scratch.address();
            packed.count   = count;
            packed.upper   = bins - 1;
            objects.compact.record(commands.handle(), packed);
            commands.barrier();
        }
        need(commands.submit());
    }
};

} // namespace

int main() {
    const auto        device  = need(runtime::Device::create());
    const auto&       context = device.context();
    const Objects     objects{need(Reduce::create(context, {ElementType::u32, Operation::add})),
                          need(Scan::create(context, {ElementType::u32, Operation::add})),
                          need(Histogram::create(context, {SampleType::u32, bins, 0, bins})),
                          need(Compact::create(context, {KeyType::u32, Compact::Keep::inside, Compact::Copy::keys}))};
    std::vector<Work> works;
    for (uint32_t t = 0; t < threads; ++t) works.emplace_back(device, objects, t);

    std::atomic<uint32_t>    ready{0};
    std::vector<std::thread> running;
    for (Work& work : works) {
        running.emplace_back([&] {
            for (++ready; ready.load() < threads;) std::this_thread::yield();
            work.run(objects);
        });
    }
    for (std::thread& thread : running) thread.join();

    for (uint32_t t = 0; t < threads; ++t) {
        need(works[t].commands.wait());
        std::vector<uint32_t> found(works[t].size);
        need(device.download(works[t].memory, 0, found.data(), found.size() * 4));
        for (uint32_t i = 0; i < found.size(); ++i) {
            if (found[i] != works[t].words[i]) {
                fail("thread " + std::to_string(t) + ", word " + std::to_string(i) + " is " + std::to_string(found[i]) +
                     ", not " + std::to_string(works[t].words[i]));
            }
        }
    }
    std::printf("%u threads recorded %u operations each on %s: right\n", threads, rounds * 4,
                device.info().name.c_str());
}
