// Auto-exposure as engines do it: one dispatch makes a histogram of the logarithms of luminance and finds the exposure from
// its percentiles (vkprim/glsl/privatized.glsl). Then comes tone mapping. The host does nothing in between. One scene in three
// lights, 100 times darker and 100 times brighter; above with a fixed exposure, below with the one that was found.
//
//     auto_exposure out.png
#include <vkprim/runtime.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <vector>

#include "../kernel.h"

namespace {

constexpr uint32_t width = 320, height = 200, pixels = width * height, bins = 256;
/// For each invocation: with more of them, each takes longer, and with fewer, more workgroups add their counts.
constexpr uint32_t pixels_of_meter = 16;
constexpr float    lights[]        = {0.01f, 1, 100};

constexpr uint32_t scene_words[] = {
#include "scene.inc"
};
constexpr uint32_t meter_words[] = {
#include "meter.inc"
};
constexpr uint32_t tonemap_words[] = {
#include "tonemap.inc"
};

/// frame.glsl has the same.
struct Frame {
    VkDeviceAddress radiance, collected, counts, exposure, picture;
    uint32_t        frame_width, frame_height, frame_bins;
    float           lower, upper, light;
    uint32_t        is_automatic;
};

/// Copies a picture of the frame's size to its place among the others.
void place(const std::vector<uint32_t>& picture, uint32_t column, uint32_t row, std::vector<uint32_t>& all) {
    const uint32_t all_width = width * std::size(lights);
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            all[(row * height + y) * all_width + column * width + x] = picture[y * width + x];
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: auto_exposure out.png");
    const vkprim::runtime::Device device  = need(vkprim::runtime::Device::create());
    const vkprim::Context&        context = device.context();
    const Kernel<Frame> scene(context, scene_words), meter(context, meter_words), tonemap(context, tonemap_words);

    const auto radiance  = need(device.create_buffer(pixels * 16)),
               collected = need(device.create_buffer((bins + 1) * 4)), counts = need(device.create_buffer(bins * 4)),
               exposure = need(device.create_buffer(4)), picture = need(device.create_buffer(pixels * 4));
    need(device.fill(collected, 0, collected.size(), 0));

    Frame                 frame{radiance.address(),
                collected.address(),
                counts.address(),
                exposure.address(),
                picture.address(),
                width,
                height,
                bins,
                -20, // bins from 2^-20 to 2^20: enough for any light
                20,
                1,
                0};
    std::vector<uint32_t> all(2 * std::size(lights) * pixels), one(pixels);
    for (uint32_t column = 0; column < std::size(lights); ++column) {
        for (uint32_t row = 0; row < 2; ++row) {
            frame.light        = lights[column];
            frame.is_automatic = row;
            auto commands      = need(device.begin_commands(2));
            scene.record(commands.handle(), frame, pixels);
            commands.barrier();
            commands.timestamp();
            meter.record(commands.handle(), frame, pixels / pixels_of_meter);
            commands.barrier();
            commands.timestamp();
            tonemap.record(commands.handle(), frame, pixels);
            commands.barrier();
            const std::vector<double> times = need(commands.submit_and_wait());

            float found = 0;
            need(device.download(exposure, 0, &found, 4));
            need(device.download(picture, 0, one.data(), pixels * 4));
            place(one, column, row, all);
            if (row == 0) continue;
            std::printf("light %6g: exposure %g, found from %u pixels in %.4f ms\n", static_cast<double>(frame.light),
                        static_cast<double>(found), pixels, times[1]);
        }
    }
    const int columns = width * std::size(lights), rows = 2 * height;
    if (!stbi_write_png(argv[1], columns, rows, 4, all.data(), columns * 4))
        fail("cannot write " + std::string(argv[1]));
    std::printf("%s, on %s\n", argv[1], device.info().name.c_str());
}
