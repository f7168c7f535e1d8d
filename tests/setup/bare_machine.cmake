# vkprim_bare_machine(<folder> PROGRAMS <name or path>... HEADERS <path>...): makes <folder>/bin and <folder>/include with links to
# these alone, and sets `bare_command` to a command that runs CMake where nothing else is found, of
# which `bare_hidden` is the value of CMAKE_IGNORE_PATH. Packages are still found: they have
# CMAKE_DISABLE_FIND_PACKAGE_<name>.
function(vkprim_bare_machine folder)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PROGRAMS;HEADERS")
    file(REMOVE_RECURSE "${folder}")
    file(MAKE_DIRECTORY "${folder}/bin" "${folder}/include")
    foreach(name IN LISTS arg_PROGRAMS)
        find_program(program ${name} REQUIRED NO_CACHE)
        get_filename_component(name "${name}" NAME)
        file(CREATE_LINK "${program}" "${folder}/bin/${name}" SYMBOLIC)
        unset(program)
    endforeach()
    foreach(path IN LISTS arg_HEADERS)
        get_filename_component(name "${path}" NAME)
        file(CREATE_LINK "${path}" "${folder}/include/${name}" SYMBOLIC)
    endforeach()
    # CMake looks into these, whatever PATH says.
    file(TO_CMAKE_PATH "$ENV{PATH}" hidden)
    foreach(prefix / /usr /usr/local /opt)
        list(APPEND hidden ${prefix}/bin ${prefix}/sbin ${prefix}/include)
    endforeach()
    list(TRANSFORM hidden REPLACE "//" "/")
    list(REMOVE_DUPLICATES hidden)
    set(bare_hidden "${hidden}" PARENT_SCOPE)
    string(REPLACE ";" "\\;" hidden "${hidden}")
    set(bare_command
        ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX --unset=VULKAN_SDK "PATH=${folder}/bin" ${CMAKE_COMMAND} -G Ninja
        "-DCMAKE_PREFIX_PATH=${folder}" "-DCMAKE_IGNORE_PATH=${hidden}" PARENT_SCOPE)
endfunction()
