#include <vkprim/scan.h>

#include "../shaders/include/lookback.h"
#include "../shaders/scan/scan_push.h"
#include "element.h"
#include "recorder.h"
#include "shaders/scan.h"
#include "tuning/scan.h"

#include <cassert>

namespace vkprim {
namespace {

/// Part of a float's result, so the same on every device.
constexpr uint32_t workgroup_size = 256;
constexpr uint32_t tile_size      = workgroup_size * SCAN_PER_INVOCATION;

uint32_t tiles_of(uint32_t count) { return count == 0 ? 0 : (count - 1) / tile_size + 1; }

} // namespace

struct Scan::Plan {
    CoreDevice device;
    Pipeline   pipeline;
};

Result<Scan> Scan::create(const Context& context, const Desc& desc) {
    auto elements = plan_elements(desc.type, desc.operation);
    if (!elements) return elements.error();
    auto device = CoreDevice::create(context);
    if (!device) return device.error();

    constexpr Shader variants[][2] = {{shaders::scan_u32_word32, shaders::scan_u32_word64},
                                      {shaders::scan_i32_word32, shaders::scan_i32_word64},
                                      {shaders::scan_f32_word32, shaders::scan_f32_word64},
                                      {shaders::scan_f32_ordered_word32, shaders::scan_f32_ordered_word64}};
    const bool       word64        = device->features.shader_int64 && device->features.shader_buffer_int64_atomics;
    PipelineDesc     pipeline_desc;
    pipeline_desc.shader           = variants[static_cast<uint32_t>(elements->variant)][word64];
    pipeline_desc.name             = "scan";
    pipeline_desc.push_size        = sizeof(ScanPush);
    pipeline_desc.workgroup_size   = workgroup_size;
    pipeline_desc.operation        = static_cast<uint32_t>(desc.operation);
    pipeline_desc.identity_bits    = elements->identity_bits;
    pipeline_desc.tickets          = tune_scan(device->limits).tickets;
    pipeline_desc.shader_constants = {desc.kind == Kind::inclusive};
    auto pipeline                  = Pipeline::create(*device, pipeline_desc);
    if (!pipeline) return pipeline.error();

    return Scan(std::unique_ptr<Plan>(new Plan{*device, std::move(*pipeline)}));
}

VkDeviceSize Scan::scratch_size(uint32_t count) const { return lookback_scratch_size(tiles_of(count), workgroup_size); }

void Scan::record(VkCommandBuffer commands, const Args& args) const {
    if (args.count == 0) return;
    assert(args.input && is_aligned(args.input, 4) && "input must be the address of an element");
    assert(args.output && is_aligned(args.output, 4) && "output must be the address of an element");
    assert(args.scratch && is_aligned(args.scratch, 16) && "scratch must be 16-byte aligned memory of scratch_size()");
    assert(is_aligned(args.count_address, 4) && "count_address must be the address of a uint32");

    const ScanPush push{args.input, args.output, args.scratch, args.count_address, args.count};
    record_dispatch(commands, plan_->device, plan_->pipeline, &push, tiles_of(args.count));
}

Scan::Scan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Scan::Scan(Scan&&) noexcept            = default;
Scan& Scan::operator=(Scan&&) noexcept = default;
Scan::~Scan()                          = default;

} // namespace vkprim
