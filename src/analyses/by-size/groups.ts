import type { Model } from '../../model/term.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Size } from '../../rdma/classes/enumerate.js';
import { sizesOf } from '../../rdma/classes/enumerate.js';
import type { Analyses, AnalysisName } from '../registry.js';
import type { Pool } from '../workers.js';

/** The programs of one size, and how many calls they have in all. */
export interface Group {
  readonly calls: number;
  readonly size: Size;
}

/** All sizes of up to so many calls, smaller ones first. */
export function groupsUpTo(calls: number, alphabet: Alphabet): readonly Group[] {
  const numbers = Array.from({ length: calls }, (_, i) => i + 1);
  return numbers.flatMap((own) =>
    [...sizesOf(own, alphabet)].map((size) => ({ calls: own, size })),
  );
}

/** A group in words. */
export const groupName = ({ calls, size }: Group): string =>
  `${calls} calls, ${size.calls.length} threads, ${size.nodes} nodes, ${size.locations} locations`;

/** Which of the programs of a size a worker goes through: every so many-th. */
export interface Share {
  readonly size: Size;
  readonly part: number;
  readonly parts: number;
}

/** Programs with fewer calls are few: sharing them would take longer. */
const SHARED_FROM = 3;

/** What workers found out that share the programs of a group, and why some of them gave up. */
export interface Shared<Output> {
  readonly outputs: readonly Output[];
  readonly unfinished?: string;
}

/** Has an analysis done by so many workers. @param input what a worker is given besides its share */
export async function inParts<Name extends AnalysisName>(
  pool: Pool,
  analysis: Name,
  models: readonly Model[],
  { calls, size }: Group,
  {
    jobs,
    input,
  }: { readonly jobs: number; readonly input: Omit<Analyses[Name]['input'], keyof Share> },
): Promise<Shared<Analyses[Name]['output']>> {
  const parts = calls < SHARED_FROM ? 1 : jobs;
  const found = await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      pool.analyse<Name>({
        ...{ kind: 'analysis', analysis, engine: 'search', models },
        input: { ...input, size, part, parts } as Analyses[Name]['input'],
      }),
    ),
  );
  const unfinished = found.flatMap((one) => ('unfinished' in one ? [one.unfinished] : [])).at(0);
  return {
    outputs: found.flatMap((one) => ('output' in one ? [one.output] : [])),
    ...(unfinished !== undefined && { unfinished }),
  };
}

/** What workers found, in the order of the programs. */
export const inOrder = <One extends { readonly index: number }>(
  all: readonly (readonly One[])[],
): readonly One[] => all.flat().sort((x, y) => x.index - y.index);
