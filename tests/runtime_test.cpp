// The thin runtime: transfers, timestamps, the choice of the device, and that validation would be heard.
#include <vkprim/expand.h>
#include <vkprim/reduce.h>
#include <vkprim/sort.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "harness/harness.h"
#include "harness/processors.h"
#include "support/memory.h"

namespace vkprim::tests {
namespace {

std::vector<uint8_t> random_bytes(size_t size, uint64_t seed) {
    harness::Random      random(seed);
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.next());
    return bytes;
}

void check_fails(const Result<void>& result, const std::string& word) {
    check_error(result, ErrorKind::invalid_args, word);
}

} // namespace

TEST_CASE("upload and download of any bytes", "[device][runtime]") {
    const auto     buffer  = value_of(device().create_buffer(1001));
    auto           content = random_bytes(1001, 1);
    const uint32_t end     = 1001;
    CHECK(buffer.size() == end);
    CHECK(buffer.address() % 16 == 0);
    require(device().upload(buffer, 0, content.data(), end));
    check_same(content_of<uint8_t>(buffer), content);
    for (uint32_t offset : {0u, 1u, 2u, 3u, 13u, 500u}) {
        for (uint32_t size : {0u, 1u, 2u, 5u, 37u, 400u, end - offset}) {
            const auto part = random_bytes(size, offset * 1000 + size);
            require(device().upload(buffer, offset, part.data(), size));
            std::copy(part.begin(), part.end(), content.begin() + offset);
            check_same(content_of<uint8_t>(buffer), content);
            std::vector<uint8_t> got(size + 2, 0xab);
            require(device().download(buffer, offset, got.data() + 1, size));
            CHECK(std::equal(part.begin(), part.end(), got.begin() + 1));
            CHECK(got.front() == 0xab);
            CHECK(got.back() == 0xab);
        }
    }
}

TEST_CASE("transfers in several chunks", "[device][runtime]") {
    const size_t         size   = (size_t{64} << 20) * 2 + 5; // staging memory is at most 64 MiB
    const auto           buffer = value_of(device().create_buffer(size + 3));
    std::vector<uint8_t> content(size), got(size);
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t word = i * 0x9e3779b97f4a7c15u;
        std::memcpy(&content[i], &word, std::min<size_t>(8, size - i));
    }
    require(device().upload(buffer, 3, content.data(), size));
    require(device().download(buffer, 3, got.data(), size));
    CHECK((got == content));
}

TEST_CASE("fill", "[device][runtime]") {
    const auto            buffer = value_of(device().create_buffer(256));
    std::vector<uint32_t> expected(64, 0x12345678);
    require(device().fill(buffer, 0, 256, 0x12345678));
    check_same(content_of(buffer), expected);
    require(device().fill(buffer, 20, 8, 7));
    require(device().fill(buffer, 252, 4, 9));
    require(device().fill(buffer, 40, 0, 11));
    expected[5] = expected[6] = 7;
    expected[63]              = 9;
    check_same(content_of(buffer), expected);
    check_fails(device().fill(buffer, 2, 4, 0), "multiples of 4");
    check_fails(device().fill(buffer, 4, 6, 0), "multiples of 4");
    check_same(content_of(buffer), expected);
}

TEST_CASE("ranges beyond the buffer", "[device][runtime]") {
    const auto buffer     = value_of(device().create_buffer(100));
    uint8_t    bytes[200] = {};
    for (const auto& [offset, size] : {std::pair<VkDeviceSize, VkDeviceSize>{0, 101},
                                       {100, 1},
                                       {101, 0},
                                       {50, 51},
                                       {UINT64_MAX, 2},
                                       {2, UINT64_MAX}}) {
        CAPTURE(offset, size);
        check_fails(device().upload(buffer, offset, bytes, size), "upload of");
        check_fails(device().download(buffer, offset, bytes, size), "download of");
    }
    check_fails(device().fill(buffer, 0, 104, 0), "exceeds the buffer of 100 bytes");
    check_fails(device().fill(buffer, 100, 4, 0), "fill of 4 bytes at offset 100");
    require(device().upload(buffer, 100, bytes, 0));
    require(device().download(buffer, 99, bytes, 1));
}

TEST_CASE("buffers", "[device][runtime]") {
    CHECK(runtime::Buffer().size() == 0);
    CHECK(runtime::Buffer().address() == 0);
    CHECK(value_of(device().create_buffer(0)).address() != 0);
    auto                  first   = buffer_with(std::vector<uint32_t>{1, 2, 3});
    const VkDeviceAddress address = first.address();
    auto                  second  = std::move(first);
    CHECK(first.size() == 0); // NOLINT: what is left of it is part of the promise
    CHECK(first.address() == 0);
    first = std::move(second);
    CHECK(first.address() == address);
    CHECK((content_of(first) == std::vector<uint32_t>{1, 2, 3}));
    for (VkDeviceSize size : {VkDeviceSize{1} << 60, VkDeviceSize{UINT64_MAX}}) {
        const auto huge = device().create_buffer(size);
        REQUIRE_FALSE(huge);
        CAPTURE(huge.error().reason);
        CHECK(huge.error().reason.find("no memory for a buffer of " + std::to_string(size)) != std::string::npos);
    }
}

TEST_CASE("timestamps", "[device][runtime]") {
    const auto buffer   = value_of(device().create_buffer(1 << 22));
    auto       commands = value_of(device().begin_commands(4));
    REQUIRE(commands.handle() != VK_NULL_HANDLE);
    for (int i = 0; i < 4; ++i) commands.timestamp();
    const std::vector<double> times = value_of(commands.submit_and_wait());
    REQUIRE(times.size() == 4);
    CHECK(times[0] == 0);
    for (size_t i = 1; i < times.size(); ++i) CHECK(times[i] >= times[i - 1]);
    CHECK(times.back() < 10000);

    CHECK(value_of(value_of(device().begin_commands(3)).submit_and_wait()).empty());
    CHECK(value_of(value_of(device().begin_commands()).submit_and_wait()).empty());
}

TEST_CASE("host buffers", "[device][runtime]") {
    const auto source  = value_of(device().create_host_buffer(1000)),
               target  = value_of(device().create_host_buffer(1000));
    const auto between = value_of(device().create_buffer(500));
    CHECK(source.size() == 1000);
    CHECK(source.address() == 0);
    REQUIRE(source.data() != nullptr);
    CHECK(between.data() == nullptr);
    CHECK(runtime::Buffer().data() == nullptr);
    const auto content = random_bytes(1000, 2);
    std::memcpy(source.data(), content.data(), 1000);
    std::memset(target.data(), 0, 1000);
    submit([&](runtime::Commands& commands) {
        commands.copy(source, between, {13, 7, 400});
        commands.barrier();
        commands.copy(between, target, {8, 500, 399});
    });
    std::vector<uint8_t> expected(1000);
    std::copy(content.begin() + 14, content.begin() + 413, expected.begin() + 500);
    CHECK(std::memcmp(target.data(), expected.data(), 1000) == 0);

    auto       first = value_of(device().create_host_buffer(4));
    void*      data  = first.data();
    const auto moved = std::move(first);
    CHECK(moved.data() == data);
    CHECK(first.data() == nullptr);
}

TEST_CASE("several command buffers in flight on several queues", "[device][runtime]") {
    const runtime::Device& owner  = device_with_queues();
    const uint32_t         queues = owner.queue_count();
    REQUIRE(queues >= 1);
    CHECK(queues <= 4);
    CHECK(device().queue_count() == 1);
    check_error(owner.begin_commands(0, queues), ErrorKind::invalid_args, "there is no queue");

    constexpr uint32_t rounds = 3, words = 1000;
    // Each queue's word goes through its own buffer, a step in each round: work on one queue is in order.
    std::vector<runtime::Buffer>   memory, results;
    std::vector<runtime::Commands> in_flight;
    const auto                     source = value_of(owner.create_host_buffer(rounds * queues * words * 4));
    for (uint32_t i = 0; i < rounds * queues * words; ++i) static_cast<uint32_t*>(source.data())[i] = i / words;
    for (uint32_t queue = 0; queue < queues; ++queue) {
        memory.push_back(value_of(owner.create_buffer(rounds * words * 4)));
        results.push_back(value_of(owner.create_host_buffer(rounds * words * 4)));
    }
    for (uint32_t round = 0; round < rounds; ++round) {
        for (uint32_t queue = 0; queue < queues; ++queue) {
            auto& commands = in_flight.emplace_back(value_of(owner.begin_commands(1, queue)));
            for (uint32_t copy = 0; copy <= round; ++copy) {
                if (copy > 0) commands.barrier();
                const VkDeviceSize from = (round * queues + queue) * words * 4;
                commands.copy(source, memory[queue], {from, copy * words * 4, words * 4});
            }
            commands.barrier();
            commands.timestamp();
            commands.copy(memory[queue], results[queue], {0, 0, (round + 1) * words * 4});
            require(commands.submit());
        }
    }
    for (size_t i = in_flight.size(); i-- > 0;) CHECK(value_of(in_flight[i].wait()) == std::vector<double>{0});
    for (uint32_t queue = 0; queue < queues; ++queue) {
        const auto*                 got = static_cast<const uint32_t*>(results[queue].data());
        const std::vector<uint32_t> expected(rounds * words, (rounds - 1) * queues + queue);
        CHECK(std::equal(expected.begin(), expected.end(), got));
    }
}

TEST_CASE("commands that go while their work is under way wait for it", "[device][runtime]") {
    const auto source = value_of(device().create_host_buffer(1 << 20)),
               target = value_of(device().create_host_buffer(1 << 20));
    std::memset(source.data(), 5, 1 << 20);
    std::memset(target.data(), 0, 1 << 20);
    {
        auto commands = value_of(device().begin_commands());
        commands.copy(source, target, {0, 0, 1 << 20});
        require(commands.submit());
    }
    CHECK(std::memcmp(source.data(), target.data(), 1 << 20) == 0);
    {
        auto commands = value_of(device().begin_commands());
        require(commands.submit());
        commands = value_of(device().begin_commands()); // and those that are replaced
        value_of(commands.submit_and_wait());
    }
    static_cast<void>(value_of(device().begin_commands())); // never submitted
}

TEST_CASE("the choice of the device", "[device][runtime]") {
    const auto all = value_of(runtime::list_devices());
    REQUIRE(!all.empty());
    for (size_t i = 0; i < all.size(); ++i) CHECK(all[i].index == i);
    const runtime::DeviceInfo& here = device().info();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& info) { return info.name == here.name; });
    REQUIRE(found != all.end());
    CHECK(found->usable);
    CHECK(found->reason.empty());
    CHECK(found->subgroup_size == here.subgroup_size);
    CHECK(here.min_subgroup_size <= here.subgroup_size);
    CHECK(here.subgroup_size <= here.max_subgroup_size);
    CHECK(here.max_workgroup_invocations >= 256);
    CHECK(here.shared_memory_size >= 16384);
    CHECK(here.api_version >= VK_API_VERSION_1_2);

    for (const std::string& selector : {std::string("no such device"), std::string("99")}) {
        runtime::DeviceOptions options;
        options.selector  = selector;
        const auto device = runtime::Device::create(options);
        REQUIRE_FALSE(device);
        CHECK(device.error().reason.find("there is no device \"" + selector + "\"") != std::string::npos);
        for (const runtime::DeviceInfo& info : all) CHECK(device.error().reason.find(info.name) != std::string::npos);
    }
    for (const std::string& selector : {std::to_string(here.index), here.name.substr(0, 5)}) {
        runtime::DeviceOptions options;
        options.selector = selector;
        CHECK(value_of(runtime::Device::create(options)).info().name == here.name);
    }
    std::string upper = here.name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    runtime::DeviceOptions options;
    options.selector = upper;
    CHECK(value_of(runtime::Device::create(options)).info().name == here.name);
}

TEST_CASE("a device hands on the profile that it was given", "[device][runtime]") {
    runtime::DeviceOptions options;
    options.selector = std::to_string(device().info().index);
    auto    first    = value_of(runtime::Device::create(options));
    Profile profile  = profile_of_device();
    CHECK(first.context().profile == nullptr);
    profile.values["reduce.batch"] = 7;
    first.use_profile(profile);
    profile.values.clear();
    const runtime::Device second(std::move(first));
    REQUIRE(second.context().profile != nullptr);
    CHECK(second.context().profile->device_id == device().info().device_id);
    CHECK(second.context().profile->values.at("reduce.batch") == 7);
}

TEST_CASE("pipelines of an object are compiled by what the caller runs tasks with", "[device][runtime]") {
    const auto names_of = [](Context context) {
        std::mutex               mutex;
        std::vector<std::string> names;
        context.on_pipeline = [&](const char* name, VkPipeline, double) {
            std::lock_guard lock(mutex);
            names.emplace_back(name);
        };
        const auto sort = value_of(Sort::create(context, {}));
        std::sort(names.begin(), names.end());
        return names;
    };
    Context               context = device().context();
    Profile               profile = profile_of_device();
    std::vector<uint32_t> counts;
    profile.values        = {{"sort.tiny_items", 1}, {"sort.large_items", 5}}; // no two shapes are the same
    context.profile       = &profile;
    context.parallel_for  = nullptr;
    const auto one_by_one = names_of(context);
    CHECK(one_by_one.size() == 6);
    context.parallel_for = [&](uint32_t count, const std::function<void(uint32_t)>& task) {
        counts.push_back(count);
        harness::on_all_processors(count, [&](uint32_t i) { task(count - 1 - i); });
    };
    CHECK(names_of(context) == one_by_one);
    CHECK(counts == std::vector<uint32_t>{6});

    counts.clear();
    (void)value_of(Expand::create(context, {})); // which has one
    CHECK(counts.empty());
}

TEST_CASE("layouts that push as many bytes are one, where nothing validates", "[device][runtime]") {
    const Context& context = device().context();
    const auto     get     = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
        context.get_instance_proc_addr(context.instance, "vkGetDeviceProcAddr"));
    const auto create  = reinterpret_cast<PFN_vkCreatePipelineLayout>(get(context.device, "vkCreatePipelineLayout"));
    const auto destroy = reinterpret_cast<PFN_vkDestroyPipelineLayout>(get(context.device, "vkDestroyPipelineLayout"));
    std::vector<VkPipelineLayout> layouts;
    for (uint32_t size : {16u, 16u, 32u}) {
        const VkPushConstantRange  range{VK_SHADER_STAGE_COMPUTE_BIT, 0, size};
        VkPipelineLayoutCreateInfo info{};
        info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        info.pushConstantRangeCount = 1;
        info.pPushConstantRanges    = &range;
        REQUIRE(create(context.device, &info, nullptr, &layouts.emplace_back()) == VK_SUCCESS);
    }
    CHECK((layouts[0] == layouts[1]) == environment("VKPRIM_TEST_VALIDATION").empty());
    CHECK(layouts[0] != layouts[2]);
    for (VkPipelineLayout layout : layouts) destroy(context.device, layout, nullptr);
    // On a device that somebody else made, and gave the same entry points.
    const auto  of_instance = [&](const char* name) { return context.get_instance_proc_addr(context.instance, name); };
    const float priority    = 1;
    VkDeviceQueueCreateInfo queue{};
    queue.sType            = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueCount       = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType                = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos    = &queue;
    VkDevice other            = VK_NULL_HANDLE;
    REQUIRE(reinterpret_cast<PFN_vkCreateDevice>(of_instance("vkCreateDevice"))(context.physical_device, &info, nullptr,
                                                                                &other) == VK_SUCCESS);
    const VkPushConstantRange  range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    VkPipelineLayoutCreateInfo layout_info{};
    layout_info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout_info.pushConstantRangeCount = 1;
    layout_info.pPushConstantRanges    = &range;
    VkPipelineLayout layout            = VK_NULL_HANDLE;
    CHECK(create(other, &layout_info, nullptr, &layout) == VK_SUCCESS);
    destroy(other, layout, nullptr);
    reinterpret_cast<PFN_vkDestroyDevice>(of_instance("vkDestroyDevice"))(other, nullptr);
    // One that still is in use by a pipeline of somebody else's.
    const auto reduce = value_of(Reduce::create(context, {ElementType::u32, Operation::add}));
    const auto input  = buffer_with(std::vector<uint32_t>{1, 2, 3});
    const auto output = buffer_of_zeros(4), scratch = buffer_of_zeros(scratch_size_of(reduce, 3));
    value_of(Reduce::create(context, {ElementType::u32, Operation::max})); // and goes
    submit([&](runtime::Commands& commands) {
        reduce.record(commands.handle(), {input.address(), output.address(), scratch.address(), 3});
    });
    CHECK(content_of(output) == std::vector<uint32_t>{6});
}

// Without this, "no messages" would mean little.
TEST_CASE("validation of calls, synchronization and accesses is heard", "[device][runtime]") {
    if (environment("VKPRIM_TEST_VALIDATION") != "1") {
        SUCCEED("validation is off here");
        return;
    }
    const std::string path = std::filesystem::temp_directory_path() / ("vkprim-messages-" + std::to_string(getpid()));
    std::fflush(stderr);
    const int stderr_before = dup(STDERR_FILENO), file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(file >= 0);
    dup2(file, STDERR_FILENO); // CTest takes such lines for a failure
    uint32_t after_misuse = 0, after_hazard = 0, after_access = 0;
    {
        runtime::DeviceOptions options;
        options.gpu_validation = true;
        auto noisy             = runtime::Device::create(options);
        if (noisy) {
            auto       buffer   = noisy->create_buffer(64);
            auto       commands = noisy->begin_commands();
            const auto fill     = reinterpret_cast<PFN_vkCmdFillBuffer>(
                noisy->context().get_instance_proc_addr(noisy->context().instance, "vkCmdFillBuffer"));
            fill(commands->handle(), buffer->handle(), 2, 4, 0); // not a multiple of 4
            after_misuse = noisy->validation_messages();
            fill(commands->handle(), buffer->handle(), 0, 64, 1);
            fill(commands->handle(), buffer->handle(), 0, 64, 2); // write after write
            after_hazard = noisy->validation_messages();

            // The layer does not let the write happen.
            const auto            reduce = Reduce::create(noisy->context(), {});
            const VkDeviceAddress begin = buffer->address(), beyond = begin + (1u << 20);
            auto                  work = noisy->begin_commands();
            reduce->record(work->handle(), {begin, beyond, begin, 1, 0});
            after_access = work->submit_and_wait() ? noisy->validation_messages() : 0;
        }
    }
    std::fflush(stderr);
    dup2(stderr_before, STDERR_FILENO);
    close(stderr_before);
    close(file);
    std::filesystem::remove(path);
    CHECK(after_misuse > 0);
    CHECK(after_hazard > after_misuse);
    CHECK(after_access > after_hazard);
}

} // namespace vkprim::tests
