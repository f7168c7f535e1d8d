#!/usr/bin/env bash
# What the vendors' shader compilers make of every pipeline, without their GPUs: Mesa's for AMD, Intel, Qualcomm, NVIDIA, Apple, ARM and
# Broadcom on hardware that is not there, SPIRV-Cross for Apple's own, and the SPIR-V validator.
#
#     scripts/check-vendors.sh [amd|intel|qualcomm|nvidia|apple|arm|broadcom|validate|all]...
#
# A table of each device into build/vendors/tables/, and one of all devices that are there: docs/devices.md, "What compiles". Exit code 1 where
# a pipeline is rejected or spills registers that scripts/vendors.txt does not allow, or where a compiler tells what vkprim does not know by
# name; where SPIRV-Cross or spirv-val rejects a module.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install libvulkan1 mesa-vulkan-drivers spirv-tools python3
scripts/vendor-drivers.sh today
configure_preset program
cmake --build --preset program
tables=build/vendors/tables
mkdir -p "$tables"
status=0

# check_device NAME MESA OPTION...: its pipelines.
check_device() {
    local name=$1 program=build/program/vkprim rc=0
    [ "$2" != arm64 ] || program=build/arm64/vkprim
    rm -f "$tables/$name".* # of an earlier run
    scripts/on-vendor.sh "$name" $program pipelines --no-spills --csv "$tables/$name.csv" "${@:3}" >"$tables/$name.txt" \
        2>"$tables/$name.err" </dev/null || rc=$?
    case $rc in
        0) ;;
        77) echo "$name: $(cat "$tables/$name.txt")" >&2 && rm "$tables/$name."* ;;
        *) echo "$name: $(tail -n 1 "$tables/$name.err")" >&2 && return 1 ;;
    esac
}

# The devices of a vendor, as many at once as there are processors.
check_vendor() {
    local vendor name mesa options pid pids=()
    while read -r vendor name mesa options; do
        [ "$vendor" = "$1" ] || continue
        if [ "$mesa" = arm64 ]; then for_arm64 </dev/null; fi # no `||`, in which a build that fails would not end this
        while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do sleep 1; done
        eval "check_device $name $mesa $options" &
        pids+=($!)
    done <scripts/vendors.txt
    for pid in "${pids[@]}"; do wait "$pid" || status=1; done
}

# The program, and Mesa, for 64-bit ARM; once.
for_arm64() {
    [ -z "${arm64_is_built:-}" ] || return 0
    install g++-aarch64-linux-gnu
    scripts/vendor-drivers.sh today-arm64
    configure_preset arm64
    cmake --build --preset arm64
    arm64_is_built=1
}

check_modules() {
    local rc=0
    scripts/check-modules.sh "$1" build/program || rc=$?
    [ $rc -eq 0 ] || [ $rc -eq 77 ] || status=1
}

[ $# -gt 0 ] || set -- all
for vendor in "$@"; do
    case $vendor in
        amd | intel | qualcomm | nvidia | arm | broadcom) check_vendor "$vendor" ;;
        apple)
            check_vendor apple
            check_modules msl
            ;;
        validate) check_modules spirv-val ;;
        all)
            for vendor in amd intel qualcomm nvidia apple arm broadcom; do check_vendor "$vendor"; done
            check_modules msl
            check_modules spirv-val
            ;;
        *) echo "unknown vendor '$vendor': amd, intel, qualcomm, nvidia, apple, arm, broadcom, validate or all" >&2 && exit 2 ;;
    esac
done
scripts/vendor-table.py "$tables"
exit $status
