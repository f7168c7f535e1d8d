#!/usr/bin/env bash
# Runs the tests of host code with AddressSanitizer and UndefinedBehaviorSanitizer, then with ThreadSanitizer: those that touch no
# device, and on lavapipe those of the contract, the runtime and the requirements.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
install ccache libvulkan1 mesa-vulkan-drivers

export UBSAN_OPTIONS=print_stacktrace=1
for preset in debug tsan; do
    configure_preset "$preset"
    cmake --build --preset "$preset"
    ctest --test-dir "build/$preset" -j "$(nproc)" --output-on-failure -R '^(host/|lavapipe-4/(contract|runtime|requirements)$)'
done
