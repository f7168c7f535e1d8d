// What every primitive promises beyond its results, seen through the spy.
#include <malloc.h>
#include <vkprim/glsl/detail/constants.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include "harness/harness.h"
#include "support/contract.h"
#include "support/memory.h"
#include "support/share.h"
#include "support/spy.h"

#ifndef NDEBUG
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#endif

namespace {

thread_local uint64_t heap_allocations = 0;

} // namespace

#if !defined(__SANITIZE_ADDRESS__) // which has its own
// Kept out of line, where compilers do not mistake them for a mix of new and free.
[[gnu::noinline]] void* operator new(size_t size) {
    ++heap_allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
#endif

namespace vkprim::tests {

namespace {

using harness::Bytes;
using harness::Operands;
using harness::Operator;

constexpr uint32_t some_count = 50000;

/// Memory for one operation of a subject, with its input in place.
struct Job {
    Bytes           expected;
    runtime::Buffer input, output, temporary;
    Operands        operands;

    Job(const ContractSubject& subject, uint32_t count, const runtime::Buffer& scratch) {
        const harness::Model& model    = subject.model;
        const Bytes           elements = model.input(count, harness::Data::random, harness::Random(count));
        Bytes                 read     = model.ahead;
        read.insert(read.end(), elements.begin(), elements.end());
        expected.resize(model.output_size(count));
        input  = buffer_with(read);
        output = buffer_with(expected);
        model.expect(read.data() + model.ahead.size(), count, expected.data());
        operands.input   = input.address() + model.ahead.size();
        operands.output  = output.address();
        operands.scratch = scratch.address();
        operands.count   = count;
        if (!model.temporary_size) return;
        temporary          = buffer_of_zeros(model.temporary_size(count));
        operands.temporary = temporary.address();
    }
    void check() const { check_same(content_of<uint8_t>(output), expected); }
};

void check_one_job(const ContractSubject& subject, const Operator& primitive, uint32_t count) {
    const runtime::Buffer scratch = scratch_of(primitive.scratch_size(count));
    const Job             job(subject, count, scratch);
    submit([&](runtime::Commands& commands) { primitive.record(commands.handle(), job.operands); });
    job.check();
    check_ready(scratch);
}

/// Addresses that nothing is at: for commands that are never submitted.
Operands nowhere(uint32_t count = some_count) { return {1ull << 40, 2ull << 40, 3ull << 40, 0, count, {}, 4ull << 40}; }

const auto no_commands = reinterpret_cast<VkCommandBuffer>(uintptr_t{0x40000}); ///< of a spy that does not forward them

/// Dispatches of an operation: as many as its contract says, or are seen where it says nothing.
uint32_t dispatches_of(const ContractSubject& subject, const Operator& primitive, uint32_t count, Spy& spy) {
    if (subject.contract.dispatches) return *subject.contract.dispatches;
    spy.forget_calls();
    spy.forwards_commands = false;
    primitive.record(no_commands, nowhere(count));
    spy.forwards_commands = true;
    return spy.calls(Spy::CmdDispatch);
}

} // namespace

TEST_CASE("record appends bind, push and dispatch, and nothing else", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy        spy(device().context());
            const auto primitive = value_of(subject.create(spy.context()));
            for (uint32_t count : {1u, some_count, 0x7fffffffu}) {
                CAPTURE(count);
                const uint32_t dispatches = dispatches_of(subject, primitive, count, spy);
                auto           commands   = value_of(device().begin_commands());
                spy.forget_calls();
                primitive.record(commands.handle(), nowhere(count));
                const uint32_t barriers = subject.contract.barriers.value_or(spy.calls(Spy::CmdPipelineBarrier));
                CHECK(spy.calls(Spy::CmdDispatch) == dispatches);
                CHECK(spy.calls(Spy::CmdBindPipeline) == dispatches);
                CHECK(spy.calls(Spy::CmdPushConstants) == dispatches);
                CHECK(spy.calls(Spy::CmdPipelineBarrier) == barriers);
                CHECK(spy.all_calls() == 3 * dispatches + barriers);
                CHECK(spy.requested().empty());
            }
        }
    }
}

namespace {

/// Of a device for which create() makes all pipelines.
Profile with_all_shapes(const ContractSubject& subject) {
    Profile profile = profile_of_device();
    profile.values  = subject.contract.all_shapes;
    return profile;
}

} // namespace

// Drivers for CPUs load vectors from any address, so results do not show it.
TEST_CASE("vectors are loaded from multiples of 16 alone", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy           spy(device().context());
            const Profile profile = with_all_shapes(subject);
            Context       context = spy.context();
            context.profile       = &profile;
            const auto primitive  = value_of(subject.create(context));
            if (subject.contract.pipelines && device().info().type == VK_PHYSICAL_DEVICE_TYPE_CPU)
                CHECK(spy.calls(Spy::CreateComputePipelines) == *subject.contract.pipelines);
            spy.forwards_commands = false;
            const auto pipeline   = [&](VkDeviceSize offset) {
                Operands operands = nowhere();
                operands.input += offset;
                primitive.record(no_commands, operands);
                return spy.last_pipeline;
            };
            const VkPipeline aligned = pipeline(0);
            CHECK(pipeline(16) == aligned);
            if (!subject.contract.one_pipeline) continue;
            for (VkDeviceSize offset : {4u, 8u, 12u}) {
                CHECK((pipeline(offset) == aligned) == *subject.contract.one_pipeline);
            }
        }
    }
}

TEST_CASE("record and scratch_size allocate nothing", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy            spy(device().context());
            const auto     primitive  = value_of(subject.create(spy.context()));
            const uint32_t dispatches = dispatches_of(subject, primitive, some_count, spy);
            spy.forget_calls();
            spy.forwards_commands   = false; // what the driver does is its own affair
            const Operands operands = nowhere();
            const uint64_t before   = heap_allocations;
            primitive.record(no_commands, operands);
            primitive.scratch_size(some_count);
            CHECK(heap_allocations == before);
            CHECK(spy.calls(Spy::CmdDispatch) == dispatches);
        }
    }
}

TEST_CASE("the entry points that create loads", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy spy(device().context());
            value_of(subject.create(spy.context()));
            const std::vector<std::string> requested =
                spy.requested(); // once for each primitive, of which there may be two
            const std::set<std::string> names(requested.begin(), requested.end());
            CHECK(names.size() == 4 + Spy::call_count);
            // Each of them can be missing.
            for (const std::string& name : names) {
                CAPTURE(name);
                spy.missing       = name;
                const auto result = subject.create(spy.context());
                REQUIRE_FALSE(result);
                CHECK(result.error().kind == ErrorKind::invalid_context);
                CHECK(result.error().reason.find(name + " is not to be had") != std::string::npos);
            }
        }
    }
}

TEST_CASE("one object records from several threads", "[device][contract]") {
    constexpr size_t thread_count = 4, rounds = 50;
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy                          spy(device().context());
            const auto                   primitive = value_of(subject.create(spy.context()));
            std::vector<Job>             jobs;
            std::vector<runtime::Buffer> scratches;
            for (uint32_t t = 0; t < thread_count; ++t) {
                scratches.push_back(scratch_of(primitive.scratch_size(some_count + t)));
                jobs.emplace_back(subject, some_count + t, scratches.back());
            }
            const uint32_t dispatches = dispatches_of(subject, primitive, some_count, spy);
            spy.forget_calls();
            for (size_t round = 0; round < rounds; ++round) {
                std::vector<runtime::Commands> commands;
                std::vector<std::thread>       threads;
                for (size_t t = 0; t < thread_count; ++t) commands.push_back(value_of(device().begin_commands()));
                for (size_t t = 0; t < thread_count; ++t) {
                    threads.emplace_back([&, t] { primitive.record(commands[t].handle(), jobs[t].operands); });
                }
                for (std::thread& thread : threads) thread.join();
                if (round > 0) continue; // what was recorded needs to run only once
                for (runtime::Commands& c : commands) value_of(c.submit_and_wait());
            }
            for (const Job& job : jobs) job.check();
            for (const runtime::Buffer& scratch : scratches) check_ready(scratch);
            CHECK(spy.calls(Spy::CmdDispatch) == rounds * thread_count * dispatches);
        }
    }
}

namespace {

/// That create() makes on this device.
uint32_t pipelines_of(const ContractSubject& subject, Spy& spy) {
    spy.forget_calls();
    value_of(subject.create(spy.context()));
    const auto made = static_cast<uint32_t>(spy.calls(Spy::CreateComputePipelines));
    CHECK(made >= 1);
    if (!subject.contract.pipelines) return made;
    CHECK(made <= *subject.contract.pipelines);
    if (device().info().type == VK_PHYSICAL_DEVICE_TYPE_CPU)
        CHECK(made == subject.contract.pipelines_on_cpu.value_or(*subject.contract.pipelines));
    return made;
}

} // namespace

TEST_CASE("create cleans up when a call fails", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy            spy(device().context());
            const uint32_t pipelines = pipelines_of(subject, spy);
            for (Spy::Call call : {Spy::CreateShaderModule, Spy::CreatePipelineLayout, Spy::CreateComputePipelines}) {
                for (uint32_t after = 0; after < pipelines; ++after) {
                    CAPTURE(call, after);
                    spy.forget_calls();
                    spy.failing       = call;
                    spy.failing_after = after;
                    const auto result = subject.create(spy.context());
                    REQUIRE_FALSE(result);
                    CHECK(result.error().kind == ErrorKind::vulkan);
                    CHECK(result.error().code == Spy::failure);
                    const std::string name = call == Spy::CreateShaderModule     ? "vkCreateShaderModule"
                                             : call == Spy::CreatePipelineLayout ? "vkCreatePipelineLayout"
                                                                                 : "vkCreateComputePipelines";
                    CHECK(result.error().reason.find(name) != std::string::npos);
                    CHECK(result.error().reason.find("memory") != std::string::npos);
                    CHECK(spy.live_objects() == 0);
                }
            }
            // A call that makes nothing, though its code is positive.
            spy.forget_calls();
            spy.failing_after = 0;
            spy.failing_with  = VK_PIPELINE_COMPILE_REQUIRED;
            const auto result = subject.create(spy.context());
            REQUIRE_FALSE(result);
            CHECK(result.error().kind == ErrorKind::vulkan);
            CHECK(result.error().code == VK_PIPELINE_COMPILE_REQUIRED);
            CHECK(result.error().reason.find("FAIL_ON_PIPELINE_COMPILE_REQUIRED") != std::string::npos);
        }
    }
}

TEST_CASE("objects are created on several threads at once", "[device][contract]") {
    const std::vector<ContractSubject>&  subjects = contract_subjects();
    std::vector<std::optional<Operator>> made(subjects.size());
    std::vector<std::thread>             threads;
    for (size_t s = 0; s < subjects.size(); ++s) {
        threads.emplace_back([&, s] {
            auto primitive = subjects[s].create(device().context());
            if (primitive) made[s] = std::move(*primitive);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (size_t s = 0; s < subjects.size(); ++s) {
        CAPTURE(subjects[s].name);
        REQUIRE(made[s]);
        check_one_job(subjects[s], *made[s], some_count);
    }
}

TEST_CASE("an object owns its pipelines and their layouts, and takes them along", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy            spy(device().context());
            const uint32_t pipelines = pipelines_of(subject, spy);
            {
                const auto primitive = value_of(subject.create(spy.context()));
                CHECK(spy.live_objects() == static_cast<int>(2 * pipelines)); // and no shader module
            }
            CHECK(spy.live_objects() == 0);
            {
                const auto primitive = value_of(subject.create_and_move(spy.context()));
                CHECK(spy.live_objects() == static_cast<int>(2 * pipelines));
                check_one_job(subject, primitive, some_count);
            }
            CHECK(spy.live_objects() == 0);
        }
    }
}

namespace {

std::atomic<int> live_blocks{0};

void* VKAPI_PTR allocate_block(void*, size_t size, size_t alignment, VkSystemAllocationScope) {
    const size_t wanted = std::max(alignment, sizeof(void*));
    void* const  block  = std::aligned_alloc(wanted, (size + wanted - 1) / wanted * wanted);
    if (block) ++live_blocks;
    return block;
}

void VKAPI_PTR free_block(void*, void* block) {
    if (block) --live_blocks;
    std::free(block);
}

void* VKAPI_PTR reallocate_block(void* user, void* block, size_t size, size_t alignment,
                                 VkSystemAllocationScope scope) {
    void* const moved = size > 0 ? allocate_block(user, size, alignment, scope) : nullptr;
    if (size > 0 && !moved) return nullptr;
    if (block && moved) std::memcpy(moved, block, std::min(size, malloc_usable_size(block)));
    free_block(user, block);
    return moved;
}

} // namespace

TEST_CASE("the caller's allocation callbacks reach the driver", "[device][contract]") {
    VkAllocationCallbacks callbacks{};
    callbacks.pfnAllocation   = allocate_block;
    callbacks.pfnReallocation = reallocate_block;
    callbacks.pfnFree         = free_block;
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy     spy(device().context());
            Context context = spy.context();
            value_of(subject.create(context));
            CHECK(spy.all_used(nullptr));

            spy.forget_calls();
            context.allocator = &callbacks;
            value_of(subject.create(context));
            CHECK(spy.all_used(&callbacks));
            CHECK(live_blocks == 0);

            // Those of an attempt that fails go back, too.
            for (Spy::Call call : {Spy::CreatePipelineLayout, Spy::CreateComputePipelines}) {
                spy.forget_calls();
                spy.failing = call;
                REQUIRE_FALSE(subject.create(context));
                CHECK(spy.all_used(&callbacks));
                CHECK(live_blocks == 0);
            }
        }
    }
}

namespace {

void check_refused(const ContractSubject& subject, const Context& context, ErrorKind kind, const std::string& word) {
    check_error(subject.create(context), kind, word);
}

} // namespace

TEST_CASE("create refuses what it cannot work with", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            const Context& good            = device().context();
            Context        context         = good;
            context.get_instance_proc_addr = nullptr;
            check_refused(subject, context, ErrorKind::invalid_context, "get_instance_proc_addr is null");
            context          = good;
            context.instance = VK_NULL_HANDLE;
            check_refused(subject, context, ErrorKind::invalid_context, "instance is null");
            context                 = good;
            context.physical_device = VK_NULL_HANDLE;
            check_refused(subject, context, ErrorKind::invalid_context, "physical_device is null");
            context        = good;
            context.device = VK_NULL_HANDLE;
            check_refused(subject, context, ErrorKind::invalid_context, "device is null");
            check_refused(subject, {}, ErrorKind::invalid_context, "null");
            context                                = good;
            context.features.buffer_device_address = false;
            check_refused(subject, context, ErrorKind::unsupported_device, "bufferDeviceAddress is off");
            context                              = good;
            context.features.vulkan_memory_model = false;
            check_refused(subject, context, ErrorKind::unsupported_device, "vulkanMemoryModel is off");

            Spy spy(good);
            spy.edit_properties = [](VkPhysicalDeviceProperties2& p) { p.properties.apiVersion = VK_API_VERSION_1_1; };
            check_refused(subject, spy.context(), ErrorKind::unsupported_device, "1.2");
            spy.edit_properties = [](VkPhysicalDeviceProperties2& p) {
                p.properties.limits.maxComputeWorkGroupInvocations = 255;
            };
            check_refused(subject, spy.context(), ErrorKind::unsupported_device, "256");
            CHECK(spy.all_calls() == 0); // nothing was made before the refusal
        }
    }
}

TEST_CASE("create refuses a profile that it cannot work with", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Profile profile = profile_of_device();
            Spy     spy(device().context());
            Context context  = spy.context();
            context.profile  = &profile;
            const auto check = [&](const std::string& word) {
                check_refused(subject, context, ErrorKind::invalid_profile, word);
            };
            spy.edit_properties = [](VkPhysicalDeviceProperties2& p) {
                p.properties.vendorID   = 0x10de;
                p.properties.deviceID   = 0x2335;
                p.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
            };
            profile.vendor_id = 0x10005;
            profile.device_id = 0x12;
            check("the profile is for device 10005:0012, this one is 10de:2335: run vkprim tune here");
            profile.vendor_id = 0x10de;
            check("the profile is for device 10de:0012, this one is 10de:2335: run vkprim tune here");
            profile.device_id = 0x2335;

            const std::vector<harness::Knob>& knobs     = subject.contract.knobs;
            const std::string                 primitive = subject.subject->name + ".";
            profile.values                              = {{primitive + "frob", 1}};
            check("the profile names " + primitive + "frob, which vkprim does not know; it knows " +
                  (knobs.empty() ? "" : knobs[0].name));
            for (const harness::Knob& knob : knobs) {
                profile.values = {{knob.name, knob.most + 1}};
                check("the profile's " + knob.name + " is " + std::to_string(knob.most + 1) + ", but must be " +
                      std::to_string(knob.least) + " to " + std::to_string(knob.most));
                if (knob.least == 0) continue;
                profile.values = {{knob.name, knob.least - 1}};
                check("the profile's " + knob.name + " is ");
            }
            CHECK(spy.all_calls() == 0); // nothing was made before the refusal

            spy.edit_properties = {};
            profile             = profile_of_device();
            for (const harness::Knob& knob : knobs) {
                if (device().info().type != VK_PHYSICAL_DEVICE_TYPE_CPU || knob.least_on_software == 0) continue;
                profile.values = {{knob.name, knob.least_on_software - 1}};
                check("the profile's " + knob.name + " is ");
            }
            profile.values = {{"other.frob", 1}, {primitive.substr(0, 2) + ".frob", 1}}; // others' affair
            value_of(subject.create(context));
        }
    }
}

TEST_CASE("a profile's values reach the pipelines", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            if (!subject.contract.effect) continue;
            const harness::KnobEffect& effect  = *subject.contract.effect;
            Profile                    profile = profile_of_device();
            Spy                        spy(device().context());
            Context                    context = spy.context();
            context.profile                    = &profile;
            value_of(subject.create(context));
            CHECK(spy.last_constants.at(effect.constant_id) != effect.constant);
            profile.values[effect.name] = effect.value;
            value_of(subject.create(context));
            CHECK(spy.last_constants.at(effect.constant_id) == effect.constant);
        }
    }
}

TEST_CASE("results do not depend on a profile", "[device][contract]") {
    const bool software = device().info().type == VK_PHYSICAL_DEVICE_TYPE_CPU, fewer = software && is_pairs();
    // The least share makes a workgroup of every few elements.
    const uint32_t many = (fewer ? 1u << 18 : 1u << 20) + 70001u;
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Profile most = profile_of_device(), least = most;
            for (const harness::Knob& knob : subject.contract.knobs) {
                most.values[knob.name]  = fewer ? knob.most_on_software : knob.most;
                least.values[knob.name] = software ? knob.least_on_software : knob.least;
            }
            for (const Profile* profile : {&least, &most}) {
                CAPTURE(profile == &most);
                Context context      = device().context();
                context.profile      = profile;
                const auto primitive = value_of(subject.create(context));
                for (uint32_t count : {some_count, many}) check_one_job(subject, primitive, count);
            }
        }
    }
}

TEST_CASE("scratch_size never shrinks as the count grows", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            const auto      primitive = value_of(subject.create(device().context()));
            harness::Random random(7);
            uint32_t        wrong = 0;
            for (int i = 0; i < 200000; ++i) {
                // All magnitudes alike, and often close neighbours.
                const auto     a = static_cast<uint32_t>(random.next() >> (32 + random.below(32)));
                const uint32_t b = random.below(2) ? a - std::min(a, random.below(5000))
                                                   : static_cast<uint32_t>(random.next() >> (32 + random.below(32)));
                wrong += primitive.scratch_size(std::min(a, b)) > primitive.scratch_size(std::max(a, b));
            }
            CHECK(wrong == 0);
            CHECK(primitive.scratch_size(subject.contract.most_elements) < subject.contract.most_scratch);
        }
    }
}

TEST_CASE("one scratch serves a sequence of different operations", "[device][contract]") {
    constexpr uint32_t    counts[] = {300000, 1, 70000, 5000};
    Spy                   spy(device().context());
    std::vector<Operator> primitives;
    VkDeviceSize          scratch_size = 0;
    for (const ContractSubject& subject : contract_subjects()) {
        primitives.push_back(value_of(subject.create(spy.context())));
        for (uint32_t count : counts) scratch_size = std::max(scratch_size, primitives.back().scratch_size(count));
    }
    const runtime::Buffer scratch = scratch_of(scratch_size);
    std::vector<Job>      jobs;
    const size_t          subject_count = primitives.size();
    for (uint32_t count : counts) {
        for (size_t s = 0; s < subject_count; ++s) jobs.emplace_back(contract_subjects()[s], count, scratch);
    }
    submit([&](runtime::Commands& commands) {
        for (size_t j = 0; j < jobs.size(); ++j) {
            primitives[j % subject_count].record(commands.handle(), jobs[j].operands);
            commands.barrier();
        }
    });
    for (size_t j = 0; j < jobs.size(); ++j) {
        INFO("operation " << j << ", a " << contract_subjects()[j % subject_count].name);
        jobs[j].check();
    }
    check_ready(scratch);
}

TEST_CASE("a count on the GPU, and one above its bound", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            const auto            primitive = value_of(subject.create(device().context()));
            const runtime::Buffer scratch   = scratch_of(primitive.scratch_size(some_count));
            for (uint32_t count : {some_count, some_count + 1, UINT32_MAX}) {
                CAPTURE(count);
                const runtime::Buffer count_buffer = buffer_with(std::vector<uint32_t>{count});
                Job                   job(subject, some_count, scratch);
                job.operands.count_address = count_buffer.address();
                submit([&](runtime::Commands& commands) { primitive.record(commands.handle(), job.operands); });
                job.check();
                check_ready(scratch);
            }
        }
    }
}

TEST_CASE("grids of several rows", "[device][contract]") {
    constexpr uint32_t least_columns = 65535; // that a device may have
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy        spy(device().context());
            const auto create = [&](uint32_t columns) {
                spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                    p.properties.limits.maxComputeWorkGroupCount[0] = columns;
                };
                return value_of(subject.create(spy.context()));
            };
            const auto primitive  = create(least_columns);
            spy.forwards_commands = false;
            primitive.record(no_commands, nowhere(subject.contract.most_elements));
            CHECK(spy.last_grid[0] <= least_columns);
            if (subject.contract.one_row) CHECK((spy.last_grid[1] == 1) == *subject.contract.one_row);
            if (subject.contract.one_row.value_or(false)) continue;

            spy.forwards_commands = true;
            const auto narrow     = create(7);
            check_one_job(subject, narrow, 300000);
            if (subject.contract.one_row) CHECK(spy.last_grid[0] == 7);
            if (subject.contract.one_row) CHECK(spy.last_grid[1] > 1);
            check_one_job(subject, narrow, 28 * 1024);
            check_one_job(subject, narrow, 28 * 1024 + 1);
        }
    }
}

TEST_CASE("short rows of a profile stay within the device's grid", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy      spy(device().context());
            uint32_t rows       = 0;
            spy.edit_properties = [&](VkPhysicalDeviceProperties2& p) {
                rows = p.properties.limits.maxComputeWorkGroupCount[1];
            };
            spy.forwards_commands = false;
            Profile profile       = profile_of_device();
            Context context       = spy.context();
            context.profile       = &profile;
            for (uint32_t columns : {1u, 3u, 100u}) {
                CAPTURE(columns);
                profile.values["device.workgroup_count"] = columns;
                const auto primitive                     = value_of(subject.create(context));
                primitive.record(no_commands, nowhere(subject.contract.most_elements));
                CHECK(spy.last_grid[1] <= rows);
            }
        }
    }
}

namespace {

/// Of the structure that `chain` holds, if it does.
template <class T>
T* find(VkPhysicalDeviceProperties2& chain, VkStructureType type) {
    for (auto* next = static_cast<VkBaseOutStructure*>(chain.pNext); next; next = next->pNext) {
        if (next->sType == type) return reinterpret_cast<T*>(next);
    }
    return nullptr;
}

} // namespace

// Numbers of invocations are made of those of subgroups, which must have no idle invocations then.
TEST_CASE("subgroups are used where they can be required to be full", "[device][contract]") {
    const Features& on = device().context().features;
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy     spy(device().context());
            Context context = spy.context();
            value_of(subject.create(context));
            const bool uses     = spy.last_constants.at(VKPRIM_SUBGROUP_SIZE_ID) > 1;
            const bool is_apart = device().info().subgroup_size < 8 && subject.name.find("sort") != std::string::npos;
            CHECK(uses == (spy.last_full_subgroups && !is_apart)); // sorts use none of fewer than 8 invocations
            CHECK(spy.last_full_subgroups == on.compute_full_subgroups);
            context.features.compute_full_subgroups = false;
            const auto primitive                    = value_of(subject.create(context));
            CHECK(spy.last_constants.at(VKPRIM_SUBGROUP_SIZE_ID) == 1);
            CHECK_FALSE(spy.last_full_subgroups);
            check_one_job(subject, primitive, some_count);
        }
    }
}

TEST_CASE("workgroups are of no more invocations and subgroups than the device takes", "[device][contract]") {
    uint32_t subgroup_size = device().info().subgroup_size, subgroups = 256 / subgroup_size;
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy spy(device().context());
            spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                p.properties.limits.maxComputeWorkGroupSize[0] = 256;
            };
            value_of(subject.create(spy.context()));
            CHECK(spy.last_constants.at(VKPRIM_WORKGROUP_SIZE_ID) <= 256);
            spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                p.properties.limits.maxComputeWorkGroupSize[0] = 255;
            };
            check_error(subject.create(spy.context()), ErrorKind::unsupported_device, "256");

            // Of a device whose subgroups vary, so that their size is required.
            const auto limited = [&](uint32_t most_subgroups) {
                return [=](VkPhysicalDeviceProperties2& p) {
                    auto* const control = find<VkPhysicalDeviceSubgroupSizeControlProperties>(
                        p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
                    if (!control) return;
                    control->minSubgroupSize              = subgroup_size;
                    control->maxSubgroupSize              = 2 * subgroup_size;
                    control->maxComputeWorkgroupSubgroups = most_subgroups;
                    control->requiredSubgroupSizeStages   = VK_SHADER_STAGE_COMPUTE_BIT;
                };
            };
            spy.edit_properties = limited(subgroups);
            value_of(subject.create(spy.context()));
            CHECK(spy.last_constants.at(VKPRIM_WORKGROUP_SIZE_ID) <= 256);
            CHECK(spy.last_subgroup_size == subgroup_size);
            // Not even the smallest workgroup of that size: without subgroups.
            spy.edit_properties = limited(subgroups / 2);
            value_of(subject.create(spy.context()));
            CHECK(spy.last_constants.at(VKPRIM_SUBGROUP_SIZE_ID) == 1);
            CHECK(spy.last_subgroup_size == 0);
        }
    }
}

// Its GPUs are Apple's, on which workgroups stand still, whatever its vendor's number.
TEST_CASE("no workgroup waits on Asahi's driver", "[device][contract]") {
    constexpr auto honeykrisp = static_cast<VkDriverId>(26); // VK_DRIVER_ID_MESA_HONEYKRISP, of newer headers
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            if (!subject.looks_back()) continue;
            Spy spy(device().context());
            spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                auto* const driver =
                    find<VkPhysicalDeviceDriverProperties>(p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
                if (driver) driver->driverID = honeykrisp;
            };
            const Profile profile = with_all_shapes(subject);
            Context       context = spy.context();
            context.profile       = &profile;
            const auto primitive  = value_of(subject.create(context));
            if (subject.contract.pipelines_without_waits)
                CHECK(spy.calls(Spy::CreateComputePipelines) == *subject.contract.pipelines_without_waits);
            // Behind each stage comes a barrier, but for the last.
            spy.forwards_commands = false;
            spy.forget_calls();
            primitive.record(no_commands, nowhere(1u << 30));
            CHECK(spy.calls(Spy::CmdDispatch) > 1);
            CHECK(spy.calls(Spy::CmdPipelineBarrier) + 1 == spy.calls(Spy::CmdDispatch));
        }
    }
}

namespace {

/// Whether a module has an instruction `opcode` with these operands behind the first `skipped`.
bool has_instruction(const std::vector<uint32_t>& words, uint32_t opcode, size_t skipped,
                     const std::vector<uint32_t>& operands) {
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
        const std::vector<uint32_t> all(words.begin() + static_cast<ptrdiff_t>(at) + 1,
                                        words.begin() + static_cast<ptrdiff_t>(at + (words[at] >> 16)));
        if ((words[at] & 0xffff) != opcode || all.size() != skipped + operands.size()) continue;
        if (std::equal(operands.begin(), operands.end(), all.begin() + static_cast<ptrdiff_t>(skipped))) return true;
    }
    return false;
}

std::vector<std::pair<const harness::Subject*, harness::Rounding>> rounding_cases() {
    std::vector<std::pair<const harness::Subject*, harness::Rounding>> cases;
    for (const harness::Subject& subject : harness::subjects()) {
        for (const harness::Rounding& one : subject.rounding) cases.emplace_back(&subject, one);
    }
    return cases;
}

} // namespace

TEST_CASE("float sums and products are declared to round to nearest even", "[device][contract]") {
    constexpr uint32_t capability = 17, execution_mode = 16, rounding_mode_rte = 4467, mode_rte = 4462;
    for (const auto& [subject, kernel] : rounding_cases()) {
        for (auto [taken_away, nvidia] : {std::pair(false, false), {true, false}, {false, true}}) {
            CAPTURE(subject->name, kernel.variant, taken_away, nvidia);
            Spy      spy(device().context());
            VkBool32 has        = VK_FALSE;
            spy.edit_properties = [&, away = taken_away, vendor = nvidia](VkPhysicalDeviceProperties2& p) {
                if (vendor) p.properties.vendorID = 0x10de;
                auto* const controls = find<VkPhysicalDeviceFloatControlsProperties>(
                    p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
                if (controls && away) controls->shaderRoundingModeRTEFloat32 = VK_FALSE;
                if (controls) has = controls->shaderRoundingModeRTEFloat32;
            };
            value_of(subject->property.create(spy.context(), kernel.variant));
            // Mesa's CPU driver has it.
            if (device().info().name.find("llvmpipe") != std::string::npos) CHECK((has != VK_FALSE) != taken_away);
            REQUIRE(spy.last_module.size() > 5);
            // NVIDIA's do so without being told (src/tuning/rounding.h).
            const bool declared = kernel.declared && has && !nvidia && device().info().vendor_id != 0x10de;
            CHECK(has_instruction(spy.last_module, capability, 0, {rounding_mode_rte}) == declared);
            CHECK(has_instruction(spy.last_module, execution_mode, 1, {mode_rte, 32}) == declared);
        }
    }
}

TEST_CASE("devices with small workgroups and little shared memory", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            for (bool small_memory : {false, true}) {
                Spy spy(device().context());
                spy.edit_properties = [=](VkPhysicalDeviceProperties2& p) {
                    p.properties.limits.maxComputeWorkGroupInvocations = 256;
                    if (small_memory) p.properties.limits.maxComputeSharedMemorySize = 16384;
                };
                const auto primitive = value_of(subject.create(spy.context()));
                CHECK(spy.last_constants.at(VKPRIM_WORKGROUP_SIZE_ID) <= 256);
                check_one_job(subject, primitive, 300000);
            }
        }
    }
}

#ifndef NDEBUG
TEST_CASE("record asserts what it relies on", "[device][contract]") {
    for (const ContractSubject& subject : contract_subjects_here()) {
        DYNAMIC_SECTION(subject.name) {
            Spy        spy(device().context());
            const auto primitive  = value_of(subject.create(spy.context()));
            spy.forwards_commands = false;
            const auto aborts     = [&](const Operands& operands, VkCommandBuffer commands) {
                const pid_t child = fork();
                if (child == 0) {
                    std::fclose(stderr);
                    std::signal(SIGABRT, SIG_DFL); // Catch's handler would write a report
                    primitive.record(commands, operands);
                    _exit(0);
                }
                int status = 0;
                waitpid(child, &status, 0);
                return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
            };
            CHECK_FALSE(aborts(nowhere(), no_commands));
            CHECK(aborts(nowhere(), VK_NULL_HANDLE));
            for (VkDeviceAddress Operands::*address : {&Operands::input, &Operands::output, &Operands::scratch}) {
                Operands operands = nowhere();
                if (address == &Operands::scratch && primitive.scratch_size(operands.count) == 0) continue;
                operands.*address += 2;
                CHECK(aborts(operands, no_commands));
                operands.*address = 0;
                CHECK(aborts(operands, no_commands));
            }
        }
    }
}
#endif

} // namespace vkprim::tests
