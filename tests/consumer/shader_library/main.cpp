// Runs shaders that include vkprim/glsl/, and compares what they make with what the host does. Those with tiles run as well with
// workgroups that withhold what others wait for, so that these must help.
#include "../plain_vulkan.h" // volk comes before all other Vulkan headers

#include <vkprim/reduction.h>
#include <vkprim/scan.h>
#include <vkprim/tiles.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t cull_words[] = {
#include "cull.inc"
};
constexpr uint32_t cull_subgroups_words[] = {
#include "cull_subgroups.inc"
};
constexpr uint32_t maximum_words[] = {
#include "maximum.inc"
};
constexpr uint32_t lines_scan_words[] = {
#include "lines_scan.inc"
};
constexpr uint32_t lines_reduce_words[] = {
#include "lines_reduce.inc"
};
constexpr uint32_t lines_reduce_subgroups_words[] = {
#include "lines_reduce_subgroups.inc"
};
constexpr uint32_t collectives_words[] = {
#include "collectives.inc"
};

/// cull.comp has the same, and the others.
struct Push {
    VkDeviceAddress input, output, kept, scratch;
    float           plane[4];
    uint32_t        count;
};

/// Of vkprim/glsl/detail/constants.glsl: numbers 1, 6 and 7, counted from the shader's VKPRIM_FIRST_CONSTANT.
struct Constants {
    uint32_t subgroup_size = 1, fault = 0, fault_share = 0;
};
constexpr uint32_t cull_first_constant = 40; // cull.comp

/// A shader; with or without specialization constants.
struct Kernel {
    const Device&    device;
    VkPipelineLayout layout   = VK_NULL_HANDLE;
    VkPipeline       pipeline = VK_NULL_HANDLE;

    template <size_t Size>
    Kernel(const Device& owner, const uint32_t (&words)[Size], const Constants* constants = nullptr, uint32_t first = 0)
        : device(owner) {
        const VkPushConstantRange  range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
        VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout_info.pushConstantRangeCount = 1;
        layout_info.pPushConstantRanges    = &range;
        check(vkCreatePipelineLayout(device.handle, &layout_info, device.allocator, &layout), "vkCreatePipelineLayout");
        const VkSpecializationMapEntry entries[]{{first + 1, 0, 4}, {first + 6, 4, 4}, {first + 7, 8, 4}};
        const VkSpecializationInfo     all{3, entries, sizeof(Constants), constants};
        pipeline = make_pipeline(device, layout, words, sizeof words, VK_NULL_HANDLE, constants ? &all : nullptr);
    }
    Kernel(const Kernel&) = delete;
    ~Kernel() {
        vkDestroyPipeline(device.handle, pipeline, device.allocator);
        vkDestroyPipelineLayout(device.handle, layout, device.allocator);
    }

    void record(VkCommandBuffer commands, const Push& push, uint32_t workgroups) const {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
        vkCmdDispatch(commands, workgroups, 1, 1);
    }
};

/// Memory for all that runs here. Scratch serves the shaders with tiles, and a scan of vkprim's before and after each.
struct Work {
    const Device& device;
    vkprim::Scan  scan;
    uint32_t      words;
    Memory        input, output, kept, ones, sums, scratch;

    Work(const Device& owner, uint32_t words_, uint32_t tiles)
        : device(owner),
          scan(need(vkprim::Scan::create(device.context, {}))),
          words(words_),
          input(device, words * 4),
          output(device, words * 4),
          kept(device, 4),
          ones(device, words * 4),
          sums(device, words * 4),
          scratch(device, std::max({vkprim::tiles_scratch_size(tiles, 2), vkprim::reduction_scratch_size(tiles, 2),
                                    scan.scratch_size(scan_args())})) {
        std::fill_n(ones.words, words, 1);
    }

    Push push(uint32_t count) const {
        return {input.address, output.address, kept.address, scratch.address, {}, count};
    }

    vkprim::Scan::Args scan_args() const {
        vkprim::Scan::Args args;
        args.count = words;
        return args;
    }

    void record_scan(VkCommandBuffer commands) const {
        vkprim::Scan::Args args = scan_args();
        args.input              = ones.address;
        args.output             = sums.address;
        args.scratch            = scratch.address;
        scan.record(commands, args);
    }

    /// What the shader does not store is ~0 in the output.
    void run(const Kernel& kernel, const Push& push, uint32_t workgroups) const {
        for (const Memory* memory : {&output, &sums}) std::fill_n(memory->words, words, ~0u);
        kept.words[0]                  = ~0u;
        const VkCommandBuffer commands = device.begin();
        record_scan(commands);
        barrier(commands);
        kernel.record(commands, push, workgroups);
        barrier(commands);
        record_scan(commands);
        barrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
        device.submit_and_wait(commands);
        for (uint32_t i = 0; i < words; ++i) expect("a sum on the same scratch", sums.words[i], i);
    }
};

/// Of a device whose subgroups are all of one size.
uint32_t subgroup_size_of(const Device& device) {
    VkPhysicalDeviceSubgroupSizeControlProperties sizes{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2        properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup};
    if (device.context.features.subgroup_size_control) subgroup.pNext = &sizes; // by Vulkan 1.3, or by the extension
    vkGetPhysicalDeviceProperties2(device.context.physical_device, &properties);
    if (subgroup.pNext && sizes.minSubgroupSize != sizes.maxSubgroupSize) {
        fail("a pipeline of subgroups must require their size here");
    }
    return subgroup.subgroupSize;
}

uint32_t random_word(uint32_t& seed) {
    seed = seed * 1664525 + 1013904223;
    return seed ^ seed >> 15;
}

void check_cull(const Work& work, const Kernel& kernel, uint32_t count) {
    struct Sphere {
        float x, y, z, radius;
    };
    std::vector<Sphere> spheres(count);
    uint32_t            seed = count;
    for (Sphere& sphere : spheres) {
        const auto coordinate = [&] { return static_cast<float>(random_word(seed) % 201) - 100; };
        sphere                = {coordinate(), coordinate(), coordinate(), 3};
    }
    if (count > 0) std::memcpy(work.input.words, spheres.data(), count * sizeof(Sphere));
    Push push     = work.push(count);
    push.plane[0] = 1;
    push.plane[1] = -2;
    push.plane[3] = 17;
    Words expected;
    for (uint32_t i = 0; i < count; ++i) {
        // Whole numbers, so that no driver rounds.
        if (spheres[i].x - 2 * spheres[i].y + 17 >= -spheres[i].radius) expected.push_back(i);
    }
    work.run(kernel, push, count / 1024 + 1);
    expect("the number of visible spheres", work.kept.words[0], expected.size());
    for (uint32_t i = 0; i < expected.size(); ++i) expect("a visible sphere", work.output.words[i], expected[i]);
}

void check_maximum(const Work& work, const Kernel& kernel, uint32_t count) {
    std::vector<float> values(count), expected(count);
    uint32_t           seed    = count;
    float              running = -std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < count; ++i) {
        values[i]   = static_cast<float>(random_word(seed) % 1000000) + static_cast<float>(i) / 8;
        expected[i] = running = std::max(running, values[i]);
    }
    if (count > 0) std::memcpy(work.input.words, values.data(), count * 4);
    work.run(kernel, work.push(count), count / 256 + 1);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t bits;
        std::memcpy(&bits, &expected[i], 4);
        expect("the bits of a maximum", work.output.words[i], bits);
    }
}

struct Line {
    uint32_t slope = 1, start = 0;
};

/// All lines up to each: what lines_scan.comp makes of random values, and of the last one, lines_reduce.comp.
std::vector<Line> fill_lines(const Work& work, uint32_t count) {
    std::vector<Line> running;
    Line              line;
    uint32_t          seed = count;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t value = work.input.words[i] = random_word(seed);
        line.start                                 = line.start * (value | 1) + (value >> 7);
        line.slope *= value | 1;
        running.push_back(line);
    }
    return running;
}

void check_lines_scan(const Work& work, const Kernel& kernel, uint32_t count) {
    const std::vector<Line> running = fill_lines(work, count);
    work.run(kernel, work.push(count), count / 256 + 1);
    for (uint32_t i = 0; i < count; ++i) {
        expect("a running slope", work.output.words[2 * i], running[i].slope);
        expect("a running start", work.output.words[2 * i + 1], running[i].start);
    }
}

void check_lines_reduce(const Work& work, const Kernel& kernel, uint32_t count) {
    const std::vector<Line> running = fill_lines(work, count);
    const Line              all     = count > 0 ? running.back() : Line();
    work.run(kernel, work.push(count), count / 256 + 1);
    expect("the slope of all lines", work.output.words[0], all.slope);
    expect("the start of all lines", work.output.words[1], all.start);
    expect("workgroups that know it, but for one", work.kept.words[0], 0);
}

void check_collectives(const Work& work, const Kernel& kernel) {
    Words    values(256), bins(16);
    uint32_t seed = 7;
    for (uint32_t& value : values) value = random_word(seed);
    std::copy(values.begin(), values.end(), work.input.words);
    work.run(kernel, work.push(256), 1);
    const uint32_t* results = work.output.words;
    uint32_t        slope = 1, start = 0;
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t own_slope = values[i] | 1;
        start                    = start * own_slope + (values[i] >> 7);
        slope *= own_slope;
        const uint32_t* of = &results[i * 8];
        expect("a slope of line_workgroup_scan", of[0], slope);
        expect("a start of line_workgroup_scan", of[1], start);
        for (uint32_t digit = 0; digit < 8; ++digit) ++bins[values[i] >> 4 * digit & 15];
    }
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t* of = &results[i * 8];
        expect("the slope of line_workgroup_reduce", of[2], slope);
        expect("the start of line_workgroup_reduce", of[3], start);
        const uint32_t size = of[6], place = of[7];
        if (size == 0 || place >= 256) fail("subgroups are not full");
        // The others of this subgroup, by their places, which need not be those of their indices.
        uint32_t running[2] = {}, most[2] = {};
        for (uint32_t j = 0; j < 256; ++j) {
            const uint32_t other = results[j * 8 + 7];
            if (other / size != place / size) continue;
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t value = values[j] >> 16 * half & 0xffff;
                most[half]           = std::max(most[half], value);
                if (other <= place) running[half] = std::max(running[half], value);
            }
        }
        expect("most_subgroup_scan", of[4], running[0] | running[1] << 16);
        expect("most_subgroup_reduce", of[5], most[0] | most[1] << 16);
    }
    for (uint32_t bin = 0; bin < 16; ++bin) expect("a bin", results[256 * 8 + bin], bins[bin]);
}

} // namespace

/// Its argument, if there is one: how many spheres and values at most.
int main(int argc, char** argv) {
    const Device   device;
    const uint32_t largest       = argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 70001;
    const uint32_t subgroup_size = subgroup_size_of(device);
    if (largest < 1025 || largest >= 1u << 28) fail("at most how many: 1025 to 268435455");
    const Work work(device, largest * 4, largest / 256 + 1);
    // As they are; withholding, half of them; and both with subgroups, which take no size of their own on these drivers.
    const Constants withholding{1, 1, 32768}, subgroups{subgroup_size, 0, 0}, both{subgroup_size, 1, 32768};
    const Kernel    culls[]      = {{device, cull_words},
                                    {device, cull_words, &withholding, cull_first_constant},
                                    {device, cull_subgroups_words, &subgroups, cull_first_constant},
                                    {device, cull_subgroups_words, &both, cull_first_constant}};
    const Kernel    maxima[]     = {{device, maximum_words}, {device, maximum_words, &withholding}};
    const Kernel    scans[]      = {{device, lines_scan_words}, {device, lines_scan_words, &withholding}};
    const Kernel    reductions[] = {{device, lines_reduce_words}, {device, lines_reduce_subgroups_words, &subgroups}};
    for (uint32_t count : {0u, 1u, 1025u, largest}) {
        for (const Kernel& cull : culls) check_cull(work, cull, count);
        for (const Kernel& maximum : maxima) check_maximum(work, maximum, count);
        for (const Kernel& scan : scans) check_lines_scan(work, scan, count);
        for (const Kernel& reduction : reductions) check_lines_reduce(work, reduction, count);
    }
    check_collectives(work, Kernel(device, collectives_words));
    std::printf("shaders with tiles, reductions, collectives and a histogram on %s: right\n",
                device.properties.deviceName);
}
