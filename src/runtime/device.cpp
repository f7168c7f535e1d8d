#include "state.h"
#include "vk_errors.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

namespace vkprim::runtime {
namespace {

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Smaller is better.
int type_rank(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return 3;
        default: return 4;
    }
}

std::string list_text(const std::vector<PhysicalDevice>& devices) {
    std::string text;
    for (const PhysicalDevice& device : devices) {
        if (!text.empty()) text += "; ";
        text += std::to_string(device.info.index) + ": " + device.info.name + " (" + type_name(device.info.type);
        if (!device.info.usable) text += ", not usable: " + device.info.reason;
        text += ")";
    }
    return text;
}

Result<PhysicalDevice> select_device(const std::vector<PhysicalDevice>& devices, const std::string& selector) {
    if (devices.empty()) {
        return Error{ErrorKind::unsupported_device,
                     "no Vulkan driver on this system found a device: install the GPU's driver, or Mesa's for a "
                     "software device (on Debian the package mesa-vulkan-drivers)"};
    }

    // Larger numbers are parts of names, as in "4090".
    uint32_t          index    = 0;
    const char* const end      = selector.data() + selector.size();
    const auto        parsed   = std::from_chars(selector.data(), end, index);
    const bool        by_index = parsed.ec == std::errc() && parsed.ptr == end && index < 100;

    const PhysicalDevice* match = nullptr; // the best so far, usable before unusable
    for (const PhysicalDevice& device : devices) {
        const bool matches =
            by_index ? device.info.index == index : lower(device.info.name).find(lower(selector)) != std::string::npos;
        if (!matches) continue;
        const auto order = [](const PhysicalDevice& d) { return type_rank(d.info.type) + (d.info.usable ? 0 : 100); };
        if (!match || order(device) < order(*match)) match = &device;
    }
    if (!match) {
        return Error{ErrorKind::invalid_args,
                     "there is no device \"" + selector + "\"; there are: " + list_text(devices)};
    }
    if (!match->info.usable) {
        return Error{ErrorKind::unsupported_device, "vkprim cannot run on " + match->info.name + ": " +
                                                        match->info.reason + "; there are: " + list_text(devices)};
    }
    return *match;
}

/// Creates state.context.device with state.context.features, and takes note of what was switched on.
VkResult create_device(DeviceState& state, const DeviceOptions& options) {
    const PhysicalDevice&    physical   = state.physical;
    std::vector<const char*> extensions = physical.requirements.extensions;
    // Of drivers that lack parts of Vulkan: where it is offered, it is required. Its header is for beta versions.
    constexpr const char* portability_subset = "VK_KHR_portability_subset";
    if (has_extension(physical.handle, portability_subset)) extensions.push_back(portability_subset);
    const bool has_size_control_extension = std::any_of(extensions.begin(), extensions.end(), [](const char* name) {
        return std::strcmp(name, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME) == 0;
    });

    auto vulkan12 = structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    auto vulkan13 = structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    auto size_control = structure<VkPhysicalDeviceSubgroupSizeControlFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    auto features  = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    features.pNext = &vulkan12;
    if (physical.info.api_version >= VK_API_VERSION_1_3) {
        vulkan12.pNext = &vulkan13;
    } else if (has_size_control_extension) {
        vulkan12.pNext = &size_control;
    }
    auto executables = structure<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    executables.pipelineExecutableInfo = VK_TRUE;
    if (options.pipeline_statistics) {
        extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
        executables.pNext = features.pNext;
        features.pNext    = &executables;
    }
    features.features.sparseBinding = physical.family.sparse_binding;
    state.context.features          = merge_features(state.context.features, features);
    state.physical.info.features    = state.context.features;

    const uint32_t           queue_count = std::clamp(options.queues, 1u, physical.family.queue_count);
    const std::vector<float> priorities(queue_count, 1.0f);
    auto                     queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex         = physical.family.index;
    queue.queueCount               = queue_count;
    queue.pQueuePriorities         = priorities.data();

    auto info                    = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext                   = &features;
    info.queueCreateInfoCount    = 1;
    info.pQueueCreateInfos       = &queue;
    info.enabledExtensionCount   = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();

    const VkResult result = vkCreateDevice(physical.handle, &info, nullptr, &state.context.device);
    if (result != VK_SUCCESS) return result;
    volkLoadDeviceTable(&state.table, state.context.device);
    state.queues.resize(queue_count);
    for (uint32_t i = 0; i < queue_count; ++i) {
        state.table.vkGetDeviceQueue(state.context.device, physical.family.index, i, &state.queues[i]);
    }
    // What is created again, as tests do all the time, is not compiled again. Validation is to see every layout come and go.
    if (!options.validation && !options.gpu_validation) share_layouts(state);
    const auto cache = structure<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    return state.table.vkCreatePipelineCache(state.context.device, &cache, nullptr, &state.context.pipeline_cache);
}

} // namespace

DeviceState::~DeviceState() {
    staging.reset();
    for (VkFence fence : spares.fences) table.vkDestroyFence(context.device, fence, nullptr);
    for (const CommandMemory& spare : spares.commands) table.vkDestroyCommandPool(context.device, spare.pool, nullptr);
    destroy_shared_layouts(*this);
    if (context.pipeline_cache) table.vkDestroyPipelineCache(context.device, context.pipeline_cache, nullptr);
    if (context.device) table.vkDestroyDevice(context.device, nullptr);
}

const char* type_name(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete GPU";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated GPU";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual GPU";
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return "software";
        default: return "other";
    }
}

Result<std::vector<DeviceInfo>> list_devices() {
    auto instance = create_instance({});
    if (!instance) {
        if (instance.error().code == VK_ERROR_INCOMPATIBLE_DRIVER) return std::vector<DeviceInfo>();
        return instance.error();
    }
    auto devices = physical_devices(**instance);
    if (!devices) return devices.error();

    std::vector<DeviceInfo> infos;
    for (PhysicalDevice& device : *devices) infos.push_back(std::move(device.info));
    return infos;
}

Device::Device(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Device::Device(Device&& other) noexcept = default;

Device& Device::operator=(Device&& other) noexcept {
    Device previous(std::move(*this));
    impl_ = std::move(other.impl_);
    return *this;
}

Device::~Device() {
    if (impl_ && impl_->abandoned) static_cast<void>(impl_.release());
}

Result<Device> Device::create(const DeviceOptions& options) {
    auto instance = create_instance(options);
    if (!instance) return instance.error();
    auto devices = physical_devices(**instance);
    if (!devices) return devices.error();
    auto selected = select_device(*devices, options.selector);
    if (!selected) return selected.error();

    auto impl      = std::make_unique<Impl>();
    impl->instance = std::move(*instance);
    impl->physical = std::move(*selected);

    Context& context               = impl->context;
    context.get_instance_proc_addr = vkGetInstanceProcAddr;
    context.instance               = impl->instance->handle;
    context.physical_device        = impl->physical.handle;
    context.features               = impl->physical.requirements.features;
    if (options.without_int64_atomics) {
        context.features.shader_int64                = false;
        context.features.shader_buffer_int64_atomics = false;
    }
    if (options.without_subgroup_size_control) {
        context.features.subgroup_size_control  = false;
        context.features.compute_full_subgroups = false;
    }

    vkGetPhysicalDeviceMemoryProperties(context.physical_device, &impl->memory);
    if (VkResult result = create_device(*impl, options); result != VK_SUCCESS) {
        const char* hint = result == VK_ERROR_EXTENSION_NOT_PRESENT && options.pipeline_statistics
                               ? ": its driver tells nothing about pipelines (VK_KHR_pipeline_executable_properties)"
                               : "";
        return failed("vkCreateDevice", result, ("for " + impl->physical.info.name + hint).c_str());
    }
    if (options.pipeline_statistics) {
        collect_pipeline_statistics(*impl);
    } else {
        context.parallel_for = options.parallel_for;
    }
    return Device(std::move(impl));
}

const DeviceInfo& Device::info() const { return impl_->physical.info; }
const Context&    Device::context() const { return impl_->context; }
uint32_t          Device::queue_count() const { return static_cast<uint32_t>(impl_->queues.size()); }
uint32_t          Device::queue_family() const { return impl_->physical.family.index; }

void Device::use_profile(const Profile& profile) {
    impl_->profile         = profile;
    impl_->context.profile = &impl_->profile;
}

uint32_t Device::validation_messages() const { return impl_->instance->messages.load(std::memory_order_relaxed); }

} // namespace vkprim::runtime
