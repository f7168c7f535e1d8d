#!/usr/bin/env bash
# Runs every fuzz target for SECONDS (600), as many at once as there are processors, and ends with a table. What was found lies
# in build/fuzz/findings; the corpora in build/fuzz/corpus serve the next run. Exit code 1 where anything was found.
#     scripts/fuzz.sh [SECONDS [TARGET...]]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
install clang libclang-rt-dev llvm

seconds=${1:-600}
shift $(($# > 0))
configure_preset fuzz
cmake --build --preset fuzz
cd build/fuzz
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls | sed -n 's/^fuzz_//p')

# run_target NAME: its output goes to NAME.log, its exit code to NAME.code.
run_target() {
    local name=$1 code=0
    mkdir -p "corpus/$name" findings
    "tests/fuzz/fuzz_$name" --seeds="corpus/$name" "corpus/$name" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
        -rss_limit_mb=2048 -malloc_limit_mb=512 -artifact_prefix="findings/$name-" -print_final_stats=1 \
        >"$name.log" 2>&1 || code=$?
    echo "$code" >"$name.code"
}
for name in "$@"; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    echo "fuzz_$name, $seconds s"
    run_target "$name" &
done
wait

failed=0
row="%-18s %8s %12s %10s  %s\n"
printf "$row" target seconds executions edges result
for name in "$@"; do
    final() { sed -n "s/^stat::$1: *//p" "$name.log"; }
    code=$(cat "$name.code")
    result='nothing found'
    if [ "$code" != 0 ]; then
        result="FOUND, exit code $code: build/fuzz/$name.log"
        failed=1
    fi
    took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$name.log")
    edges=$(grep -o 'cov: [0-9]*' "$name.log" | tail -1 | cut -d' ' -f2 || true)
    printf "$row" "$name" "${took:-?}" "$(final number_of_executed_units)" "${edges:-?}" "$result"
done
exit $failed
