// GPU culling as engines do it: a kernel finds which of 100000 instances the camera sees, vkprim packs their numbers and makes a
// draw command of how many there are, and the GPU draws just those; all in one command buffer, without the host in between. On
// the left what the camera sees; on the right the same draw from high above, and in grey what it left out.
//
//     gpu_culling out.png
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <vkprim/compact.h>
#include <vkprim/indirect.h>
#include <vkprim/requirements.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

constexpr uint32_t instance_count = 100000, city_side = 317; // houses in a row of the city
constexpr uint32_t width = 960, height = 400, side = 4;      // a pixel is the mean of side * side samples
constexpr VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM, depth_format = VK_FORMAT_D32_SFLOAT;

constexpr uint32_t cull_words[] = {
#include "cull.comp.inc"
};
constexpr uint32_t vertex_words[] = {
#include "city.vert.inc"
};
constexpr uint32_t fragment_words[] = {
#include "city.frag.inc"
};
constexpr uint32_t average_words[] = {
#include "average.comp.inc"
};

[[noreturn]] void fail(const std::string& reason) {
    std::fprintf(stderr, "gpu_culling: %s\n", reason.c_str());
    std::exit(1);
}

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) fail(call + std::string(" failed with VkResult ") + std::to_string(result));
}

template <class T>
T need(vkprim::Result<T> result) {
    if (!result) fail(result.error().reason);
    return *std::move(result);
}

struct Vector {
    float x, y, z;
};

Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
float  dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vector normalized(Vector a) {
    const float length = std::sqrt(dot(a, a));
    return {a.x / length, a.y / length, a.z / length};
}

/// view.glsl has the same.
struct Instance {
    Vector   middle;
    uint32_t color;
    Vector   half_size;
    float    radius;
};

/// view.glsl has the same.
struct View {
    enum Draws : uint32_t { visible_ones, culled_ones, ground, sky };

    float           projection[16];
    Vector          eye;
    float           fog;
    VkDeviceAddress instances, visible, flags;
    uint32_t        count;
    Draws           draws;
};

/// average.comp has the same.
struct Average {
    VkDeviceAddress samples, picture;
    uint32_t        width, height, side;
};

struct Camera {
    Vector eye, target;
    float  zoom, near_plane, far_plane, fog;
};

View view_of(const Camera& camera) {
    const Vector forward = normalized(camera.target - camera.eye), right = normalized(cross(forward, {0, 1, 0})),
                 up   = cross(right, forward);
    const float depth = camera.far_plane / (camera.far_plane - camera.near_plane), aspect = 0.5f * width / height;
    // Rows of a matrix that the shader has by columns: how far right, down, and ahead something is.
    const Vector axes[]   = {right, up, forward, forward};
    const float  scales[] = {camera.zoom / aspect, -camera.zoom, depth, 1};
    View         view{};
    for (int row = 0; row < 4; ++row) {
        view.projection[row]      = scales[row] * axes[row].x;
        view.projection[4 + row]  = scales[row] * axes[row].y;
        view.projection[8 + row]  = scales[row] * axes[row].z;
        view.projection[12 + row] = -scales[row] * dot(axes[row], camera.eye);
    }
    view.projection[14] -= depth * camera.near_plane;
    view.eye = camera.eye;
    view.fog = camera.fog;
    return view;
}

/// From 0 to 1, always the same for the same `seed`.
float random_of(uint32_t seed) {
    seed = (seed ^ seed >> 16) * 0x7feb352du;
    seed = (seed ^ seed >> 15) * 0x846ca68bu;
    return static_cast<float>((seed ^ seed >> 16) >> 8) / 16777216.0f;
}

/// Smooth hills from 0 to 1, about one unit wide.
float noise(float x, float z) {
    const float    left = std::floor(x), front = std::floor(z);
    const uint32_t corner = static_cast<uint32_t>(static_cast<int>(left) + 4096 * static_cast<int>(front));
    const auto     smooth = [](float t) { return t * t * (3 - 2 * t); };
    const float    s = smooth(x - left), t = smooth(z - front);
    return (1 - t) * ((1 - s) * random_of(corner) + s * random_of(corner + 1)) +
           t * ((1 - s) * random_of(corner + 4096) + s * random_of(corner + 4097));
}

uint32_t color_of(Vector color, float brightness) {
    const auto byte = [&](float value) { return static_cast<uint32_t>(255 * std::min(value * brightness, 1.0f)); };
    return byte(color.x) | byte(color.y) << 8 | byte(color.z) << 16 | 0xff000000;
}

/// A house in each place of a grid of streets, or a tree where a park is.
Instance instance_at(uint32_t i) {
    const auto   random  = [&](uint32_t which) { return random_of(i * 8 + which); };
    const auto   along   = [](uint32_t n) { return static_cast<float>(n) + 1.2f * static_cast<float>(n / 6) - 190; };
    const Vector walls[] = {{0.5f, 0.37f, 0.22f}, {0.42f, 0.13f, 0.07f}, {0.6f, 0.55f, 0.46f}, {0.25f, 0.26f, 0.28f}};
    float        x = along(i % city_side), z = along(i / city_side);
    Instance     made{};
    if (noise(x / 22, z / 22) < 0.28f) {
        x += 1.4f * random(0) - 0.7f;
        z += 1.4f * random(1) - 0.7f;
        const float size = 0.15f + 0.2f * random(2);
        made.half_size   = {size, size * 1.6f, size};
        made.color       = color_of({0.14f, 0.34f, 0.09f}, 0.6f + 0.8f * random(3));
    } else {
        const Vector centers[] = {{-18, 0, -40}, {60, 0, 40}, {-70, 0, 60}};
        float        downtown  = 0;
        for (const Vector& center : centers) {
            const float dx = x - center.x, dz = z - center.z;
            downtown = std::max(downtown, std::exp(-(dx * dx + dz * dz) / 600));
        }
        const float rise = random(2), tower = 0.5f * downtown * (3 + 14 * rise * rise);
        made.half_size  = {0.3f + 0.15f * random(0), 0.3f + 0.5f * rise * rise + tower, 0.3f + 0.15f * random(1)};
        const auto wall = static_cast<uint32_t>(4 * random(3));
        made.color      = color_of(tower > 1.5f ? Vector{0.16f, 0.27f, 0.38f} : walls[wall], 0.7f + 0.5f * random(4));
    }
    made.middle = {x, made.half_size.y, z};
    made.radius = std::sqrt(dot(made.half_size, made.half_size));
    return made;
}

/// Instance, device, and the queue; destroys in reverse order what was made with it.
struct Gpu {
    VkInstance                         instance        = VK_NULL_HANDLE;
    VkPhysicalDevice                   physical_device = VK_NULL_HANDLE;
    VkDevice                           device          = VK_NULL_HANDLE;
    uint32_t                           family          = 0;
    bool                               has_timestamps  = false;
    VkQueue                            queue           = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties         properties{};
    vkprim::Context                    context;
    std::vector<std::function<void()>> undo;

    Gpu();
    Gpu(const Gpu&)            = delete;
    Gpu& operator=(const Gpu&) = delete;
    ~Gpu() {
        for (size_t i = undo.size(); i-- > 0;) undo[i]();
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }

    bool           find_family(VkPhysicalDevice candidate);
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted);
};

/// A queue that draws and computes, as one command buffer does both.
bool Gpu::find_family(VkPhysicalDevice candidate) {
    VkQueueFamilyProperties families[16];
    const VkQueueFlags      wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    uint32_t                found  = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(candidate, &found, families);
    for (family = 0; family < found; ++family) {
        has_timestamps = families[family].timestampValidBits != 0;
        if ((families[family].queueFlags & wanted) == wanted) return true;
    }
    return false;
}

Gpu::Gpu() {
    if (volkInitialize() != VK_SUCCESS) fail("there is no Vulkan loader");
    VkApplicationInfo application{};
    application.sType      = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo instance_info{};
    instance_info.sType            = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    instance_info.pApplicationInfo = &application;
    const VkResult made            = vkCreateInstance(&instance_info, nullptr, &instance);
    if (made == VK_ERROR_INCOMPATIBLE_DRIVER) fail("there is no Vulkan driver");
    check(made, "vkCreateInstance");
    volkLoadInstance(instance);

    VkPhysicalDevice candidates[16];
    uint32_t         found = 16;
    if (vkEnumeratePhysicalDevices(instance, &found, candidates) < 0) found = 0;
    std::string          reason = "there is no Vulkan device";
    vkprim::Requirements wanted;
    for (uint32_t i = 0; i < found && physical_device == VK_NULL_HANDLE; ++i) {
        auto requirements = vkprim::query_requirements({vkGetInstanceProcAddr, instance, candidates[i]});
        if (!requirements) {
            reason = requirements.error().reason;
        } else if (!find_family(candidates[i])) {
            reason = "no queue both draws and computes";
        } else {
            physical_device = candidates[i];
            wanted          = *requirements;
        }
    }
    if (physical_device == VK_NULL_HANDLE) fail(reason);
    vkGetPhysicalDeviceProperties(physical_device, &properties);

    VkPhysicalDeviceVulkan12Features vulkan12{};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 features{};
    features.sType                 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext                 = &vulkan12;
    context.get_instance_proc_addr = vkGetInstanceProcAddr;
    context.instance               = instance;
    context.physical_device        = physical_device;
    context.features               = vkprim::merge_features(wanted.features, features);

    const float             priority = 1;
    VkDeviceQueueCreateInfo queue_info{};
    queue_info.sType            = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue_info.queueFamilyIndex = family;
    queue_info.queueCount       = 1;
    queue_info.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType                   = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext                   = &features;
    info.queueCreateInfoCount    = 1;
    info.pQueueCreateInfos       = &queue_info;
    info.enabledExtensionCount   = static_cast<uint32_t>(wanted.extensions.size());
    info.ppEnabledExtensionNames = wanted.extensions.data();
    check(vkCreateDevice(physical_device, &info, nullptr, &device), "vkCreateDevice");
    volkLoadDevice(device);
    context.device = device;
    vkGetDeviceQueue(device, family, 0, &queue);
}

VkDeviceMemory Gpu::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
    VkPhysicalDeviceMemoryProperties types;
    vkGetPhysicalDeviceMemoryProperties(physical_device, &types);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{};
    info.sType            = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext            = &flags;
    info.allocationSize   = needs.size;
    info.memoryTypeIndex  = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(vkAllocateMemory(device, &info, nullptr, &memory), "vkAllocateMemory");
    undo.push_back([=, owner = device] { vkFreeMemory(owner, memory, nullptr); });
    return memory;
}

struct Buffer {
    VkBuffer        handle  = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
    VkDeviceSize    size    = 0;
    void*           data    = nullptr; ///< where the host sees it
};

Buffer make_buffer(Gpu& gpu, VkDeviceSize size, bool is_host_visible = false) {
    Buffer             made;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = made.size = size;
    info.usage            = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(vkCreateBuffer(gpu.device, &info, nullptr, &made.handle), "vkCreateBuffer");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyBuffer(device, made.handle, nullptr); });
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu.device, made.handle, &needs);
    const VkMemoryPropertyFlags wanted =
        is_host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                        : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkDeviceMemory memory = gpu.allocate(needs, wanted);
    check(vkBindBufferMemory(gpu.device, made.handle, memory, 0), "vkBindBufferMemory");
    if (is_host_visible) check(vkMapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &made.data), "vkMapMemory");
    VkBufferDeviceAddressInfo of{};
    of.sType     = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    of.buffer    = made.handle;
    made.address = vkGetBufferDeviceAddress(gpu.device, &of);
    return made;
}

struct Image {
    VkImage     handle = VK_NULL_HANDLE;
    VkImageView view   = VK_NULL_HANDLE;
};

Image make_image(Gpu& gpu, VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect) {
    Image             made;
    VkImageCreateInfo info{};
    info.sType       = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.imageType   = VK_IMAGE_TYPE_2D;
    info.format      = format;
    info.extent      = {width * side, height * side, 1};
    info.mipLevels   = 1;
    info.arrayLayers = 1;
    info.samples     = VK_SAMPLE_COUNT_1_BIT;
    info.tiling      = VK_IMAGE_TILING_OPTIMAL;
    info.usage       = usage;
    check(vkCreateImage(gpu.device, &info, nullptr, &made.handle), "vkCreateImage");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyImage(device, made.handle, nullptr); });
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu.device, made.handle, &needs);
    const VkDeviceMemory memory = gpu.allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindImageMemory(gpu.device, made.handle, memory, 0), "vkBindImageMemory");
    VkImageViewCreateInfo view{};
    view.sType            = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    view.image            = made.handle;
    view.viewType         = VK_IMAGE_VIEW_TYPE_2D;
    view.format           = format;
    view.subresourceRange = {aspect, 0, 1, 0, 1};
    check(vkCreateImageView(gpu.device, &view, nullptr, &made.view), "vkCreateImageView");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyImageView(device, made.view, nullptr); });
    return made;
}

/// Leaves the color to be copied.
VkRenderPass make_render_pass(Gpu& gpu) {
    VkAttachmentDescription attachments[2]{};
    attachments[0].format         = color_format;
    attachments[0].samples        = VK_SAMPLE_COUNT_1_BIT;
    attachments[0].loadOp         = VK_ATTACHMENT_LOAD_OP_DONT_CARE; // the sky covers all
    attachments[0].storeOp        = VK_ATTACHMENT_STORE_OP_STORE;
    attachments[0].stencilLoadOp  = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachments[0].stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachments[0].finalLayout    = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    attachments[1]                = attachments[0];
    attachments[1].format         = depth_format;
    attachments[1].loadOp         = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachments[1].storeOp        = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachments[1].finalLayout    = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
        depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint       = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount    = 1;
    subpass.pColorAttachments       = &color;
    subpass.pDepthStencilAttachment = &depth;
    // Before it, the barrier that begins a frame; after it, the copy.
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    const VkAccessFlags written = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency dependencies[] = {
        {VK_SUBPASS_EXTERNAL, 0, stages, stages, written, written | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0},
        {0, VK_SUBPASS_EXTERNAL, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, written, VK_ACCESS_TRANSFER_READ_BIT, 0}};
    VkRenderPassCreateInfo info{};
    info.sType           = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
    info.attachmentCount = 2;
    info.pAttachments    = attachments;
    info.subpassCount    = 1;
    info.pSubpasses      = &subpass;
    info.dependencyCount = 2;
    info.pDependencies   = dependencies;
    VkRenderPass made    = VK_NULL_HANDLE;
    check(vkCreateRenderPass(gpu.device, &info, nullptr, &made), "vkCreateRenderPass");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyRenderPass(device, made, nullptr); });
    return made;
}

VkFramebuffer make_framebuffer(Gpu& gpu, VkRenderPass pass, const Image& color, const Image& depth) {
    const VkImageView       views[] = {color.view, depth.view};
    VkFramebufferCreateInfo info{};
    info.sType           = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
    info.renderPass      = pass;
    info.attachmentCount = 2;
    info.pAttachments    = views;
    info.width           = width * side;
    info.height          = height * side;
    info.layers          = 1;
    VkFramebuffer made   = VK_NULL_HANDLE;
    check(vkCreateFramebuffer(gpu.device, &info, nullptr, &made), "vkCreateFramebuffer");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyFramebuffer(device, made, nullptr); });
    return made;
}

VkPipelineLayout make_layout(Gpu& gpu, VkShaderStageFlags stages, uint32_t size) {
    const VkPushConstantRange  range{stages, 0, size};
    VkPipelineLayoutCreateInfo info{};
    info.sType                  = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges    = &range;
    VkPipelineLayout made       = VK_NULL_HANDLE;
    check(vkCreatePipelineLayout(gpu.device, &info, nullptr, &made), "vkCreatePipelineLayout");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyPipelineLayout(device, made, nullptr); });
    return made;
}

template <size_t Size>
VkPipelineShaderStageCreateInfo make_stage(Gpu& gpu, VkShaderStageFlagBits stage, const uint32_t (&words)[Size]) {
    VkShaderModuleCreateInfo info{};
    info.sType    = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = sizeof words;
    info.pCode    = words;
    VkPipelineShaderStageCreateInfo made{};
    made.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    made.stage = stage;
    made.pName = "main";
    check(vkCreateShaderModule(gpu.device, &info, nullptr, &made.module), "vkCreateShaderModule");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyShaderModule(device, made.module, nullptr); });
    return made;
}

struct Pipeline {
    VkPipelineLayout   layout = VK_NULL_HANDLE;
    VkPipeline         handle = VK_NULL_HANDLE;
    VkShaderStageFlags stages = 0;

    template <class Push>
    void push(VkCommandBuffer commands, const Push& values) const {
        vkCmdPushConstants(commands, layout, stages, 0, sizeof values, &values);
    }

    template <class Push>
    void dispatch(VkCommandBuffer commands, const Push& values, uint32_t invocations) const {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, handle);
        push(commands, values);
        vkCmdDispatch(commands, (invocations + 63) / 64, 1, 1);
    }
};

template <class Push, size_t Size>
Pipeline make_kernel(Gpu& gpu, const uint32_t (&words)[Size]) {
    Pipeline made;
    made.stages = VK_SHADER_STAGE_COMPUTE_BIT;
    made.layout = make_layout(gpu, made.stages, sizeof(Push));
    VkComputePipelineCreateInfo info{};
    info.sType  = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.layout = made.layout;
    info.stage  = make_stage(gpu, VK_SHADER_STAGE_COMPUTE_BIT, words);
    check(vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &made.handle),
          "vkCreateComputePipelines");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyPipeline(device, made.handle, nullptr); });
    return made;
}

Pipeline make_drawing(Gpu& gpu, VkRenderPass pass) {
    Pipeline made;
    made.stages                                    = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    made.layout                                    = make_layout(gpu, made.stages, sizeof(View));
    const VkPipelineShaderStageCreateInfo stages[] = {make_stage(gpu, VK_SHADER_STAGE_VERTEX_BIT, vertex_words),
                                                      make_stage(gpu, VK_SHADER_STAGE_FRAGMENT_BIT, fragment_words)};
    VkPipelineVertexInputStateCreateInfo  input{};
    input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    assembly.sType    = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineViewportStateCreateInfo viewport{};
    viewport.sType         = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewport.viewportCount = 1;
    viewport.scissorCount  = 1;
    VkPipelineRasterizationStateCreateInfo rasterization{};
    rasterization.sType     = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    rasterization.cullMode  = VK_CULL_MODE_BACK_BIT;
    rasterization.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    rasterization.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo multisample{};
    multisample.sType                = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineDepthStencilStateCreateInfo depth{};
    depth.sType            = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    depth.depthTestEnable  = VK_TRUE;
    depth.depthWriteEnable = VK_TRUE;
    depth.depthCompareOp   = VK_COMPARE_OP_LESS_OR_EQUAL;
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.colorWriteMask =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    VkPipelineColorBlendStateCreateInfo blend{};
    blend.sType                            = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
    blend.attachmentCount                  = 1;
    blend.pAttachments                     = &attachment;
    const VkDynamicState             set[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{};
    dynamic.sType             = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
    dynamic.dynamicStateCount = 2;
    dynamic.pDynamicStates    = set;

    VkGraphicsPipelineCreateInfo info{};
    info.sType               = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount          = 2;
    info.pStages             = stages;
    info.pVertexInputState   = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState      = &viewport;
    info.pRasterizationState = &rasterization;
    info.pMultisampleState   = &multisample;
    info.pDepthStencilState  = &depth;
    info.pColorBlendState    = &blend;
    info.pDynamicState       = &dynamic;
    info.layout              = made.layout;
    info.renderPass          = pass;
    check(vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &made.handle),
          "vkCreateGraphicsPipelines");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyPipeline(device, made.handle, nullptr); });
    return made;
}

/// One side of a barrier.
struct Accesses {
    VkPipelineStageFlags stages;
    VkAccessFlags        accesses;
};

constexpr Accesses everything{VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
constexpr Accesses compute{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
constexpr Accesses drawing{VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                           VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
constexpr Accesses transfer{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
constexpr Accesses host{VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};

void barrier(VkCommandBuffer commands, const Accesses& before, const Accesses& after) {
    VkMemoryBarrier memory{};
    memory.sType         = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = before.accesses;
    memory.dstAccessMask = after.accesses;
    vkCmdPipelineBarrier(commands, before.stages, after.stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void copy(VkCommandBuffer commands, const Buffer& source, const Buffer& target, VkDeviceSize offset) {
    const VkBufferCopy range{0, offset, source.size};
    vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &range);
}

/// Begins with a barrier, so that submissions run as if one after the other.
VkCommandBuffer begin_commands(Gpu& gpu) {
    VkCommandPoolCreateInfo info{};
    info.sType            = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    info.queueFamilyIndex = gpu.family;
    VkCommandPool pool    = VK_NULL_HANDLE;
    check(vkCreateCommandPool(gpu.device, &info, nullptr, &pool), "vkCreateCommandPool");
    gpu.undo.push_back([=, device = gpu.device] { vkDestroyCommandPool(device, pool, nullptr); });
    VkCommandBufferAllocateInfo allocation{};
    allocation.sType              = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocation.commandPool        = pool;
    allocation.commandBufferCount = 1;
    VkCommandBuffer made          = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(gpu.device, &allocation, &made), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    check(vkBeginCommandBuffer(made, &begin), "vkBeginCommandBuffer");
    barrier(made, everything, everything);
    return made;
}

void submit_and_wait(const Gpu& gpu, VkCommandBuffer commands) {
    VkSubmitInfo submit{};
    submit.sType              = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers    = &commands;
    check(vkQueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
}

/// Times at which everything recorded before has completed; none where the queue has no clock.
struct Timestamps {
    VkQueryPool pool = VK_NULL_HANDLE;

    explicit Timestamps(Gpu& gpu) {
        if (!gpu.has_timestamps) return;
        VkQueryPoolCreateInfo info{};
        info.sType      = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType  = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = 3;
        check(vkCreateQueryPool(gpu.device, &info, nullptr, &pool), "vkCreateQueryPool");
        gpu.undo.push_back([device = gpu.device, made = pool] { vkDestroyQueryPool(device, made, nullptr); });
    }

    void record(VkCommandBuffer commands, uint32_t number) const {
        if (pool == VK_NULL_HANDLE) return;
        if (number == 0) vkCmdResetQueryPool(commands, pool, 0, 3);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, number);
    }

    void print(const Gpu& gpu) const {
        if (pool == VK_NULL_HANDLE) return;
        uint64_t times[3]{};
        check(vkGetQueryPoolResults(gpu.device, pool, 0, 3, sizeof times, times, sizeof *times, VK_QUERY_RESULT_64_BIT),
              "vkGetQueryPoolResults");
        const double milliseconds = 1e-6 * static_cast<double>(gpu.properties.limits.timestampPeriod);
        std::printf("culling and compaction %.3f ms, drawing %.3f ms\n",
                    static_cast<double>(times[1] - times[0]) * milliseconds,
                    static_cast<double>(times[2] - times[1]) * milliseconds);
    }
};

/// Half of the picture: everything is drawn with the list and the command that the GPU has made.
void draw_half(VkCommandBuffer commands, const Pipeline& city, const Buffer& command, View view, bool is_right) {
    const VkRect2D   area{{is_right ? int{width / 2 * side} : 0, 0}, {width / 2 * side, height * side}};
    const VkViewport viewport{static_cast<float>(area.offset.x), 0, width / 2 * side, height * side, 0, 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &area);
    const auto push = [&](View::Draws draws) {
        view.draws = draws;
        city.push(commands, view);
    };
    push(View::sky);
    vkCmdDraw(commands, 6, 1, 0, 0);
    push(View::ground);
    vkCmdDraw(commands, 6, 1, 0, 0);
    push(View::visible_ones);
    vkCmdDrawIndirect(commands, command.handle, 0, 1, 0);
    if (!is_right) return;
    push(View::culled_ones);
    vkCmdDraw(commands, 36, instance_count, 0, 0);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: gpu_culling out.png");
    Gpu                gpu;
    const VkRenderPass pass = make_render_pass(gpu);
    const Image        color =
        make_image(gpu, color_format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                   VK_IMAGE_ASPECT_COLOR_BIT);
    const Image depth =
        make_image(gpu, depth_format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
    const VkFramebuffer framebuffer = make_framebuffer(gpu, pass, color, depth);
    const Pipeline      cull = make_kernel<View>(gpu, cull_words), average = make_kernel<Average>(gpu, average_words),
                   city = make_drawing(gpu, pass);
    const Timestamps timestamps(gpu);

    vkprim::Compact::Desc desc;
    desc.key               = vkprim::KeyType::u8;
    desc.copy              = vkprim::Compact::Copy::indices;
    const auto   compact   = need(vkprim::Compact::create(gpu.context, desc));
    const auto   indirect  = need(vkprim::IndirectCommand::create(gpu.context, {vkprim::IndirectCommand::Kind::draw}));
    const Buffer instances = make_buffer(gpu, instance_count * sizeof(Instance)),
                 flags = make_buffer(gpu, (instance_count + 3) / 4 * 4), visible = make_buffer(gpu, instance_count * 4),
                 kept = make_buffer(gpu, 4), scratch = make_buffer(gpu, compact.scratch_size(instance_count)),
                 command = make_buffer(gpu, sizeof(VkDrawIndirectCommand)),
                 samples = make_buffer(gpu, width * side * height * side * 4),
                 picture = make_buffer(gpu, width * height * 4), upload = make_buffer(gpu, instances.size, true),
                 seen = make_buffer(gpu, picture.size + flags.size + kept.size, true);

    // Once: the city, and zeros in scratch.
    for (uint32_t i = 0; i < instance_count; ++i) static_cast<Instance*>(upload.data)[i] = instance_at(i);
    VkCommandBuffer commands = begin_commands(gpu);
    copy(commands, upload, instances, 0);
    vkCmdFillBuffer(commands, scratch.handle, 0, VK_WHOLE_SIZE, 0);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_and_wait(gpu, commands);

    View from_camera = view_of({{-40, 10, -112}, {-14, 3.5f, -40}, 1.6f, 1, 200, 0.0085f}),
         from_above  = view_of({{-150, 230, -200}, {8, 0, -18}, 1.75f, 10, 900, 0});
    for (View* view : {&from_camera, &from_above}) {
        view->instances = instances.address;
        view->visible   = visible.address;
        view->flags     = flags.address;
        view->count     = instance_count;
    }

    // A frame, in one command buffer: flags, the numbers of the flagged, the command that draws so many.
    commands = begin_commands(gpu);
    timestamps.record(commands, 0);
    cull.dispatch(commands, from_camera, (instance_count + 3) / 4);
    barrier(commands, compute, compute);
    vkprim::Compact::Args packing;
    packing.keys    = flags.address;
    packing.output  = visible.address;
    packing.kept    = kept.address;
    packing.scratch = scratch.address;
    packing.count   = instance_count;
    compact.record(commands, packing);
    barrier(commands, compute, compute);
    vkprim::IndirectCommand::Args drawn;
    drawn.command       = command.address;
    drawn.count_address = kept.address;
    drawn.bound         = instance_count;
    drawn.vertices      = 36;
    indirect.record(commands, drawn);
    barrier(commands, compute, drawing);
    timestamps.record(commands, 1);

    VkClearValue clear[2]{};
    clear[1].depthStencil.depth = 1;
    VkRenderPassBeginInfo begin{};
    begin.sType           = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
    begin.renderPass      = pass;
    begin.framebuffer     = framebuffer;
    begin.renderArea      = {{0, 0}, {width * side, height * side}};
    begin.clearValueCount = 2;
    begin.pClearValues    = clear;
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, city.handle);
    draw_half(commands, city, command, from_camera, false);
    draw_half(commands, city, command, from_above, true);
    vkCmdEndRenderPass(commands);
    timestamps.record(commands, 2);

    VkBufferImageCopy all{};
    all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    all.imageExtent      = {width * side, height * side, 1};
    vkCmdCopyImageToBuffer(commands, color.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, samples.handle, 1, &all);
    barrier(commands, transfer, compute);
    average.dispatch(commands, Average{samples.address, picture.address, width, height, side}, width * height);
    barrier(commands, compute, transfer);
    copy(commands, picture, seen, 0);
    copy(commands, flags, seen, picture.size);
    copy(commands, kept, seen, picture.size + flags.size);
    barrier(commands, transfer, host);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    // The first frame warms up; times are the second one's.
    for (int frame = 0; frame < 2; ++frame) submit_and_wait(gpu, commands);

    const auto* picture_seen = static_cast<const uint8_t*>(seen.data);
    const auto* flags_seen   = picture_seen + picture.size;
    const auto  flagged      = static_cast<uint32_t>(std::count(flags_seen, flags_seen + instance_count, 1));
    uint32_t    found        = 0;
    std::memcpy(&found, flags_seen + flags.size, sizeof found);
    if (found != flagged) fail("packed " + std::to_string(found) + " instances, not " + std::to_string(flagged));
    std::printf("%u of %u instances are visible\n", found, instance_count);
    timestamps.print(gpu);
    if (!stbi_write_png(argv[1], width, height, 4, picture_seen, width * 4))
        fail("cannot write " + std::string(argv[1]));
    std::printf("%s, on %s\n", argv[1], gpu.properties.deviceName);
}
