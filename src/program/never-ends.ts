import { constantOf } from './arithmetic.js';
import { bodiesOf } from './instructions.js';
import { idle, partnersOf } from './partners.js';
import type { Partners } from './partners.js';
import type { Call, Instruction, Program, QueuePair } from './program.js';

/** For each remote node, the largest number of operations that may be issued and not polled yet. */
type Unpolled = ReadonlyMap<string, number>;

/** How the paths through some instructions end: with the largest numbers left to poll, or never, and why. */
type Ending = { readonly left: Unpolled } | { readonly never: string };

/**
 * Why no run of a program comes to its end, under any model and with any loop bound: on all its paths, some
 * thread has a poll with nothing to poll, an `assume` of a constant 0 or an endless loop. Undefined if
 * no such thread is found.
 */
export function neverEnds(program: Program): string | undefined {
  const partners = partnersOf(program);
  for (const thread of program.threads) {
    const { name, body } = thread;
    const idles = (does: string, pair: QueuePair): string => idle(program, thread, does, pair);
    const ending = walk({ name, partners, idle: idles }, body, new Map());
    if ('never' in ending) return ending.never;
  }
  return undefined;
}

/** What the walk through a thread needs. */
interface Walked {
  readonly name: string;
  readonly partners: (call: Call) => readonly Partners[];
  /** The message that a thread asks for more partners than there can be. */
  readonly idle: (does: string, queuePair: QueuePair) => string;
}

function walk(thread: Walked, body: readonly Instruction[], before: Unpolled): Ending {
  let left = before;
  for (const i of body) {
    const ending = step(thread, i, left);
    if ('never' in ending) return ending;
    left = ending.left;
  }
  return { left };
}

function step(thread: Walked, i: Instruction, before: Unpolled): Ending {
  if (i.kind === 'call') return called(thread, i, before);
  if (i.kind === 'loop') return loop(thread, i, before);
  if (i.kind === 'assume' && constantOf(i.condition) === 0) {
    return { never: `${thread.name} assumes what is always false` };
  }
  const bodies = takenOf(i);
  return bodies.length === 0
    ? { left: before }
    : anyOf(bodies.map((body) => walk(thread, body, before)));
}

/** The bodies that may be taken: only one if the condition is a constant. */
function takenOf(i: Instruction): readonly (readonly Instruction[])[] {
  const known = i.kind === 'if' ? constantOf(i.condition) : undefined;
  if (i.kind !== 'if' || known === undefined) return bodiesOf(i);
  return [known === 0 ? i.else : i.then];
}

function called(thread: Walked, call: Call, before: Unpolled): Ending {
  let left = before;
  for (const { queuePair, given, asked, does } of thread.partners(call)) {
    const now = (left.get(queuePair.key) ?? 0) + given - asked;
    if (now < 0) return { never: thread.idle(does, queuePair) };
    left = new Map([...left, [queuePair.key, now]]);
  }
  return { left };
}

/** What is left after any of some branches; `never` if no branch ends. */
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
  thread: Walked,
  { condition, body }: Extract<Instruction, { kind: 'loop' }>,
  before: Unpolled,
): Ending {
  const known = condition === undefined ? undefined : constantOf(condition);
  if (known === 0) return { left: before };
  if (known !== undefined) return { never: `a loop of ${thread.name} never ends` };
  // A number that grows in one iteration may grow in each. Each round finds more such numbers, or is the last.
  for (let left = before; ;) {
    const after = walk(thread, body, left);
    const grown =
      'never' in after ? [] : [...after.left].filter(([node, n]) => n > (left.get(node) ?? 0));
    if (grown.length === 0) return { left };
    left = new Map([...left, ...grown.map(([node]) => [node, Infinity] as const)]);
  }
}
