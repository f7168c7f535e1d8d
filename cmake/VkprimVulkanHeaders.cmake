# The Vulkan headers, for this tree and for the installed package, which has this file, too.

# Sets `out` to the target Vulkan::Headers, to a folder, or to nothing. The first of these counts: the folder that the user names
# with VKPRIM_VULKAN_INCLUDE; the target, or the variable Vulkan_INCLUDE_DIR, of the project around vkprim; what the system has.
function(vkprim_find_vulkan_headers out)
    if(VKPRIM_VULKAN_INCLUDE)
        set(headers "${VKPRIM_VULKAN_INCLUDE}")
    elseif(TARGET Vulkan::Headers)
        set(headers Vulkan::Headers)
    elseif(Vulkan_INCLUDE_DIR)
        set(headers "${Vulkan_INCLUDE_DIR}")
    else()
        # Not cached: in a later run the project may have a target, which goes before what was found.
        find_path(headers vulkan/vulkan.h HINTS ENV VULKAN_SDK PATH_SUFFIXES include NO_CACHE)
    endif()
    if(NOT headers)
        set(headers "")
    endif()
    set(${out} "${headers}" PARENT_SCOPE)
endfunction()
