/** What an answer takes for granted of conditions that nobody knows. */
import type { WayTaken } from '../program/events/structure.js';
import type { Answer } from './result.js';
import type { WitnessMeaning } from './witness/witness.js';

/** What the execution that shows an answer assumes, each condition once: `tries > 3 holds, at line 24`. */
export function assumedBy({ ways }: Pick<WitnessMeaning, 'ways'>): Pick<Answer, 'assuming'> {
  const found = new Map<
    string,
    { readonly unknown: WayTaken['unknown']; readonly ways: boolean[] }
  >();
  for (const { unknown, holds } of ways()) {
    const key = `${unknown.line} ${unknown.text}`;
    const one = found.get(key) ?? { unknown, ways: [] };
    one.ways.push(holds);
    found.set(key, one);
  }
  if (found.size === 0) return {};
  return {
    assuming: [...found.values()].map(({ unknown, ways: taken }) => {
      const words = runsOf(taken).join(', then ');
      return `${unknown.text} ${words}, at line ${unknown.line}`;
    }),
  };
}

/** `holds 2 times`, `does not hold` */
function runsOf(ways: readonly boolean[]): readonly string[] {
  const runs: { readonly holds: boolean; times: number }[] = [];
  for (const holds of ways) {
    const last = runs.at(-1);
    if (last?.holds === holds) last.times += 1;
    else runs.push({ holds, times: 1 });
  }
  return runs.map(({ holds, times }) => {
    const often = times === 1 ? '' : ` ${times} times`;
    return `${holds ? 'holds' : 'does not hold'}${often}`;
  });
}
