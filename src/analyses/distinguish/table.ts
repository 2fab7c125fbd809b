import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { AlphabetUnion } from '../../rdma/classes/union.js';
import type { SizeSearch } from '../by-size/search.js';
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

/** What was found out about the programs of a share. */
export interface TableFound extends Omit<TablePartFound, 'showing'> {
  /** The first programs that show a direction, in their order. */
  readonly showing: readonly ShownProgram[];
}

export interface ShownProgram extends Omit<ShowingProgram, 'shows'> {
  readonly shows: readonly Direction[];
}

/**
 * The search for the smallest programs that tell some models apart: what smaller programs show is not looked for in
 * larger ones.
 *
 * @param calls the most calls of a program
 * @param tell hears of each program that shows what none before it does, in their order
 */
export function tableSearch(
  table: ModelTable,
  calls: number,
  tell: (program: ShownProgram, calls: number) => void = () => {},
): SizeSearch<TableFound> {
  const { models, pairs, alphabets, base } = table;
  const shown: ShownProgram[] = [];
  let open = directionsOf(table);
  let size = 0;
  return {
    alphabet: alphabets.whole,
    calls,
    nothing: { programs: 0, byPair: pairs.map(() => 0), showing: [], open: [] },
    async find(share, pool) {
      const input = { pairs, alphabets, base, open, ...share };
      const found = await pool.analyse<'compare-models'>({
        ...{ kind: 'analysis', analysis: 'compare-models', engine: 'search', models, input },
      });
      if ('unfinished' in found) return found;
      const { output } = found;
      const showing = output.showing.map((one) => ({
        ...one,
        shows: one.shows.map((i) => input.open[i]),
      }));
      return { output: { ...output, showing } };
    },
    begin(own) {
      open = stillOpen(open, shown);
      size = own;
      return open.length > 0;
    },
    take({ showing }) {
      const before = shown.length;
      const all = firstShowing([...shown, ...showing]);
      shown.splice(0, before, ...all);
      for (const one of shown.slice(before)) tell(one, size);
      return stillOpen(open, shown).length === 0;
    },
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
