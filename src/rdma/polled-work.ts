import { bodiesOf } from '../program/instructions.js';
import type { Instruction, Program } from '../program/program.js';
import { completionOf } from './postings.js';

/** By queue, the work whose completions are not taken yet; undefined where paths differ in that. */
type Open = ReadonlyMap<string, readonly Instruction[] | undefined>;

/**
 * For each poll of a thread, the work whose completion it takes, if that is the same on all paths. The oldest completion of a
 * queue is taken first.
 */
export function workPolled(
  program: Program,
  body: readonly Instruction[],
): ReadonlyMap<Instruction, Instruction | undefined> {
  const work = new Map<Instruction, Instruction | undefined>();
  const pass = (i: Instruction, open: Open): Open => {
    const { kind, of } = completionOf(program, i);
    if (of === undefined) return open;
    const all = open.has(of) ? open.get(of) : [];
    if (kind === 'made') return new Map(open).set(of, all && [...all, i]);
    const [first, ...rest] = all ?? [];
    work.set(i, work.has(i) && work.get(i) !== first ? undefined : first);
    return new Map(open).set(of, all && rest);
  };
  const walk = (list: readonly Instruction[], open: Open): Open =>
    list.reduce((before, i) => {
      const bodies = bodiesOf(i);
      if (bodies.length === 0) return pass(i, before);
      if (i.kind !== 'loop') return bodies.map((inner) => walk(inner, before)).reduce(both);
      // What differs from round to round is not known in any.
      const again = both(before, walk(i.body, before));
      return both(again, walk(i.body, again));
    }, open);
  walk(body, new Map());
  return work;
}

function both(a: Open, b: Open): Open {
  const same = (x: readonly Instruction[] = [], y: readonly Instruction[] = []): boolean =>
    x.length === y.length && x.every((i, n) => i === y[n]);
  const isKnown = (key: string): boolean =>
    [a, b].every((open) => !open.has(key) || open.get(key) !== undefined);
  return new Map(
    [...a.keys(), ...b.keys()].map((key) => [
      key,
      isKnown(key) && same(a.get(key), b.get(key)) ? (a.get(key) ?? []) : undefined,
    ]),
  );
}
