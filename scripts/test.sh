#!/usr/bin/env bash
# Builds everything and runs all tests on every driver: lavapipe with subgroups of 4, 8 and 16, SwiftShader, and the GPU
# where there is one. Arguments go to ctest; `-C full -L full` runs the full extent, which takes hours on CPU drivers.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
install ccache make libvulkan1 mesa-vulkan-drivers vulkan-validationlayers \
    python3 pkg-config g++-mingw-w64-x86-64-posix doxygen chromium-driver python3-selenium
scripts/swiftshader.sh

configure
cmake --build --preset release
[ $# -gt 0 ] || set -- -L quick
ctest --test-dir build/release -j "$(nproc)" --output-on-failure "$@"
