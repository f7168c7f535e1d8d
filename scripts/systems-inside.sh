#!/usr/bin/env bash
# What scripts/systems.sh runs in each bare system. The argument: 1 for all groups of cases, 0 for one of each primitive.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
scripts/run.sh --pairs --only 'scan u32 add exclusive' # builds, and installs what that needs
version_of() { dpkg-query -W -f '${Version}' "$1" | sed 's/^[0-9]*://; s/[-+~].*//'; }
driver=$(build/program/vkprim info | sed -n 's/.*\(Mesa [0-9.]*\).*/\1/p' | head -n 1)
mkdir -p build
echo "GCC $(g++ -dumpfullversion) | $(version_of glslc) | $(version_of libvulkan-dev) | ${driver:-$(version_of mesa-vulkan-drivers)}" >build/versions

if [ "$1" = 1 ]; then
    scripts/run.sh
else
    # A primitive that is not named here has all its groups verified.
    declare -A groups=([chunked_reduce]='f32 add' [chunked_scan]='u32 add' [compact]='u8 nonzero elements indices' [expand]='4-byte'
        [histogram]='offsets u8 256' [indirect]='' [reduce]='f32 add' [scan]='i32 min inclusive' [segmented_reduce]='offsets i32 argmax'
        [segmented_scan]='offsets f32 add inclusive' [segmented_sort]='offsets u32 alone' [sort]='u32 alone' [top]='f32 largest')
    for shader in shaders/*/*.comp; do dirname "${shader#shaders/}"; done | sort -u | while read -r primitive; do
        build/program/vkprim verify --pairs --only "$primitive ${groups[$primitive]-}"
    done
fi

cmake --install build/program --prefix "$PWD/build/installed" >/dev/null
cmake -S tests/consumer/shader_library -B build/consumer -G Ninja -DCMAKE_BUILD_TYPE=Release -DVKPRIM_GLSLC="$(command -v glslc)" \
    -DCMAKE_PREFIX_PATH="$PWD/build/installed" >/dev/null
cmake --build build/consumer
build/consumer/consumer
