#include "picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tools/ladder/convolution.h"

namespace vkprim::tools {

namespace {

using ladder::Convolution;
using ladder::Problem;
using ladder::Step;

Convolution convolution_of(const Image& picture, uint32_t radius) {
    return {picture.width, picture.height, radius, radius, EDGE_MIRROR};
}

/// What the last step that can run here makes of a problem.
Result<harness::Bytes> solve(const runtime::Device& device, const Problem& problem, uint32_t workgroup_size) {
    const std::vector<Step> steps = problem.steps(device, workgroup_size);
    const auto last = std::find_if(steps.rbegin(), steps.rend(), [](const Step& step) { return step.skipped.empty(); });
    if (last == steps.rend()) return Error{ErrorKind::invalid_desc, "no step can run: " + steps.back().skipped};
    const auto workload = last->prepare(problem);
    if (!workload) return workload.error();
    auto commands = device.begin_commands();
    if (!commands) return commands.error();
    workload->record(commands->handle());
    const auto done = commands->submit_and_wait();
    if (!done) return done.error();
    const std::string wrong = workload->check();
    if (!wrong.empty()) return Error{ErrorKind::other, wrong};
    return workload->download();
}

} // namespace

Problem problem_of(const Image& picture, uint32_t channel, uint32_t radius) {
    std::vector<float> elements(uint64_t{picture.width} * picture.height);
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = picture.samples[i * picture.channels + channel];
    return problem_of(convolution_of(picture, radius), elements);
}

Result<Image> blurred(const runtime::Device& device, const Image& picture, uint32_t radius, uint32_t workgroup_size) {
    const float weight = weight_of(convolution_of(picture, radius));
    Image       out    = picture;
    for (uint32_t channel = 0; channel < picture.channels; ++channel) {
        const auto sums = solve(device, problem_of(picture, channel, radius), workgroup_size);
        if (!sums) return sums.error();
        for (size_t i = 0; i < out.samples.size() / out.channels; ++i) {
            float sum = 0;
            std::memcpy(&sum, &(*sums)[i * sizeof(float)], sizeof(float));
            out.samples[i * out.channels + channel] = static_cast<uint8_t>(std::lround(sum / weight));
        }
    }
    return out;
}

} // namespace vkprim::tools
