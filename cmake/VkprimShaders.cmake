# Finds <source>/<primitive>/*.comp, compiles every variant with glslc, and makes one header per primitive for src/ to embed:
# <build>/shaders/shaders/<primitive>.h, in which `scan_f32` is the variant of that name of scan.comp.
#
# The second line of a shader names its variants and their macros. Alternatives stand between |, axes between x:
#     // variants: word | long LONG_KEYS  x  one | rows SORT_ROWS        makes word_one, word_rows, long_one, long_rows
#
# In brackets after a name are the types that need it, such as long(u64,i64,f64): it is compiled if VKPRIM_TYPES has one of them. Where it is left
# out, the variant is a Shader without words, which Pipeline::create() refuses.
#
# `elements` stands for all kinds of elements: the first lines of include/vkprim/glsl/detail/elements/*.glsl have their names and macros, of
# `elements of reduce, segmented_reduce` for those primitives alone. Of such a shader, the header has a table as well: `scan_elements`.
#
# One module does for all devices and types that can share it: src/specialize.cpp takes out what is not used (VKPRIM_ADAPTS).

include("${CMAKE_CURRENT_LIST_DIR}/VkprimOperation.cmake")

# All kinds of elements that a primitive has, as one axis.
function(vkprim_element_axis primitive out)
    file(GLOB files CONFIGURE_DEPENDS "${vkprim_SOURCE_DIR}/include/vkprim/glsl/detail/elements/*.glsl")
    set(axis)
    foreach(file IN LISTS files)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
        file(STRINGS "${file}" line REGEX "^// elements(: | of ([a-z_]+, )*${primitive}(, [a-z_]+)*: )" LIMIT_COUNT 1)
        string(REGEX REPLACE "^// elements[^:]*: " "" line "${line}")
        if(line)
            list(APPEND axis "${line}")
        endif()
    endforeach()
    string(REPLACE ";" " | " axis "${axis}")
    set(${out} "${axis}" PARENT_SCOPE)
endfunction()

# Sets `out` to a list of name, types and macros, with colons between them, for one `variants:` line.
function(vkprim_shader_variants line out)
    string(REGEX REPLACE " x " ";" axes "${line}")
    set(variants "::")
    foreach(axis IN LISTS axes)
        string(REPLACE "|" ";" alternatives "${axis}")
        set(product)
        foreach(variant IN LISTS variants)
            string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" _ "${variant}")
            set(name "${CMAKE_MATCH_1}")
            set(types "${CMAKE_MATCH_2}")
            set(macros "${CMAKE_MATCH_3}")
            foreach(alternative IN LISTS alternatives)
                string(STRIP "${alternative}" alternative)
                string(REGEX MATCH "^([^ (]+)(\\(([^)]*)\\))?(.*)$" _ "${alternative}")
                list(APPEND product "${name}_${CMAKE_MATCH_1}:${types}${CMAKE_MATCH_3}:${macros}${CMAKE_MATCH_4}")
            endforeach()
        endforeach()
        set(variants "${product}")
    endforeach()
    set(${out} "${variants}" PARENT_SCOPE)
endfunction()

# The definition of <shader>_elements.
function(vkprim_element_table shader kinds out)
    vkprim_shader_variants("${kinds}" kinds)
    set(table "inline constexpr ElementShader ${shader}_elements[] = {\n")
    foreach(kind IN LISTS kinds)
        string(REGEX REPLACE "^_([^:]*):.*$" "\\1" kind "${kind}")
        string(APPEND table "    {\"${kind}\", ${shader}_${kind}},\n")
    endforeach()
    set(${out} "${table}};\n\n" PARENT_SCOPE)
endfunction()

# Sets `out` to whether one of `types`, between commas, is in the list `wanted`; or there are none in one of them.
function(vkprim_has_one_of types wanted out)
    string(REPLACE "," ";" types "${types}")
    set(has TRUE)
    if(types AND wanted)
        set(has FALSE)
        foreach(type IN LISTS types)
            if(type IN_LIST wanted)
                set(has TRUE)
            endif()
        endforeach()
    endif()
    set(${out} ${has} PARENT_SCOPE)
endfunction()

# vkprim_embed_shaders(<target> <source> [SHORT] [ADAPTS] [PRIMITIVES <primitive>...] [TYPES <type>...] [NAMED_BY <file>...])
#
# Embeds the shaders of <source>/*/*.comp into <target>. SHORT: as vkprim_compile_modules() has it. ADAPTS: they are for all devices, which takes
# src/specialize.cpp. PRIMITIVES: of these folders alone. TYPES: what these types need. NAMED_BY: the files that use the shaders; one that none of
# them names would be weight for nothing, and is an error.
function(vkprim_embed_shaders target source)
    cmake_parse_arguments(PARSE_ARGV 2 arg "SHORT;ADAPTS" "" "PRIMITIVES;TYPES;NAMED_BY")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/shaders")
    set(macros_of_all)
    if(arg_ADAPTS)
        set(macros_of_all VKPRIM_ADAPTS)
    endif()
    set(short)
    if(arg_SHORT)
        set(short SHORT)
    endif()
    set(users)
    foreach(file IN LISTS arg_NAMED_BY)
        file(READ "${file}" text)
        string(APPEND users "${text}")
    endforeach()
    file(GLOB shaders CONFIGURE_DEPENDS "${source}/*/*.comp")
    if(arg_PRIMITIVES)
        list(JOIN arg_PRIMITIVES "|" pattern)
        list(FILTER shaders INCLUDE REGEX "/(${pattern})/[^/]*$")
    endif()
    file(GLOB included CONFIGURE_DEPENDS "${source}/*/*.glsl" "${source}/*/*.h") # by other primitives, too
    foreach(shader IN LISTS shaders)
        get_filename_component(name "${shader}" NAME_WE)
        get_filename_component(primitive "${shader}" DIRECTORY)
        get_filename_component(primitive "${primitive}" NAME)
        file(STRINGS "${shader}" line REGEX "^// variants: " LIMIT_COUNT 1)
        string(REPLACE "// variants: " "" line "${line}")
        set(table)
        set(has_kinds FALSE)
        if(line STREQUAL "elements")
            set(has_kinds TRUE)
            vkprim_element_axis(${primitive} line)
            vkprim_element_table(${name} "${line}" table)
        endif()
        vkprim_shader_variants("${line}" variants)
        foreach(variant IN LISTS variants)
            string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" _ "${variant}")
            set(symbol "${name}${CMAKE_MATCH_1}")
            set(types "${CMAKE_MATCH_2}")
            set(macros "${CMAKE_MATCH_3}")
            set(kind)
            set(user "${symbol}")
            if(has_kinds)
                string(REGEX REPLACE "^_" "" kind "${CMAKE_MATCH_1}")
                set(user "${name}_elements")
            endif()
            if(arg_NAMED_BY AND NOT users MATCHES "shaders::${user}[^a-zA-Z0-9_]")
                message(FATAL_ERROR "${shader}: no source names shaders::${user}: use it, or take it out of the line `variants:`")
            endif()
            vkprim_has_one_of("${types}" "${arg_TYPES}" is_wanted)
            if(NOT is_wanted)
                string(APPEND header_${primitive} "inline constexpr Shader ${symbol}{}; // left out by VKPRIM_TYPES\n\n")
                continue()
            endif()
            separate_arguments(macros UNIX_COMMAND "${macros}")
            string(APPEND all "    {\"${symbol}\", \"${kind}\", ${symbol}},\n")
            vkprim_module("${folder}/shaders" ${symbol} "${shader}" ${macros_of_all} ${macros})
            list(APPEND symbols_${primitive} ${symbol})
            string(APPEND header_${primitive} "inline constexpr uint32_t ${symbol}_words[] = {\n#include \"${symbol}.comp.spv\"\n};\n"
                   "inline constexpr Shader ${symbol}{${symbol}_words, sizeof ${symbol}_words};\n\n")
        endforeach()
        string(APPEND header_${primitive} "${table}")
        list(APPEND primitives "${primitive}")
    endforeach()
    list(REMOVE_DUPLICATES primitives)
    foreach(primitive IN LISTS primitives)
        file(CONFIGURE OUTPUT "${folder}/shaders/${primitive}.h" CONTENT
             "// Made by cmake/VkprimShaders.cmake.\n#pragma once\n\n#include \"pipeline.h\"\n\nnamespace vkprim::shaders {\n\n${header_${primitive}}} // namespace vkprim::shaders\n"
             @ONLY)
        vkprim_compile_modules("${folder}/shaders" ${primitive} outputs SYMBOLS ${symbols_${primitive}} FOLDERS "${source}/${primitive}"
                               "${source}" "${vkprim_SOURCE_DIR}/include" DEPENDS ${included} ${short})
        target_sources(${target} PRIVATE ${outputs})
    endforeach()
    list(TRANSFORM primitives REPLACE "(.+)" "#include \"\\1.h\"" OUTPUT_VARIABLE includes)
    list(JOIN includes "\n" includes)
    file(CONFIGURE OUTPUT "${folder}/shaders/all.h" CONTENT
         "// Made by cmake/VkprimShaders.cmake.\n#pragma once\n\n${includes}\n\nnamespace vkprim::shaders {\n\nstruct Named {\n    const char *name, *kind; ///< of elements, or \"\"\n    Shader shader;\n};\n\ninline constexpr Named all[] = {\n${all}};\n\n} // namespace vkprim::shaders\n"
         @ONLY)
    target_include_directories(${target} PRIVATE "${folder}" "${vkprim_SOURCE_DIR}/src")
endfunction()
