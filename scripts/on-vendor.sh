#!/usr/bin/env bash
# Runs a command on a GPU that is not there, of which Mesa has the driver and the shader compiler: it creates pipelines and runs none.
#
#     scripts/on-vendor.sh DEVICE COMMAND...      scripts/on-vendor.sh tgl build/program/vkprim info
#
# DEVICE as in scripts/vendors.txt, where arm64 means that COMMAND is a program for 64-bit ARM, such as build/arm64/vkprim. Exit code 77 where
# the driver, or what stands in for the hardware, is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vendors=$here/../build/vendors
device=${1-}
read -r vendor mesa < <(awk -v device="$device" '$2 == device { print $1, $3 }' "$here/vendors.txt") || true
[ $# -gt 1 ] && [ -n "${vendor-}" ] || { sed -n '2,7s/^# \?//p' "$0" >&2 && exit 2; }
shift

missing() { echo "skipped: $1" && exit 77; }
# The first file that there is; nothing where there is none.
one_of() { ls "$@" 2>/dev/null | head -n 1 || true; }

case $vendor in
    amd) driver=radeon shim=amdgpu && export RADV_FORCE_FAMILY=${device%-*} AMDGPU_GPU_ID=${device%-*} ;;
    intel) driver=intel shim=intel && export INTEL_STUB_GPU_PLATFORM=$device ;;
    qualcomm) driver=freedreno shim=freedreno && export FD_GPU_ID=${device#adreno-} ;;
    apple) driver=asahi shim=asahi ;;
    arm)
        declare -A gpu_id=([mali-g310]=ac04:4 [mali-g610]=a867 [mali-g720]=c800:4 [mali-g725]=d800:4)
        driver=panfrost shim=panfrost && export PAN_GPU_ID=${gpu_id[$device]}
        ;;
    broadcom) driver=broadcom shim=v3d && export V3D_GPU_ID=${device#v3d-} ;;
    nvidia) driver=nouveau shim=nouveau && export NOUVEAU_CHIPSET=${device#nvk-} ;;
esac
if [ "$mesa" = arm64 ]; then
    exec "$here/on-arm64.sh" --driver $driver --shim $shim "$@"
elif [ "$mesa" = today ]; then
    icd=$(one_of "$vendors"/today/usr/share/vulkan/icd.d/"${driver}"_icd*.json)
    shim=$(one_of "$vendors"/today/usr/lib/*/lib"${shim}"_noop_drm_shim.so)
    [ -n "$icd" ] && [ -n "$shim" ] || missing "there is no Mesa of today here: scripts/vendor-drivers.sh today"
    libraries=$(realpath "$(dirname "$shim")") # its own, the C library among them
    unset RADV_FORCE_FAMILY
    set -- "$(one_of "$libraries"/ld-linux*)" --library-path "$libraries" --preload "$libraries/libvkprim_stand_in.so:$shim" "$@"
elif [ "$vendor" = amd ]; then
    icd=$(one_of /usr/share/vulkan/icd.d/radeon_icd*.json)
    [ -n "$icd" ] || missing "there is no RADV here: apt-get install mesa-vulkan-drivers"
else
    icd=$(one_of "$vendors/turnip_icd.json")
    [ "$vendor" = qualcomm ] || icd=$(one_of /usr/share/vulkan/icd.d/intel_icd*.json)
    shim=$vendors/lib${shim}_noop_drm_shim.so
    [ -f "$shim" ] && [ -f "$icd" ] || missing "there is no stand-in for this GPU here: scripts/vendor-drivers.sh"
    export LD_PRELOAD=$shim
fi
export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd MESA_SHADER_CACHE_DISABLE=1
exec "$@"
