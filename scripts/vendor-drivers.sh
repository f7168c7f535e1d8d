#!/usr/bin/env bash
# What compiles shaders for GPUs that are not there, into build/vendors. From Debian's source of Mesa: stand-ins for the kernel drivers
# of Intel's and Qualcomm's GPUs (drm-shim), and Turnip, the driver for the latter. From Debian's testing: SPIRV-Cross, which writes
# Metal's language. About three minutes, once. With `today`, also Debian's newest Mesa for a stable release with its own stand-ins, as
# packages and with the libraries that they need, 60 MB, and one for Intel of Debian 13's source, two minutes more; with `today-arm64`,
# those for 64-bit ARM, Catch2 for it, and testing's emulator. Nothing of this system is changed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
vendors=$PWD/build/vendors
if ! command -v apt-get >/dev/null || ! ls /etc/apt/sources.list.d/*.sources >/dev/null 2>&1; then
    echo "Intel's, Qualcomm's and Apple's compilers are skipped: there is no apt to fetch them with." >&2
    exit
fi
mkdir -p "$vendors"

# apt_elsewhere FILTER ARGUMENT...: apt-get, in this folder, with what FILTER makes of the system's sources, which stay as they are.
apt_elsewhere() {
    local state=$vendors/apt filter=$1
    shift
    mkdir -p "$state/parts" "$state/lists/partial" "$state/archives/partial"
    sed -s '$a\' /etc/apt/sources.list.d/*.sources | "$filter" >"$state/parts/all.sources"
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$state/parts" -o "Dir::State::lists=$state/lists" \
        -o "Dir::Cache=$state" -o APT::Sandbox::User=root "$@" >>"$vendors/fetch.log" 2>&1
}

source_code() { sed 's/^Types:.*/Types: deb-src/'; }

in_suites() { awk -v RS= -v suites="$1" '!/security/ { gsub(/Suites:[^\n]*/, "Suites: " suites); print $0 "\n" }'; }
testing() { in_suites testing; }
backports() { in_suites "trixie trixie-backports"; }
stable_with_source() { in_suites trixie | sed 's/^Types:.*/Types: deb deb-src/'; }

# download FILTER FOLDER OPTIONS PACKAGE...: the packages, unpacked into a new folder, with a list of their files' names. OPTIONS: one word for
# apt-get, which may be empty.
download() {
    local filter=$1 folder=$2 options=$3 package
    shift 3
    rm -rf "$folder" "$vendors/apt"
    mkdir -p "$folder"
    cd "$folder"
    apt_elsewhere "$filter" $options update && apt_elsewhere "$filter" $options download "$@" || return
    ls ./*.deb >packages
    for package in *.deb; do dpkg -x "$package" . && rm "$package"; done
}

# Into $vendors/spirv-cross: the program, which runs with its own C and C++ libraries from beside it.
fetch_spirv_cross() {
    local work=$vendors/spirv-cross.d libraries
    if ! download testing "$work" "" spirv-cross libc6 libgcc-s1 libstdc++6; then
        echo "Apple's language is skipped: SPIRV-Cross was not to be had; see build/vendors/fetch.log." >&2
        return
    fi
    sed -n 's/.*spirv-cross_\([^_]*\)_.*/\1/p' "$work/packages" >"$vendors/spirv-cross.version"
    libraries=$work/usr/lib/$(gcc -print-multiarch)
    printf '#!/bin/sh\nexec %q --library-path %q %q "$@"\n' "$(echo "$libraries"/ld-linux*)" "$libraries" "$work/usr/bin/spirv-cross" >"$vendors/spirv-cross"
    chmod +x "$vendors/spirv-cross"
}

install_for_mesa() {
    install gcc g++ ninja-build bison flex python3 python3-mako pkg-config dpkg-dev libdrm-dev zlib1g-dev libexpat1-dev "$@"
}

# Into $vendors: the stand-ins, Turnip and its ICD file.
build_mesa() {
    local file
    local built=(src/intel/tools/libintel_noop_drm_shim.so src/freedreno/drm-shim/libfreedreno_noop_drm_shim.so
        src/freedreno/vulkan/libvulkan_freedreno.so)
    rm -rf "$vendors/mesa"
    mkdir -p "$vendors/mesa"
    cd "$vendors/mesa"
    if ! { apt_elsewhere source_code update && apt_elsewhere source_code source mesa; }; then
        echo "Intel's and Qualcomm's compilers are skipped: Mesa's source was not to be had; see build/vendors/fetch.log." >&2
        return
    fi
    cd mesa-*/
    # Mesa's generators ask for python3 and find mako with Debian's.
    PATH=/usr/bin:$PATH meson setup build --buildtype=release -Dvulkan-drivers=freedreno,intel -Dgallium-drivers=freedreno -Dplatforms= \
        -Dglx=disabled -Degl=disabled -Dgbm=disabled -Dgles1=disabled -Dgles2=disabled -Dopengl=false -Dllvm=disabled \
        -Dtools=drm-shim,intel >../../setup.log
    PATH=/usr/bin:$PATH ninja -C build "${built[@]}" >../../build.log
    for file in "${built[@]}"; do cp "build/$file" "$vendors/"; done
    rm -r "$vendors/mesa"
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.230"}}\n' \
        "$vendors/libvulkan_freedreno.so" >"$vendors/turnip_icd.json"
}

# Into $vendors/today, or of the architecture arm64 $vendors/today-arm64: the drivers, the stand-ins and all libraries, which a program loads by
# the loader that is among them.
fetch_today() {
    local folder=$vendors/today${1:+-$1} package packages=(mesa-vulkan-drivers/trixie-backports mesa-drm-shim/trixie-backports libvulkan1 libstdc++6)
    local apart=(-o Dir::State::status=/dev/null -o APT::Install-Recommends=false) # as on a machine where nothing is installed
    [ -z "${1-}" ] || apart+=(-o "APT::Architecture=$1" -o "APT::Architectures=$1")
    rm -rf "$folder.d" "$vendors/apt"
    if ! { apt_elsewhere backports "${apart[@]}" update && apt_elsewhere backports "${apart[@]}" install -y --download-only "${packages[@]}"; }; then
        echo "Today's Mesa${1:+ for $1} is skipped: it was not to be had; see build/vendors/fetch.log." >&2
        return
    fi
    for package in "$vendors"/apt/archives/*.deb; do dpkg -x "$package" "$folder.d"; done
    basename "$vendors"/apt/archives/mesa-vulkan-drivers_*.deb | cut -d_ -f2 >"$folder.version"
    mv "$folder.d" "$folder"
}

# Into $vendors/qemu-aarch64: the emulator, which is one file. Debian 12's takes seven times as long for the same pipelines.
fetch_emulator() {
    if ! download testing "$vendors/qemu.d" "" qemu-user; then
        echo "The emulator of Debian's testing was not to be had; see build/vendors/fetch.log. This system's is used." >&2
        return
    fi
    mv "$vendors/qemu.d/usr/bin/qemu-aarch64" "$vendors/"
    rm -r "$vendors/qemu.d"
}

# Into $vendors/catch2-arm64: this system's Catch2 for 64-bit ARM, with which the tests are linked.
fetch_catch2() {
    local arm64="-o Dir::State::status=/dev/null -o APT::Architecture=arm64 -o APT::Architectures=arm64"
    download cat "$vendors/catch2-arm64" "$arm64" catch2 && return
    rm -r "$vendors/catch2-arm64"
    echo "The tests for ARM are skipped: Catch2 was not to be had; see build/vendors/fetch.log." >&2
}

# Into $vendors/today: the stand-in for Intel's kernel driver, which is in no package, of the source of Debian 13, by the meson that it asks for.
build_intel_of_today() {
    local shim=src/intel/tools/libintel_noop_drm_shim.so
    rm -rf "$vendors/mesa" "$vendors/apt"
    mkdir -p "$vendors/mesa"
    cd "$vendors/mesa"
    if ! { apt_elsewhere stable_with_source update && apt_elsewhere stable_with_source source mesa &&
        apt_elsewhere stable_with_source download meson; }; then
        echo "Intel's compiler of today is skipped: Mesa's source was not to be had; see build/vendors/fetch.log." >&2
        return
    fi
    dpkg -x meson_*.deb meson
    cd mesa-*/
    export PATH=/usr/bin:$PATH PYTHONPATH=$vendors/mesa/meson/usr/lib/python3/dist-packages # ninja starts meson again
    python3 ../meson/usr/bin/meson setup build --buildtype=release -Dvulkan-drivers= -Dgallium-drivers= -Dplatforms= -Dglx=disabled \
        -Degl=disabled -Dgbm=disabled -Dgles1=disabled -Dgles2=disabled -Dopengl=false -Dllvm=disabled -Dtools=drm-shim,intel \
        >../../setup.log
    ninja -C build "$shim" >../../build.log
    cp "build/$shim" "$vendors/today/usr/lib/$(gcc -print-multiarch)/"
    rm -r "$vendors/mesa"
}

# build_stand_in COMPILER FOLDER: what those of today lack, beside them.
build_stand_in() {
    local shim
    for shim in "$2"/usr/lib/*/libnouveau_noop_drm_shim.so; do
        [ ! -f "$shim" ] || "$1" -std=c11 -shared -fPIC -O2 scripts/stand-in.c -o "$(dirname "$shim")/libvkprim_stand_in.so"
    done
}

for wanted in "$@"; do
    case $wanted in
        today)
            [ -d "$vendors/today" ] || (fetch_today)
            if [ -d "$vendors/today" ] && ! ls "$vendors"/today/usr/lib/*/libintel_noop_drm_shim.so >/dev/null 2>&1; then
                install_for_mesa
                (build_intel_of_today)
            fi
            install gcc
            build_stand_in gcc "$vendors/today"
            ;;
        today-arm64)
            [ -d "$vendors/today-arm64" ] || (fetch_today arm64)
            [ -x "$vendors/qemu-aarch64" ] || (fetch_emulator)
            [ -d "$vendors/catch2-arm64" ] || (fetch_catch2)
            install gcc-aarch64-linux-gnu
            build_stand_in aarch64-linux-gnu-gcc "$vendors/today-arm64"
            ;;
        *) echo "usage: scripts/vendor-drivers.sh [today] [today-arm64]" >&2 && exit 2 ;;
    esac
done
if [ ! -x "$vendors/spirv-cross" ]; then
    install gcc
    (fetch_spirv_cross)
fi
if [ ! -f "$vendors/turnip_icd.json" ]; then
    install_for_mesa meson
    (build_mesa)
fi
rm -rf "$vendors/apt"
