#!/usr/bin/env bash
# Compiles every pipeline with AMD's shader compiler in Mesa (RADV), on hardware that is not there, for each family and subgroup
# size. Prints what became of each, into build/amd/*.csv too, and a summary. Fails on a rejected pipeline, and on a spill.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install libvulkan1 mesa-vulkan-drivers

configure_preset program
cmake --build --preset program
icd=$(ls /usr/share/vulkan/icd.d/radeon_icd*.json | head -1)
export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
mkdir -p build/amd
status=0
: >build/amd/summary.txt

# check FAMILY SUBGROUP_SIZE
check() {
    local name=$1-wave$2
    RADV_FORCE_FAMILY=$1 build/program/vkprim pipelines --no-spills --set "device.subgroup_size=$2" --csv "build/amd/$name.csv" |
        tee "build/amd/$name.txt" || status=1
    tail -n 1 "build/amd/$name.txt" | awk -v name="$name" '{
        printf "%-14s %9d", name, $1
        for (i = NF - 6; i <= NF; ++i) printf " %9s", $i
        print ""
    }' >>build/amd/summary.txt
}

check vega10 64
for family in navi10 navi21; do
    check "$family" 64
    check "$family" 32
done
printf '\n%-14s %9s %9s %9s %9s %9s %9s %9s %9s\n' family pipelines registers scalar spilled stack shared code occupancy
cat build/amd/summary.txt
exit $status
