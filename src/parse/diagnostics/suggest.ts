import { distance } from 'fastest-levenshtein';

/** Of longer names nothing is guessed: the time grows with the square of their length. */
const LONGEST = 100;

/**
 * The known name that a misspelt one most likely stands for, or undefined where none is near
 * (at most a third of its letters differ, and at least one letter is right).
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  if (name.length > LONGEST) return undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > bestDistance) continue;
    const caseOnly = candidate.toLowerCase() === name.toLowerCase() ? 0.5 : undefined;
    const d = caseOnly ?? distance(name, candidate);
    if (d < bestDistance && d < Math.max(name.length, candidate.length)) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** `did you mean 'x'?`, or undefined where nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const guess = nearest(name, known);
  return guess === undefined ? undefined : `did you mean '${guess}'?`;
}
