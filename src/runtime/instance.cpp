#include "instance.h"

#include "vk_errors.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace vkprim::runtime {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

// volk's entry points are global to the process. With one loader they are the same for every instance, apart from those
// of instance extensions, which instance_function() fetches; the lock only keeps two threads from writing at once.
std::mutex volk_mutex;

template <class Function>
Function instance_function(VkInstance instance, const char* name) {
    return reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
}

Result<void> load_loader() {
    std::lock_guard lock(volk_mutex);
    static bool     loaded = false;
    if (loaded) return {};
    if (VkResult result = volkInitialize(); result != VK_SUCCESS) {
        return Error{result,
                     "there is no Vulkan loader on this system: install the GPU's driver, on Linux the package "
                     "libvulkan1 as well, on macOS the Vulkan SDK"};
    }
    if (volkGetInstanceVersion() < VK_API_VERSION_1_1) {
        return Error{VK_ERROR_INITIALIZATION_FAILED,
                     "the Vulkan loader is of version 1.0: update the GPU's driver, on Linux the package libvulkan1"};
    }
    loaded = true;
    return {};
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
    std::fprintf(stderr, "validation: %s\n", data->pMessage);
    static_cast<std::atomic<uint32_t>*>(messages)->fetch_add(1, std::memory_order_relaxed);
    return VK_FALSE;
}

Result<void> check_validation_layer() {
    uint32_t                       count  = 0;
    VkResult                       result = vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    if (result == VK_SUCCESS) result = vkEnumerateInstanceLayerProperties(&count, layers.data());
    if (result < 0) return failed("vkEnumerateInstanceLayerProperties", result);
    const bool found = std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
        return std::strcmp(layer.layerName, validation_layer) == 0;
    });
    if (found) return {};
    return Error{VK_ERROR_LAYER_NOT_PRESENT, std::string("validation was asked for, but the layer ") +
                                                 validation_layer +
                                                 " is not installed: it is in the Vulkan SDK, and in Debian's package "
                                                 "vulkan-validationlayers"};
}

QueueFamily choose_queue_family(VkPhysicalDevice device, bool sparse_feature) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());

    QueueFamily best;
    int         best_score = -1;
    for (uint32_t i = 0; i < count; ++i) {
        const VkQueueFamilyProperties& family = families[i];
        if (!(family.queueFlags & VK_QUEUE_COMPUTE_BIT) || family.queueCount == 0) continue;
        const bool sparse = sparse_feature && (family.queueFlags & VK_QUEUE_SPARSE_BINDING_BIT);
        const int  score  = (family.timestampValidBits > 0 ? 2 : 0) + (sparse ? 1 : 0);
        if (score > best_score) {
            best       = {i, family.queueCount, family.timestampValidBits, sparse};
            best_score = score;
        }
    }
    return best;
}

/// Of the largest device-local heap: memory_size and available_memory.
void fill_memory(VkPhysicalDevice device, DeviceInfo& info) {
    auto memory = structure<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
    auto budget = structure<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    const bool has_budget =
        info.api_version >= VK_API_VERSION_1_1 && has_extension(device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (has_budget) {
        memory.pNext = &budget;
        vkGetPhysicalDeviceMemoryProperties2(device, &memory);
    } else {
        vkGetPhysicalDeviceMemoryProperties(device, &memory.memoryProperties);
    }
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
        const VkMemoryHeap& heap = memory.memoryProperties.memoryHeaps[i];
        if (!(heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) || heap.size <= info.memory_size) continue;
        info.memory_size      = heap.size;
        info.available_memory = heap.size;
        if (has_budget) {
            const VkDeviceSize left = budget.heapBudget[i] - std::min(budget.heapBudget[i], budget.heapUsage[i]);
            info.available_memory   = std::min(heap.size, left);
        }
    }
}

void fill_info(PhysicalDevice& device, bool has_size_control) {
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    auto subgroup =
        structure<VkPhysicalDeviceSubgroupProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    auto allocations =
        structure<VkPhysicalDeviceMaintenance3Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
    auto driver = structure<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto size_control = structure<VkPhysicalDeviceSubgroupSizeControlProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
    auto buffers =
        structure<VkPhysicalDeviceMaintenance4Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES);

    vkGetPhysicalDeviceProperties(device.handle, &properties.properties);
    const uint32_t version = properties.properties.apiVersion;
    const auto     append  = [&](auto& next, bool supported) {
        if (!supported) return;
        next.pNext       = properties.pNext;
        properties.pNext = &next;
    };
    append(subgroup, version >= VK_API_VERSION_1_1);
    append(allocations, version >= VK_API_VERSION_1_1);
    append(driver, version >= VK_API_VERSION_1_2);
    append(size_control, has_size_control);
    append(buffers, version >= VK_API_VERSION_1_3);
    vkGetPhysicalDeviceProperties2(device.handle, &properties);

    const VkPhysicalDeviceProperties& core   = properties.properties;
    const VkPhysicalDeviceLimits&     limits = core.limits;
    DeviceInfo&                       info   = device.info;

    info.name   = core.deviceName;
    info.driver = driver.driverName;
    if (driver.driverInfo[0]) info.driver += std::string(info.driver.empty() ? "" : " ") + driver.driverInfo;
    info.vendor_id                 = core.vendorID;
    info.device_id                 = core.deviceID;
    info.type                      = core.deviceType;
    info.api_version               = version;
    info.subgroup_size             = subgroup.subgroupSize;
    info.min_subgroup_size         = has_size_control ? size_control.minSubgroupSize : subgroup.subgroupSize;
    info.max_subgroup_size         = has_size_control ? size_control.maxSubgroupSize : subgroup.subgroupSize;
    info.max_workgroup_invocations = limits.maxComputeWorkGroupInvocations;
    info.max_workgroup_count_x     = limits.maxComputeWorkGroupCount[0];
    info.shared_memory_size        = limits.maxComputeSharedMemorySize;
    info.max_allocation_size       = allocations.maxMemoryAllocationSize;
    info.sparse_binding            = device.family.sparse_binding;
    info.timestamp_period          = device.family.timestamp_bits > 0 ? limits.timestampPeriod : 0.0f;

    fill_memory(device.handle, info);
    device.max_buffer_size        = version >= VK_API_VERSION_1_3 ? buffers.maxBufferSize : UINT64_MAX;
    device.max_sparse_size        = limits.sparseAddressSpaceSize;
    device.non_coherent_atom_size = limits.nonCoherentAtomSize;
}

PhysicalDevice inspect(const Instance& instance, VkPhysicalDevice handle, uint32_t index) {
    PhysicalDevice device;
    device.handle     = handle;
    device.info.index = index;

    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(handle, &features);
    device.family = choose_queue_family(handle, features.sparseBinding);

    auto requirements = query_requirements({vkGetInstanceProcAddr, instance.handle, handle});
    if (requirements) device.requirements = std::move(*requirements);
    device.info.features = device.requirements.features;
    fill_info(device, device.requirements.features.subgroup_size_control);

    device.info.usable = requirements && device.family.index != UINT32_MAX;
    if (!requirements) {
        device.info.reason = requirements.error().reason;
    } else if (!device.info.usable) {
        device.info.reason = "it has no queue that computes";
    }
    return device;
}

} // namespace

bool has_extension(VkPhysicalDevice device, const char* name) {
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](const VkExtensionProperties& one) { return std::strcmp(one.extensionName, name) == 0; });
}

Instance::~Instance() {
    if (messenger) {
        const auto destroy =
            instance_function<PFN_vkDestroyDebugUtilsMessengerEXT>(handle, "vkDestroyDebugUtilsMessengerEXT");
        destroy(handle, messenger, nullptr);
    }
    if (handle) vkDestroyInstance(handle, nullptr);
}

Result<std::unique_ptr<Instance>> create_instance(const DeviceOptions& options) {
    if (auto loaded = load_loader(); !loaded) return loaded.error();

    const bool validation = options.validation || options.gpu_validation;
    auto       instance   = std::make_unique<Instance>();

    auto application        = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pEngineName = "vkprim";
    application.apiVersion  = VK_API_VERSION_1_3; // a ceiling, which older loaders and devices may be below
    auto info               = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo   = &application;

    // General messages are left out: the loader's remarks about drivers that it skipped are no fault of the program.
    auto messenger =
        structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType =
        VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    messenger.pfnUserCallback = on_message;
    messenger.pUserData       = &instance->messages;

    const VkValidationFeatureEnableEXT features[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
                                                     VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT};

    auto checks = structure<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
    checks.enabledValidationFeatureCount = options.gpu_validation ? 2 : 1;
    checks.pEnabledValidationFeatures    = features;
    checks.pNext                         = &messenger; // for messages from creating and destroying the instance itself

    std::vector<const char*> extensions;
    if (validation) {
        if (auto present = check_validation_layer(); !present) return present.error();
        info.enabledLayerCount   = 1;
        info.ppEnabledLayerNames = &validation_layer;
        info.pNext               = &checks;
        extensions               = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    }
    // Without it, the loader leaves out drivers that lack parts of Vulkan, as MoltenVK does.
    info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    info.enabledExtensionCount   = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();

    VkInstance handle = VK_NULL_HANDLE;
    VkResult   result = vkCreateInstance(&info, nullptr, &handle);
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT) { // loaders before 1.3.207, which leave none out
        info.flags = 0;
        --info.enabledExtensionCount;
        result = vkCreateInstance(&info, nullptr, &handle);
    }
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        return failed("vkCreateInstance", result,
                      "there is no Vulkan driver on this system: install the GPU's, or Mesa's for a software device "
                      "(on Debian the package mesa-vulkan-drivers)");
    }
    if (result != VK_SUCCESS) return failed("vkCreateInstance", result);
    instance->handle = handle;
    {
        std::lock_guard lock(volk_mutex);
        volkLoadInstanceOnly(handle);
    }
    if (validation) {
        const auto create =
            instance_function<PFN_vkCreateDebugUtilsMessengerEXT>(handle, "vkCreateDebugUtilsMessengerEXT");
        result = create(handle, &messenger, nullptr, &instance->messenger);
        if (result != VK_SUCCESS) return failed("vkCreateDebugUtilsMessengerEXT", result);
    }
    return instance;
}

Result<std::vector<PhysicalDevice>> physical_devices(const Instance& instance) {
    std::vector<VkPhysicalDevice> handles;
    VkResult                      result = VK_INCOMPLETE;
    while (result == VK_INCOMPLETE) { // again where a device appeared between the two calls
        uint32_t count = 0;
        result         = vkEnumeratePhysicalDevices(instance.handle, &count, nullptr);
        handles.resize(count);
        if (result == VK_SUCCESS && count > 0) {
            result = vkEnumeratePhysicalDevices(instance.handle, &count, handles.data());
        }
        handles.resize(count);
    }
    if (result != VK_SUCCESS) return failed("vkEnumeratePhysicalDevices", result);

    std::vector<PhysicalDevice> devices;
    devices.reserve(handles.size());
    for (VkPhysicalDevice handle : handles) {
        devices.push_back(inspect(instance, handle, static_cast<uint32_t>(devices.size())));
    }
    return devices;
}

} // namespace vkprim::runtime
