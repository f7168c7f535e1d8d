#!/usr/bin/env bash
# Hands every SPIR-V module that a build embeds to a tool.
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
mkdir -p "$modules/int64_atomics"
find "$build" -path '*/shaders/shaders/*.comp.spv' -not -path '*/binary/*' -print0 | xargs -0 python3 -c '
import pathlib, re, struct, sys

capability, int64_atomics = 2 << 16 | 17, 12
for path in map(pathlib.Path, sys.argv[2:]):
    words = [int(word, 16) for word in re.findall("0x[0-9a-fA-F]+", path.read_text())]
    has_atomics = (capability, int64_atomics) in zip(words, words[1:])
    folder = pathlib.Path(sys.argv[1]) / ("int64_atomics" if has_atomics else "")
    (folder / path.stem.replace(".comp", ".spv")).write_bytes(struct.pack("<%dI" % len(words), *words))
' "$modules"

case $tool in
    spirv-val)
        command -v spirv-val >/dev/null || missing "there is no spirv-val here: apt-get install spirv-tools"
        files=("$modules"/*.spv "$modules"/int64_atomics/*.spv)
        command=(spirv-val --target-env vulkan1.2)
        name="spirv-val, Vulkan 1.2"
        ;;
    msl)
        cross=${SPIRV_CROSS:-$root/build/vendors/spirv-cross}
        command -v "$cross" >/dev/null || missing "there is no SPIRV-Cross here: scripts/vendor-drivers.sh"
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
