# find_package(vkprim): the target vkprim::vkprim, and vkprim::profile where it was built. They need the Vulkan headers, which may be
# the project's own target Vulkan::Headers.
include("${CMAKE_CURRENT_LIST_DIR}/VkprimVulkanHeaders.cmake")
vkprim_find_vulkan_headers(vkprim_vulkan_headers)
if(NOT vkprim_vulkan_headers)
    set(vkprim_FOUND FALSE)
    set(vkprim_NOT_FOUND_MESSAGE "vkprim needs the Vulkan headers: VKPRIM_VULKAN_INCLUDE is the folder of vulkan/vulkan.h")
    return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/vkprim-targets.cmake")

# For glslc -I, so that shaders may #include <vkprim/glsl/...>; and for vkprim_operation().
get_target_property(vkprim_glsl vkprim::vkprim INTERFACE_INCLUDE_DIRECTORIES)
set_target_properties(vkprim::vkprim PROPERTIES VKPRIM_GLSL_INCLUDE_DIR "${vkprim_glsl}" VKPRIM_SHADERS_DIR
                                                                                         "${vkprim_glsl}/vkprim/glsl/primitives")
unset(vkprim_glsl)
include("${CMAKE_CURRENT_LIST_DIR}/VkprimOperation.cmake")

if(TARGET "${vkprim_vulkan_headers}")
    set_property(TARGET vkprim::vkprim APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${vkprim_vulkan_headers}")
else()
    set_property(TARGET vkprim::vkprim APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${vkprim_vulkan_headers}")
endif()
unset(vkprim_vulkan_headers)
