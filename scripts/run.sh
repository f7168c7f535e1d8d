#!/usr/bin/env bash
# Builds the program and verifies this machine's Vulkan device with it: the GPU where there is one, otherwise lavapipe.
# Arguments go to `vkprim verify`.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

configure
cmake --build --preset release --target vkprim_program
build/release/vkprim verify "$@"
