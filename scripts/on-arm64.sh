#!/usr/bin/env bash
# Runs a program for 64-bit ARM in an emulator, qemu, with today's Mesa for ARM: on lavapipe, or on another driver and with a stand-in for
# its hardware.
#
#     scripts/on-arm64.sh [--driver lvp] [--shim NAME] PROGRAM ARGUMENT...
#
# DRIVER and NAME as in build/vendors/today-arm64: <driver>_icd.json, lib<name>_noop_drm_shim.so. Exit code 77 where something is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath -m "$here/../build/vendors/today-arm64")
driver=lvp preload=()
libraries=$root/usr/lib/aarch64-linux-gnu
while [ $# -gt 1 ]; do
    case $1 in
        --driver) driver=$2 ;;
        --shim) preload=(--preload "$libraries/libvkprim_stand_in.so:$libraries/lib$2_noop_drm_shim.so") ;;
        *) break ;;
    esac
    shift 2
done
[ $# -gt 0 ] || { sed -n '2,7s/^# \?//p' "$0" >&2 && exit 2; }

missing() { echo "skipped: $1" && exit 77; }
emulator=$(ls "$root/../qemu-aarch64" 2>/dev/null || command -v qemu-aarch64) ||
    missing "there is no emulator here: scripts/vendor-drivers.sh today-arm64, or apt-get install qemu-user"
[ -f "$root/usr/share/vulkan/icd.d/${driver}_icd.json" ] || missing "there is no Mesa for ARM here: scripts/vendor-drivers.sh today-arm64"
[ -f "$1" ] || missing "there is no program for ARM here: cmake --preset arm64 && cmake --build --preset arm64"
export VK_DRIVER_FILES=$root/usr/share/vulkan/icd.d/${driver}_icd.json MESA_SHADER_CACHE_DISABLE=1
exec "$emulator" "$libraries/ld-linux-aarch64.so.1" --library-path "$libraries" "${preload[@]}" "$@"
