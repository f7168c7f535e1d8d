#!/usr/bin/env bash
# The slowest twenty tests of the last runs of scripts/test.sh and scripts/test.sh --full, as the table in CONTRIBUTING.md. Seconds are of
# the wall clock, with the tests beside it. After --full --share, only that share's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../build/release"
printf '| test | extent | s |\n| --- | --- | --- |\n'
for extent in short full; do
    [ ! -f $extent.xml ] ||
        sed -n "s/.*<testcase name=\"\([^\"]*\)\".* time=\"\([0-9.]*\)\".*/\2 \1 $extent/p" $extent.xml
done | sort -nr | head -20 | awk '{ printf "| `%s` | %s | %.0f |\n", $2, $3, $1 }'
