/** A question, and on which fabrics its outcome is possible; undefined: that is not known there. */
export interface Column {
  readonly file: string;
  readonly test: string;
  readonly query: string;
  /** How many instructions its program has. */
  readonly size: number;
  /** By fabric. */
  readonly verdicts: readonly (boolean | undefined)[];
}

/**
 * The fewest questions of which some tells each two fabrics apart that any tells; of as few, those with the smallest programs.
 * Cost: grows fast with how many are needed, and slowly with how many there are.
 */
export function fewest(columns: readonly Column[]): readonly Column[] {
  const told = columns.map((column) => ({ column, pairs: pairsTold(column) }));
  const all = new Set(told.flatMap(({ pairs }) => [...pairs]));
  const useful = told
    .filter((one) => !told.some((other) => isBetter(other, one)))
    .sort((a, b) => a.column.size - b.column.size || (a.column.file < b.column.file ? -1 : 1));
  for (let most = 1; ; most++) {
    const found = smallest(useful, all, most);
    if (found !== undefined) return found.map(({ column }) => column);
  }
}

interface Told {
  readonly column: Column;
  /** The pairs of fabrics that it tells apart. */
  readonly pairs: ReadonlySet<string>;
}

function pairsTold({ verdicts }: Column): ReadonlySet<string> {
  const pairs = verdicts.flatMap((a, i) =>
    verdicts.flatMap((b, j) =>
      i < j && a !== undefined && b !== undefined && a !== b ? [`${i} ${j}`] : [],
    ),
  );
  return new Set(pairs);
}

/** Does a question tell all that another one tells, with no larger program? Of equals, the one with the earlier name does. */
function isBetter(a: Told, b: Told): boolean {
  if (a.column.size > b.column.size || ![...b.pairs].every((pair) => a.pairs.has(pair)))
    return false;
  const isAlike = a.column.size === b.column.size && a.pairs.size === b.pairs.size;
  return a !== b && (!isAlike || key(a) < key(b));
}

const key = ({ column: { file, query } }: Told): string => `${file} ${query}`;

/** Of so many questions at most that tell all pairs apart, those with the smallest programs; undefined: there are none. */
function smallest(
  useful: readonly Told[],
  all: ReadonlySet<string>,
  most: number,
): readonly Told[] | undefined {
  let best: { readonly chosen: readonly Told[]; readonly size: number } | undefined;
  const extend = (chosen: readonly Told[], left: ReadonlySet<string>, size: number): void => {
    if (best !== undefined && size >= best.size) return;
    if (left.size === 0) {
      best = { chosen, size };
      return;
    }
    const counts = useful.map(({ pairs }) => [...left].filter((pair) => pairs.has(pair)).length);
    if (chosen.length + Math.ceil(left.size / Math.max(...counts)) > most) return;
    const ways = [...left].map((pair) => useful.filter(({ pairs }) => pairs.has(pair)));
    const fewestWays = ways.reduce((a, b) => (b.length < a.length ? b : a));
    for (const one of fewestWays) {
      const rest = new Set([...left].filter((pair) => !one.pairs.has(pair)));
      extend([...chosen, one], rest, size + one.column.size);
    }
  };
  extend([], all, 0);
  return best?.chosen;
}
