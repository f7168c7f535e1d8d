// An engine with its own allocation callbacks, a pipeline cache that it keeps on disk, and frames of descriptor sets,
// in which vkprim works between the engine's own dispatches. Two runs in one: the second finds the first one's cache.
#include "draws.h" // volk comes before all other Vulkan headers

#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <fstream>
#include <iterator>

#include "allocator.h"
#include "texture.h"

namespace {

Allocator       engine_memory, vkprim_memory; // to see that neither frees what the other allocated
VkPipelineCache cache           = VK_NULL_HANDLE;
uint32_t        pipelines_built = 0;

/// The entry points that vkprim gets are the engine's, which looks at how pipelines are made.
VkResult VKAPI_CALL build_pipelines(VkDevice device, VkPipelineCache used, uint32_t infos_count,
                                    const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                    VkPipeline* pipelines) {
    if (used != cache) fail("vkprim builds a pipeline without the cache");
    if (allocator != &vkprim_memory.callbacks) fail("vkprim builds a pipeline without its allocation callbacks");
    pipelines_built += infos_count;
    return vkCreateComputePipelines(device, used, infos_count, infos, allocator, pipelines);
}
PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    if (!std::strcmp(name, "vkCreateComputePipelines")) return reinterpret_cast<PFN_vkVoidFunction>(build_pipelines);
    return vkGetDeviceProcAddr(device, name);
}
PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    if (!std::strcmp(name, "vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    return vkGetInstanceProcAddr(instance, name);
}

/// Whether the file had a cache of this very device and driver.
bool load_cache(const Device& device, const std::string& path) {
    std::ifstream                   file(path, std::ios::binary);
    std::string                     data{std::istreambuf_iterator<char>(file), {}};
    VkPipelineCacheHeaderVersionOne header{};
    std::memcpy(&header, data.data(), std::min(data.size(), sizeof header));
    const VkPhysicalDeviceProperties& properties = device.properties;
    const bool                        fits       = data.size() >= sizeof header && header.headerSize >= sizeof header &&
                      header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
                      header.vendorID == properties.vendorID && header.deviceID == properties.deviceID &&
                      !std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
    if (!fits) data.clear();
    const VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, nullptr, 0, data.size(),
                                         data.data()};
    check(vkCreatePipelineCache(device.handle, &info, device.allocator, &cache), "vkCreatePipelineCache");
    return fits;
}

void save_cache(const Device& device, const std::string& path) {
    size_t size = 0;
    check(vkGetPipelineCacheData(device.handle, cache, &size, nullptr), "vkGetPipelineCacheData");
    std::string data(size, '\0');
    check(vkGetPipelineCacheData(device.handle, cache, &size, data.data()), "vkGetPipelineCacheData");
    if (!std::ofstream(path, std::ios::binary).write(data.data(), static_cast<std::streamsize>(size)))
        fail("cannot write " + path);
}

void run_frames(const Device& device, const vkprim::Context& context) {
    const Draws engine(device, cache);
    const auto  scan   = need(vkprim::Scan::create(context, {vkprim::ElementType::u32, vkprim::Operation::add}));
    const auto  reduce = need(vkprim::Reduce::create(context, {vkprim::ElementType::u32, vkprim::Operation::max}));
    vkprim::Scan::Args   sums;
    vkprim::Reduce::Args largest;
    sums.count = largest.count = count;
    const Memory scan_scratch(device, scan.scratch_size(sums)), reduce_scratch(device, reduce.scratch_size(largest));
    const Memory most(device, 4);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        const VkCommandBuffer commands = device.begin();
        barrier(commands); // after the frame before
        engine.bind_pipeline(commands, 0);
        engine.bind_sets(commands, 0, {engine.frame_set}, {frame * frame_stride});
        for (uint32_t d = 0; d < draws; ++d) engine.draw(commands, d);
        barrier(commands);

        sums.input   = engine.instances.address;
        sums.output  = engine.first.address;
        sums.scratch = scan_scratch.address;
        scan.record(commands, sums);
        largest.input   = engine.instances.address;
        largest.output  = most.address;
        largest.scratch = reduce_scratch.address;
        reduce.record(commands, largest);
        barrier(commands);

        // Pipeline and push constants are lost; the sets are those of the last draw still.
        engine.bind_pipeline(commands, 1);
        vkCmdDispatch(commands, slice / 64, 1, 1);
        for (uint32_t d = 0; d < draws - 1; ++d) engine.draw(commands, d);
        barrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
        device.submit_and_wait(commands);

        uint32_t sum = 0, greatest = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t material = engine.materials.words[i], instances = material % 61 + frame + more[0];
            expect("what was made for the scan", engine.instances.words[i], instances);
            expect("a sum", engine.first.words[i], sum);
            expect("what was made of the sums", engine.drawn.words[i], sum * material + instances + frame + more[1]);
            sum += instances;
            greatest = std::max(greatest, instances);
        }
        expect("the maximum", most.words[0], greatest);
    }
}

constexpr uint32_t hues_words[] = {
#include "hues.inc"
};

/// A kernel of the engine's with plain atomics, on the device that vkprim's features are on: what is in a texture, counted twice.
void count_hues(const Device& device) {
    constexpr uint32_t width = 128, bins = 100;
    const Memory       counts(device, bins * 4);
    const Texture      picture(device, width, count / width, counts);
    auto* const        halves = reinterpret_cast<uint16_t*>(picture.texels.words);
    uint32_t           expected[bins]{};
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t hue = i * i % 103; // some are too large to be counted
        if (hue < bins) expected[hue] += 2;
        halves[i * 4]     = half_of(hue);
        halves[i * 4 + 1] = half_of(1000); // which nobody is to take for a hue
    }
    VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts    = &picture.set_layout;
    VkPipelineLayout layout    = VK_NULL_HANDLE;
    check(vkCreatePipelineLayout(device.handle, &layout_info, device.allocator, &layout), "vkCreatePipelineLayout");
    const VkPipeline      pipeline = make_pipeline(device, layout, hues_words, sizeof hues_words);
    const VkCommandBuffer commands = device.begin();
    picture.upload(commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &picture.set, 0, nullptr);
    vkCmdDispatch(commands, 3, 1, 1);
    barrier(commands);
    vkCmdDispatch(commands, count / 64, 1, 1);
    barrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    device.submit_and_wait(commands);
    for (uint32_t hue = 0; hue < bins; ++hue) expect("pixels of a hue", counts.words[hue], expected[hue]);
    vkDestroyPipeline(device.handle, pipeline, device.allocator);
    vkDestroyPipelineLayout(device.handle, layout, device.allocator);
}

/// Returns the device's name.
std::string run(const std::string& cache_path, bool expects_cache) {
    const Device device(&engine_memory.callbacks);
    expect("the number of caches in the file", load_cache(device, cache_path), expects_cache);
    vkprim::Context context        = device.context;
    context.get_instance_proc_addr = instance_function;
    context.pipeline_cache         = cache;
    context.allocator              = &vkprim_memory.callbacks;
    pipelines_built                = 0;
    uint32_t told                  = 0;
    context.on_pipeline            = [&](const char*, VkPipeline, double) { ++told; };
    run_frames(device, context);
    count_hues(device);
    if (pipelines_built == 0) fail("no pipeline came through the engine's entry points");
    expect("the number of pipelines told of", told, pipelines_built);
    save_cache(device, cache_path);
    vkDestroyPipelineCache(device.handle, cache, device.allocator);
    return device.properties.deviceName;
}

} // namespace

int main(int, char** arguments) {
    const std::string cache_path = std::string(arguments[0]) + ".cache";
    std::remove(cache_path.c_str());
    run(cache_path, false);
    const std::string name = run(cache_path, true);
    if (engine_memory.all == 0) fail("nobody used the engine's allocation callbacks");
    if (vkprim_memory.all == 0) fail("nobody used vkprim's allocation callbacks");
    expect("what is left of the engine's allocations", static_cast<uint64_t>(engine_memory.live), 0);
    expect("what is left of vkprim's allocations", static_cast<uint64_t>(vkprim_memory.live), 0);
    std::printf("%u frames without and %u with a cache from disk on %s: right\n", frames, frames, name.c_str());
}
