# find_package(vkprim): the target vkprim::vkprim, and vkprim::profile where it was built. They need the Vulkan headers.
find_path(VKPRIM_VULKAN_INCLUDE vulkan/vulkan.h HINTS ENV VULKAN_SDK PATH_SUFFIXES include DOC "Vulkan headers")
if(NOT VKPRIM_VULKAN_INCLUDE)
    set(vkprim_FOUND FALSE)
    set(vkprim_NOT_FOUND_MESSAGE "vkprim needs the Vulkan headers: VKPRIM_VULKAN_INCLUDE is the folder of vulkan/vulkan.h")
    return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/vkprim-targets.cmake")
set_property(TARGET vkprim::vkprim APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${VKPRIM_VULKAN_INCLUDE}")
