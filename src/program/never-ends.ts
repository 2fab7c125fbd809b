import { constantOf } from './arithmetic.js';
import type { Instruction, Program } from './program.js';

/** For each remote node, the largest number of operations that may be issued and not polled yet. */
type Unpolled = ReadonlyMap<string, number>;

/** How the paths through some instructions end: with so much left to poll, or never and why. */
type Ending = { readonly left: Unpolled } | { readonly never: string };

/**
 * Why no run of a program comes to its end, under any model and with any loop bound: on all its paths, some
 * thread has a poll with nothing to poll, an `assume` of a constant 0 or an endless loop. Undefined if
 * no such thread is found.
 */
export function neverEnds({ threads }: Program): string | undefined {
  for (const { name, body } of threads) {
    const ending = walk(name, body, new Map());
    if ('never' in ending) return ending.never;
  }
  return undefined;
}

function walk(thread: string, body: readonly Instruction[], before: Unpolled): Ending {
  let left = before;
  for (const i of body) {
    const ending = step(thread, i, left);
    if ('never' in ending) return ending;
    left = ending.left;
  }
  return { left };
}

function step(thread: string, i: Instruction, before: Unpolled): Ending {
  const added = (node: string, n: number): Ending => ({
    left: new Map([...before, [node, (before.get(node) ?? 0) + n]]),
  });
  switch (i.kind) {
    case 'get':
    case 'put':
      return added(i.node, 1);
    case 'poll': {
      const never = `${thread} polls node ${i.node} more often than it has operations towards it`;
      return (before.get(i.node) ?? 0) > 0 ? added(i.node, -1) : { never };
    }
    case 'assume':
      return constantOf(i.condition) === 0
        ? { never: `${thread} assumes what is always false` }
        : { left: before };
    case 'if': {
      const known = constantOf(i.condition);
      const bodies = known === undefined ? [i.then, i.else] : [known === 0 ? i.else : i.then];
      return anyOf(bodies.map((body) => walk(thread, body, before)));
    }
    case 'choose':
      return anyOf(i.branches.map((body) => walk(thread, body, before)));
    case 'loop':
      return loop(thread, i, before);
    case 'assign':
    case 'cas':
    case 'mfence':
    case 'rfence':
    case 'wait':
      return { left: before };
  }
}

/** What may be left after one of some branches. If no branch ends, that is never. */
function anyOf(endings: readonly Ending[]): Ending {
  const ended = endings.flatMap((ending) => ('left' in ending ? [ending.left] : []));
  if (ended.length === 0) return endings[0];
  const most = new Map<string, number>();
  for (const left of ended) {
    for (const [node, n] of left) most.set(node, Math.max(n, most.get(node) ?? 0));
  }
  return { left: most };
}

function loop(
  thread: string,
  { condition, body }: Extract<Instruction, { kind: 'loop' }>,
  before: Unpolled,
): Ending {
  const known = condition === undefined ? undefined : constantOf(condition);
  if (known === 0) return { left: before };
  if (known !== undefined) return { never: `a loop of ${thread} never ends` };
  // If one iteration leaves more operations for a node than it found, many leave any number. Each round
  // finds another such node, or is the last.
  for (let left = before; ;) {
    const after = walk(thread, body, left);
    const grown =
      'never' in after ? [] : [...after.left].filter(([node, n]) => n > (left.get(node) ?? 0));
    if (grown.length === 0) return { left };
    left = new Map([...left, ...grown.map(([node]) => [node, Infinity] as const)]);
  }
}
