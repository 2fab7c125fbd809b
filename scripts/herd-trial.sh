#!/bin/sh
# How much of herd7's world is read: sh scripts/herd-trial.sh DIR…
#
# DIR is a folder with model files, such as herd/libdir of herdtools7's sources. Each file that no other one includes is loaded
# in place, with what it includes. What is counted: files that are models here, files without axioms, and files that are refused,
# each with the first mistake. Or it is a folder with litmus tests, such as litmus/X86 of Dat3M's sources. They are decided under
# the model that the variable MODEL names (x86-tso). What is counted: tests that are read, and tests that are refused, by their
# mistakes; it is said which took longest. If the variable TABLE names a file with what they should say, such as dartagnan/src/test/resources/TSO-expected.csv
# (litmus/X86/SB.litmus,1 where the condition can hold), it is said how many agree, and which do not. Otherwise what herd7 printed stands
# beside the tests in files *.expected, as in herdtools7's herd/tests/instructions. The package must be built (npm run build).
set -eu
[ $# -gt 0 ] || { echo "usage: sh scripts/herd-trial.sh DIR…" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
test=$root/corpus/tso/CPU-MP.litmus

# The tests of a folder.
tests() {
  all=$(find "$1" -name '*.litmus' | wc -l)
  [ "$all" -gt 0 ] || return 0
  said=$(mktemp) found=$(mktemp)
  begun=$(date +%s)
  NO_COLOR=1 node "$root/dist/cli/main.js" check "$1" --model "${MODEL:-x86-tso}" --json 2>"$said" >"$found" || true
  sed -n 's/^[^ ]*\.litmus:[0-9:]* //p' "$said" | sort | uniq -c | sort -rn | sed 's/^ */refused: /'
  echo "$(grep -o '"file":"[^"]*"' "$found" | sort -u | wc -l) of $((all)) tests read in $1, $(($(date +%s) - begun)) s"
  sed 's/.*"file":"\([^"]*\)".*"milliseconds":\([0-9.]*\).*/\2 ms for \1/' "$found" | sort -rn | sed -n '1s/^/slowest: /p'
  beside=$(mktemp)
  grep -cHE '^Ok' "$1"/*.expected 2>/dev/null | sed 's/\.expected:/,/' >"$beside" || true
  if [ -n "${TABLE:-}" ]; then agreeing "$found" "$TABLE"
  elif [ -s "$beside" ]; then agreeing "$found" "$beside" | sed 's/ agree with .*/ agree with what herd7 printed/'; fi
  rm -f "$said" "$found" "$beside"
}

# What the verdicts of a file agree with. A condition that no execution satisfies is forbidden, also where there is none.
agreeing() {
  sed 's/.*"file":"\([^"]*\)".*"query":"\([a-z~]*\).*"verdict":"\([a-z]*\)".*/\1 \2 \3/' "$1" |
    awk -v table="$2" '
      BEGIN { while ((getline line < table) > 0) { n = split(line, part, ","); if (n == 2) want[part[1]] = part[2] } }
      {
        name = $1
        while (!(name in want) && sub(/^[^\/]*\//, "", name));
        if (!(name in want)) next
        can = ($3 == "allowed" || $3 == "holds") ? 1 : ($3 == "forbidden" || $3 == "fails" || $3 == "vacuous") ? 0 : $3
        if ($2 ~ /^~/ && can != $3) can = 1 - can
        if (can == want[name]) agree++
        else print "differs: " $1 ": " $3 ", and " want[name] " in the table"
      }
      END { print agree + 0 " agree with " table }'
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
