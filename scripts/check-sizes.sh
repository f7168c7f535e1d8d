#!/usr/bin/env bash
# What a program gains by each primitive alone, and the size of the whole library: a table, in kB of 1000 bytes.
#
#     scripts/check-sizes.sh BUILD [FIGURES]
#
# BUILD is a release build of all primitives, without VKPRIM_UNITY_CORE. Exit code 1 if something is more than a tenth larger than in FIGURES,
# lines such as `Scan 900`, or is not there; 77 if there is no compiler, or if shaders have their names, since the build found no spirv-opt.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -ge 1 ] && [ -d "$1" ] || { sed -n '2,7s/^# \?//p' "$0" >&2 && exit 2; }
build=$1 figures=${2:-/dev/null}
compiler=${CXX:-c++}
command -v "$compiler" >/dev/null || { echo "skipped: there is no $compiler here" && exit 77; }
grep -q '^VKPRIM_SPIRV_OPT:.*NOTFOUND' "$build/CMakeCache.txt" && { echo "skipped: apt-get install spirv-tools, and build again" && exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main() { return 0; }' >"$work/empty.cpp"

# The bytes of code and constants of a program.
text_of() {
    "$compiler" -std=c++17 -O2 -DVK_NO_PROTOTYPES -I"$root/include" "$work/$1.cpp" "$build/libvkprim.a" -Wl,--gc-sections -s -o "$work/$1" ||
        return
    size "$work/$1" | awk 'NR == 2 { print $1 }'
}

grew=0
report() {
    local most
    most=$(awk -v name="$1" '$1 == name { print $2 }' "$figures")
    printf '%-16s %6d kB' "$1" $(($2 / 1000))
    if [ "$figures" != /dev/null ] && [ $(($2 / 1000)) -gt $((${most:-0} * 11 / 10)) ]; then
        printf '  more than %d kB' "${most:-0}"
        grew=1
    fi
    printf '\n'
}

empty=$(text_of empty)
for header in "$root"/shaders/*/; do
    header=$(basename "$header")
    class=$(sed -n 's/^class VKPRIM_API \([A-Za-z]*\).*/\1/p' "$root/include/vkprim/$header.h" 2>/dev/null || true)
    [ -n "$class" ] || continue
    echo "#include <vkprim/$header.h>
int main() { return vkprim::$class::create({}, {}) ? 0 : 1; }" >"$work/$class.cpp"
    text=$(text_of "$class")
    report "$class" $((text - empty))
done
report libvkprim.a "$(stat -c %s "$build/libvkprim.a")"
exit $grew
