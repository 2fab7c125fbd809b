import type { Outcome } from '../outcome.js';
import type { VerdictCell } from './verdict-cells.js';
import { asPublished, modelsDiffer } from './verdict-cells.js';
import type { QueryRow } from './site.js';

/** The counts about a corpus, for the top of its index. */
export interface CorpusCounts {
  readonly tests: number;
  readonly questions: number;
  readonly verdicts: number;
  readonly published: number;
  readonly departing: number;
  readonly undecided: number;
  /** How many questions the models decide differently. */
  readonly differing: number;
  /** How many questions were tried on hardware. */
  readonly observed: number;
  /** For each model, how often it has each outcome. */
  readonly byModel: readonly {
    readonly model: string;
    readonly outcomes: ReadonlyMap<Outcome, number>;
  }[];
}

export function countsOf(rows: readonly QueryRow[], models: readonly string[]): CorpusCounts {
  const cells = rows.flatMap((row) => row.cells);
  const count = (which: (cell: VerdictCell) => boolean) => cells.filter(which).length;
  const questions = rows.filter((row) => row.query !== undefined);
  return {
    tests: new Set(rows.map((row) => row.entry)).size,
    questions: questions.length,
    verdicts: count((c) => c.answer !== undefined),
    published: count(asPublished),
    departing: count((c) => c.departs),
    undecided: count((c) => c.outcome === 'unknown'),
    differing: questions.filter((row) => modelsDiffer(row.cells)).length,
    observed: questions.filter((row) => isObserved(row)).length,
    byModel: models.map((model) => {
      const outcomes = new Map<Outcome, number>();
      for (const { model: of, outcome } of cells) {
        if (of === model) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      return { model, outcomes };
    }),
  };
}

/** Was the question of a row tried on hardware? */
export function isObserved({ entry, query }: QueryRow): boolean {
  return query !== undefined && entry.test.queries[query].observations.length > 0;
}
