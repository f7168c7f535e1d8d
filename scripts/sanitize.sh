#!/usr/bin/env bash
# Runs the tests of host code with AddressSanitizer and UndefinedBehaviorSanitizer: those that touch no device, and on lavapipe
# those of the contract, the runtime and the requirements. Then with ThreadSanitizer: those without a device, and recording from
# several threads.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

export UBSAN_OPTIONS=print_stacktrace=1

for preset in debug tsan; do
    configure_preset "$preset"
    cmake --build --preset "$preset"
done
ctest --test-dir build/debug -j "$(nproc)" --output-on-failure -R '^(host/|lavapipe-4/(contract|runtime|requirements)$)'
ctest --test-dir build/tsan -j "$(nproc)" --output-on-failure -L host
VKPRIM_TEST_ICD='/usr/share/vulkan/icd.d/lvp_icd*.json' VKPRIM_TEST_DEVICE=llvmpipe \
    build/tsan/tests/vkprim_tests 'one object records from several threads'
