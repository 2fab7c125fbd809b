import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Size } from '../../rdma/classes/enumerate.js';
import { sizesOf } from '../../rdma/classes/enumerate.js';
import type { Pool } from '../workers.js';
import type { DifferingProgram, PartFound, Wanted } from './part.js';
import { firstOf } from './part.js';

/** What programs are compared, and how. */
export interface DistinguishOptions {
  readonly alphabet: Alphabet;
  /** The operations that programs of the alphabet call. */
  readonly instructions: InstructionSet;
  readonly wanted: Wanted;
  /** How many workers share a size with many programs. */
  readonly jobs: number;
}

/** The programs of one size, and how many calls they have in all. */
export interface Group {
  readonly calls: number;
  readonly size: Size;
}

/** What was found out about the programs of a group. */
export interface GroupFound {
  readonly calls: number;
  /** How many were compared; if only the first that tells the models apart is wanted, up to that one. */
  readonly programs: number;
  /** In the order in which they are made. */
  readonly differing: readonly DifferingProgram[];
  readonly open: readonly { readonly litmus: string; readonly reason: string }[];
  /** Why it was given up. */
  readonly unfinished?: string;
}

/** All sizes of up to so many calls, smaller ones first. */
export function groupsUpTo(calls: number, alphabet: Alphabet): readonly Group[] {
  const numbers = Array.from({ length: calls }, (_, i) => i + 1);
  return numbers.flatMap((own) =>
    [...sizesOf(own, alphabet)].map((size) => ({ calls: own, size })),
  );
}

/** Programs with fewer calls are few: sharing them would take longer. */
export const SHARED_FROM = 3;

/** Compares all programs of a group under two models. */
export async function compareGroup(
  pool: Pool,
  models: readonly [Model, Model],
  { calls, size }: Group,
  { alphabet, instructions, wanted, jobs }: DistinguishOptions,
): Promise<GroupFound> {
  const parts = calls < SHARED_FROM ? 1 : jobs;
  const found = await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      pool.analyse({
        kind: 'analysis',
        analysis: 'compare-programs',
        engine: 'search',
        models,
        input: { alphabet, instructions, size, part, parts, wanted },
      }),
    ),
  );
  const outputs = found.flatMap((one) => ('output' in one ? [one.output] : []));
  const unfinished = found.flatMap((one) => ('unfinished' in one ? [one.unfinished] : [])).at(0);
  const differing = outputs.flatMap((one) => one.differing).sort((x, y) => x.index - y.index);
  return {
    calls,
    programs:
      wanted === 'first' && differing.length > 0
        ? differing[0].index + 1
        : outputs.reduce((sum, { programs }) => sum + programs, 0),
    differing: firstOf(differing, wanted),
    open: openOf(outputs),
    ...(unfinished !== undefined && { unfinished }),
  };
}

const openOf = (outputs: readonly PartFound[]): GroupFound['open'] =>
  outputs.flatMap(({ open }) => open).sort((x, y) => x.index - y.index);
