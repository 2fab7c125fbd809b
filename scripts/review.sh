#!/usr/bin/env bash
# Decides what a change touches: marks lines, writes SARIF and a summary. What it takes from the environment:
#   REMORA            the command; `remora` without it
#   REMORA_PATHS      files and folders with litmus tests; without it, the working folder
#   REMORA_BASE       the commit that the change is compared with; without it, everything is decided
#   REMORA_ARGUMENTS  further arguments of `remora test`
#   REMORA_SARIF      where SARIF goes
#   GITHUB_STEP_SUMMARY, where there is one: the file of the summary
set -euo pipefail

remora=${REMORA:-remora}
read -ra paths <<<"${REMORA_PATHS:-.}"
read -ra arguments <<<"${REMORA_ARGUMENTS:-}"
base=${REMORA_BASE:-}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}

changed() { git diff --name-only --diff-filter=ACMR -z "$base" -- "$@"; }

# Without a commit to compare with, everything is new. So it is where a model or an implementation has changed.
asked=("${paths[@]}")
if [ -n "$base" ] && git cat-file -e "$base^{commit}" 2>/dev/null; then
  mapfile -d '' -t others < <(changed ':(top)*.cat' ':(top)*.impl')
  if [ ${#others[@]} -eq 0 ]; then
    asked=()
    # Git names files from the top.
    up=$(git rev-parse --show-cdup)
    while IFS= read -rd '' file; do
      [[ $file != *.litmus ]] || asked+=("$up$file")
    done < <(changed "${paths[@]}")
  fi
fi
if [ ${#asked[@]} -eq 0 ]; then
  echo 'no litmus test, model or implementation has changed'
  exit 0
fi

results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0
$remora test "${asked[@]}" ${arguments[@]+"${arguments[@]}"} --reporter github --out "$results" --force || status=$?
# The same results in other forms.
[ -z "${REMORA_SARIF:-}" ] || $remora merge "$results" --reporter sarif >"$REMORA_SARIF" || true
$remora merge "$results" --markdown >>"$summary" || true

# What departs is explained, with diagrams.
mapfile -t departing < <($remora merge "$results" --json | node -e '
  const lines = require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
  const files = lines.map((line) => JSON.parse(line)).filter((one) => one.departs).map((one) => one.file);
  console.log([...new Set(files)].join("\n"));
')
for file in "${departing[@]}"; do
  [ -z "$file" ] || $remora explain "$file" ${arguments[@]+"${arguments[@]}"} --markdown --timeline >>"$summary" || true
done
exit "$status"
