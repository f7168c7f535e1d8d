// Runs shaders that include vkprim/glsl/, and compares what they make with what the host does. Those with tiles run as well with
// workgroups that withhold what others wait for, so that these must help.
#include <vkprim/runtime.h>
#include <vkprim/scan.h>
#include <vkprim/tiles.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
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
constexpr uint32_t collectives_words[] = {
#include "collectives.inc"
};

void need(bool condition, const std::string& reason) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::exit(1);
}

template <class T>
T value_of(vkprim::Result<T> result) {
    need(static_cast<bool>(result), result ? "" : result.error().reason);
    return *std::move(result);
}

void done(const vkprim::Result<void>& result) { need(static_cast<bool>(result), result ? "" : result.error().reason); }

/// cull.comp has the same, and the others.
struct Push {
    VkDeviceAddress input, output, kept, scratch;
    float           plane[4];
    uint32_t        count;
};

/// Of vkprim/glsl/constants.glsl: numbers 1, 6 and 7.
struct Constants {
    uint32_t subgroup_size = 1, fault = 0, fault_share = 0;
};

/// A shader; with or without specialization constants.
class Kernel {
public:
    Kernel(const vkprim::Context& context, const uint32_t* words, size_t size, const Constants* constants = nullptr)
        : context_(context) {
        VkShaderModuleCreateInfo module_info{};
        module_info.sType     = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
        module_info.codeSize  = size;
        module_info.pCode     = words;
        VkShaderModule module = VK_NULL_HANDLE;
        need(
            load<PFN_vkCreateShaderModule>("vkCreateShaderModule")(context.device, &module_info, nullptr, &module) == 0,
            "vkCreateShaderModule failed");
        const VkPushConstantRange  range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
        VkPipelineLayoutCreateInfo layout_info{};
        layout_info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        layout_info.pushConstantRangeCount = 1;
        layout_info.pPushConstantRanges    = &range;
        need(load<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(context.device, &layout_info, nullptr,
                                                                        &layout_) == 0,
             "vkCreatePipelineLayout failed");

        const VkSpecializationMapEntry entries[]{{1, 0, 4}, {6, 4, 4}, {7, 8, 4}};
        const VkSpecializationInfo     specialization{3, entries, sizeof(Constants), constants};
        VkComputePipelineCreateInfo    info{};
        info.sType                     = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        info.layout                    = layout_;
        info.stage.sType               = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage               = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module              = module;
        info.stage.pName               = "main";
        info.stage.pSpecializationInfo = constants ? &specialization : nullptr;
        need(load<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(context.device, VK_NULL_HANDLE, 1, &info,
                                                                            nullptr, &pipeline_) == 0,
             "vkCreateComputePipelines failed");
        load<PFN_vkDestroyShaderModule>("vkDestroyShaderModule")(context.device, module, nullptr);
    }
    Kernel(const Kernel&) = delete;
    ~Kernel() {
        load<PFN_vkDestroyPipeline>("vkDestroyPipeline")(context_.device, pipeline_, nullptr);
        load<PFN_vkDestroyPipelineLayout>("vkDestroyPipelineLayout")(context_.device, layout_, nullptr);
    }

    void record(VkCommandBuffer commands, const Push& push, uint32_t workgroups) const {
        load<PFN_vkCmdBindPipeline>("vkCmdBindPipeline")(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
        load<PFN_vkCmdPushConstants>("vkCmdPushConstants")(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                                           sizeof push, &push);
        load<PFN_vkCmdDispatch>("vkCmdDispatch")(commands, workgroups, 1, 1);
    }

private:
    template <class Function>
    Function load(const char* name) const {
        return reinterpret_cast<Function>(context_.get_instance_proc_addr(context_.instance, name));
    }

    vkprim::Context  context_;
    VkPipelineLayout layout_   = VK_NULL_HANDLE;
    VkPipeline       pipeline_ = VK_NULL_HANDLE;
};

/// Buffers for all that runs here. Scratch serves the shaders with tiles, and a scan of vkprim's before and after each.
struct Memory {
    const vkprim::runtime::Device& device;
    vkprim::Scan                   scan;
    uint32_t                       words;
    vkprim::runtime::Buffer        input, output, kept, ones, sums, scratch;

    Memory(const vkprim::runtime::Device& device_, uint32_t words_, uint32_t tiles)
        : device(device_),
          scan(value_of(vkprim::Scan::create(device.context(), {}))),
          words(words_),
          input(value_of(device.create_buffer(words * 4))),
          output(value_of(device.create_buffer(words * 4))),
          kept(value_of(device.create_buffer(16))),
          ones(value_of(device.create_buffer(words * 4))),
          sums(value_of(device.create_buffer(words * 4))),
          scratch(
              value_of(device.create_buffer(std::max(vkprim::tiles_scratch_size(tiles), scan.scratch_size(words))))) {
        done(device.fill(scratch, 0, scratch.size(), 0));
        done(device.fill(ones, 0, ones.size(), 1));
    }

    Push push(uint32_t count) const {
        return {input.address(), output.address(), kept.address(), scratch.address(), {}, count};
    }

    void record_scan(vkprim::runtime::Commands& commands) const {
        vkprim::Scan::Args args;
        args.input   = ones.address();
        args.output  = sums.address();
        args.scratch = scratch.address();
        args.count   = words;
        scan.record(commands.handle(), args);
        commands.barrier();
    }

    Words content_of(const vkprim::runtime::Buffer& buffer) const {
        Words content(buffer.size() / 4);
        done(device.download(buffer, 0, content.data(), buffer.size()));
        return content;
    }

    /// The output; ~0 where the shader has stored nothing.
    Words run(const Kernel& kernel, const Push& push, uint32_t workgroups) const {
        for (const vkprim::runtime::Buffer* buffer : {&output, &kept, &sums})
            done(device.fill(*buffer, 0, buffer->size(), ~0u));
        auto commands = value_of(device.begin_commands());
        record_scan(commands);
        kernel.record(commands.handle(), push, workgroups);
        commands.barrier();
        record_scan(commands);
        value_of(commands.submit_and_wait());
        const Words found = content_of(sums);
        for (uint32_t i = 0; i < words; ++i) need(found[i] == i, "vkprim's scan is wrong on the same scratch");
        return content_of(output);
    }
};

uint32_t random_word(uint32_t& seed) {
    seed = seed * 1664525 + 1013904223;
    return seed ^ seed >> 15;
}

void check_cull(const Memory& memory, const Kernel& kernel, uint32_t count) {
    struct Sphere {
        float x, y, z, radius;
    };
    std::vector<Sphere> spheres(count);
    uint32_t            seed = count;
    for (Sphere& sphere : spheres) {
        const auto coordinate = [&] { return static_cast<float>(random_word(seed) % 201) - 100; };
        sphere                = {coordinate(), coordinate(), coordinate(), 3};
    }
    if (count > 0) done(memory.device.upload(memory.input, 0, spheres.data(), count * sizeof(Sphere)));
    Push push     = memory.push(count);
    push.plane[0] = 1;
    push.plane[1] = -2;
    push.plane[3] = 17;
    Words expected;
    for (uint32_t i = 0; i < count; ++i) {
        // Whole numbers, so that no driver rounds.
        if (spheres[i].x - 2 * spheres[i].y + 17 >= -spheres[i].radius) expected.push_back(i);
    }
    const Words visible = memory.run(kernel, push, count / 1024 + 1);
    need(memory.content_of(memory.kept)[0] == expected.size() &&
             std::equal(expected.begin(), expected.end(), visible.begin()),
         "cull.comp is wrong for " + std::to_string(count) + " spheres");
}

void check_maximum(const Memory& memory, const Kernel& kernel, uint32_t count) {
    std::vector<float> values(count), expected(count);
    uint32_t           seed    = count;
    float              running = -std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < count; ++i) {
        values[i]   = static_cast<float>(random_word(seed) % 1000000) + static_cast<float>(i) / 8;
        expected[i] = running = std::max(running, values[i]);
    }
    if (count > 0) done(memory.device.upload(memory.input, 0, values.data(), count * 4));
    const Words maxima = memory.run(kernel, memory.push(count), count / 256 + 1);
    need(count == 0 || std::memcmp(maxima.data(), expected.data(), count * 4) == 0,
         "maximum.comp is wrong for " + std::to_string(count) + " values");
}

void check_collectives(const Memory& memory, const Kernel& kernel) {
    Words    values(256), bins(16);
    uint32_t seed = 7;
    for (uint32_t& value : values) value = random_word(seed);
    done(memory.device.upload(memory.input, 0, values.data(), 1024));
    const Words results = memory.run(kernel, memory.push(256), 1);
    uint32_t    slope = 1, start = 0;
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t own_slope = values[i] | 1;
        start                    = start * own_slope + (values[i] >> 7);
        slope *= own_slope;
        const uint32_t* of = &results[i * 8];
        need(of[0] == slope && of[1] == start, "line_workgroup_scan is wrong at " + std::to_string(i));
        for (uint32_t digit = 0; digit < 8; ++digit) ++bins[values[i] >> 4 * digit & 15];
    }
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t* of = &results[i * 8];
        need(of[2] == slope && of[3] == start, "line_workgroup_reduce is wrong at " + std::to_string(i));
        const uint32_t size = of[6], place = of[7];
        need(size > 0 && place < 256, "subgroups are not full");
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
        need(of[4] == (running[0] | running[1] << 16), "most_subgroup_scan is wrong at " + std::to_string(i));
        need(of[5] == (most[0] | most[1] << 16), "most_subgroup_reduce is wrong at " + std::to_string(i));
    }
    need(std::equal(bins.begin(), bins.end(), results.begin() + 256 * 8), "the histogram is wrong");
}

} // namespace

int main() {
    const vkprim::runtime::Device device  = value_of(vkprim::runtime::Device::create());
    const vkprim::Context&        context = device.context();
    const uint32_t                largest = 70001;
    const Memory                  memory(device, largest * 4, largest / 256 + 1);
    const uint32_t                subgroup_size = device.info().subgroup_size;
    // As they are; withholding, half of them; and both with subgroups, which take no size of their own on these drivers.
    const Constants withholding{1, 1, 32768}, subgroups{subgroup_size, 0, 0}, both{subgroup_size, 1, 32768};
    need(device.info().min_subgroup_size == subgroup_size, "a pipeline of subgroups must require their size here");
    const Kernel culls[]  = {{context, cull_words, sizeof cull_words},
                             {context, cull_words, sizeof cull_words, &withholding},
                             {context, cull_subgroups_words, sizeof cull_subgroups_words, &subgroups},
                             {context, cull_subgroups_words, sizeof cull_subgroups_words, &both}};
    const Kernel maxima[] = {{context, maximum_words, sizeof maximum_words},
                             {context, maximum_words, sizeof maximum_words, &withholding}};
    for (uint32_t count : {0u, 1u, 1025u, largest}) {
        for (const Kernel& cull : culls) check_cull(memory, cull, count);
        for (const Kernel& maximum : maxima) check_maximum(memory, maximum, count);
    }
    check_collectives(memory, Kernel(context, collectives_words, sizeof collectives_words));
    std::printf("shaders with tiles, collectives and a histogram on %s: right\n", device.info().name.c_str());
}
