// Which features vkprim asks for, on the device at hand and on devices made up here.
#include <sys/wait.h>
#include <unistd.h>
#include <vkprim/requirements.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>

#include "support/catch.h"
#include "support/test_device.h"

namespace vkprim::tests {
namespace {

/// A physical device in words.
struct FakeDevice {
    uint32_t                 version = VK_API_VERSION_1_3;
    std::vector<std::string> extensions;
    VkSubgroupFeatureFlags   subgroup_operations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    VkShaderStageFlags subgroup_stages     = VK_SHADER_STAGE_COMPUTE_BIT;
    VkShaderStageFlags size_control_stages = VK_SHADER_STAGE_COMPUTE_BIT;
    uint32_t           workgroup_size      = 256;
    VkBool32           int64 = VK_TRUE, buffer_device_address = VK_TRUE, memory_model = VK_TRUE, device_scope = VK_TRUE,
             byte_access   = VK_TRUE;
    VkBool32 int64_atomics = VK_TRUE, size_control = VK_TRUE, full_subgroups = VK_TRUE;

    bool has_size_control() const {
        return version >= VK_API_VERSION_1_3 ||
               std::count(extensions.begin(), extensions.end(), VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME) > 0;
    }
};

FakeDevice fake_device;

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice, VkPhysicalDeviceProperties2* properties) {
    properties->properties.apiVersion                            = fake_device.version;
    properties->properties.limits.maxComputeWorkGroupInvocations = fake_device.workgroup_size;
    properties->properties.limits.maxComputeWorkGroupSize[0]     = fake_device.workgroup_size;
    for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            auto& subgroup               = *reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(next);
            subgroup.subgroupSize        = 32;
            subgroup.supportedOperations = fake_device.subgroup_operations;
            subgroup.supportedStages     = fake_device.subgroup_stages;
        }
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
            CHECK(fake_device.has_size_control()); // else nobody knows the structure
            auto& control           = *reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(next);
            control.minSubgroupSize = 32;
            control.maxSubgroupSize = 64;
            control.requiredSubgroupSizeStages = fake_device.size_control_stages;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
    features->features.shaderInt64   = fake_device.int64;
    features->features.shaderFloat64 = VK_TRUE;
    for (auto* next = static_cast<VkBaseOutStructure*>(features->pNext); next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            auto& vulkan12                        = *reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(next);
            vulkan12.bufferDeviceAddress          = fake_device.buffer_device_address;
            vulkan12.vulkanMemoryModel            = fake_device.memory_model;
            vulkan12.shaderBufferInt64Atomics     = fake_device.int64_atomics;
            vulkan12.vulkanMemoryModelDeviceScope = fake_device.device_scope;
            vulkan12.storageBuffer8BitAccess      = fake_device.byte_access;
        }
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES) {
            CHECK(fake_device.has_size_control());
            auto& control                = *reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlFeatures*>(next);
            control.subgroupSizeControl  = fake_device.size_control;
            control.computeFullSubgroups = fake_device.full_subgroups;
        }
    }
}

VKAPI_ATTR VkResult VKAPI_CALL get_extensions(VkPhysicalDevice, const char*, uint32_t* count,
                                              VkExtensionProperties* properties) {
    for (size_t i = 0; properties && i < fake_device.extensions.size(); ++i) {
        std::strcpy(properties[i].extensionName, fake_device.extensions[i].c_str());
    }
    *count = static_cast<uint32_t>(fake_device.extensions.size());
    return VK_SUCCESS;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL no_device_function(VkDevice, const char*) { return nullptr; }

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_function(VkInstance, const char* name) {
    const std::string wanted = name;
    if (wanted == "vkGetPhysicalDeviceProperties2") return reinterpret_cast<PFN_vkVoidFunction>(&get_properties);
    if (wanted == "vkGetPhysicalDeviceFeatures2") return reinterpret_cast<PFN_vkVoidFunction>(&get_features);
    if (wanted == "vkEnumerateDeviceExtensionProperties") return reinterpret_cast<PFN_vkVoidFunction>(&get_extensions);
    if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(&no_device_function);
    FAIL_CHECK(wanted << " is not for requirements");
    return nullptr;
}

Result<Requirements> query(const FakeDevice& device, uint32_t api_version = 0) {
    fake_device       = device;
    const auto handle = [](uintptr_t number) { return reinterpret_cast<void*>(number); };
    return query_requirements(
        {get_function, static_cast<VkInstance>(handle(1)), static_cast<VkPhysicalDevice>(handle(2)), api_version});
}

void check_unusable(const FakeDevice& device, const std::string& word) {
    const auto requirements = query(device);
    CAPTURE(word);
    REQUIRE_FALSE(requirements);
    CHECK(requirements.error().kind == ErrorKind::unsupported_device);
    CHECK(requirements.error().reason.find(word) != std::string::npos);
}

template <class T>
T structure(VkStructureType type, void* next = nullptr) {
    T result{};
    result.sType = type;
    result.pNext = next;
    return result;
}

constexpr Features everything{true, true, true, true, true, true, true, true, true};

bool same(const Features& a, const Features& b) {
    return a.buffer_device_address == b.buffer_device_address && a.vulkan_memory_model == b.vulkan_memory_model &&
           a.vulkan_memory_model_device_scope == b.vulkan_memory_model_device_scope &&
           a.shader_int64 == b.shader_int64 && a.shader_buffer_int64_atomics == b.shader_buffer_int64_atomics &&
           a.subgroup_size_control == b.subgroup_size_control && a.compute_full_subgroups == b.compute_full_subgroups &&
           a.storage_buffer_8bit_access == b.storage_buffer_8bit_access && a.shader_float64 == b.shader_float64;
}

} // namespace

static_assert(sizeof(Features) == 9, "same() and everything are to name the new feature");

TEST_CASE("merge_features into the structures of Vulkan 1.2 and 1.3", "[host][requirements]") {
    auto vulkan13 = structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    auto vulkan12 =
        structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13);
    auto chain = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12);
    CHECK(same(merge_features(everything, chain), everything));
    CHECK(vulkan12.bufferDeviceAddress);
    CHECK(vulkan12.vulkanMemoryModel);
    CHECK(vulkan12.vulkanMemoryModelDeviceScope);
    CHECK(vulkan12.shaderBufferInt64Atomics);
    CHECK(vulkan12.storageBuffer8BitAccess);
    CHECK(vulkan13.subgroupSizeControl);
    CHECK(vulkan13.computeFullSubgroups);
    CHECK(chain.features.shaderInt64);
    // And nothing else.
    CHECK_FALSE(vulkan12.shaderSharedInt64Atomics);
    CHECK_FALSE(vulkan12.bufferDeviceAddressCaptureReplay);
    CHECK_FALSE(vulkan13.synchronization2);
    CHECK_FALSE(chain.features.shaderInt16);
    CHECK(chain.pNext == &vulkan12);
    CHECK(vulkan12.pNext == &vulkan13);
    CHECK(vulkan13.pNext == nullptr);
}

TEST_CASE("merge_features into the structures before them", "[host][requirements]") {
    auto control = structure<VkPhysicalDeviceSubgroupSizeControlFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    auto atomics = structure<VkPhysicalDeviceShaderAtomicInt64Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, &control);
    auto other =
        structure<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &atomics);
    auto model = structure<VkPhysicalDeviceVulkanMemoryModelFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, &other);
    auto bytes =
        structure<VkPhysicalDevice8BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, &model);
    auto address = structure<VkPhysicalDeviceBufferDeviceAddressFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, &bytes);
    auto chain = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &address);
    CHECK(same(merge_features(everything, chain), everything));
    CHECK(bytes.storageBuffer8BitAccess);
    CHECK(address.bufferDeviceAddress);
    CHECK(model.vulkanMemoryModel);
    CHECK(atomics.shaderBufferInt64Atomics);
    CHECK(control.subgroupSizeControl);
    CHECK(control.computeFullSubgroups);
    CHECK_FALSE(address.bufferDeviceAddressCaptureReplay);
    CHECK(model.vulkanMemoryModelDeviceScope);
    CHECK_FALSE(atomics.shaderSharedInt64Atomics);
}

TEST_CASE("merge_features leaves off what has no structure", "[host][requirements]") {
    auto     chain = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    Features only_oldest; // of Vulkan 1.0
    only_oldest.shader_int64 = only_oldest.shader_float64 = true;
    CHECK(same(merge_features(everything, chain), only_oldest));

    auto vulkan12 = structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    chain.pNext   = &vulkan12;
    Features without_size_control              = everything;
    without_size_control.subgroup_size_control = without_size_control.compute_full_subgroups = false;
    CHECK(same(merge_features(everything, chain), without_size_control));
}

TEST_CASE("merge_features switches nothing off", "[host][requirements]") {
    auto vulkan13 = structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    auto vulkan12 =
        structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13);
    auto chain = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12);
    CHECK(same(merge_features({}, chain), {}));
    vulkan12.bufferDeviceAddress  = VK_TRUE;
    vulkan12.timelineSemaphore    = VK_TRUE;
    vulkan13.computeFullSubgroups = VK_TRUE;
    chain.features.shaderInt64    = VK_TRUE;
    Features on;
    on.buffer_device_address = on.shader_int64 = on.compute_full_subgroups = true;
    CHECK(same(merge_features({}, chain), on)); // what the engine wanted for itself counts, too
    CHECK(vulkan12.timelineSemaphore);
    CHECK_FALSE(vulkan12.vulkanMemoryModel);
}

TEST_CASE("missing_structures says what merge_features leaves off", "[host][requirements]") {
    // Every chain that Vulkan allows: those of versions, or single ones.
    auto vulkan12 = structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    auto vulkan13 = structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    auto address  = structure<VkPhysicalDeviceBufferDeviceAddressFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    auto model = structure<VkPhysicalDeviceVulkanMemoryModelFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES);
    auto atomics = structure<VkPhysicalDeviceShaderAtomicInt64Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES);
    auto bytes =
        structure<VkPhysicalDevice8BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES);
    auto control = structure<VkPhysicalDeviceSubgroupSizeControlFeatures>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    void* const all[] = {&vulkan12, &vulkan13, &address, &model, &atomics, &bytes, &control};
    for (uint32_t set = 0; set < 1u << std::size(all); ++set) {
        auto  chain = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
        auto* last  = reinterpret_cast<VkBaseOutStructure*>(&chain);
        for (uint32_t i = 0; i < std::size(all); ++i) {
            if ((set >> i & 1) == 0) continue;
            last->pNext = static_cast<VkBaseOutStructure*>(all[i]);
            last        = last->pNext;
            last->pNext = nullptr;
        }
        CAPTURE(set);
        const auto missing = missing_structures(everything, chain);
        CHECK(missing.empty() == same(merge_features(everything, chain), everything));
        // Appended, what is missing is all that was needed.
        for (const MissingStructure& one : missing) {
            CAPTURE(one.name);
            const auto found = std::find_if(std::begin(all), std::end(all), [&](void* structure) {
                return static_cast<VkBaseOutStructure*>(structure)->sType == one.type;
            });
            REQUIRE(found != std::end(all));
            last->pNext = static_cast<VkBaseOutStructure*>(*found);
            last        = last->pNext;
            last->pNext = nullptr;
            CHECK(std::string(one.effect).find(" off") != std::string::npos);
        }
        CHECK(missing_structures(everything, chain).empty());
        CHECK(same(merge_features(everything, chain), everything));
        CHECK(missing_structures({}, structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2))
                  .empty());
    }
    // The chain of an application of Vulkan 1.3 that takes single structures.
    auto chain         = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12);
    vulkan12.pNext     = nullptr;
    const auto missing = missing_structures(everything, chain);
    REQUIRE(missing.size() == 1);
    CHECK(missing[0].type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    CHECK(std::string(missing[0].name) == "VkPhysicalDeviceSubgroupSizeControlFeatures");
    CHECK(std::string(missing[0].effect).find("computeFullSubgroups") != std::string::npos);
    Features without_size_control              = everything;
    without_size_control.subgroup_size_control = without_size_control.compute_full_subgroups = false;
    CHECK(missing_structures(without_size_control, chain).empty());
}

TEST_CASE("query_requirements of devices old and new", "[host][requirements]") {
    FakeDevice device;
    auto       requirements = query(device);
    REQUIRE(requirements);
    CHECK(same(requirements->features, everything));
    CHECK(requirements->extensions.empty());

    device.version    = VK_API_VERSION_1_2;
    device.extensions = {"VK_KHR_swapchain", VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME};
    requirements      = query(device);
    REQUIRE(requirements);
    CHECK(same(requirements->features, everything));
    REQUIRE(requirements->extensions.size() == 1);
    CHECK(std::string(requirements->extensions[0]) == VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);

    device.extensions = {"VK_KHR_swapchain"};
    requirements      = query(device);
    REQUIRE(requirements);
    Features without_size_control              = everything;
    without_size_control.subgroup_size_control = without_size_control.compute_full_subgroups = false;
    CHECK(same(requirements->features, without_size_control));
    CHECK(requirements->extensions.empty());

    // Full subgroups do not depend on who may ask for a size.
    FakeDevice fixed          = device;
    fixed.extensions          = {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME};
    fixed.size_control        = VK_FALSE;
    fixed.size_control_stages = 0;
    requirements              = query(fixed);
    REQUIRE(requirements);
    CHECK(requirements->features.compute_full_subgroups);
    CHECK(requirements->extensions.size() == 1);

    device.int64 = device.int64_atomics = device.byte_access = VK_FALSE;
    requirements                                             = query(device);
    REQUIRE(requirements);
    Features least;
    least.buffer_device_address = least.vulkan_memory_model = least.vulkan_memory_model_device_scope = true;
    least.shader_float64                                                                             = true;
    CHECK(same(requirements->features, least));

    device.device_scope = VK_FALSE; // which is not required
    requirements        = query(device);
    REQUIRE(requirements);
    least.vulkan_memory_model_device_scope = false;
    CHECK(same(requirements->features, least));
}

TEST_CASE("query_requirements of a version that the instance asked for", "[host][requirements]") {
    FakeDevice device;
    device.extensions = {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME};
    auto requirements = query(device, VK_API_VERSION_1_2);
    REQUIRE(requirements);
    CHECK(same(requirements->features, everything));
    CHECK(requirements->extensions.size() == 1); // what Vulkan 1.3 has without it
    device.extensions.clear();
    requirements = query(device, VK_API_VERSION_1_2);
    REQUIRE(requirements);
    CHECK_FALSE(requirements->features.subgroup_size_control);
    CHECK_FALSE(requirements->features.compute_full_subgroups);
    const auto old = query(device, VK_API_VERSION_1_1);
    REQUIRE_FALSE(old);
    CHECK(old.error().kind == ErrorKind::unsupported_device);
    CHECK(old.error().reason.find("1.2") != std::string::npos);
    // No more than the device has.
    device.version = VK_API_VERSION_1_1;
    CHECK_FALSE(query(device, VK_API_VERSION_1_3));
}

TEST_CASE("query_requirements says why a device is no good", "[host][requirements]") {
    FakeDevice device;
    device.version = VK_API_VERSION_1_1;
    check_unusable(device, "1.2");
    device                = {};
    device.workgroup_size = 128;
    check_unusable(device, "256");
    device                       = {};
    device.buffer_device_address = VK_FALSE;
    check_unusable(device, "bufferDeviceAddress");
    device              = {};
    device.memory_model = VK_FALSE;
    check_unusable(device, "vulkanMemoryModel");
}

TEST_CASE("query_requirements of nothing", "[host][requirements]") {
    const auto instance        = reinterpret_cast<VkInstance>(uintptr_t{1});
    const auto physical_device = reinterpret_cast<VkPhysicalDevice>(uintptr_t{2});
    const auto reason = [](const RequirementsQuery& query) { return query_requirements(query).error().reason; };
    CHECK(reason({nullptr, instance, physical_device}) == "get_instance_proc_addr is null");
    CHECK(reason({get_function, nullptr, physical_device}) == "instance is null");
    CHECK(reason({get_function, instance, nullptr}) == "physical_device is null");
}

TEST_CASE("query_requirements of the device at hand", "[device][requirements]") {
    const Context& context = device().context();
    const auto     requirements =
        query_requirements({context.get_instance_proc_addr, context.instance, context.physical_device});
    REQUIRE(requirements);
    CHECK(same(requirements->features, device().info().features));
    CHECK(same(requirements->features, context.features));

    Features features = device_without_int64_atomics().context().features;
    CHECK_FALSE(features.shader_int64);
    CHECK_FALSE(features.shader_buffer_int64_atomics);
    features = device_without_subgroup_size_control().context().features;
    CHECK_FALSE(features.subgroup_size_control);
    CHECK_FALSE(features.compute_full_subgroups);
    CHECK(features.buffer_device_address);
}

namespace {

/// How a child process ends, and what it says on stderr.
struct Ending {
    int         signal = 0; ///< 0: none
    std::string said;
};

Ending ending_of(const std::function<void()>& function) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL); // Catch's handler would write a report
        try {
            function();
        } catch (...) {
            _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    Ending ending;
    char   text[256];
    for (ssize_t size; (size = read(ends[0], text, sizeof text)) > 0;)
        ending.said.append(text, static_cast<size_t>(size));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
    return ending;
}

} // namespace

TEST_CASE("what an error is taken for ends the program with the reason", "[host][requirements]") {
    struct Thing {
        uint32_t number = 0;
    };
    const Result<Thing> error(Error{ErrorKind::other, "the moon is full"}), thing(Thing{7});
    const Result<void>  nothing;
    CHECK((*thing).number == 7);
    const std::function<void()> mistakes[] = {[&] { static_cast<void>(*error); },
                                              [&] { static_cast<void>(error->number); },
                                              [&] { static_cast<void>(*Result<Thing>(error)); }};
    for (const auto& mistake : mistakes) {
        const Ending ending = ending_of(mistake);
        CHECK(ending.signal == SIGABRT);
        CHECK(ending.said.find("the moon is full") != std::string::npos);
    }
    const std::function<void()> others[] = {[&] { static_cast<void>(thing.error().code); },
                                            [&] { static_cast<void>(nothing.error().code); }};
    for (const auto& mistake : others) {
        const Ending ending = ending_of(mistake);
        CHECK(ending.signal == SIGABRT);
        CHECK(ending.said.find("no error") != std::string::npos);
    }
}

TEST_CASE("an error of each kind has the code that goes with it", "[requirements]") {
    const std::pair<ErrorKind, VkResult> codes[] = {
        {ErrorKind::invalid_desc, VK_ERROR_FORMAT_NOT_SUPPORTED},
        {ErrorKind::invalid_args, VK_ERROR_VALIDATION_FAILED_EXT},
        {ErrorKind::invalid_context, VK_ERROR_INITIALIZATION_FAILED},
        {ErrorKind::invalid_profile, VK_ERROR_FORMAT_NOT_SUPPORTED},
        {ErrorKind::invalid_operation, VK_ERROR_INVALID_SHADER_NV},
        {ErrorKind::unsupported_device, VK_ERROR_FEATURE_NOT_PRESENT},
        {ErrorKind::vulkan, VK_ERROR_UNKNOWN},
        {ErrorKind::other, VK_ERROR_UNKNOWN},
    };
    for (const auto& [kind, code] : codes) {
        const Error error(kind, "why");
        CHECK(error.kind == kind);
        CHECK(error.code == code);
        CHECK(error.reason == "why");
    }
    const Error lost(VK_ERROR_DEVICE_LOST, "why");
    CHECK(lost.kind == ErrorKind::vulkan);
    CHECK(lost.code == VK_ERROR_DEVICE_LOST);
    CHECK(lost.reason == "why");
    CHECK(Error().kind == ErrorKind::other);
}

} // namespace vkprim::tests
