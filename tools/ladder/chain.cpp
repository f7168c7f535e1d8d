#include <algorithm>
#include <optional>

#include "entry_point.h"
#include "ladder.h"
#include "recorder.h"
#include "shaders/common.h"
#include "uniform.h"

namespace vkprim::tools::ladder {

namespace {

struct Dispatch {
    const Pipeline* pipeline = nullptr;
    LadderPush      push{};
    uint32_t        workgroups = 0;
};

VkSubgroupFeatureFlags subgroup_operations(const Context& context) {
    const auto query = entry_point<PFN_vkGetPhysicalDeviceProperties2>(context, "vkGetPhysicalDeviceProperties2");
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup, {}};
    query(context.physical_device, &all);
    return subgroup.supportedOperations;
}

} // namespace

std::string why_not(const runtime::Device& device, const Kernel& kernel, uint32_t workgroup_size) {
    const runtime::DeviceInfo& info = device.info();
    if (workgroup_size > info.max_workgroup_invocations) return "workgroups are smaller here";
    if (kernel.number("shared", workgroup_size, 0) > info.shared_memory_size) return "there is less shared memory here";
    const std::string operation = kernel.text("subgroups");
    if (operation.empty()) return "";
    VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    if (operation == "shuffle") needed = VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    if (operation == "relative") needed = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    const bool can = (subgroup_operations(device.context()) & needed) == needed;
    return can ? "" : "subgroups cannot do " + operation + " here";
}

harness::WorkloadDesc workload_desc_of(const Problem& problem) {
    harness::WorkloadDesc desc;
    desc.size          = problem.count;
    desc.input         = problem.input;
    desc.output_size   = problem.expected.size();
    desc.bytes_written = problem.bytes - problem.input->size();
    desc.expected      = [expected = problem.expected] { return expected; };
    desc.format        = problem.format;
    return desc;
}

struct Chain::Impl final : Links {
    Impl(const runtime::Device& device_, uint32_t size, uint32_t polls)
        : device(device_), workgroup_size(size), max_polls(polls) {}

    const runtime::Device&                   device;
    uint32_t                                 workgroup_size, max_polls;
    Result<CoreDevice>                       core = CoreDevice::create(device.context());
    std::shared_ptr<harness::WorkloadMemory> memory;
    harness::Operands                        operands;
    std::map<const uint32_t*, Pipeline>      pipelines; ///< by their shaders' words
    std::vector<Dispatch>                    dispatches;
    std::unique_ptr<UniformSet>              uniform; ///< of all kernels, if there is one
    std::optional<Error>                     error;   ///< the first

    const Pipeline* pipeline_of(const Kernel& kernel) {
        const auto found = pipelines.find(kernel.shader.words);
        if (found != pipelines.end()) return &found->second;
        PipelineDesc desc;
        desc.shader         = kernel.shader;
        desc.name           = kernel.step.c_str();
        desc.push_size      = sizeof(LadderPush);
        desc.workgroup_size = workgroup_size;
        desc.max_polls      = max_polls;
        desc.own            = true;
        if (uniform) desc.set_layout = uniform->layout();
        CoreDevice partial = *core; // whose last subgroup may lack invocations
        if (workgroup_size % partial.limits.subgroup_size != 0) partial.features.compute_full_subgroups = false;
        auto pipeline = Pipeline::create(partial, desc);
        if (pipeline) return &pipelines.emplace(kernel.shader.words, std::move(*pipeline)).first->second;
        error = pipeline.error();
        return nullptr;
    }

    size_t count() const override { return dispatches.size(); }

    void dispatch(VkCommandBuffer commands, size_t number) const override {
        const Dispatch& one = dispatches[number];
        if (uniform) uniform->bind(commands, one.pipeline->layout());
        record_dispatch(commands, *core, *one.pipeline, &one.push, one.workgroups);
    }

    void barrier(VkCommandBuffer commands) const override { record_barrier(commands, *core); }
};

void record_in_order(VkCommandBuffer commands, const Links& links) {
    for (size_t number = 0; number < links.count(); ++number) {
        if (number > 0) links.barrier(commands);
        links.dispatch(commands, number);
    }
}

Chain::Chain(const runtime::Device& device, const Problem& problem, uint32_t workgroup_size, uint64_t scratch_words)
    : impl_(std::make_shared<Impl>(device, workgroup_size, problem.max_polls)) {
    if (!impl_->core) {
        impl_->error = impl_->core.error();
        return;
    }
    auto memory =
        harness::WorkloadMemory::create(device, workload_desc_of(problem), std::max<uint64_t>(scratch_words, 4) * 4);
    if (!memory) {
        impl_->error = memory.error();
        return;
    }
    impl_->memory   = *memory;
    impl_->operands = impl_->memory->operands();
}

VkDeviceAddress Chain::source() const { return impl_->operands.input; }
VkDeviceAddress Chain::target() const { return impl_->operands.output; }
VkDeviceAddress Chain::scratch(uint64_t word) const { return impl_->operands.scratch + word * 4; }

uint32_t Chain::workgroups_for(uint64_t threads) const {
    return static_cast<uint32_t>((threads + impl_->workgroup_size - 1) / impl_->workgroup_size);
}

void Chain::add(const Kernel& kernel, const LadderPush& push, uint32_t workgroups) {
    if (impl_->error) return;
    const Pipeline* pipeline = impl_->pipeline_of(kernel);
    if (!pipeline) return;
    impl_->dispatches.push_back({pipeline, push, workgroups});
    impl_->dispatches.back().push.workgroups = workgroups;
}

void Chain::clear(VkDeviceAddress words, uint32_t count) {
    LadderPush push{};
    push.target = words;
    push.count  = count;
    Kernel kernel;
    kernel.step   = "clear";
    kernel.shader = shaders::clear_any;
    add(kernel, push, workgroups_for(count));
}

VkDeviceAddress Chain::constants(const std::vector<float>& floats) {
    if (impl_->error) return 0;
    auto created = UniformSet::create(impl_->device, floats);
    if (!created) {
        impl_->error = created.error();
        return 0;
    }
    impl_->uniform = std::move(*created);
    return impl_->uniform->address();
}

Result<harness::Workload> Chain::finish(const Order& order) {
    if (impl_->error) return *impl_->error;
    harness::Workload workload = harness::WorkloadMemory::workload(impl_->memory);
    workload.record            = [impl = impl_, order](VkCommandBuffer commands) { order(commands, *impl); };
    workload.memory            = impl_;
    return workload;
}

} // namespace vkprim::tools::ladder
