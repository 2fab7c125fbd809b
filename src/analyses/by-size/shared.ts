import type { Model } from '../../model/term.js';
import type { Analyses, AnalysisName } from '../registry.js';
import type { Pool } from '../workers.js';
import type { Group, Share } from './groups.js';

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
