#!/usr/bin/env bash
# Puts mistakes into a copy of HEAD, one at a time, builds it, and runs the short tests until one fails. A table says which one did;
# exit code 1 where none did, or where a mistake does not apply or does not compile.
#
#     scripts/mutate.sh [--full] [--named] [--share N/OF] [NAME...]
#                                            all of tests/mutations/, or those whose names are given; --full: where no short test
#                                            fails, also the full ones; --named: only the tests that a mistake names, and not first
#                                            without it; --share 0/2, 1/2: a half, so that two calls at once do all
#     scripts/mutate.sh --check              only whether each applies to the working tree; with VKPRIM_BUILT, the folder of a build, also
#                                            whether it has tests of the names that mistakes give
#
# A file of tests/mutations/ has the mistakes in a subject, with an empty line between two. A mistake is lines:
#     name: what it is called here
#     about: what is wrong
#     file: where
#     from: text that is there exactly once
#     to: what comes in its place
#     verify: what `vkprim verify --only` is given, which is tried first; may be missing
#     case: a case of vkprim_tests, which is tried next; may be missing
#     tests: the tests that should fail, as a regular expression for ctest; else all short ones are run
#     full: yes, where only a full test can see it; may be missing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
label=${VKPRIM_MUTATE_LABEL:-short}

check=0 full=0 named=0 share=0/1 names=()
while [ $# -gt 0 ]; do
    case $1 in
        --check) check=1 ;;
        --full) full=1 ;;
        --named) named=1 ;;
        --share) share=${2:?--share takes N/OF}; shift ;;
        *) names+=("$1") ;;
    esac
    shift
done
if [ ${#names[@]} = 0 ]; then
    mapfile -t names < <(sed -n 's/^name: //p' tests/mutations/*.txt)
fi
twice=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
[ -z "$twice" ] || { echo "more than one mistake is called $twice" >&2; exit 2; }
for i in "${!names[@]}"; do
    [ $((i % ${share#*/})) = "${share%/*}" ] || unset "names[$i]"
done
copy=$root/build/mutations/source-${share%/*}

# What a mistake says in a line.
field() {
    awk -v name="name: $1" -v key="$2: " '/^name: / { here = $0 == name } here && index($0, key) == 1 { print substr($0, length(key) + 1) }' \
        "$root"/tests/mutations/*.txt
}

# Whether what a mistake replaces is there, once.
applies() {
    local from to
    from=$(field "$1" from) to=$(field "$1" to)
    [ -n "$(field "$1" about)" ] && [ -n "$from" ] && [ "$from" != "$to" ] &&
        [ "$(grep -oF -- "$from" "$2/$(field "$1" file)" | wc -l)" = 1 ]
}

apply() {
    applies "$1" "$2"
    python3 - "$2/$(field "$1" file)" "$(field "$1" from)" "$(field "$1" to)" <<'PYTHON'
import sys
path, old, new = sys.argv[1:]
with open(path) as file:
    text = file.read()
with open(path, "w") as file:
    file.write(text.replace(old, new))
PYTHON
}

failed=0
for name in "${names[@]}"; do
    [ -n "$(field "$name" file)" ] || { echo "there is no mistake $name" >&2; exit 2; }
    if ! applies "$name" "$root"; then
        echo "the mistake $name does not apply" >&2
        failed=1
    fi
done
[ $failed = 0 ] || exit 1
if [ $check = 1 ]; then
    declare -A listed=()
    if [ -n "${VKPRIM_BUILT-}" ]; then
        for extent in short full; do
            listed[$extent]=$(ctest --test-dir "$VKPRIM_BUILT" -N -C $extent -L "$extent" | sed -n 's/^ *Test *#[0-9]*: //p')
        done
    fi
    for name in "${names[@]}"; do
        tests=$(field "$name" tests) extent=short
        [ "$(field "$name" full)" != yes ] || extent=full
        if [ -n "$tests" ] && [ -n "${listed[$extent]-}" ] && ! grep -qxE "$tests" <<<"${listed[$extent]}"; then
            echo "the mistake $name: no $extent test has the name '$tests'" >&2
            failed=1
        fi
    done
    [ $failed = 0 ] || exit 1
    echo "${#names[@]} mistakes apply"
    exit
fi

[ -d "$copy" ] || git clone -q --shared "$root" "$copy"
git -C "$copy" fetch -q origin HEAD
git -C "$copy" reset -q --hard FETCH_HEAD
build=$copy/build/release log=$copy.log
launcher=()
if command -v ccache > /dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
(cd "$copy" && cmake --preset release "${launcher[@]}" -DVKPRIM_SWIFTSHADER_ICD="$root/build/drivers/swiftshader_icd.json") > "$log" 2>&1 ||
    { tail "$log" >&2; exit 1; }

build() { cmake --build "$build" -j "$(nproc)" --target "$@" > "$log" 2>&1; }

# With lavapipe's subgroups of 8. What does not end has failed.
lavapipe() {
    local icd
    icd=$(echo /usr/share/vulkan/icd.d/lvp_icd*.json)
    VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd LP_NATIVE_VECTOR_WIDTH=256 VKPRIM_TEST_DEVICE=llvmpipe VKPRIM_PROGRAM=$build/vkprim \
        VKPRIM_FAULTY_LAYER=$build/tests/libvkprim_faulty_layer.so \
        timeout 300 "$@" > "$log" 2>&1
}
verify() {
    local code=0
    lavapipe "$build/vkprim" verify --only "$1" || code=$?
    if [ $code = 2 ] || [ $code = 3 ]; then # it has verified nothing
        tail -1 "$log" >&2
        return 0
    fi
    return $code
}
test_case() { lavapipe "$build/tests/vkprim_tests" --abort "${1//,/\\,}"; } # a comma would stand between two names

# The first test that fails; nothing where none does. host/mutations sees any change of the text, which is no catch.
first_failure() {
    local code=0
    timeout 1800 ctest --test-dir "$build" -j 2 --stop-on-failure -E '^host/mutations$' "$@" > "$log" 2>&1 || code=$?
    if [ $code = 124 ]; then
        echo "no end of $*"
    elif [ $code != 0 ]; then
        sed -n 's/^[0-9]*://p' "$build/Testing/Temporary/LastTestsFailed.log" | head -1
    fi
}

# What fails anyway has seen nothing.
if [ $named = 0 ]; then
    build vkprim_program vkprim_tests || { tail "$log" >&2; exit 1; }
    for name in "${names[@]}"; do
        [ -z "$(field "$name" verify)" ] || echo "$(field "$name" verify)"
    done | sort -u | while read -r only; do
        verify "$only" || { echo "vkprim verify --only '$only' fails without a mistake" >&2; exit 1; }
    done
    for name in "${names[@]}"; do
        [ -z "$(field "$name" case)" ] || echo "$(field "$name" case)"
    done | sort -u | while read -r one; do
        test_case "$one" || { echo "the case '$one' fails without a mistake" >&2; exit 1; }
    done
    all=$(for name in "${names[@]}"; do
        [ -n "$(field "$name" verify)$(field "$name" case)" ] || field "$name" tests
    done | sort -u | paste -sd '|')
    if [ -n "$all" ] && failure=$(first_failure -L "$label" -R "^($all)$") && [ -n "$failure" ]; then
        echo "$failure fails without a mistake" >&2
        exit 1
    fi
fi

# What sees the mistake that is in the copy.
seen_by() {
    local name=$1 only one tests failure
    only=$(field "$name" verify) one=$(field "$name" case) tests=$(field "$name" tests)
    if [ -n "$only" ]; then
        build vkprim_program || { echo "DOES NOT BUILD"; return; }
        verify "$only" || { echo "verify --only '$only'"; return; }
    fi
    build vkprim_program vkprim_tests || { echo "DOES NOT BUILD"; return; }
    if [ -n "$one" ]; then test_case "$one" || { echo "$one"; return; }; fi
    if [ -n "$tests" ]; then
        failure=$(first_failure -L "$label" -R "^($tests)$")
        [ -z "$failure" ] || { echo "$failure"; return; }
    fi
    if [ $named = 0 ] && [ "$(field "$name" full)" != yes ]; then
        build all || { echo "DOES NOT BUILD"; return; }
        failure=$(first_failure -L "$label")
        [ -z "$failure" ] || { echo "$failure, which was not expected to"; return; }
    fi
    if [ $full = 1 ]; then
        build all || { echo "DOES NOT BUILD"; return; }
        failure=$(first_failure -C full -L full ${tests:+-R "^($tests)"})
        [ -z "$failure" ] || { echo "$failure (full)"; return; }
    fi
    echo "SURVIVED"
}

# The widest of a column; a test is named by what it is called.
widest() { awk '{ if (length > most) most = length } END { print most + 0 }'; }
fields() { for name in "${names[@]}"; do field "$name" "$1"; done; }
about_width=$(fields about | widest) file_width=$(fields file | widest) seen_width=$({ fields case; fields verify | sed "s/.*/verify --only '&'/"; fields tests; } | widest)
row() { printf "%-${about_width}s  %-${file_width}s  %-${seen_width}s  %7s\n" "$@"; }
row mistake file "caught by" seconds
caught=0
for name in "${names[@]}"; do
    began=$SECONDS
    apply "$name" "$copy"
    result=$(seen_by "$name")
    git -C "$copy" checkout -q -- .
    row "$(field "$name" about)" "$(field "$name" file)" "$result" $((SECONDS - began))
    case $result in
        SURVIVED | "DOES NOT BUILD") failed=1 ;;
        *) caught=$((caught + 1)) ;;
    esac
done
echo "$caught of ${#names[@]} mistakes caught"
exit $failed
