# vkprim_operation(<name> [<file.glsl>] [PRIMITIVES reduce scan segmented_reduce segmented_scan | PRIMITIVES compact])
#
# Compiles an element and an operation of your own (vkprim/glsl/operation.glsl) for the primitives, by default for reduce and scan; or a
# predicate of your own (vkprim/glsl/predicate.glsl) for compact. Makes a target of that name. What links it may
#
#     #include <vkprim/operations/<name>.h>     // vkprim::OwnOperation vkprim::operations::<name>
#
# and gets in C, from the same file, vkprim_own_operation vkprim_operations_<name>.
#
# Without a file it is one of those that come with vkprim, in vkprim/glsl/operations. The file may include others beside it.

# vkprim_module(<folder> <symbol> <source> [<macro>...]): writes <folder>/<symbol>.comp, the shader `source` with these macros. The shader is
# one more thing that the build must be configured anew for.
function(vkprim_module folder symbol source)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    string(REGEX MATCH "^#version [^\n]*\n" version "${text}")
    if(NOT version)
        message(FATAL_ERROR "${source} does not begin with #version")
    endif()
    string(LENGTH "${version}" length)
    string(SUBSTRING "${text}" ${length} -1 text)
    set(macros)
    foreach(macro IN LISTS ARGN)
        string(REPLACE "=" " " macro "${macro}")
        string(APPEND macros "#define ${macro}\n")
    endforeach()
    file(CONFIGURE OUTPUT "${folder}/${symbol}.comp" CONTENT "${version}${macros}#line 2 \"${source}\"\n${text}" @ONLY)
endfunction()

# vkprim_compile_modules(<folder> <name> <out> SYMBOLS <symbol>... FOLDERS <folder to include from>... [LAST <folder>] [DEPENDS <file>...] [SHORT]): of
# these modules, the words of an array each, <folder>/<symbol>.comp.spv; `out` is set to those files. Nothing depends on what else is in the folder LAST.
# It is one command, since glslc takes longer to start than for a module. SHORT: VkprimShorten.cmake makes them shorter, if there is a spirv-opt.
# -O0: where spirv-opt inlines or unrolls, it loses NoContraction, and with it the order of float operations. Drivers optimize all the same.
function(vkprim_compile_modules folder name out)
    cmake_parse_arguments(PARSE_ARGV 3 arg "SHORT" "LAST" "SYMBOLS;FOLDERS;DEPENDS")
    set(depends ${arg_DEPENDS})
    foreach(include_folder IN LISTS arg_FOLDERS)
        file(GLOB files CONFIGURE_DEPENDS "${include_folder}/*.glsl" "${include_folder}/*.h" "${include_folder}/vkprim/glsl/*.glsl"
             "${include_folder}/vkprim/glsl/detail/*" "${include_folder}/vkprim/glsl/detail/elements/*")
        list(APPEND depends ${files})
    endforeach()
    list(APPEND arg_FOLDERS ${arg_LAST})
    list(TRANSFORM arg_FOLDERS PREPEND "-I")
    list(TRANSFORM arg_SYMBOLS REPLACE "(.+)" "${folder}/\\1.comp" OUTPUT_VARIABLE inputs)
    list(TRANSFORM inputs APPEND ".spv" OUTPUT_VARIABLE outputs)
    set(werror)
    if(VKPRIM_WERROR) # in our own builds alone, if at all
        set(werror -Werror)
    endif()
    set(glslc "${VKPRIM_GLSLC}" --target-env=vulkan1.2 -O0 ${werror} ${arg_FOLDERS})
    set(commands COMMAND ${glslc} -mfmt=num -c ${inputs})
    set(directory "${folder}")
    if(arg_SHORT AND VKPRIM_SPIRV_OPT)
        set(directory "${folder}/binary")
        file(MAKE_DIRECTORY "${directory}")
        set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/VkprimShorten.cmake")
        list(APPEND depends "${script}")
        list(JOIN arg_SYMBOLS "," symbols)
        set(commands COMMAND ${glslc} -c ${inputs} COMMAND "${CMAKE_COMMAND}" "-DSPIRV_OPT=${VKPRIM_SPIRV_OPT}" "-DFOLDER=${folder}"
                     "-DSYMBOLS=${symbols}" -P "${script}")
    endif()
    add_custom_command(
        OUTPUT ${outputs} ${commands}
        DEPENDS ${inputs} ${depends}
        WORKING_DIRECTORY "${directory}"
        COMMENT "Compiling the shaders of ${name}"
        VERBATIM)
    set(${out} ${outputs} PARENT_SCOPE)
endfunction()

function(vkprim_operation name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PRIMITIVES")
    if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "vkprim_operation: ${name} is to be the name of a variable in C++")
    endif()
    if(NOT arg_PRIMITIVES)
        set(arg_PRIMITIVES reduce scan)
    endif()
    foreach(primitive IN LISTS arg_PRIMITIVES)
        if(NOT primitive MATCHES "^(reduce|scan|segmented_reduce|segmented_scan|compact)$")
            message(FATAL_ERROR "vkprim_operation: PRIMITIVES are reduce, scan, segmented_reduce and segmented_scan, or compact; ${primitive} takes no operation")
        endif()
    endforeach()
    if(compact IN_LIST arg_PRIMITIVES AND NOT arg_PRIMITIVES STREQUAL compact)
        message(FATAL_ERROR "vkprim_operation: what is for compact is a predicate, and no operation for other PRIMITIVES")
    endif()
    get_target_property(glsl vkprim::vkprim VKPRIM_GLSL_INCLUDE_DIR)
    get_target_property(shaders vkprim::vkprim VKPRIM_SHADERS_DIR)
    find_program(VKPRIM_GLSLC glslc)
    if(NOT VKPRIM_GLSLC)
        message(FATAL_ERROR "vkprim_operation needs shaderc's compiler glslc (Debian: apt-get install glslc)")
    endif()
    if(arg_UNPARSED_ARGUMENTS)
        list(GET arg_UNPARSED_ARGUMENTS 0 file)
        get_filename_component(file "${file}" ABSOLUTE)
    else()
        set(file "${glsl}/vkprim/glsl/operations/${name}.glsl")
    endif()
    if(NOT EXISTS "${file}")
        message(FATAL_ERROR "vkprim_operation: there is no ${file}")
    endif()

    # The shaders include vkprim_operation_file.glsl, which includes the file by its name and its folder's: glslc takes no absolute paths, and
    # the shaders' own folders, where files may have the same name, have no folders in them.
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/vkprim_operations/${name}")
    get_filename_component(beside "${file}" DIRECTORY)
    get_filename_component(above "${beside}" DIRECTORY)
    file(RELATIVE_PATH file_name "${above}" "${file}")
    set(include "${folder}/vkprim_operation_file.glsl")
    file(CONFIGURE OUTPUT "${include}" CONTENT "#include \"${file_name}\"\n" @ONLY)
    set(symbols)
    set(include_folders)
    set(members)
    set(c_members)
    set(arrays)
    foreach(primitive reduce scan compact segmented_reduce segmented_scan)
        set(modules)
        if(primitive IN_LIST arg_PRIMITIVES)
            foreach(variant word32 word64 plain)
                set(macros VKPRIM_ELEMENT_OWN)
                if(primitive STREQUAL compact)
                    set(macros VKPRIM_PREDICATE_OWN)
                endif()
                if(variant STREQUAL word64)
                    list(APPEND macros VKPRIM_WORD64)
                elseif(variant STREQUAL plain)
                    list(APPEND macros VKPRIM_NO_SUBGROUPS)
                endif()
                set(symbol "${name}_${primitive}_${variant}")
                vkprim_module("${folder}" ${symbol} "${shaders}/${primitive}/${primitive}.comp" ${macros})
                list(APPEND symbols ${symbol})
                string(APPEND arrays "VKPRIM_WORDS ${symbol}[] = {\n#include \"${folder}/${symbol}.comp.spv\"\n};\n")
                list(APPEND modules "{${symbol}, sizeof ${symbol}}")
            endforeach()
            list(APPEND include_folders "${shaders}/${primitive}")
        endif()
        list(JOIN modules ", " modules)
        if(modules)
            string(APPEND c_members ", .${primitive} = {${modules}}")
        endif()
        list(APPEND members "{${modules}}")
    endforeach()
    if(arg_PRIMITIVES MATCHES "segmented")
        list(APPEND include_folders "${shaders}/reduce" "${shaders}/scan" "${shaders}/segments") # of which they include files
    endif()
    list(JOIN members ", " members)
    set(header "// Made of ${file_name} by vkprim_operation().\n#pragma once\n\n")
    string(APPEND header "#ifdef __cplusplus\n#include <vkprim/operation.h>\nnamespace vkprim::operations {\n"
                         "#define VKPRIM_WORDS inline constexpr uint32_t\n"
                         "#else\n#include <vkprim/vkprim.h>\n#define VKPRIM_WORDS static const uint32_t\n#endif\n\n")
    string(APPEND header "${arrays}\n#undef VKPRIM_WORDS\n#ifdef __cplusplus\ninline constexpr OwnOperation ${name}{${members}};\n"
                         "} // namespace vkprim::operations\n#else\n"
                         "static const vkprim_own_operation vkprim_operations_${name} = {sizeof(vkprim_own_operation)${c_members}};\n#endif\n")
    file(CONFIGURE OUTPUT "${folder}/include/vkprim/operations/${name}.h" CONTENT "${header}" @ONLY)
    vkprim_compile_modules("${folder}" ${name} outputs SYMBOLS ${symbols} FOLDERS ${include_folders} "${folder}" "${glsl}" "${beside}"
                           LAST "${above}" DEPENDS "${file}" "${include}")
    add_custom_target(${name}_modules DEPENDS ${outputs})
    add_library(${name} INTERFACE)
    add_dependencies(${name} ${name}_modules)
    target_include_directories(${name} INTERFACE "${folder}/include")
endfunction()
