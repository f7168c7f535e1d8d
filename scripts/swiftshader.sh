#!/usr/bin/env bash
# Unpacks SwiftShader, a second Vulkan driver for the CPU, from Debian's chromium-common into build/drivers. The browser is
# not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
drivers=$PWD/build/drivers
[ -f "$drivers/swiftshader_icd.json" ] && exit
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "SwiftShader's tests are skipped: there is no apt to fetch Debian's chromium-common with." >&2
    exit
fi

mkdir -p "$drivers"
cd "$drivers"
if ! apt-get download -qq chromium-common 2>/dev/null; then
    # The list of packages may be missing or older than the archive.
    if [ "$(id -u)" -eq 0 ]; then apt-get update -qq; else sudo apt-get update -qq; fi
    apt-get download -qq chromium-common 2>/dev/null
fi
dpkg --fsys-tarfile chromium-common_*.deb | tar -x ./usr/lib/chromium/libvk_swiftshader.so
mv usr/lib/chromium/libvk_swiftshader.so .
rm -r usr chromium-common_*.deb
cat >swiftshader_icd.json <<JSON
{"file_format_version": "1.0.0", "ICD": {"library_path": "$drivers/libvk_swiftshader.so", "api_version": "1.3.0"}}
JSON
