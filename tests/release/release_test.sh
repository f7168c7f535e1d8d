#!/usr/bin/env bash
# The archives of a release: usage: release_test.sh SOURCE BUILD FOLDER [WINDOWS]. They are made twice with the same bytes, their checksums hold,
# and they hold what they should.
set -euo pipefail
source=$1 build=$2 folder=$3 windows=${4-}
fail() { echo "$*" >&2 && exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$source/scripts/release.sh" one "$build" ${windows:+"$windows"} || exit
(umask 077 && TZ=Asia/Tokyo "$source/scripts/release.sh" two "$build" ${windows:+"$windows"} >/dev/null)
diff -r one two || fail "the same commit gave other bytes"
(cd one && sha256sum --check --strict SHA256SUMS)
[ "$(wc -l <one/SHA256SUMS)" = "$([ -n "$windows" ] && echo 3 || echo 2)" ] || fail "SHA256SUMS has $(cat one/SHA256SUMS)"

name=$(basename one/vkprim-*-two-files.tar.gz -two-files.tar.gz)
tar -xf "one/$name.tar.gz" --one-top-level=sources
diff <(git -C "$source" ls-files -- ':!:*/.gitignore' | sort) <(cd "sources/$name" && find . ! -type d -printf '%P\n' | sort) ||
    fail "the sources are not those of git"
git -C "$source" ls-files | while read -r file; do cmp -s "$source/$file" "sources/$name/$file" || fail "$file is not the tree's"; done
[ -x "sources/$name/scripts/run.sh" ] || fail "scripts/run.sh cannot be executed"

tar -xf "one/$name-two-files.tar.gz" --one-top-level=two-files
cd "two-files/$name"
[ "$(ls | paste -sd ' ')" = "CHANGELOG.md LICENSE vkprim vkprim.cpp vkprim.h" ] || fail "the two files' archive has $(ls)"
for file in vkprim.h vkprim.cpp; do head -n 1 $file | grep -q "^// vkprim ${name#vkprim-}," || fail "$file: $(head -n 1 $file)"; done
diff -r "$source/include/vkprim/glsl" vkprim/glsl
! grep -rn "^#include <vkprim/" vkprim.h vkprim.cpp || fail "the two files include others of ours"
echo '#include "vkprim.h"
int main() { return vkprim::Error(VK_ERROR_UNKNOWN, "").kind == vkprim::ErrorKind::vulkan ? 0 : 1; }' >main.cpp
${CXX:-c++} -std=c++17 -fsyntax-only -Wall -Wextra -Werror main.cpp

if [ -n "$windows" ]; then
    cd "$folder"
    python3 -m zipfile -e "one/$name-windows-x64.zip" windows
    [ "$(cd windows && find . -type f | sort | paste -sd ' ')" = "./$name/CHANGELOG.md ./$name/LICENSE ./$name/program.md ./$name/vkprim.exe" ] ||
        fail "the archive for Windows has $(find windows)"
    # Under Wine, where that is: it needs no library that Windows lacks.
    code=0
    WINEPREFIX=$folder/wine "$source/scripts/on-wine.sh" "windows/$name/vkprim.exe" --version >version 2>wine.log </dev/null || code=$?
    [ $code = 77 ] || [ "$(tr -d '\r' <version)" = "vkprim ${name#vkprim-}" ] || fail "vkprim.exe --version: exit code $code, $(cat version wine.log)"
fi

# Outside of git, what needs it is skipped.
cd "$folder/sources/$name"
for script in check-subjects.sh release.sh; do
    code=0
    GIT_CEILING_DIRECTORIES=$(dirname "$PWD") scripts/$script >"$folder/log" 2>&1 || code=$?
    [ $code = 77 ] || fail "scripts/$script without a repository: exit code $code, $(cat "$folder/log")"
done
scripts/mutate.sh --check
