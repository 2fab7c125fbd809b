/** Surveys of agreement as plain data: campaigns keep a record of each part in a file, and add them up. */
import type { Gap, SurveyCounts } from '../analyses/agree/survey.js';
import type { NamedMethod } from '../analyses/agree/methods.js';
import type { Engine } from '../rdma/engines.js';
import type { CountedSurvey } from './agree.js';

interface WayRecord {
  readonly engine: Engine;
  readonly model: string;
}

interface GapRecord extends WayRecord {
  readonly reason: string;
  readonly programs: readonly string[];
}

interface TallyRecord {
  readonly models: readonly string[];
  readonly ways: readonly WayRecord[];
  readonly agreed: number;
  readonly states: number;
  readonly undecided: readonly GapRecord[];
  readonly skipped: readonly GapRecord[];
}

/**
 * The result of comparing a range of programs. Models are only names here, so a record can be read without loading any.
 */
export interface AgreeRecord {
  readonly programs: number;
  /** A histogram: how many programs have each number of events. */
  readonly events: readonly (readonly [events: number, programs: number])[];
  readonly comparisons: readonly TallyRecord[];
  /** The programs on which the ways disagree. Only the first is shrunk, and has the disagreement in words (`told`). */
  readonly disagreements: readonly { readonly program: string; readonly told?: string }[];
  readonly milliseconds: number;
}

const wayRecord = ({ engine, model }: NamedMethod): WayRecord => ({ engine, model: model.name });
const wayOf = ({ engine, model }: WayRecord): NamedMethod => ({ engine, model: { name: model } });

/** Makes one record of surveys that compare the same ways. */
export function surveyRecord(
  surveys: readonly SurveyCounts[],
  disagreements: AgreeRecord['disagreements'],
  milliseconds: number,
): AgreeRecord {
  const events = new Map<number, number>();
  for (const n of surveys.flatMap((one) => one.events)) events.set(n, (events.get(n) ?? 0) + 1);
  const gaps = (all: readonly Gap[]): readonly GapRecord[] =>
    added(all.map(({ way, ...gap }) => ({ ...wayRecord(way), ...gap })));
  const [first] = surveys;
  return {
    programs: sum(surveys.map((one) => one.programs)),
    events: [...events].sort(([a], [b]) => a - b),
    comparisons: (first?.tallies ?? []).map(({ group }, g) => {
      const tallies = surveys.map((one) => one.tallies[g]);
      return {
        models: group.models.map(({ name }) => name),
        ways: group.ways.map(wayRecord),
        agreed: sum(tallies.map(({ agreed }) => agreed)),
        states: sum(tallies.map(({ states }) => states)),
        undecided: gaps(tallies.flatMap(({ undecided }) => undecided)),
        skipped: gaps(tallies.flatMap(({ skipped }) => skipped)),
      };
    }),
    disagreements,
    milliseconds,
  };
}

/**
 * Adds up the records of the parts of a survey, for the report of `agree`.
 *
 * @param of how many programs the whole survey has; if the records have fewer, it was interrupted
 */
export function surveyOf(records: readonly AgreeRecord[], of: number): CountedSurvey {
  const events = new Map<number, number>();
  for (const [n, programs] of records.flatMap((one) => one.events)) {
    events.set(n, (events.get(n) ?? 0) + programs);
  }
  const gaps = (all: readonly GapRecord[]): readonly Gap<NamedMethod>[] =>
    added(all).map(({ reason, programs, ...way }) => ({ way: wayOf(way), reason, programs }));
  const programs = sum(records.map((one) => one.programs));
  const [disagreement] = records.flatMap((one) => one.disagreements);
  return {
    of,
    interrupted: programs < of,
    programs,
    events: [...events]
      .sort(([a], [b]) => a - b)
      .flatMap(([n, programs]) => Array.from({ length: programs }, () => n)),
    tallies: (records[0]?.comparisons ?? []).map(({ models, ways }, c) => {
      const parts = records.map((one) => one.comparisons[c]);
      return {
        group: { models: models.map((name) => ({ name })), ways: ways.map(wayOf) },
        agreed: sum(parts.map(({ agreed }) => agreed)),
        states: sum(parts.map(({ states }) => states)),
        undecided: gaps(parts.flatMap(({ undecided }) => undecided)),
        skipped: gaps(parts.flatMap(({ skipped }) => skipped)),
      };
    }),
    disagreement,
  };
}

/** Merges gaps that have the same way and the same reason. */
function added(gaps: readonly GapRecord[]): readonly GapRecord[] {
  const all = new Map<string, GapRecord>();
  for (const gap of gaps) {
    const key = JSON.stringify([gap.engine, gap.model, gap.reason]);
    const known = all.get(key)?.programs ?? [];
    all.set(key, { ...gap, programs: [...known, ...gap.programs] });
  }
  return [...all.values()];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
