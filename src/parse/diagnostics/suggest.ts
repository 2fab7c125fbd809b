import { distance } from 'fastest-levenshtein';

/** For longer names there is no guess, as the time grows with the square of their length. */
const LONGEST = 100;

/** A name as short as this is near to too many others. Only a wrong case is corrected. */
const SHORTEST = 2;

/**
 * The known name that a misspelt one most likely stands for, or undefined where none is near
 * (at most a third of its letters differ, and at least one letter is right). Two neighbouring letters that
 * are swapped count as one mistake.
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
 * The number of mistakes in a name: extra, missing or wrong letters, and at most one swap. Where that is `below` or
 * more anyway, swaps are not tried.
 */
function mistakes(name: string, meant: string, below: number): number {
  let least = distance(name, meant);
  // A swap of two letters stands for two wrong ones, and counts one itself.
  if (least - 1 >= below) return least;
  for (let i = 0; i + 1 < name.length && least > 1; i++) {
    const swapped = name.slice(0, i) + name[i + 1] + name[i] + name.slice(i + 2);
    least = Math.min(least, 1 + distance(swapped, meant));
  }
  return least;
}

/** `did you mean 'x'?`, or undefined where nothing else is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const others = function* (): Generator<string> {
    for (const candidate of known) if (candidate !== name) yield candidate;
  };
  const guess = nearest(name, others());
  return guess === undefined ? undefined : `did you mean '${guess}'?`;
}
