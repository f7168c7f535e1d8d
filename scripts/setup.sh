# To be sourced by run.sh, test.sh and bench-peers.sh: changes to the project's folder and installs what is missing, without a question.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# install PACKAGE...: those Debian packages that are not installed yet.
install() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "Installing ${missing[*]}"
    local sudo=()
    [ "$(id -u)" -eq 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# lavapipe, a Vulkan driver for the CPU, comes with mesa-vulkan-drivers; where there is a GPU, it is only a second device.
install build-essential cmake ninja-build ccache glslc libvulkan-dev libvulkan1 libvulkan-volk-dev libcli11-dev \
    nlohmann-json3-dev libfmt-dev libstb-dev catch2 mesa-vulkan-drivers

# configure_preset PRESET [OPTION...]: with ccache.
configure_preset() {
    local preset=$1
    shift
    cmake --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@" >.configure.log 2>&1 || {
        cat .configure.log
        return 1
    }
    rm .configure.log
}

# configure [OPTION...]: the release preset.
configure() { configure_preset release "$@"; }
