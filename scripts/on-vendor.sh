#!/usr/bin/env bash
# Runs a command on a GPU that is not there, of which Mesa has the driver and the shader compiler: it creates pipelines and runs none.
#
#     scripts/on-vendor.sh DEVICE COMMAND...      scripts/on-vendor.sh tgl build/program/vkprim info
#
# DEVICE as in scripts/vendors.txt. Exit code 77 where the driver, or what stands in for the hardware, is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vendors=$here/../build/vendors
device=${1-}
vendor=$(awk -v device="$device" '$2 == device { print $1 }' "$here/vendors.txt")
[ $# -gt 1 ] && [ -n "$vendor" ] || { sed -n '2,6s/^# \?//p' "$0" >&2 && exit 2; }
shift

missing() { echo "skipped: $1" && exit 77; }
# The first file that there is.
one_of() { ls "$@" 2>/dev/null | head -n 1; }

case $vendor in
    amd)
        icd=$(one_of /usr/share/vulkan/icd.d/radeon_icd*.json) || missing "there is no RADV here: apt-get install mesa-vulkan-drivers"
        export RADV_FORCE_FAMILY=${device%-*}
        ;;
    intel)
        icd=$(one_of /usr/share/vulkan/icd.d/intel_icd*.json) || missing "there is no ANV here: apt-get install mesa-vulkan-drivers"
        shim=$vendors/libintel_noop_drm_shim.so
        export INTEL_STUB_GPU_PLATFORM=$device
        ;;
    qualcomm)
        icd=$vendors/turnip_icd.json
        shim=$vendors/libfreedreno_noop_drm_shim.so
        export FD_GPU_ID=${device#adreno-}
        ;;
esac
[ -z "${shim-}" ] || { [ -f "$shim" ] && [ -f "$icd" ]; } || missing "there is no stand-in for this GPU here: scripts/vendor-drivers.sh"
export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd MESA_SHADER_CACHE_DISABLE=1
[ -z "${shim-}" ] || export LD_PRELOAD=$shim
exec "$@"
