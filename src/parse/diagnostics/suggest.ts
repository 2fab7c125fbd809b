import { distance } from 'fastest-levenshtein';

/** For longer names there is no guess: the time grows with the square of their length. */
const LONGEST = 100;

/** A name of at most this length resembles too many others: only its case is corrected. */
const SHORTEST = 2;

/**
 * The known name that a misspelt one most likely stands for. Undefined if none is near enough: at most a third of the
 * letters may differ, and at least one must be right. Two neighbouring letters in the wrong order count as one mistake.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = name.length <= SHORTEST ? 1 : Math.max(1, Math.floor(name.length / 3)) + 0.5;
  if (name.length > LONGEST) return undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > bestDistance) continue;
    const caseOnly = candidate.toLowerCase() === name.toLowerCase() ? 0.5 : undefined;
    const d = caseOnly ?? mistakes(name, candidate, bestDistance);
    if (d < bestDistance && d < Math.max(name.length, candidate.length)) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/**
 * The number of mistakes in a name: extra, missing or wrong letters, and at most one swap. If it reaches `below` even
 * with a swap, none is tried, and the result is only known to be at least that.
 */
function mistakes(name: string, meant: string, below: number): number {
  let least = distance(name, meant);
  // A swap replaces two wrong letters, and counts one: it lowers the number by one at most.
  if (least - 1 >= below) return least;
  for (let i = 0; i + 1 < name.length && least > 1; i++) {
    const swapped = name.slice(0, i) + name[i + 1] + name[i] + name.slice(i + 2);
    least = Math.min(least, 1 + distance(swapped, meant));
  }
  return least;
}

/** The hint `did you mean 'x'?`, or undefined if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const others = function* (): Generator<string> {
    for (const candidate of known) if (candidate !== name) yield candidate;
  };
  const guess = nearest(name, others());
  return guess === undefined ? undefined : `did you mean '${guess}'?`;
}
