// Weighted sums of the elements around each, in one dimension and in two, under every rule for the edges. Elements and weights are
// small whole numbers, so that every order of additions has the same bits.
#include "convolution.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vkprim::tools::ladder {

namespace {

/// Of a triangle or a pyramid, the largest in the middle.
std::vector<float> mask_of(const Convolution& convolution) {
    std::vector<float> mask;
    const auto         weight = [](uint32_t i, uint32_t radius) { return std::min(i, 2 * radius - i) + 1; };
    for (uint32_t y = 0; y <= 2 * convolution.radius_y; ++y) {
        for (uint32_t x = 0; x <= 2 * convolution.radius_x; ++x) {
            mask.push_back(static_cast<float>(weight(x, convolution.radius_x) * weight(y, convolution.radius_y)));
        }
    }
    return mask;
}

/// The place that stands for `i` of `size` places, or -1.
int64_t inside(int64_t i, int64_t size, uint32_t edge) {
    while (i < 0 || i >= size) {
        if (edge == EDGE_ZERO) return -1;
        if (edge == EDGE_CLAMP) return i < 0 ? 0 : size - 1;
        i = i < 0 ? -1 - i : 2 * size - 1 - i;
    }
    return i;
}

/// The CPU reference. It makes each row wider by what lies beyond its ends, so that compilers have a simple loop.
std::vector<float> convolve(const Convolution& convolution, const std::vector<float>& elements) {
    const int64_t            columns = convolution.columns, rows = convolution.rows;
    const int64_t            radius_x = convolution.radius_x, radius_y = convolution.radius_y;
    const std::vector<float> mask = mask_of(convolution);
    std::vector<float>       sums(elements.size()), row(static_cast<size_t>(columns + 2 * radius_x));
    for (int64_t y = 0; y < rows; ++y) {
        float*       sum    = &sums[static_cast<size_t>(y * columns)];
        const float* weight = mask.data();
        for (int64_t dy = -radius_y; dy <= radius_y; ++dy) {
            const int64_t at_y = inside(y + dy, rows, convolution.edge);
            for (int64_t x = -radius_x; x < columns + radius_x; ++x) {
                const int64_t at_x = inside(x, columns, convolution.edge);
                row[static_cast<size_t>(x + radius_x)] =
                    at_x < 0 || at_y < 0 ? 0 : elements[static_cast<size_t>(at_y * columns + at_x)];
            }
            for (int64_t dx = 0; dx <= 2 * radius_x; ++dx, ++weight) {
                for (int64_t x = 0; x < columns; ++x) sum[x] += *weight * row[static_cast<size_t>(x + dx)];
            }
        }
    }
    return sums;
}

harness::Bytes bytes_of(const std::vector<float>& floats) {
    harness::Bytes bytes(floats.size() * sizeof(float));
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    return bytes;
}

/// Columns and rows of a workgroup, as convolution.glsl has them.
struct Tile {
    uint32_t columns, rows;
    Tile(const Convolution& convolution, uint32_t workgroup_size) {
        const auto size_log = static_cast<uint32_t>(std::log2(workgroup_size));
        columns             = convolution.radius_y == 0 ? workgroup_size : 1u << (size_log + 1) / 2;
        rows                = workgroup_size / columns;
    }
};

/// Whether a workgroup that loads an element an invocation has any results.
bool has_inner(const Tile& tile, const Convolution& convolution) {
    return tile.columns > 2 * convolution.radius_x && tile.rows > 2 * convolution.radius_y;
}

Result<harness::Workload> prepare(const runtime::Device& device, const Convolution& convolution, const Kernel& kernel,
                                  uint32_t workgroup_size, const Problem& problem) {
    Chain      chain(device, problem, workgroup_size, 0);
    LadderPush push{};
    push.source   = chain.source();
    push.target   = chain.target();
    push.count    = problem.count;
    push.columns  = convolution.columns;
    push.rows     = convolution.rows;
    push.radius_x = convolution.radius_x;
    push.radius_y = convolution.radius_y;
    push.edge     = convolution.edge;

    std::vector<float> constants(4 * LADDER_MASK); // of whose vectors the first is the weight
    size_t             m = 0;
    for (float weight : mask_of(convolution)) constants[4 * m++] = weight;
    push.mask = chain.constants(constants);
    Tile     tile(convolution, workgroup_size);
    uint32_t workgroups = chain.workgroups_for(problem.count);
    if (kernel.role == "inner") {
        tile.columns -= 2 * push.radius_x;
        tile.rows -= 2 * push.radius_y;
    }
    if (kernel.role == "inner" || kernel.role == "outer") {
        workgroups = ((push.columns - 1) / tile.columns + 1) * ((push.rows - 1) / tile.rows + 1);
    }
    chain.add(kernel, push, workgroups);
    return chain.finish();
}

std::vector<Step> steps(const runtime::Device& device, const Convolution& convolution, uint32_t workgroup_size) {
    std::vector<Step> steps;
    for (const char* role : {"plain", "uniform", "inner", "outer"}) {
        for (const Kernel& kernel : kernels_of("convolution", role)) {
            Step step    = step_of(device, kernel, workgroup_size);
            step.prepare = [&device, convolution, kernel, workgroup_size](const Problem& problem) {
                return prepare(device, convolution, kernel, workgroup_size, problem);
            };
            if (kernel.role == "inner" && !has_inner(Tile(convolution, workgroup_size), convolution)) {
                step.skipped = "the halo leaves no results in a workgroup of this size";
            }
            steps.push_back(step);
        }
    }
    return steps;
}

std::vector<Problem> problems(const Choice& choice) {
    std::vector<float> elements(choice.count);
    harness::Random    random(choice.count);
    for (float& element : elements) element = static_cast<float>(random.below(256));
    const uint32_t radius_1d = choice.radius > 0 ? choice.radius : 8, radius_2d = choice.radius > 0 ? choice.radius : 3;
    // As square as can be; where that leaves elements over, it has no place for them.
    const auto     rows    = static_cast<uint32_t>(std::sqrt(choice.count));
    const uint32_t columns = choice.count / rows;

    const std::pair<uint32_t, const char*> edges[] = {
        {EDGE_ZERO, "zeros beyond"}, {EDGE_CLAMP, "clamped"}, {EDGE_MIRROR, "mirrored"}};
    std::vector<Problem> problems;
    const auto           add = [&](const std::string& data, const Convolution& convolution) {
        problems.push_back(
                      problem_of(convolution, {elements.begin(), elements.begin() + convolution.columns * convolution.rows}));
        problems.back().data = data;
    };
    for (const auto& [edge, name] : edges) {
        add("1-D, radius " + std::to_string(radius_1d) + ", " + name, {choice.count, 1, radius_1d, 0, edge});
    }
    for (const auto& [edge, name] : edges) {
        add("2-D, radius " + std::to_string(radius_2d) + ", " + name, {columns, rows, radius_2d, radius_2d, edge});
    }
    return problems;
}

} // namespace

Problem problem_of(const Convolution& convolution, const std::vector<float>& elements) {
    Problem problem;
    problem.count    = convolution.columns * convolution.rows;
    problem.input    = std::make_shared<const harness::Bytes>(bytes_of(elements));
    problem.expected = bytes_of(convolve(convolution, elements));
    problem.bytes    = uint64_t{problem.count} * 8;
    problem.format   = harness::Format::f32;
    problem.steps    = [convolution](const runtime::Device& device, uint32_t workgroup_size) {
        return steps(device, convolution, workgroup_size);
    };
    return problem;
}

float weight_of(const Convolution& convolution) {
    float sum = 0;
    for (float weight : mask_of(convolution)) sum += weight;
    return sum;
}

Ladder convolution_ladder() { return {"convolution", "weighted sums of neighbours", 1u << 27, problems}; }

} // namespace vkprim::tools::ladder
