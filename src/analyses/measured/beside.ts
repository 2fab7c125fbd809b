/** What cards showed beside what models allow. What was not seen refutes nothing, and what is not decided neither. */
import type { Outcomes } from '../../check/result.js';
import type { FinalState } from '../../program/final.js';
import { compareStates, stateKey } from '../../program/final.js';
import type { MeasuredTest } from './add-up.js';

/** All final states of a program under a model, or why it has no meaning there. */
export type UnderModel =
  | { readonly model: string; readonly outcomes: Outcomes; readonly lacking?: undefined }
  | { readonly model: string; readonly lacking: string; readonly outcomes?: undefined };

/** Can a program end so under a model? `bounded`: not in runs up to the loop bound; others were not tried. */
export type Standing = 'allowed' | 'forbidden' | 'bounded' | 'unknown' | 'untranslatable';

/** A final state that some model allows, or some card showed. */
export interface StateRow {
  readonly state: FinalState;
  /** How often each card showed it; undefined: the program did not run there. */
  readonly times: readonly (number | undefined)[];
  /** By model. */
  readonly standings: readonly Standing[];
}

/** A program on all cards and under all models. */
export interface TestRows {
  readonly item: MeasuredTest;
  readonly under: readonly UnderModel[];
  readonly rows: readonly StateRow[];
}

export function rowsOf(item: MeasuredTest, under: readonly UnderModel[]): TestRows {
  const allowed = under.map(({ outcomes }) => new Set(outcomes?.states.map(stateKey)));
  const seen = item.on.map(
    (counts) => counts && new Map(counts.seen.map(({ state, times }) => [stateKey(state), times])),
  );
  const states = new Map<string, FinalState>();
  for (const { outcomes } of under) {
    for (const state of outcomes?.states ?? []) states.set(stateKey(state), state);
  }
  for (const counts of item.on) {
    for (const { state } of counts?.seen ?? []) states.set(stateKey(state), state);
  }
  const rows = [...states].map(([key, state]) => ({
    state,
    times: seen.map((times) => times && (times.get(key) ?? 0)),
    standings: under.map(({ outcomes }, i) => standingOf(outcomes, allowed[i].has(key))),
  }));
  return { item, under, rows: rows.sort((a, b) => compareStates(a.state, b.state)) };
}

function standingOf(outcomes: Outcomes | undefined, isAllowed: boolean): Standing {
  if (outcomes === undefined) return 'untranslatable';
  if (isAllowed) return 'allowed';
  if (outcomes.incomplete !== undefined) return 'unknown';
  return outcomes.upTo === undefined ? 'forbidden' : 'bounded';
}

/** Was it seen on some card? */
export const isSeen = ({ times }: StateRow): boolean => times.some((n = 0) => n > 0);

/** What one card says of one model. */
export interface Judged {
  readonly model: string;
  /** How many final states are so, of the programs that ran. */
  readonly allowedSeen: number;
  readonly allowedNever: number;
  readonly forbiddenSeen: number;
  /** Seen, and not decided under the model, or only for runs up to the loop bound. */
  readonly open: number;
  /** Programs without meaning under the model, and those whose final states are not all known. */
  readonly lacking: number;
  readonly incomplete: number;
  /** The state that refutes the model; of several, the one that was seen in the largest part of the rounds. */
  readonly refutedBy?: Refutation;
}

export interface Refutation {
  readonly test: string;
  readonly state: FinalState;
  readonly times: number;
  readonly rounds: number;
}

/** What a card says of each model. */
export function judge(
  tests: readonly TestRows[],
  card: number,
  models: readonly string[],
): readonly Judged[] {
  const ran = tests.filter(({ item }) => item.on[card] !== undefined);
  return models.map((model, m) => {
    const count = { allowedSeen: 0, allowedNever: 0, forbiddenSeen: 0, open: 0 };
    let refutedBy: Refutation | undefined;
    for (const { item, rows } of ran) {
      for (const { state, times, standings } of rows) {
        const seen = times[card] ?? 0;
        const standing = standings[m];
        if (standing === 'allowed') count[seen > 0 ? 'allowedSeen' : 'allowedNever'] += 1;
        if (seen === 0) continue;
        if (standing === 'unknown' || standing === 'bounded') count.open += 1;
        if (standing !== 'forbidden') continue;
        count.forbiddenSeen += 1;
        const { rounds } = item.on[card]!;
        const found = { test: item.name, state, times: seen, rounds };
        if (refutedBy === undefined || share(found) > share(refutedBy)) refutedBy = found;
      }
    }
    const those = ran.map(({ under }) => under[m]);
    return {
      model,
      ...count,
      lacking: those.filter(({ lacking }) => lacking !== undefined).length,
      incomplete: those.filter(({ outcomes }) => outcomes?.incomplete !== undefined).length,
      refutedBy,
    };
  });
}

const share = ({ times, rounds }: Refutation): number => times / rounds;
