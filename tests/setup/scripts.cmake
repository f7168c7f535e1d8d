# What scripts/setup.sh of the tree SOURCE does on machines that have only what CASE says:
#     no-apt-empty    neither apt nor anything else: one sentence
#     no-apt-missing  no apt, and no glslc: CMake's message, and the sentence
#     no-apt-dnf      the same on Fedora: dnf's command before the sentence
#     no-apt-pacman   the same on Arch
#     no-apt-ready    no apt, and all that is needed: configures without a word
#     apt-ready       apt, of which nothing was installed, and all that is needed from elsewhere: apt is not called
#     apt-sudo        apt, nothing installed, and a user with sudo: all that apt does, it does as root
#     apt-no-sudo     the same without sudo: apt is not called
# The other variables are those of configure.cmake.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/bare_machine.cmake")

set(programs bash cat dirname env grep mktemp rm)
set(toolchain ${CMAKE_COMMAND} ninja ar as ld nm objcopy objdump ranlib readelf sh strip)
set(headers "${VULKAN}/vulkan" "${VULKAN}/vk_video" "${VOLK}/volk.h" "${STB}/stb")
if(CASE MATCHES "ready")
    list(APPEND programs ${toolchain} "${GLSLC}")
elseif(CASE MATCHES "missing|dnf|pacman")
    list(APPEND programs ${toolchain})
endif()
vkprim_bare_machine("${WORK}/machine" PROGRAMS ${programs} HEADERS ${headers})

# fake(<program> <lines of shell>)
function(fake name lines)
    file(WRITE "${WORK}/machine/bin/${name}" "#!${WORK}/machine/bin/bash\n${lines}\n")
    file(CHMOD "${WORK}/machine/bin/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
set(log "${WORK}/log")
file(WRITE "${log}" "")
fake(id "echo 1000")
if(CASE MATCHES "no-apt-(dnf|pacman)")
    fake(${CMAKE_MATCH_1} "echo called >>'${log}'")
endif()
if(NOT CASE MATCHES "no-apt")
    fake(dpkg-query "exit 1")
    fake(apt-get "[ -n \"\${FAKE_ROOT:-}\" ] || echo \"not as root: $*\" >>'${log}'")
endif()
if(CASE STREQUAL "apt-sudo")
    fake(sudo "echo \"$*\" >>'${log}'\nFAKE_ROOT=1 exec \"$@\"")
endif()

if(CASE STREQUAL "no-apt-empty")
    set(command "'${SOURCE}/scripts/run.sh'")
else()
    file(REMOVE_RECURSE "${WORK}/build")
    set(options "-B '${WORK}/build' '-DCMAKE_CXX_COMPILER=${CXX}' '-DCMAKE_PREFIX_PATH=${WORK}/machine' '-DCMAKE_IGNORE_PATH=${bare_hidden}'")
    set(command "set -euo pipefail; source '${SOURCE}/scripts/setup.sh'; configure_preset program ${options}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX --unset=VULKAN_SDK "PATH=${WORK}/machine/bin"
                        "${WORK}/machine/bin/bash" -c "${command}"
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
file(READ "${log}" log)
message("${output}\nexit code ${result}\n${log}")

# must_match(<text> <regular expression>)
function(must_match text expression)
    if(NOT "${text}" MATCHES "${expression}")
        message(SEND_ERROR "expected: ${expression}")
    endif()
endfunction()

set(sentence "vkprim needs a compiler for C\\+\\+17, CMake [^\n]*, Ninja, glslc [^\n]*, [^\n]* Catch2; install [^\n]*\\.\n$")
if(CASE MATCHES "ready")
    must_match("${result}:${output}" "^0:$")
else()
    must_match("${result}" "^1$")
    must_match("${output}" "${sentence}")
endif()
if(CASE STREQUAL "no-apt-empty")
    must_match("${output}" "^${sentence}")
elseif(CASE STREQUAL "no-apt-missing")
    must_match("${output}" "\n *vkprim needs shaderc's compiler glslc \\(Debian: apt-get install glslc\\)")
elseif(CASE STREQUAL "no-apt-dnf")
    must_match("${output}" "\nOn Fedora: sudo dnf install gcc-c\\+\\+ [^\n]* glslc [^\n]*\n${sentence}")
elseif(CASE STREQUAL "no-apt-pacman")
    must_match("${output}" "\nOn Arch: sudo pacman -S --needed gcc [^\n]* shaderc [^\n]*\n${sentence}")
elseif(CASE STREQUAL "apt-no-sudo")
    must_match("${output}" "^Going on without g\\+\\+ cmake [^\n]*: only root can install packages, and there is no sudo\\.\n")
endif()
if(CASE STREQUAL "apt-sudo")
    must_match("${log}" "^apt-get update -qq\nenv DEBIAN_FRONTEND=noninteractive apt-get install [^\n]* g\\+\\+ [^\n]*\n$")
else()
    must_match("${log}" "^$")
endif()
