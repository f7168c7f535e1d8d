#include "state.h"
#include "vk_errors.h"

namespace vkprim::runtime {
namespace {

double number(const VkPipelineExecutableStatisticKHR& statistic) {
    switch (statistic.format) {
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<double>(statistic.value.i64);
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return static_cast<double>(statistic.value.u64);
        default: return statistic.value.f64;
    }
}

/// A compute pipeline has one executable.
PipelineStatistics statistics_of(const DeviceState& device, const char* name, VkPipeline pipeline) {
    auto info     = structure<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
    info.pipeline = pipeline;
    auto properties =
        structure<VkPipelineExecutablePropertiesKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR);
    uint32_t executables = 1;
    device.table.vkGetPipelineExecutablePropertiesKHR(device.context.device, &info, &executables, &properties);

    auto executable     = structure<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
    executable.pipeline = pipeline;
    uint32_t count      = 0;
    device.table.vkGetPipelineExecutableStatisticsKHR(device.context.device, &executable, &count, nullptr);
    std::vector<VkPipelineExecutableStatisticKHR> statistics(
        count, structure<VkPipelineExecutableStatisticKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR));
    device.table.vkGetPipelineExecutableStatisticsKHR(device.context.device, &executable, &count, statistics.data());

    PipelineStatistics found{name, properties.subgroupSize, 0, {}};
    for (const auto& statistic : statistics) found.values.emplace_back(statistic.name, number(statistic));
    return found;
}

} // namespace

void collect_pipeline_statistics(DeviceState& device) {
    device.context.pipeline_flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    device.context.on_pipeline = [&device](const char* name, VkPipeline pipeline, double milliseconds) {
        device.pipelines.push_back(statistics_of(device, name, pipeline));
        device.pipelines.back().milliseconds = milliseconds;
    };
}

std::vector<PipelineStatistics> Device::take_pipelines() const { return std::exchange(impl_->pipelines, {}); }

} // namespace vkprim::runtime
