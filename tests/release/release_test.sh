#!/usr/bin/env bash
# The archives of a release: usage: release_test.sh SOURCE BUILD FOLDER. They are made twice with the same bytes, their checksums hold,
# and they hold what they should.
set -euo pipefail
source=$1 build=$2 folder=$3
fail() { echo "$*" >&2 && exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$source/scripts/release.sh" one "$build" || exit
(umask 077 && TZ=Asia/Tokyo "$source/scripts/release.sh" two "$build" >/dev/null)
diff -r one two || fail "the same commit gave other bytes"
(cd one && sha256sum --check --strict SHA256SUMS)
[ "$(wc -l <one/SHA256SUMS)" = 2 ] || fail "SHA256SUMS does not have two lines"

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

# Outside of git, what needs it is skipped.
cd "$folder/sources/$name"
for script in check-subjects.sh release.sh; do
    code=0
    GIT_CEILING_DIRECTORIES=$(dirname "$PWD") scripts/$script >"$folder/log" 2>&1 || code=$?
    [ $code = 77 ] || fail "scripts/$script without a repository: exit code $code, $(cat "$folder/log")"
done
scripts/mutate.sh --check
