/* A prefix sum by the C interface, in a program that links the Vulkan loader and owns its device and memory. */
#include <vkprim/vkprim.h>

#include <stdio.h>
#include <stdlib.h>

#include "vulkan_setup.h"

enum { count = 1000003 };

static uint32_t input_at(uint32_t i) { return i * 2654435761u >> 16; }

int main(void) {
    VkInstance       instance        = create_instance();
    VkPhysicalDevice physical_device = first_device(instance);

    /* docs begin */
    char         reason[200];
    vkprim_error error;
    vkprim_error_init(&error, sizeof error);
    error.reason      = reason;
    error.reason_size = sizeof reason;

    /* Before vkCreateDevice: vkprim's features go into the chain beside the program's own. */
    vkprim_requirements_query query;
    vkprim_requirements_query_init(&query, sizeof query);
    query.get_instance_proc_addr = vkGetInstanceProcAddr;
    query.instance               = instance;
    query.physical_device        = physical_device;
    vkprim_features wanted, enabled;
    vkprim_features_init(&wanted, sizeof wanted);
    vkprim_features_init(&enabled, sizeof enabled);
    const char* extensions[8];
    uint32_t    extension_count = 8;
    if (vkprim_query_requirements(&query, &wanted, &extension_count, extensions, &error)) fail(reason);
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    if (wanted.compute_full_subgroups) vulkan12.pNext = &size_control;
    VkPhysicalDeviceFeatures2 chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &vulkan12};
    if (vkprim_merge_features(&wanted, &chain, &enabled, &error)) fail(reason);
    VkDevice device = create_device(physical_device, &chain, extension_count, extensions);

    /* Once: the pipelines, and scratch memory, zero-filled. */
    vkprim_context context;
    vkprim_context_init(&context, sizeof context);
    context.get_instance_proc_addr = vkGetInstanceProcAddr;
    context.instance               = instance;
    context.physical_device        = physical_device;
    context.device                 = device;
    context.features               = &enabled;
    vkprim_scan_desc desc;
    vkprim_scan_desc_init(&desc, sizeof desc);
    desc.kind         = VKPRIM_SCAN_INCLUSIVE;
    vkprim_scan* scan = NULL;
    if (vkprim_scan_create(&context, &desc, &scan, &error)) fail(reason);
    vkprim_scan_args args;
    vkprim_scan_args_init(&args, sizeof args);
    args.count                = count;
    VkDeviceSize scratch_size = 0;
    if (vkprim_scan_scratch_size(scan, &args, &scratch_size, &error)) fail(reason);
    struct memory scratch = allocate(physical_device, device, scratch_size);
    struct memory data    = allocate(physical_device, device, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i) data.words[i] = input_at(i);

    /* As often as you like: into any command buffer, between your own barriers. */
    struct commands commands = begin_commands(physical_device, device);
    args.input = args.output = data.address; /* in place */
    args.scratch             = scratch.address;
    if (vkprim_scan_validate(scan, &args, &error)) fail(reason);
    if (vkprim_scan_record(scan, commands.buffer, &args, &error)) fail(reason);
    submit_and_wait(&commands);
    /* docs end */

    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        sum += input_at(i);
        if (data.words[i] != sum) fail("an element is wrong");
    }
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical_device, &properties);
    printf("C scanned %u elements on %s: right\n", (unsigned)count, properties.deviceName);

    vkprim_scan_destroy(scan);
    free_memory(&scratch);
    free_memory(&data);
    vkDestroyCommandPool(device, commands.pool, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return EXIT_SUCCESS;
}
