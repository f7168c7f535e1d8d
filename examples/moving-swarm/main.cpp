// A frame of an engine: 100000 instances move; the box around all of them, and the one nearest to a visitor, are found by operations of
// the program's own (bounds.glsl, closest.glsl), in the command buffer that draws them. Three frames, one below the other.
//
//     moving_swarm out.png
#include <vkprim/operations/bounds.h>
#include <vkprim/operations/closest.h>
#include <vkprim/reduce.h>
#include <vkprim/runtime.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "../kernel.h"

namespace {

constexpr uint32_t width = 640, height = 400, pixels = width * height, instances_count = 100000, frames = 3;

constexpr uint32_t move_words[] = {
#include "move.inc"
};
constexpr uint32_t draw_words[] = {
#include "draw.inc"
};

/// frame.glsl has the same.
struct Frame {
    VkDeviceAddress instances, density, results, picture;
    uint32_t        frame_width, frame_height, count;
    float           time;
    float           visitor[3];
};

struct Results {
    float    low[3], high[3];
    float    squared_distance;
    uint32_t index;
};

uint32_t bits_of(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

vkprim::Reduce create(const vkprim::Context& context, const vkprim::OwnOperation& operation) {
    vkprim::Reduce::Desc desc;
    desc.own = &operation;
    return need(vkprim::Reduce::create(context, desc));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: moving_swarm out.png");
    const vkprim::runtime::Device device  = need(vkprim::runtime::Device::create());
    const vkprim::Context&        context = device.context();
    const Kernel<Frame>           move(context, move_words), draw(context, draw_words);
    const vkprim::Reduce          bounds = create(context, vkprim::operations::bounds),
                         closest         = create(context, vkprim::operations::closest);

    const auto instances = need(device.create_buffer(instances_count * 16)),
               density = need(device.create_buffer(pixels * 4)), results = need(device.create_buffer(sizeof(Results))),
               picture = need(device.create_buffer(pixels * 4));
    // Either's, since the box goes first.
    vkprim::Reduce::Args all_instances;
    all_instances.count = instances_count;
    const auto scratch =
        need(device.create_buffer(std::max(bounds.scratch_size(all_instances), closest.scratch_size(all_instances))));
    need(device.fill(scratch, 0, scratch.size() / 4 * 4, 0));

    std::vector<uint32_t> all(frames * pixels);
    for (uint32_t i = 0; i < frames; ++i) {
        const float          time = static_cast<float>(i) / (frames - 1);
        const Frame          frame{instances.address(),
                          density.address(),
                          results.address(),
                          picture.address(),
                          width,
                          height,
                          instances_count,
                          time,
                          {-8 + 16 * time, 5, 2}};
        vkprim::Reduce::Args box;
        box.output                  = results.address();
        box.scratch                 = scratch.address();
        box.count                   = instances_count;
        box.parameters.addresses[0] = instances.address();
        vkprim::Reduce::Args near   = box;
        near.output                 = results.address() + offsetof(Results, squared_distance);
        for (uint32_t axis = 0; axis < 3; ++axis) near.parameters.words[axis] = bits_of(frame.visitor[axis]);
        need(bounds.validate(box));
        need(closest.validate(near));

        need(device.fill(density, 0, density.size(), 0));
        auto commands = need(device.begin_commands(4));
        move.record(commands.handle(), frame, instances_count);
        commands.barrier();
        commands.timestamp();
        bounds.record(commands.handle(), box);
        commands.barrier(); // they share scratch
        closest.record(commands.handle(), near);
        commands.barrier();
        commands.timestamp();
        draw.record(commands.handle(), frame, pixels);
        commands.barrier();
        const std::vector<double> times = need(commands.submit_and_wait());

        Results found;
        need(device.download(results, 0, &found, sizeof found));
        need(device.download(picture, 0, &all[i * pixels], pixels * 4));
        std::printf("time %.1f: box %.2f %.2f %.2f to %.2f %.2f %.2f, nearest to the visitor is %u; both in %.3f ms\n",
                    static_cast<double>(time), static_cast<double>(found.low[0]), static_cast<double>(found.low[1]),
                    static_cast<double>(found.low[2]), static_cast<double>(found.high[0]),
                    static_cast<double>(found.high[1]), static_cast<double>(found.high[2]), found.index, times[1]);
    }
    if (!stbi_write_png(argv[1], width, frames * height, 4, all.data(), width * 4))
        fail("cannot write " + std::string(argv[1]));
    std::printf("%s, on %s\n", argv[1], device.info().name.c_str());
}
