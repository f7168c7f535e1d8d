// The city, and cameras that look at it.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cmath>

constexpr uint32_t instance_count = 100000, city_side = 317; // houses in a row of the city

struct Vector {
    float x, y, z;
};

inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline float  dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(Vector a, Vector b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vector normalized(Vector a) {
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

struct Camera {
    Vector eye, target;
    float  aspect, zoom, near_plane, far_plane, fog;
};

inline View view_of(const Camera& camera) {
    const Vector forward = normalized(camera.target - camera.eye), right = normalized(cross(forward, {0, 1, 0})),
                 up   = cross(right, forward);
    const float depth = camera.far_plane / (camera.far_plane - camera.near_plane), aspect = camera.aspect;
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
inline float random_of(uint32_t seed) {
    seed = (seed ^ seed >> 16) * 0x7feb352du;
    seed = (seed ^ seed >> 15) * 0x846ca68bu;
    return static_cast<float>((seed ^ seed >> 16) >> 8) / 16777216.0f;
}

/// Smooth hills from 0 to 1, about one unit wide.
inline float noise(float x, float z) {
    const float    left = std::floor(x), front = std::floor(z);
    const uint32_t corner = static_cast<uint32_t>(static_cast<int>(left) + 4096 * static_cast<int>(front));
    const auto     smooth = [](float t) { return t * t * (3 - 2 * t); };
    const float    s = smooth(x - left), t = smooth(z - front);
    return (1 - t) * ((1 - s) * random_of(corner) + s * random_of(corner + 1)) +
           t * ((1 - s) * random_of(corner + 4096) + s * random_of(corner + 4097));
}

inline uint32_t color_of(Vector color, float brightness) {
    const auto byte = [&](float value) { return static_cast<uint32_t>(255 * std::min(value * brightness, 1.0f)); };
    return byte(color.x) | byte(color.y) << 8 | byte(color.z) << 16 | 0xff000000;
}

/// A house in each place of a grid of streets, or a tree where a park is.
inline Instance instance_at(uint32_t i) {
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
