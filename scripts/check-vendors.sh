#!/usr/bin/env bash
# What the vendors' shader compilers make of every pipeline, without their GPUs: Mesa's for AMD, Intel and Qualcomm on hardware that is
# not there, SPIRV-Cross for Apple's, and the SPIR-V validator.
#
#     scripts/check-vendors.sh [amd|intel|qualcomm|apple|validate|all]...
#
# A table of each device into build/vendors/tables/, and a summary of all. Exit code 1 where a pipeline is rejected or spills registers, or
# where a compiler tells what vkprim does not know by name; where SPIRV-Cross, named by SPIRV_CROSS, or spirv-val rejects a module.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install libvulkan1 mesa-vulkan-drivers
configure_preset program
cmake --build --preset program
export MESA_SHADER_CACHE_DISABLE=1
vendors=$PWD/build/vendors
tables=$vendors/tables
status=0
summary=()

# check NAME ENVIRONMENT... -- OPTION...: a device's pipelines.
check() {
    local name=$1 environment=()
    shift
    while [ "$1" != -- ]; do environment+=("$1") && shift; done
    shift
    local reason rc=0
    mkdir -p "$tables"
    env "${environment[@]}" build/program/vkprim pipelines --no-spills --csv "$tables/$name.csv" "$@" >"$tables/$name.txt" 2>"$tables/$name.err" || rc=$?
    [ "$rc" -eq 0 ] || { status=1 && reason=$(tail -n 1 "$tables/$name.err") && echo "$name: $reason" >&2; }
    summary+=("$(tail -n 1 "$tables/$name.txt" | awk -v name="$name" '{
        printf "%-16s %9d", name, $1
        for (i = NF - 9; i <= NF; ++i) printf " %9s", $i
    }')")
}

amd() {
    local icd case
    icd=$(ls /usr/share/vulkan/icd.d/radeon_icd*.json | head -1)
    for case in vega10-64 navi10-64 navi10-32 navi21-64 navi21-32 gfx1100-64 gfx1100-32; do # gfx1100: navi31
        check "$case" "RADV_FORCE_FAMILY=${case%-*}" "VK_DRIVER_FILES=$icd" "VK_ICD_FILENAMES=$icd" -- --set "device.subgroup_size=${case#*-}"
    done
}

# Builds them, or says why they are skipped.
has_vendor_drivers() {
    scripts/vendor-drivers.sh
    [ -f "$vendors/turnip_icd.json" ]
}

intel() {
    local icd platform
    has_vendor_drivers || return 0
    icd=$(ls /usr/share/vulkan/icd.d/intel_icd*.json | head -1)
    for platform in skl icl tgl dg1 adl; do
        check "$platform" "LD_PRELOAD=$vendors/libintel_noop_drm_shim.so" "INTEL_STUB_GPU_PLATFORM=$platform" "VK_DRIVER_FILES=$icd" \
            "VK_ICD_FILENAMES=$icd" --
    done
}

qualcomm() {
    local icd=$vendors/turnip_icd.json adreno
    has_vendor_drivers || return 0
    for adreno in 618 630 660; do
        check "adreno-$adreno" "LD_PRELOAD=$vendors/libfreedreno_noop_drm_shim.so" "FD_GPU_ID=$adreno" "VK_DRIVER_FILES=$icd" \
            "VK_ICD_FILENAMES=$icd" --
    done
}

# Every module of the library and of the program as a file in build/vendors/spirv, of the numbers that are embedded.
write_modules() {
    rm -rf "$vendors/spirv"
    mkdir -p "$vendors/spirv"
    mapfile -t numbers < <(find build/program -path '*/shaders/shaders/*.inc')
    python3 - "$vendors/spirv" "${numbers[@]}" <<'PYTHON'
import pathlib, re, struct, sys
for path in map(pathlib.Path, sys.argv[2:]):
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-fA-F]+", path.read_text())]
    (pathlib.Path(sys.argv[1]) / (path.stem + ".spv")).write_bytes(struct.pack("<%dI" % len(words), *words))
PYTHON
}

# each_module WHAT COMMAND... -- MODULE...: the command on each; counts those that it takes.
each_module() {
    local what=$1 command=() module good=0
    shift
    while [ "$1" != -- ]; do command+=("$1") && shift; done
    shift
    rejected=()
    for module in "$@"; do
        if "${command[@]}" "$module" >"$module.log" 2>&1; then good=$((good + 1)); else rejected+=("$(basename "$module" .spv): $(head -n 1 "$module.log")"); fi
    done
    echo "$what: $good of $# modules"
    [ ${#rejected[@]} -eq 0 ] || printf '    %s\n' "${rejected[@]}" >&2
}

validate() {
    install spirv-tools python3
    write_modules
    each_module "spirv-val, Vulkan 1.2" spirv-val --target-env vulkan1.2 -- "$vendors"/spirv/*.spv
    [ ${#rejected[@]} -eq 0 ] || status=1
}

# MoltenVK has no 64-bit atomics. Debian's SPIRV-Cross of 2021 to 2023 knows no atomics through addresses, so it is no judge.
apple() {
    local cross=${SPIRV_CROSS:-spirv-cross} modules=()
    if ! command -v "$cross" >/dev/null; then
        echo "SPIRV-Cross: skipped, since there is none; SPIRV_CROSS=FILE names one (of 2026 or later)"
        return
    fi
    install python3
    write_modules
    for module in "$vendors"/spirv/*.spv; do [[ $module == *word64* ]] || modules+=("$module"); done
    each_module "MSL 2.4, $("$cross" --revision 2>&1 | tr '\n' ' ')" "$cross" --msl --msl-version 20400 -- "${modules[@]}"
    [ ${#rejected[@]} -eq 0 ] || [ -z "${SPIRV_CROSS:-}" ] || status=1
}

[ $# -gt 0 ] || set -- all
for vendor in "$@"; do
    case $vendor in
        amd | intel | qualcomm | apple | validate) "$vendor" ;;
        all) for vendor in amd intel qualcomm apple validate; do "$vendor"; done ;;
        *) echo "unknown vendor '$vendor': amd, intel, qualcomm, apple, validate or all" >&2 && exit 2 ;;
    esac
done
if [ ${#summary[@]} -gt 0 ]; then
    printf '\n%-16s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n' device pipelines registers scalar spilled stack shared code instrs cycles \
        occupancy ms
    printf '%s\n' "${summary[@]}"
fi
exit $status
