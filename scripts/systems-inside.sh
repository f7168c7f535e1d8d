#!/usr/bin/env bash
# What scripts/systems.sh runs in each bare system. The argument: 1 for pairwise cases, 0 for what scripts/run.sh verifies.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
scripts/run.sh --brief --only 'scan u32 add exclusive' # builds, and installs what that needs
version_of() { dpkg-query -W -f '${Version}' "$1" | sed 's/^[0-9]*://; s/[-+~].*//'; }
driver=$(build/program/vkprim info | sed -n 's/.*\(Mesa [0-9.]*\).*/\1/p' | head -n 1)
mkdir -p build
echo "GCC $(g++ -dumpfullversion) | $(version_of glslc) | $(version_of libvulkan-dev) | ${driver:-$(version_of mesa-vulkan-drivers)}" >build/versions

if [ "$1" = 1 ]; then scripts/run.sh --pairs --jobs "$(nproc)"; else scripts/run.sh; fi

cmake --install build/program --prefix "$PWD/build/installed" >/dev/null
cmake -S tests/consumer/shader_library -B build/consumer -G Ninja -DCMAKE_BUILD_TYPE=Release -DVKPRIM_GLSLC="$(command -v glslc)" \
    -DCMAKE_PREFIX_PATH="$PWD/build/installed" >/dev/null
cmake --build build/consumer
build/consumer/consumer
