# What vkprim needs from outside. Each thing that is missing gets one message, always in the same words and with the name of
# Debian's package. Configuring goes on to the end, so that one run names all that is missing.

# vkprim_require_program(<variable> <what it is> PACKAGE <Debian's> NAMES <name>...)
function(vkprim_require_program variable what)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "PACKAGE" "NAMES")
    find_program(${variable} NAMES ${arg_NAMES} HINTS ENV VULKAN_SDK PATH_SUFFIXES bin DOC "${what}")
    if(NOT ${variable})
        vkprim_say_missing("${what}" ${arg_PACKAGE} "${variable}=FILE")
    endif()
endfunction()

# vkprim_require_header(<variable> <what it is> PACKAGE <Debian's> NAMES <header>...): the folder for #include <header>
function(vkprim_require_header variable what)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "PACKAGE" "NAMES")
    find_path(${variable} NAMES ${arg_NAMES} HINTS ENV VULKAN_SDK PATH_SUFFIXES include DOC "${what}")
    if(NOT ${variable})
        vkprim_say_missing("${what}" ${arg_PACKAGE} "${variable}=FOLDER")
    endif()
endfunction()

# vkprim_require_package(<name> <what it is> PACKAGE <Debian's>): for find_package. Its targets are those of the calling folder.
function(vkprim_require_package name what)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "PACKAGE" "")
    find_package(${name} QUIET)
    if(NOT ${name}_FOUND)
        vkprim_say_missing("${what}" ${arg_PACKAGE} "${name}_DIR=FOLDER")
    endif()
endfunction()

# vkprim_say_missing(<what> <Debian's package> <option that says where it is> [WARNING]): for all of these.
function(vkprim_say_missing what package option)
    set(severity SEND_ERROR ${ARGN})
    list(GET severity -1 severity)
    message(${severity} "vkprim needs ${what} (Debian: apt-get install ${package}). If it is there, -D${option} says where.")
endfunction()

# Compiler and build program are project()'s to find; where they are missing, this says which package has them, ahead of project().
function(vkprim_hint_toolchain)
    if(CMAKE_TOOLCHAIN_FILE OR NOT CMAKE_HOST_UNIX)
        return()
    endif()
    find_program(compiler NAMES c++ g++ clang++ icpx NO_CACHE)
    if(NOT compiler AND NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
        vkprim_say_missing("a compiler for C++17" g++ CMAKE_CXX_COMPILER=FILE WARNING)
    endif()
    find_program(ninja NAMES ninja ninja-build samu NO_CACHE)
    if(CMAKE_GENERATOR STREQUAL "Ninja" AND NOT ninja AND NOT CMAKE_MAKE_PROGRAM)
        vkprim_say_missing("Ninja" ninja-build CMAKE_MAKE_PROGRAM=FILE WARNING)
    endif()
endfunction()
