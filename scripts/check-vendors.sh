#!/usr/bin/env bash
# What the vendors' shader compilers make of every pipeline, without their GPUs: Mesa's for AMD, Intel, Qualcomm, NVIDIA and Apple on hardware
# that is not there, SPIRV-Cross for Apple's own, and the SPIR-V validator.
#
#     scripts/check-vendors.sh [amd|intel|qualcomm|nvidia|apple|validate|all]...
#
# A table of each device into build/vendors/tables/, and a summary of all. Exit code 1 where a pipeline is rejected or spills registers, or
# where a compiler tells what vkprim does not know by name; where SPIRV-Cross or spirv-val rejects a module.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install libvulkan1 mesa-vulkan-drivers spirv-tools python3
scripts/vendor-drivers.sh today
configure_preset program
cmake --build --preset program
tables=build/vendors/tables
mkdir -p "$tables"
status=0
summary=()

# The pipelines of a device in scripts/vendors.txt, with the options that stand there.
check_device() {
    local name=$1 rc=0
    shift
    scripts/on-vendor.sh "$name" build/program/vkprim pipelines --no-spills --csv "$tables/$name.csv" "$@" >"$tables/$name.txt" 2>"$tables/$name.err" || rc=$?
    if [ $rc -eq 77 ]; then
        summary+=("$(printf '%-16s %s' "$name" "$(cat "$tables/$name.txt")")")
        return
    fi
    [ $rc -eq 0 ] || { status=1 && echo "$name: $(tail -n 1 "$tables/$name.err")" >&2; }
    summary+=("$(tail -n 1 "$tables/$name.txt" | awk -v name="$name" '{
        printf "%-16s %9d", name, $1
        for (i = NF - 9; i <= NF; ++i) printf " %9s", $i
    }')")
}

check_vendor() {
    local vendor name extent options
    while read -r vendor name _ extent options; do
        # shellcheck disable=SC2086 # several words
        if [ "$vendor" = "$1" ] && [ "$extent" = all ]; then check_device "$name" $options </dev/null; fi
    done <scripts/vendors.txt
}

check_modules() {
    local rc=0
    scripts/check-modules.sh "$1" build/program || rc=$?
    [ $rc -eq 0 ] || [ $rc -eq 77 ] || status=1
}

[ $# -gt 0 ] || set -- all
for vendor in "$@"; do
    case $vendor in
        amd | intel | qualcomm | nvidia) check_vendor "$vendor" ;;
        apple)
            check_vendor apple
            check_modules msl
            ;;
        validate) check_modules spirv-val ;;
        all)
            for vendor in amd intel qualcomm nvidia apple; do check_vendor "$vendor"; done
            check_modules msl
            check_modules spirv-val
            ;;
        *) echo "unknown vendor '$vendor': amd, intel, qualcomm, nvidia, apple, validate or all" >&2 && exit 2 ;;
    esac
done
if [ ${#summary[@]} -gt 0 ]; then
    printf '\n%-16s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n' device pipelines registers scalar spilled stack shared code instrs cycles \
        occupancy ms
    printf '%s\n' "${summary[@]}"
fi
exit $status
