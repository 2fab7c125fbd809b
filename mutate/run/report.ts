import { equivalentOf } from '../equivalent.js';
import type { Outcome } from './task.js';

/** What the run of a model's mutants comes to. */
export interface Summary {
  readonly model: string;
  readonly mutants: number;
  /** Caught by our own tests, by the papers' tests, and by either. */
  readonly own: number;
  readonly published: number;
  readonly caught: number;
  /** Not caught, and listed as equivalent. */
  readonly equivalent: number;
  /** Not caught, and not listed. */
  readonly survived: readonly string[];
  /** Listed as equivalent, and caught: by which test. */
  readonly wronglyListed: readonly string[];
}

export function summarize(model: string, outcomes: readonly Outcome[]): Summary {
  const mine = outcomes.filter((o) => o.model === model);
  const isCaught = (o: Outcome): boolean => o.own !== undefined || o.published !== undefined;
  const isListed = (o: Outcome): boolean => equivalentOf(o.model, o.name) !== undefined;
  const missed = mine.filter((o) => !isCaught(o));
  return {
    model,
    mutants: mine.length,
    own: mine.filter((o) => o.own !== undefined).length,
    published: mine.filter((o) => o.published !== undefined).length,
    caught: mine.length - missed.length,
    equivalent: missed.filter(isListed).length,
    survived: missed.filter((o) => !isListed(o)).map((o) => o.name),
    wronglyListed: mine
      .filter((o) => isCaught(o) && isListed(o))
      .map((o) => `${o.name} (${o.own ?? o.published})`),
  };
}

const HEAD = ['model', 'mutants', 'caught', 'by papers', 'equivalent', 'survived'] as const;

/** A table with a line for each model and one for all; then what is wrong. */
export function render(summaries: readonly Summary[]): string {
  const rows = summaries.map((s) => [s.model, ...counts(s)]);
  const columns = summaries.map(counts);
  const total = columns[0].map((_, i) => columns.reduce((sum, column) => sum + column[i], 0));
  const lines = [HEAD, ...rows, ['all', ...total]].map((row) => row.map(String));
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  const table = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  );
  const faults = summaries.flatMap((s) => [
    ...s.survived.map((name) => `${s.model}/${name} survived`),
    ...s.wronglyListed.map((name) => `${s.model}/${name} is listed as equivalent, and is caught`),
  ]);
  return [...table, ...(faults.length > 0 ? ['', ...faults] : [])].join('\n');
}

const counts = (s: Summary): readonly number[] => [
  s.mutants,
  s.caught,
  s.published,
  s.equivalent,
  s.survived.length,
];

export const isGood = (s: Summary): boolean =>
  s.survived.length === 0 && s.wronglyListed.length === 0;
