#!/bin/sh
# How much of herd7's world is read: sh scripts/herd-trial.sh DIR…
#
# DIR is a folder with model files, such as herd/libdir of herdtools7's sources. Each file that no other one includes is loaded
# in place, with what it includes. What is counted: files that are models here, files without axioms, and files that are refused,
# each with the first mistake. Or it is a folder with litmus tests, such as litmus/X86 of Dat3M's sources. They are decided under
# the model that the variable MODEL names (x86-tso). What is counted: tests that are read, and tests that are refused, by their
# mistakes. The package must be built (npm run build).
set -eu
[ $# -gt 0 ] || { echo "usage: sh scripts/herd-trial.sh DIR…" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
test=$root/corpus/tso/CPU-MP.litmus

# The tests of a folder.
tests() {
  all=$(find "$1" -name '*.litmus' | wc -l)
  [ "$all" -gt 0 ] || return 0
  said=$(mktemp)
  read=$(NO_COLOR=1 node "$root/dist/cli/main.js" check "$1" --model "${MODEL:-x86-tso}" --json 2>"$said" |
    grep -o '"file":"[^"]*"' | sort -u | wc -l)
  sed -n 's/^[^ ]*\.litmus:[0-9:]* //p' "$said" | sort | uniq -c | sort -rn | sed 's/^ */refused: /'
  rm -f "$said"
  echo "$((read)) of $((all)) tests read in $1"
}

models=0 bare=0 refused=0
for dir in "$@"; do
  tests "$dir"
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
[ $((models + bare + refused)) -eq 0 ] || echo "$models models, $bare without axioms, $refused refused"
