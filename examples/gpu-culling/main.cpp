// GPU culling as engines do it: a kernel finds which of 100000 instances the camera sees, vkprim packs their numbers and makes a
// draw command of how many there are, and the GPU draws just those; all in one command buffer, without the host in between. On
// the left what the camera sees; on the right the same draw from high above, and in grey what it left out.
//
//     gpu_culling out.png
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <vkprim/compact.h>
#include <vkprim/indirect.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include "city.h"
#include "gpu.h"

namespace {

constexpr uint32_t width = 960, height = 400, side = 4; // a pixel is the mean of side * side samples
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

/// average.comp has the same.
struct Average {
    VkDeviceAddress samples, picture;
    uint32_t        width, height, side;
};

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
    const Timestamps timestamps(gpu, 4);

    vkprim::Compact::Desc desc;
    desc.key            = vkprim::KeyType::u8;
    desc.copy           = vkprim::Compact::Copy::indices;
    const auto compact  = need(vkprim::Compact::create(gpu.context, desc));
    const auto indirect = need(vkprim::IndirectCommand::create(gpu.context, {vkprim::IndirectCommand::Kind::draw}));
    vkprim::Compact::Args packing;
    packing.count          = instance_count;
    const Buffer instances = make_buffer(gpu, instance_count * sizeof(Instance)),
                 flags = make_buffer(gpu, (instance_count + 3) / 4 * 4), visible = make_buffer(gpu, instance_count * 4),
                 kept = make_buffer(gpu, 4), scratch = make_buffer(gpu, compact.scratch_size(packing)),
                 command = make_buffer(gpu, sizeof(VkDrawIndirectCommand)),
                 samples = make_buffer(gpu, width * side * height * side * 4),
                 picture = make_buffer(gpu, width * height * 4);
    // Of the host:
    const Buffer upload = make_buffer(gpu, instances.size, true), picture_seen = make_buffer(gpu, picture.size, true),
                 flags_seen = make_buffer(gpu, flags.size, true), visible_seen = make_buffer(gpu, visible.size, true),
                 kept_seen = make_buffer(gpu, kept.size, true);

    // Once: the city, and zeros in scratch.
    for (uint32_t i = 0; i < instance_count; ++i) static_cast<Instance*>(upload.data)[i] = instance_at(i);
    VkCommandBuffer commands = begin_commands(gpu);
    copy(commands, upload, instances);
    vkCmdFillBuffer(commands, scratch.handle, 0, VK_WHOLE_SIZE, 0);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit_and_wait(gpu, commands);

    constexpr float aspect      = 0.5f * width / height;
    View            from_camera = view_of({{-40, 10, -112}, {-14, 3.5f, -40}, aspect, 1.6f, 1, 200, 0.0085f}),
         from_above             = view_of({{-150, 230, -200}, {8, 0, -18}, aspect, 1.75f, 10, 900, 0});
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
    timestamps.record(commands, 1);
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
    timestamps.record(commands, 2);

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
    timestamps.record(commands, 3);

    VkBufferImageCopy all{};
    all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    all.imageExtent      = {width * side, height * side, 1};
    vkCmdCopyImageToBuffer(commands, color.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, samples.handle, 1, &all);
    barrier(commands, transfer, compute);
    average.dispatch(commands, Average{samples.address, picture.address, width, height, side}, width * height);
    barrier(commands, compute, transfer);
    copy(commands, picture, picture_seen);
    copy(commands, flags, flags_seen);
    copy(commands, visible, visible_seen);
    copy(commands, kept, kept_seen);
    barrier(commands, transfer, host);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    // The first frame warms up; times are the second one's.
    for (int frame = 0; frame < 2; ++frame) submit_and_wait(gpu, commands);

    const auto*           is_flagged = static_cast<const uint8_t*>(flags_seen.data);
    const auto*           packed     = static_cast<const uint32_t*>(visible_seen.data);
    const uint32_t        found      = *static_cast<const uint32_t*>(kept_seen.data);
    std::vector<uint32_t> flagged;
    for (uint32_t i = 0; i < instance_count; ++i) {
        if (is_flagged[i]) flagged.push_back(i);
    }
    if (found != flagged.size() || !std::equal(flagged.begin(), flagged.end(), packed)) {
        fail("what was packed is not what was flagged");
    }
    std::printf("%u of %u instances are visible\n", found, instance_count);
    const std::vector<double> times = timestamps.milliseconds();
    if (!times.empty()) {
        std::printf("culling %.3f ms, compaction and draw command %.3f ms, drawing %.3f ms\n", times[0], times[1],
                    times[2]);
    }
    if (!stbi_write_png(argv[1], width, height, 4, picture_seen.data, width * 4))
        fail("cannot write " + std::string(argv[1]));
    std::printf("%s, on %s\n", argv[1], gpu.properties.deviceName);
}
