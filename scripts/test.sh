#!/usr/bin/env bash
# Builds everything and runs tests on every driver: lavapipe with subgroups of 4, 8 and 16, SwiftShader, and the GPU where there is one.
# Without arguments the short extent, 18 minutes on a bare machine with two cores; --full: all the rest but what takes hours; --full --share 0/3, 1/3
# and 2/3: a third of that; --exhaustive: what takes hours. Other arguments go to ctest: `scripts/test.sh -R lavapipe-8/`.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
if [[ " $* " == *' --share '* ]] && ! { [[ $* =~ ^--full\ --share\ ([0-9]+)/([0-9]+)$ ]] && ((BASH_REMATCH[1] < BASH_REMATCH[2])); }; then
    echo "scripts/test.sh: --share stands alone behind --full, and takes K/N with K below N: --full --share 0/3" >&2
    exit 2
fi
install ccache libvulkan1 mesa-vulkan-drivers vulkan-validationlayers python3 libopenmpi-dev openmpi-bin
scripts/swiftshader.sh
if [ $# -gt 0 ]; then
    install make pkg-config spirv-tools g++-mingw-w64-x86-64-posix doxygen libjs-lunr chromium-driver python3-selenium \
        python3-numpy clang-format-14 clang-tidy-14 clang rustc abigail-tools wine64 xvfb xauth
fi
if [ "${1-}" = --full ]; then scripts/vendor-drivers.sh; fi
if [ "${1-}" = --exhaustive ]; then
    install g++-aarch64-linux-gnu
    scripts/vendor-drivers.sh today today-arm64
fi

# The names of the full tests of a share, as a regular expression. By the ends of their names, so that each share has a primitive on other drivers; and
# what one build serves is of one share.
names_of_share() {
    ctest --test-dir build/release -N -L '^full$' | sed -n 's/^ *Test *#[0-9]*: //p' | rev | LC_ALL=C sort | rev |
        awk -v share="${1%/*}" -v of="${1#*/}" '
        { about = $0; sub(/^[^\/]*\//, "", about); sub(/-build$/, "", about) }
        about !~ /^((consumer|example)-|windows$)/ { about = $0 }
        !(about in number) { number[about] = count++ }
        number[about] % of == share' | paste -sd '|'
}

configure
cmake --build --preset release
case ${1-} in
    '') set -- -L short --output-junit short.xml ;;
    --full)
        [ "${2-}" != --share ] || set -- --full -R "^($(names_of_share "$3"))\$"
        set -- -L full --output-junit full.xml "${@:2}"
        ;;
    --exhaustive) set -- -C exhaustive -L exhaustive "${@:2}" ;;
esac
ctest --test-dir build/release -j "$(nproc)" --output-on-failure --no-tests=error "$@"
