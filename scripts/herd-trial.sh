#!/bin/sh
# How much of herd7's world is read: sh scripts/herd-trial.sh DIR…
#
# DIR is a folder with model files, such as herd/libdir of herdtools7's sources. Each file that no other one includes is loaded
# in place, with what it includes. What is counted: files that are models here, files without axioms, and files that are refused,
# each with the first mistake. The package must be built (npm run build).
set -eu
[ $# -gt 0 ] || { echo "usage: sh scripts/herd-trial.sh DIR…" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
test=$root/corpus/tso/CPU-MP.litmus

models=0 bare=0 refused=0
for dir in "$@"; do
  for file in "$dir"/*.cat; do
    [ -e "$file" ] || continue
    grep -qsF "include \"$(basename "$file")\"" "$dir"/*.cat && continue
    said=$(NO_COLOR=1 node "$root/dist/cli/main.js" check "$test" --model "$file" 2>&1 >/dev/null) || true
    case $said in
      '') models=$((models + 1)) ;;
      *'has no axioms'*) bare=$((bare + 1)) ;;
      *)
        refused=$((refused + 1))
        printf '%s\n' "$said" | sed -n '1s/^/refused: /p'
        ;;
    esac
  done
done
echo "$models models, $bare without axioms, $refused refused"
