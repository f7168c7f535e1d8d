#!/usr/bin/env bash
# Compares the C interface with that of the last release, tests/abi/vkprim.abi, by abidiff (Debian: abigail-tools). Fails if a program that
# was compiled with the older header would break: a function is gone, or has other parameters, or a struct has other fields. New functions,
# new enumerators, and new fields at the end of a struct with struct_size are fine. Exit code 77: there is no abidiff here.
#
# scripts/check-abi.sh --renew writes tests/abi/vkprim.abi. It belongs to a release: packaging/README.md.
#
# abidiff reads debug information. The library that it gets here is made of the header alone, with functions that do nothing, which
# takes no time. That the real library has these functions and versions, tests/consumer/check_symbols.cmake checks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v abidiff >/dev/null; then
    echo "there is no abidiff here: apt-get install abigail-tools"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
sed -z 's/\(VKPRIM_API[^;]*)\);/\1 { __builtin_trap(); }/g' include/vkprim/vkprim.h >"$work/vkprim.c"
(cd "$work" && "${CC:-cc}" -std=c99 -g -fPIC -shared -w -DVKPRIM_SHARED -I "$OLDPWD/tests/abi" -I "$OLDPWD/include" \
    -Wl,--version-script="$OLDPWD/packaging/vkprim.map" -Wl,-soname,libvkprim.so -o libvkprim.so vkprim.c)
abidw --no-corpus-path --no-show-locs --no-comp-dir-path --no-elf-needed --no-architecture "$work/libvkprim.so" >"$work/vkprim.abi"
if [ "${1-}" = --renew ]; then
    cp "$work/vkprim.abi" tests/abi/vkprim.abi
    echo "wrote tests/abi/vkprim.abi"
    exit
fi

# Whether a report of abidiff has nothing but new fields behind all others, in structs with struct_size. abidiff 2.2 has a suppression for
# that (has_data_member_inserted_at = end), but it also hides fields that moved.
only_new_fields() {
    awk '
        /^$/ || /^(Functions|Variables) changes summary: 0 Removed/ || /^[0-9]+ functions? with some indirect sub-type change/ { next }
        /^ *\[C\] .* has some indirect sub-type changes:$/ || /^ *parameter [0-9]+ of type .* has sub-type changes:$/ { next }
        /^ *in (pointed to|unqualified underlying) type .*:$/ || /^ *underlying type .typedef .* changed:$/ { next }
        /^ *underlying type .struct vkprim_([a-z_]+_(desc|args)|error|features|requirements_query|profile|context|own_operation). changed:$/ {
            next
        }
        /^ *type size changed from [0-9]+ to [0-9]+ \(in bits\)$/ { size = $5; next }
        /^ *[0-9]+ data member insertions?:$/ { next }
        /^ *\x27.*\x27, at offset [0-9]+ \(in bits\)$/ && $(NF - 2) >= size && size > 0 { next }
        { broken = 1 }
        END { exit broken }' "$1"
}

if ! abidiff --no-added-syms tests/abi/vkprim.abi "$work/vkprim.abi" >"$work/report.txt"; then
    cat "$work/report.txt"
    if ! only_new_fields "$work/report.txt"; then
        echo "the C interface is not compatible with that of the last release, tests/abi/vkprim.abi"
        exit 1
    fi
fi
echo "the C interface is compatible with that of the last release, tests/abi/vkprim.abi"
