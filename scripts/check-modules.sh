#!/usr/bin/env bash
# Hands every SPIR-V module of a build to a tool, as each kind of device gets it (tests/modules).
#
#     scripts/check-modules.sh spirv-val BUILD    the validator, for Vulkan 1.2
#     scripts/check-modules.sh msl BUILD          SPIRV-Cross, which writes Metal's language as MoltenVK does; but those with 64-bit
#                                                 atomics, which Metal lacks
#
# SPIRV_CROSS names another SPIRV-Cross than that of scripts/vendor-drivers.sh; it takes one of 2025 or later, since older ones know no
# atomics through addresses. Exit code 1 where a module is rejected, 77 where the tool is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -eq 2 ] && [ -d "$2" ] || { sed -n '2,10s/^# \?//p' "$0" >&2 && exit 2; }
tool=$1 build=$2

missing() { echo "skipped: $1" && exit 77; }

modules=$build/modules
rm -rf "$modules"
mkdir -p "$modules"
"$build/tests/vkprim_modules" "$modules"

case $tool in
    spirv-val)
        command -v spirv-val >/dev/null || missing "there is no spirv-val here: apt-get install spirv-tools"
        files=("$modules"/*.spv)
        command=(spirv-val --target-env vulkan1.2)
        name="spirv-val, Vulkan 1.2"
        ;;
    msl)
        cross=${SPIRV_CROSS:-$root/build/vendors/spirv-cross}
        command -v "$cross" >/dev/null || missing "there is no SPIRV-Cross here: scripts/vendor-drivers.sh"
        rm -f "$modules"/*.word64.*
        files=("$modules"/*.spv)
        command=("$cross" --msl --msl-version 20400)
        name="MSL 2.4, SPIRV-Cross $(cat "$cross.version" 2>/dev/null || "$cross" --revision 2>&1 | head -n 1)"
        ;;
    *) echo "unknown tool '$tool': spirv-val or msl" >&2 && exit 2 ;;
esac
rejected=0
for file in "${files[@]}"; do
    if ! "${command[@]}" "$file" >"$file.out" 2>&1; then
        rejected=$((rejected + 1))
        echo "    $(basename "$file" .spv): $(head -n 1 "$file.out")"
    fi
done
echo "$name: $((${#files[@]} - rejected)) of ${#files[@]} modules"
[ "$rejected" -eq 0 ]
