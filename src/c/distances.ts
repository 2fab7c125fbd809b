import type { Bind } from './head.js';
import type { Region } from './state.js';

/** A binding, and the memory that it leads to. */
export interface BoundRegion {
  readonly bind: Bind;
  readonly region: Region;
}

/** Where a word is, in bytes from some place, and which binding says it. */
interface Known {
  readonly at: number;
  readonly size: number;
  readonly bind: Bind;
}

/** What contradicts an earlier binding. */
export interface Contradiction {
  readonly bind: Bind;
  readonly message: string;
}

/** Words are as far from each other in each binding, and none of them lies in another one. Undefined: so it is. */
export function contradictionIn(all: readonly BoundRegion[]): Contradiction | undefined {
  const groups: Map<string, Known>[] = [];
  for (const { bind, region } of all) {
    const here = new Map(
      region.places.map(({ location, at, size = 0 }) => [location, { at, size, bind }] as const),
    );
    for (const group of [...groups]) {
      const [shared, ...others] = [...here.keys()].filter((one) => group.has(one));
      if (shared === undefined) continue;
      const shift = group.get(shared)!.at - here.get(shared)!.at;
      for (const one of others) {
        const [said, before] = [here, group].map((of) => of.get(one)!.at - of.get(shared)!.at);
        if (said === before) continue;
        const message = `${one} is ${said} bytes from ${shared} here, and ${before} in ${textOf(group.get(one)!.bind)}`;
        return { bind, message };
      }
      for (const [name, known] of group) {
        if (!here.has(name)) here.set(name, { ...known, at: known.at - shift });
      }
      groups.splice(groups.indexOf(group), 1);
    }
    const found = overlapIn(here, bind);
    if (found !== undefined) return found;
    groups.push(here);
  }
  return undefined;
}

function overlapIn(words: ReadonlyMap<string, Known>, bind: Bind): Contradiction | undefined {
  const sorted = [...words].sort(([, a], [, b]) => a.at - b.at);
  for (const [i, [name, { at, bind: own }]] of sorted.entries()) {
    if (i === 0) continue;
    const [before, known] = sorted[i - 1];
    if (at - known.at >= Math.max(known.size, 1)) continue;
    const other = own === bind ? known.bind : own;
    const what = at === known.at ? 'one place' : 'places that overlap';
    const by = other === bind ? '' : `, by this and by ${textOf(other)}`;
    return { bind, message: `${before} and ${name} are ${what}${by}` };
  }
  return undefined;
}

/** A binding as the head has it. */
const textOf = ({ left, to }: Bind): string => {
  const places = to.map(({ name, at }) => (at === undefined ? name.text : `${name.text} @ ${at}`));
  return `${left.text} => ${places.join(', ')}`;
};
