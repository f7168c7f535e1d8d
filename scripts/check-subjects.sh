#!/usr/bin/env bash
# Whether the first line of each commit has at most 72 characters: of HEAD and all commits since the one that brought this file, or of a
# range. Exit code 77 where there is no git, or no repository, as in a source archive.
#     scripts/check-subjects.sh [RANGE]      scripts/check-subjects.sh origin/main..HEAD
# As a hook: ln -s ../../scripts/check-subjects.sh .git/hooks/commit-msg
set -euo pipefail
most=72
# git calls a hook with the file that holds the message.
if [ "$(basename "$0")" = commit-msg ]; then
    subject=$(grep -v '^#' "$1" | head -n 1)
    [ ${#subject} -le $most ] || { echo "The first line has ${#subject} characters, and at most $most are allowed." >&2; exit 1; }
    exit 0
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ] || { echo "skipped: there is no git repository here"; exit 77; }
if [ $# -gt 0 ]; then
    range=("$1")
else
    first=$(git log --diff-filter=A --format=%H -- scripts/check-subjects.sh | tail -n 1)
    range=(HEAD)
    [ -z "$first" ] || range+=("^$first")
fi
count=0 failed=0
while IFS= read -r line; do
    count=$((count + 1))
    subject=${line#* }
    [ ${#subject} -le $most ] || { echo "${#subject} characters: $line" >&2; failed=1; }
done < <(git log --no-merges --format='%h %s' "${range[@]}")
[ $failed = 0 ] && echo "$count subjects of at most $most characters"
exit $failed
