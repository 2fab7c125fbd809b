import { showQuery } from '../program/print.js';
import type { Timeline } from '../analyses/timeline/timeline.js';
import type { Answer } from '../check/result.js';
import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import { valueText } from '../parse/values.js';
import type { Query, Test } from '../program/program.js';

/** What became of one test under one model: what every report is made from. */
export interface VerdictRecord {
  readonly test: Test;
  /** The file of the test. */
  readonly source: SourceFile;
  readonly model: string;
  /** The queries that were asked, by index; all without it. */
  readonly asked?: readonly number[];
  /** One answer a query, in order; none if the test has no meaning under the model. */
  readonly answers: readonly Answer[];
  /** Runs in space and time, by query, if they were asked for. */
  readonly timelines?: ReadonlyMap<number, Timeline>;
  /** What was translated for the model. */
  readonly note?: string;
  /** Why the test cannot be translated for the model. */
  readonly untranslatable?: string;
}

/** Inputs that there are no records of. */
export interface Unusable {
  /** Litmus files that do not parse. */
  readonly broken: readonly {
    readonly source: SourceFile;
    readonly errors: readonly Diagnostic[];
    /** Every file that the errors may point into. */
    readonly sources: ReadonlyMap<string, SourceFile>;
  }[];
  /** What could not be read, and models that are wrong: the messages for people. */
  readonly unread: readonly string[];
}

/** The records of each test in order of appearance, with one record a model. */
export function byTest(records: readonly VerdictRecord[]): readonly (readonly VerdictRecord[])[] {
  const groups = new Map<Test, VerdictRecord[]>();
  for (const record of records) {
    const group = groups.get(record.test);
    if (group === undefined) groups.set(record.test, [record]);
    else group.push(record);
  }
  return [...groups.values()];
}

/** Groups of records of tests that models decide, and of clients, which their libraries decide. */
export function apart<Group extends readonly VerdictRecord[]>(
  groups: readonly Group[],
): { readonly plain: readonly Group[]; readonly clients: readonly Group[] } {
  const isClient = ([{ test }]: Group): boolean => test.models !== undefined;
  return {
    plain: groups.filter((group) => !isClient(group)),
    clients: groups.filter(isClient),
  };
}

/** A query in the cell of a table. */
export function queriesAsked(query: Query): string {
  const { quantifier, text } = query;
  if (quantifier === 'exists') return text;
  return text === '' ? showQuery(query) : `${quantifier} ${text}`;
}

/** What a test was decided by: `under rdma-tso`, or of a client `with rbl, bal`. */
export const decidedBy = ({ models }: Pick<Test, 'models'>, model: string): string =>
  `${models === undefined ? 'under' : 'with'} ${model}`;

export function showState(state: { readonly [name: string]: number }, separator = ', '): string {
  return Object.entries(state)
    .map(([name, value]) => `${name} = ${valueText(value)}`)
    .join(separator);
}

/** The folder of a file, by its path; `.` where it names none. */
export function folderOf(file: string): string {
  const divider = file.includes('/') ? '/' : '\\';
  const end = file.lastIndexOf(divider);
  return end > 0 ? file.slice(0, end) : end === 0 ? divider : '.';
}
