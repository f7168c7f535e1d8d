# vkprim::compiler: operations that are compiled while a program runs.

# Sets `out` to what must be linked for libshaderc, or to nothing where it is not there. Debian 12's shared library lacks glslang's functions,
# and with its static ones crashes; all of it static works.
function(vkprim_find_shaderc out)
    include(CheckCXXSourceCompiles)
    find_path(VKPRIM_SHADERC_INCLUDE NAMES shaderc/shaderc.hpp HINTS ENV VULKAN_SDK PATH_SUFFIXES include DOC "libshaderc")
    set(${out} "" PARENT_SCOPE)
    if(NOT VKPRIM_SHADERC_INCLUDE)
        return()
    endif()
    find_library(VKPRIM_SHADERC_LIBRARY NAMES shaderc_shared shaderc HINTS ENV VULKAN_SDK PATH_SUFFIXES lib DOC "libshaderc")
    set(CMAKE_REQUIRED_INCLUDES "${VKPRIM_SHADERC_INCLUDE}")
    set(CMAKE_REQUIRED_QUIET ON)
    set(source "#include <shaderc/shaderc.hpp>\nint main() { shaderc::Compiler compiler; return compiler.IsValid() ? 0 : 1; }")
    set(CMAKE_REQUIRED_LIBRARIES "${VKPRIM_SHADERC_LIBRARY}")
    if(VKPRIM_SHADERC_LIBRARY)
        check_cxx_source_compiles("${source}" VKPRIM_SHADERC_LINKS)
    endif()
    if(VKPRIM_SHADERC_LINKS)
        set(${out} "${VKPRIM_SHADERC_LIBRARY}" PARENT_SCOPE)
        return()
    endif()
    set(CMAKE_REQUIRED_LIBRARIES
        -Wl,--start-group shaderc_combined glslang SPIRV MachineIndependent GenericCodeGen OSDependent OGLCompiler HLSL
        glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools -Wl,--end-group -pthread)
    check_cxx_source_compiles("${source}" VKPRIM_SHADERC_LINKS_STATIC)
    if(VKPRIM_SHADERC_LINKS_STATIC)
        set(${out} "${CMAKE_REQUIRED_LIBRARIES}" PARENT_SCOPE)
    endif()
endfunction()

# Embeds in `target` the GLSL that operations are compiled with, as <build>/compiler_sources/compiler/sources.h.
function(vkprim_embed_sources target)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${vkprim_SOURCE_DIR}/include/vkprim/glsl/*" "${vkprim_SOURCE_DIR}/shaders/compact/*"
         "${vkprim_SOURCE_DIR}/shaders/reduce/*" "${vkprim_SOURCE_DIR}/shaders/segmented_reduce/*"
         "${vkprim_SOURCE_DIR}/shaders/segmented_scan/*" "${vkprim_SOURCE_DIR}/shaders/segments/*"
         "${vkprim_SOURCE_DIR}/shaders/scan/*" "${vkprim_SOURCE_DIR}/shaders/names.glsl"
         "${vkprim_SOURCE_DIR}/src/compiler/pairs.comp" "${vkprim_SOURCE_DIR}/src/compiler/pairs_push.h")
    set(all "")
    set(list "")
    foreach(file IN LISTS files)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
        file(RELATIVE_PATH name "${vkprim_SOURCE_DIR}" "${file}")
        string(REGEX REPLACE "^(include|shaders)/" "" name "${name}")
        file(READ "${file}" text)
        string(APPEND all "${name}\n${text}")
        # In pieces: a literal may have 16380 characters at most.
        set(pieces "")
        string(LENGTH "${text}" length)
        foreach(begin RANGE 0 ${length} 8000)
            string(SUBSTRING "${text}" ${begin} 8000 piece)
            string(APPEND pieces "\nR\"glsl(${piece})glsl\"")
        endforeach()
        string(APPEND list "    {\"${name}\",${pieces}},\n")
    endforeach()
    string(SHA256 hash "${all}")
    set(header "// Made by cmake/VkprimCompiler.cmake.\n#pragma once\n\nnamespace vkprim::compiler {\n\nstruct Source {\n    const char *name, *text;\n};\n\n")
    string(APPEND header "inline constexpr char sources_hash[] = \"${hash}\";\n\ninline constexpr Source sources[] = {\n${list}};\n\n} // namespace vkprim::compiler\n")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/compiler_sources")
    file(GENERATE OUTPUT "${folder}/compiler/sources.h" CONTENT "${header}")
    target_include_directories(${target} PRIVATE "${folder}")
endfunction()
