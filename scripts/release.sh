#!/usr/bin/env bash
# Makes the archives of a release of HEAD, which must be all that there is in the tree, in FOLDER (build/release-VERSION):
#     vkprim-VERSION.tar.gz             the sources
#     vkprim-VERSION-two-files.tar.gz   vkprim.h, vkprim.cpp and vkprim/glsl/
#     vkprim-VERSION-windows-x64.zip    the program for Windows, which needs no other file; where there is MinGW-w64
#     SHA256SUMS                        of all
# The same commit, glslc and compiler give the same bytes. BUILD is a folder in which this tree has been built; without one, the core is. WINDOWS is
# the folder of a build for Windows; without one, the preset windows is built. Exit code 77 where there is no git repository, as in a source
# archive, or where the tree has changes.
#     scripts/release.sh [FOLDER [BUILD [WINDOWS]]]
set -euo pipefail
folder=${1:+$(realpath -m "$1")} build=${2:+$(realpath "$2")} windows=${3:+$(realpath "$3")}
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ] || { echo "skipped: there is no git repository here"; exit 77; }
changes=$(git status --porcelain)
[ -z "$changes" ] || { printf 'skipped: a release is made of a commit, and the tree has changes:\n%s\n' "$changes"; exit 77; }

version=$(sed -n 's/^#define VKPRIM_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/vkprim/version.h | paste -sd .)
grep -q "^## \[$version\] - 20[0-9-]*$" CHANGELOG.md || { echo "CHANGELOG.md has no dated section of $version" >&2; exit 1; }
folder=${folder:-$PWD/build/release-$version}
name=vkprim-$version
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
umask 022
mkdir -p "$folder"

git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD >"$work/sources.tar"

if [ -z "$build" ]; then
    build=$PWD/build/core
    install python3
    configure_preset core
fi
cmake --build "$build" --target vkprim_amalgamation >/dev/null
mkdir "$work/$name"
cp "$build"/amalgamation/vkprim.{h,cpp} LICENSE CHANGELOG.md "$work/$name"
mkdir "$work/$name/vkprim"
cp -r include/vkprim/glsl "$work/$name/vkprim"
tar -C "$work" --create --format=ustar --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=root --group=root --numeric-owner \
    --mode=u=rwX,go=rX --file="$work/two-files.tar" "$name"

if [ -z "$windows" ] && command -v x86_64-w64-mingw32-g++-posix >/dev/null; then
    windows=$PWD/build/windows
    configure_preset windows
    cmake --build --preset windows >/dev/null
fi
if [ -n "$windows" ]; then
    python3 - "$work/windows.zip" "$name" "$windows/vkprim.exe" "$(git log -1 --format=%ct)" <<'PYTHON'
import sys, time, zipfile
target, folder, program, commit = sys.argv[1:]
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in (program, "LICENSE", "CHANGELOG.md", "docs/program.md"):
        info = zipfile.ZipInfo(f"{folder}/{path.rsplit('/', 1)[-1]}", time.gmtime(int(commit))[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o755 if path == program else 0o644) << 16
        with open(path, "rb") as file:
            archive.writestr(info, file.read())
PYTHON
fi

# -n: neither a name nor a time goes into the header.
gzip -n <"$work/sources.tar" >"$folder/$name.tar.gz"
gzip -n <"$work/two-files.tar" >"$folder/$name-two-files.tar.gz"
[ -z "$windows" ] || cp "$work/windows.zip" "$folder/$name-windows-x64.zip"
cd "$folder"
sha256sum "$name.tar.gz" "$name-two-files.tar.gz" ${windows:+"$name-windows-x64.zip"} | tee SHA256SUMS
