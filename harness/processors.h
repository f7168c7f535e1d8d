// Work of the CPU's on all of its processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace vkprim::harness {

/// Calls task(0) to task(count - 1), in any order and at the same time, on as many threads as there can be.
template <class Task>
void on_all_processors(uint32_t count, const Task& task) {
    std::atomic<uint32_t>    next{0};
    std::vector<std::thread> threads;
    const auto               work = [&] {
        for (uint32_t i = next++; i < count; i = next++) task(i);
    };
    // To ask for the number of processors takes longer than a short task: it reads a file.
    const uint32_t others = count < 2 ? 0 : std::min(count, std::max(1u, std::thread::hardware_concurrency())) - 1;
    try {
        for (uint32_t i = 0; i < others; ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {
        // The threads that there are do it all.
    }
    work();
    for (std::thread& thread : threads) thread.join();
}

/// The same for the numbers from 0 to before `count`: task(i) for each, many neighbours on one processor.
template <class Task>
void for_all(uint64_t count, const Task& task) {
    constexpr uint64_t share = uint64_t{1} << 20;
    on_all_processors(static_cast<uint32_t>((count + share - 1) / share), [&](uint32_t part) {
        for (uint64_t i = part * share; i < std::min(count, (part + 1) * share); ++i) task(i);
    });
}

} // namespace vkprim::harness
