#!/usr/bin/env bash
# Builds and runs vkprim on the systems that people have today: in each, in a bare copy of its own, the program, as scripts/run.sh builds it;
# what that verifies; and a project that includes the GLSL of vkprim in shaders of its own.
#
#     scripts/systems.sh [--pairs] [SYSTEM...]
#
#     bookworm          Debian 12
#     trixie            Debian 13
#     trixie-backports  Debian 13 with the Mesa of its backports
#     forky             Debian 14
#
# Without names: trixie-backports and forky, whose compilers and drivers are newer than those here. --pairs: all groups of pairwise cases.
# The last lines are a table. Exit code 1 if a system fails; 77 where there is no Debian, mmdebstrap, git repository or
# root. Packages come from this system's own mirror. Bare systems are made once, in build/systems; $VKPRIM_SYSTEMS is another folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can make a system of its own"
[ "$(. /etc/os-release && echo "$ID")" = debian ] || skip "Debian's mirror is only known on Debian"
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap here: apt-get install mmdebstrap"
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ] || skip "there is no git repository here"
# shellcheck disable=SC2016 # names of apt's
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | sort | uniq -c | sort -rn | awk '$2 !~ /security/ {print $2; exit}')
[ -n "$mirror" ] || skip "apt has no sources here"

all=0
[ "${1-}" != --pairs ] || { all=1; shift; }
[ $# -gt 0 ] || set -- trixie-backports forky
bases=${VKPRIM_SYSTEMS:-$PWD/build/systems}
mkdir -p "$bases"

# make_base SYSTEM: the bare system, once.
make_base() {
    local system=$1 base=$bases/$1 codename=${1%-backports} file
    [ ! -e "$base/.complete" ] || return 0
    rm -rf --one-file-system "$base"
    # A mirror's copy of a suite that is not released yet may be some weeks old. The signature is checked by who fills the mirror.
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,git --aptopt='Acquire::Check-Valid-Until "false"' \
        "$codename" "$base" "deb [trusted=yes] $mirror $codename main"
    echo 'Acquire::Check-Valid-Until "false";' >"$base/etc/apt/apt.conf.d/99old"
    for file in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf; do
        [ ! -e "$file" ] || cp "$file" "$base/etc/apt/apt.conf.d/"
    done
    if [ "$system" != "$codename" ]; then
        echo "deb [trusted=yes] $mirror $system main" >"$base/etc/apt/sources.list.d/backports.list"
        printf 'Package: src:mesa\nPin: release n=%s\nPin-Priority: 900\n' "$system" >"$base/etc/apt/preferences.d/mesa"
    fi
    touch "$base/.complete"
}

# inside SYSTEM'S-FOLDER COMMAND...: as root, in the project's folder.
inside() {
    # shellcheck disable=SC2016 # of the inner shells
    unshare --mount --pid --fork bash -c '
        mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"
        exec chroot "$0" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            bash -c "cd /home/vkprim && exec \"\$@\"" inside "$@"' "$@"
}

rows=() failed=0 root=
trap '[ -z "$root" ] || rm -rf --one-file-system "$root"' EXIT
for system in "$@"; do
    case $system in bookworm | trixie | trixie-backports | forky) ;; *) echo "there is no system '$system'" >&2; exit 2 ;; esac
    make_base "$system"
    root=$(mktemp -d "$bases/run-XXXXXX")
    cp -a "$bases/$system/." "$root"
    git clone -q . "$root/home/vkprim"
    cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
    begin=$SECONDS
    echo "== $system"
    if inside "$root" scripts/systems-inside.sh "$all"; then result=passed; else result=failed failed=1; fi
    rows+=("| $system | $(inside "$root" cat build/versions 2>/dev/null || true) | $result | $((SECONDS - begin)) |")
    rm -rf --one-file-system "$root"
    root=
done
printf '%s\n' '| system | C++ | glslc | Vulkan headers | driver | result | s |' '| --- | --- | --- | --- | --- | --- | --- |' "${rows[@]}"
exit $failed
