# To be sourced by the scripts beside it: changes to the project's folder, and has functions that install and configure. Where there
# is apt, it installs without a question, as root or with sudo. Elsewhere nothing is installed, and CMake says what is missing.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# install PACKAGE...: those Debian packages that are not installed yet.
install() {
    local missing=() package
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then return 0; fi
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "Going on without ${missing[*]}: only root can install packages, and there is no sudo." >&2
        return 0
    fi
    echo "Installing ${missing[*]}"
    [ -n "${package_list_is_new:-}" ] || as_root apt-get update -qq
    package_list_is_new=1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# What the packages below are called elsewhere. The commands for Fedora and Arch were not tried: their package lists were read.
say_what_is_needed() {
    if command -v dnf >/dev/null; then
        echo "On Fedora: sudo dnf install gcc-c++ cmake ninja-build glslc vulkan-headers vulkan-loader-devel vulkan-volk-devel cli11-devel" \
            "fmt-devel json-devel stb_image-devel stb_image_write-devel libshaderc-devel spirv-tools mesa-vulkan-drivers catch-devel" >&2
    elif command -v pacman >/dev/null; then
        echo "On Arch: sudo pacman -S --needed gcc cmake ninja shaderc vulkan-headers vulkan-icd-loader volk cli11 fmt nlohmann-json stb" \
            "spirv-tools vulkan-swrast catch2" >&2
    fi
    echo "vkprim needs a compiler for C++17, CMake 3.24 or later, Ninja, glslc (part of shaderc), the Vulkan headers, the Vulkan" \
        "loader and a driver, volk, CLI11, fmt, nlohmann-json, stb, and for its tests Catch2; install what of it is missing here. With" \
        "libshaderc, it also compiles operations while it runs." >&2
}

# configure_preset PRESET [OPTION...]: with ccache where it is there. Only if that fails, what the preset needs is installed.
configure_preset() {
    local preset=$1 log launcher
    shift
    log=$(mktemp)
    launcher=$(command -v ccache || true)
    if ! command -v cmake >/dev/null ||
        ! cmake --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" "$@" >"$log" 2>&1; then
        # lavapipe, a Vulkan driver for the CPU, comes with mesa-vulkan-drivers; where there is a GPU, it is only a second device.
        local packages=(g++ cmake ninja-build glslc libvulkan-dev libvulkan1 libvulkan-volk-dev libcli11-dev nlohmann-json3-dev
            libfmt-dev libstb-dev libshaderc-dev spirv-tools mesa-vulkan-drivers)
        case $preset in program | peers | fuzz) ;; *) packages+=(catch2) ;; esac
        install "${packages[@]}"
        if ! command -v cmake >/dev/null ||
            ! cmake --fresh --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" "$@" >"$log" 2>&1; then
            cat "$log" >&2
            rm "$log"
            say_what_is_needed
            return 1
        fi
    fi
    rm "$log"
}

# configure [OPTION...]: the release preset.
configure() { configure_preset release "$@"; }
