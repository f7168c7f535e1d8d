#!/usr/bin/env bash
# Builds the program and verifies this machine's Vulkan device with it: the GPU where there is one, otherwise lavapipe.
# Arguments go to `vkprim verify`; without any, it is --brief, as many primitives at a time as there are processors.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

configure_preset program
cmake --build --preset program
# Where all was there for the build, a driver may still be missing.
build/program/vkprim info >/dev/null 2>&1 || install libvulkan1 mesa-vulkan-drivers
if [ $# -eq 0 ]; then
    set -- --brief --jobs "$(nproc 2>/dev/null || echo 1)"
    echo "Each kind of element and each way through a shader once. For more: scripts/run.sh --pairs, --quick or --full"
fi
build/program/vkprim verify "$@"
