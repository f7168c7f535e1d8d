#!/usr/bin/env bash
# Builds what compiles shaders for GPUs that are not there, into build/vendors: from Debian's source of Mesa, stand-ins for the kernel
# drivers of Intel's and Qualcomm's GPUs (drm-shim), and Turnip, the driver for the latter. About three minutes, once.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
vendors=$PWD/build/vendors
[ -f "$vendors/turnip_icd.json" ] && exit
if ! command -v apt-get >/dev/null || ! ls /etc/apt/sources.list.d/*.sources >/dev/null 2>&1; then
    echo "Intel's and Qualcomm's compilers are skipped: there is no apt to fetch Mesa's source with." >&2
    exit
fi

install gcc g++ meson ninja-build bison flex python3 python3-mako pkg-config dpkg-dev libdrm-dev zlib1g-dev libexpat1-dev
rm -rf "$vendors"
mkdir -p "$vendors/apt/parts" "$vendors/apt/lists/partial" "$vendors/mesa"
# Lists of their own, so that the system's stay as they are.
for file in /etc/apt/sources.list.d/*.sources; do
    sed 's/^Types:.*/Types: deb-src/' "$file" >"$vendors/apt/parts/$(basename "$file")"
done
apt=(-qq -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$vendors/apt/parts" -o "Dir::State::lists=$vendors/apt/lists"
    -o APT::Sandbox::User=root)
cd "$vendors/mesa"
if ! { apt-get "${apt[@]}" update && apt-get "${apt[@]}" source mesa; } >../fetch.log 2>&1; then
    echo "Intel's and Qualcomm's compilers are skipped: Mesa's source was not to be had; see build/vendors/fetch.log." >&2
    exit
fi
cd mesa-*/
# Mesa's generators ask for python3 and find mako with Debian's.
export PATH=/usr/bin:$PATH
meson setup build --buildtype=release -Dvulkan-drivers=freedreno,intel -Dgallium-drivers=freedreno -Dplatforms= -Dglx=disabled \
    -Degl=disabled -Dgbm=disabled -Dgles1=disabled -Dgles2=disabled -Dopengl=false -Dllvm=disabled -Dtools=drm-shim,intel >../../setup.log
built=(src/intel/tools/libintel_noop_drm_shim.so src/freedreno/drm-shim/libfreedreno_noop_drm_shim.so
    src/freedreno/vulkan/libvulkan_freedreno.so)
ninja -C build "${built[@]}" >../../build.log
for file in "${built[@]}"; do cp "build/$file" "$vendors/"; done
cd "$vendors"
rm -r mesa apt
cat >turnip_icd.json <<JSON
{"file_format_version": "1.0.0", "ICD": {"library_path": "$vendors/libvulkan_freedreno.so", "api_version": "1.3.230"}}
JSON
