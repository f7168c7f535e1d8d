#!/usr/bin/env bash
# Formats all C++ with clang-format 14 and the file .clang-format; with --check, it only names what it would change, and fails if there is
# any. GLSL is not formatted, nor are headers that GLSL includes, too: those of shaders/ and include/vkprim/glsl/, and *_push.h. Exit code
# 77 where clang-format 14 is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v clang-format-14 >/dev/null || { echo "skipped: there is no clang-format 14 here: apt-get install clang-format-14"; exit 77; }
mapfile -t files < <(find bench examples harness include packaging src tests tools -path include/vkprim/glsl -prune -o -type f \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) ! -name '*_push.h' -print | sort)
if [ "${1-}" = --check ]; then
    clang-format-14 --dry-run --Werror "${files[@]}" || { echo "scripts/format.sh mends that" >&2; exit 1; }
    echo "${#files[@]} files are formatted"
else
    clang-format-14 -i "${files[@]}"
fi
