// A frame of an engine: translucent discs are sorted by depth, the farthest first, and blended in that order. A kernel writes the depths;
// vkprim sorts them, and puts out the number of each one's disc, so that the discs themselves never move. Two frames, one below the
// other; on the left the discs as they lie in memory, on the right in their order.
//
//     splats out.png [COUNT]   20000 discs without it
#include <vkprim/runtime.h>
#include <vkprim/sort.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "../kernel.h"

namespace {

constexpr uint32_t side = 300, frames = 2; // pixels of a view, which is square

constexpr uint32_t depth_words[] = {
#include "depth.inc"
};

struct Vector {
    float x, y, z;
};

Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(Vector a, float b) { return {a.x * b, a.y * b, a.z * b}; }
float  dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vector unit(Vector a) { return a * (1 / std::sqrt(dot(a, a))); }

/// depth.comp has the same, and Frame as well.
struct Splat {
    Vector at;
    float  radius;
    Vector color;
    float  opacity;
};

struct Frame {
    VkDeviceAddress splats, depths;
    Vector          eye;
    uint32_t        count;
    Vector          forward;
};

/// Three rings, each through the two others, in no order at all.
std::vector<Splat> make_splats(uint32_t count) {
    uint32_t   seed   = 1;
    const auto random = [&] { // 0 to 1
        seed = seed * 747796405u + 2891336453u;
        return static_cast<float>(seed >> 8) / 16777216;
    };
    constexpr Vector   colors[] = {{0.95f, 0.35f, 0.25f}, {0.25f, 0.65f, 0.95f}, {0.95f, 0.8f, 0.3f}};
    const Vector       light    = unit({0.4f, 0.8f, -0.5f});
    const float        radius   = 9 / std::sqrt(static_cast<float>(count));
    std::vector<Splat> splats(count);
    for (Splat& splat : splats) {
        const uint32_t ring  = std::min(static_cast<uint32_t>(random() * 3), 2u);
        const float    along = random() * 6.2831853f, around = random() * 6.2831853f;
        const Vector   outwards = {std::cos(along), std::sin(along), 0};
        const Vector   normal   = outwards * std::cos(around) + Vector{0, 0, std::sin(around)};
        const auto     turn     = [&](Vector v) { // into the ring's own plane
            return ring == 0 ? v : ring == 1 ? Vector{v.z, v.x, v.y} : Vector{v.y, v.z, v.x};
        };
        splat = {turn(outwards * 1.1f + normal * 0.3f), radius,
                 colors[ring] * (0.35f + 0.65f * std::max(dot(turn(normal), light), 0.0f)), 0.6f};
    }
    return splats;
}

/// Blends the splats in `order` into a view of `picture`. This is on the host, to keep the example short: in an engine, the vertex shader
/// of an instanced draw takes splat order[gl_InstanceIndex], and the GPU blends instances one after the other.
void draw(const std::vector<Splat>& splats, const std::vector<uint32_t>& order, const Frame& frame, uint8_t* picture) {
    const Vector        right = unit(cross({0, 1, 0}, frame.forward)), up = cross(frame.forward, right);
    std::vector<Vector> view(side * side, Vector{0.05f, 0.06f, 0.09f});
    for (const uint32_t index : order) {
        const Splat& splat = splats[index];
        const Vector way   = splat.at - frame.eye;
        const float  scale = 1.3f * side / dot(way, frame.forward); // pixels of one unit, there
        const float  x = side / 2.0f + scale * dot(way, right), y = side / 2.0f - scale * dot(way, up),
                    radius = std::max(splat.radius * scale, 1.0f);
        const auto first = [&](float at) { return static_cast<uint32_t>(std::clamp(at - radius, 0.0f, float{side})); };
        const auto end   = [&](float at) {
            return static_cast<uint32_t>(std::clamp(at + radius + 1, 0.0f, float{side}));
        };
        for (uint32_t row = first(y); row < end(y); ++row) {
            for (uint32_t column = first(x); column < end(x); ++column) {
                const float from_x = static_cast<float>(column) + 0.5f - x, from_y = static_cast<float>(row) + 0.5f - y;
                const float alpha =
                    splat.opacity * std::max(1 - (from_x * from_x + from_y * from_y) / (radius * radius), 0.0f);
                Vector& pixel = view[row * side + column];
                pixel         = pixel + (splat.color - pixel) * alpha;
            }
        }
    }
    const auto byte = [](float channel) { return static_cast<uint8_t>(channel * 255 + 0.5f); };
    for (uint32_t i = 0; i < side * side; ++i) {
        uint8_t* const to = picture + (i / side * 2 * side + i % side) * 3;
        to[0]             = byte(view[i].x);
        to[1]             = byte(view[i].y);
        to[2]             = byte(view[i].z);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) fail("usage: splats out.png [COUNT]");
    const auto count = static_cast<uint32_t>(argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 20000);
    if (count == 0 || count > 4000000) fail("COUNT is a number from 1 to 4000000"); // of one row of workgroups
    const vkprim::runtime::Device device = need(vkprim::runtime::Device::create());
    const Kernel<Frame>           depth(device.context(), depth_words);
    vkprim::Sort::Desc            desc;
    desc.key                = vkprim::ElementType::f32;
    desc.values             = vkprim::Sort::Values::indices;
    desc.descending         = true; // the farthest first
    const auto         sort = need(vkprim::Sort::create(device.context(), desc));
    vkprim::Sort::Args args;
    args.count           = count;
    const auto splats    = make_splats(count);
    const auto in_memory = need(device.create_buffer(count * sizeof(Splat))),
               depths    = need(device.create_buffer(uint64_t{count} * 4)),
               indices   = need(device.create_buffer(uint64_t{count} * 4)),
               temporary = need(device.create_buffer(std::max<VkDeviceSize>(sort.temporary_size(args), 16)));
    need(device.upload(in_memory, 0, splats.data(), count * sizeof(Splat)));

    std::vector<uint8_t>  picture(frames * side * 2 * side * 3);
    std::vector<uint32_t> unsorted(count), order(count);
    std::iota(unsorted.begin(), unsorted.end(), 0u);
    for (uint32_t i = 0; i < frames; ++i) {
        Frame frame{in_memory.address(), depths.address(), {}, count, {}};
        frame.eye          = i == 0 ? Vector{1.5f, 1.8f, -3.6f} : Vector{3.4f, 1.2f, 2.2f};
        frame.forward      = unit(frame.eye * -1);
        args.keys          = depths.address();
        args.output_keys   = depths.address(); // in place: nobody wants the depths afterwards
        args.output_values = indices.address();
        args.temporary     = temporary.address();
        need(sort.validate(args));

        auto commands = need(device.begin_commands(2));
        depth.record(commands.handle(), frame, count);
        commands.barrier();
        commands.timestamp();
        sort.record(commands.handle(), args);
        commands.barrier();
        commands.timestamp();
        const std::vector<double> times = need(commands.submit_and_wait());
        need(device.download(indices, 0, order.data(), uint64_t{count} * 4));
        std::printf("frame %u: %u splats sorted in %.3f ms\n", i, count, times[1]);

        uint8_t* const row = &picture[i * side * 2 * side * 3];
        draw(splats, unsorted, frame, row);
        draw(splats, order, frame, row + side * 3);
    }
    if (!stbi_write_png(argv[1], 2 * side, frames * side, 3, picture.data(), 2 * side * 3))
        fail("cannot write " + std::string(argv[1]));
    std::printf("%s, on %s\n", argv[1], device.info().name.c_str());
}
