# include_glsl(<target> <folder>): builds with the target a shader that includes vkprim's GLSL from a folder.
function(include_glsl target folder)
    set(shader "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shader_library/collectives.comp")
    set(output "${CMAKE_CURRENT_BINARY_DIR}/collectives.spv")
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${VKPRIM_GLSLC}" --target-env=vulkan1.2 -Werror -I "${folder}" -o "${output}" "${shader}"
        DEPENDS "${shader}"
        VERBATIM)
    target_sources(${target} PRIVATE "${output}")
endfunction()
