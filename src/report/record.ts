import { showQuery } from '../program/print.js';
import type { Timeline } from '../analyses/timeline/timeline.js';
import type { Answer } from '../check/result.js';
import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import { valueText } from '../parse/values.js';
import type { Query, Test } from '../program/program.js';

/** The result of one test under one model. All reports on verdicts are made from such records. */
export interface VerdictRecord {
  readonly test: Test;
  /** The file of the test. */
  readonly source: SourceFile;
  readonly model: string;
  /** The indices of the queries that were asked. Undefined if all were. */
  readonly asked?: readonly number[];
  /** An answer for each query that has one, in order. None if the test cannot be translated for the model. */
  readonly answers: readonly Answer[];
  /** Runs as timelines, by the index of the query, if the user wants them. */
  readonly timelines?: ReadonlyMap<number, Timeline>;
  /** In words, which instructions were translated for the model. Undefined if none had to be. */
  readonly note?: string;
  /** Why the test cannot be translated for the model. */
  readonly untranslatable?: string;
}

/** Inputs without records, because something is wrong with them. */
export interface Unusable {
  /** Litmus files that do not parse. */
  readonly broken: readonly {
    readonly source: SourceFile;
    readonly errors: readonly Diagnostic[];
    /** Every file that the errors may point into. */
    readonly sources: ReadonlyMap<string, SourceFile>;
  }[];
  /** Messages about files that could not be read, and about models with mistakes. */
  readonly unread: readonly string[];
}

/**
 * Groups records by test: for each test its records, one for each model. Tests keep the order in which they first
 * appear.
 */
export function byTest(records: readonly VerdictRecord[]): readonly (readonly VerdictRecord[])[] {
  const groups = new Map<Test, VerdictRecord[]>();
  for (const record of records) {
    const group = groups.get(record.test);
    if (group === undefined) groups.set(record.test, [record]);
    else group.push(record);
  }
  return [...groups.values()];
}

/** Separates the tests that models decide from the clients, which their libraries decide. */
export function apart<Group extends readonly VerdictRecord[]>(
  groups: readonly Group[],
): { readonly plain: readonly Group[]; readonly clients: readonly Group[] } {
  const isClient = ([{ test }]: Group): boolean => test.models !== undefined;
  return {
    plain: groups.filter((group) => !isClient(group)),
    clients: groups.filter(isClient),
  };
}

/** A query as text for the cell of a table. */
export function queriesAsked(query: Query): string {
  const { quantifier, text } = query;
  if (quantifier === 'exists') return text;
  return text === '' ? showQuery(query) : `${quantifier} ${text}`;
}

/** In words, what decided a test: `under rdma-tso`; or for a client, `with rbl, bal`. */
export const decidedBy = ({ models }: Pick<Test, 'models'>, model: string): string =>
  `${models === undefined ? 'under' : 'with'} ${model}`;

export function showState(state: { readonly [name: string]: number }, separator = ', '): string {
  return Object.entries(state)
    .map(([name, value]) => `${name} = ${valueText(value)}`)
    .join(separator);
}

/** The folder of a file; `.` if its path has none. */
export function folderOf(file: string): string {
  const divider = file.includes('/') ? '/' : '\\';
  const end = file.lastIndexOf(divider);
  return end > 0 ? file.slice(0, end) : end === 0 ? divider : '.';
}
