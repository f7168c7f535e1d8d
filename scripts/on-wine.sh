#!/usr/bin/env bash
# Runs a program for Windows under Wine, on lavapipe, with a screen that is not there: Wine's Vulkan wants one.
#     scripts/on-wine.sh PROGRAM.exe ARGUMENT...
# Exit code 77 where Wine, Xvfb or lavapipe are missing.
set -euo pipefail
wine=$(command -v wine64 || command -v /usr/lib/wine/wine64 || command -v wine) || { echo "skipped: there is no Wine here: apt-get install wine64"; exit 77; }
command -v xvfb-run >/dev/null && command -v xauth >/dev/null || { echo "skipped: there is no Xvfb here: apt-get install xvfb xauth"; exit 77; }
icd=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1) || { echo "skipped: there is no lavapipe here: apt-get install mesa-vulkan-drivers"; exit 77; }
export WINEPREFIX=${WINEPREFIX:-$PWD/build/wine} WINEDEBUG=-all VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
mkdir -p "$WINEPREFIX"
[ -z "${DISPLAY-}" ] || exec "$wine" "$@"
exec xvfb-run -a "$wine" "$@"
