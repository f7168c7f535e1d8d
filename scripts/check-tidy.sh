#!/usr/bin/env bash
# Runs clang-tidy 14 with the checks of .clang-tidy on the sources and headers of the libraries (src/, include/) as BUILD, a folder that
# has been built, compiles them. Any finding fails. Exit code 77 where clang-tidy 14 is missing.
#     scripts/check-tidy.sh [BUILD [FILE...]]      scripts/check-tidy.sh build/release src/scan.cpp
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "${1:-$root/build/release}")
shift $(($# > 0))
cd "$root"
command -v clang-tidy-14 >/dev/null || { echo "skipped: there is no clang-tidy 14 here: apt-get install clang-tidy-14"; exit 77; }
[ -f "$build/compile_commands.json" ] || { echo "$build has no compile_commands.json: build there first" >&2; exit 1; }

# Compiled shaders are most of what the core's sources hold, and nothing to check: one word stands for each.
stubs=$(mktemp -d)
trap 'rm -r "$stubs"' EXIT
mkdir "$stubs/shaders"
cp "$build"/shaders/shaders/*.h "$stubs/shaders/"
sed -n 's/^#include "\(.*\.spv\)"$/\1/p' "$stubs"/shaders/*.h | while read -r name; do echo 0 >"$stubs/shaders/$name"; done

[ $# -gt 0 ] || mapfile -t files < <(sed -n "s|^ *\"file\": \"$root/\(src/.*\)\",\?$|\1|p" "$build/compile_commands.json" | sort -u)
[ $# -eq 0 ] || files=("$@")
[ ${#files[@]} -gt 0 ] || { echo "$build compiles nothing of src/" >&2; exit 1; }
failed=0
for file in "${files[@]}"; do
    clang-tidy-14 --quiet -p "$build" --extra-arg-before=-std=c++17 --extra-arg-before="-I$stubs" "$file" 2>"$stubs/log" || failed=1
    grep -v '^[0-9]* warnings\? \(and [0-9]* errors\? \)\?generated\.$' "$stubs/log" >&2 || true
done
[ $failed = 0 ] && echo "${#files[@]} files, no finding"
exit $failed
