import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { AlphabetUnion } from '../../rdma/classes/union.js';
import type { Pool } from '../workers.js';
import type { Group } from '../by-size/groups.js';
import { inOrder, inParts } from '../by-size/shared.js';
import type { Direction, ModelPair, ShowingProgram, TablePartFound } from './table-part.js';

/** All pairs of some models, and the programs that they are compared over: a pair's are of what both of its models know. */
export interface ModelTable {
  readonly models: readonly Model[];
  readonly pairs: readonly ModelPair[];
  /** The alphabets of the pairs, in their order. */
  readonly alphabets: AlphabetUnion;
  /** What models have that declare nothing. */
  readonly base: InstructionSet;
}

/** All pairs of so many models. */
export const pairsOf = (count: number): readonly ModelPair[] =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: count - i - 1 }, (_, j): ModelPair => [i, i + 1 + j]),
  ).flat();

/** Both directions of each pair. */
export const directionsOf = ({ pairs }: Pick<ModelTable, 'pairs'>): readonly Direction[] =>
  pairs.flatMap(([a, b], pair) => [
    { pair, more: a, less: b },
    { pair, more: b, less: a },
  ]);

/** What was found out about the programs of a size. */
export interface TableGroupFound {
  readonly calls: number;
  /** How many programs two models know, and how many by pair. */
  readonly all: number;
  readonly programs: readonly number[];
  /** The first programs that show a direction, in their order. */
  readonly showing: readonly ShownProgram[];
  readonly open: TablePartFound['open'];
  /** Why it was given up. */
  readonly unfinished?: string;
}

export interface ShownProgram extends Omit<ShowingProgram, 'shows'> {
  readonly shows: readonly Direction[];
}

/** Decides all programs of a group under all models. @param open what is looked for */
export async function compareAll(
  pool: Pool,
  { models, pairs, alphabets, base }: ModelTable,
  group: Group,
  open: readonly Direction[],
  jobs: number,
): Promise<TableGroupFound> {
  const input = { pairs, alphabets, base, open };
  const { outputs, ...rest } = await inParts(pool, 'compare-models', models, group, {
    jobs,
    input,
  });
  const showing = inOrder(outputs.map((one) => one.showing)).map((one) => ({
    ...one,
    shows: one.shows.map((i) => open[i]),
  }));
  return {
    calls: group.calls,
    all: outputs.reduce((sum, { all }) => sum + all, 0),
    programs: pairs.map((_, i) => outputs.reduce((sum, { programs }) => sum + programs[i], 0)),
    showing: firstShowing(showing),
    open: inOrder(outputs.map((one) => one.open)),
    ...rest,
  };
}

/** Programs with the directions that none before them shows; without those that show no more. */
export function firstShowing<Some extends Pick<ShownProgram, 'shows'>>(
  programs: readonly Some[],
): readonly Some[] {
  const shown = new Set<string>();
  return programs.flatMap((one) => {
    const shows = one.shows.filter((direction) => !shown.has(keyOf(direction)));
    for (const direction of shows) shown.add(keyOf(direction));
    return shows.length === 0 ? [] : [{ ...one, shows }];
  });
}

/** The directions that no program shows. */
export function stillOpen(
  directions: readonly Direction[],
  programs: readonly Pick<ShownProgram, 'shows'>[],
): readonly Direction[] {
  const shown = new Set(programs.flatMap(({ shows }) => shows.map(keyOf)));
  return directions.filter((one) => !shown.has(keyOf(one)));
}

const keyOf = ({ more, less }: Direction): string => `${more} ${less}`;
