import type { CallArgument, Ident, NameRef } from '../parse/litmus-ast.js';
import type { QueuePairEnd } from './around.js';
import type { Core } from './core.js';
import type { Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { INT, UNKNOWN } from './types.js';

/** What a call of C does whose meaning is known, and its value. */
export type Call = (core: Core, given: readonly CNode[], node: CNode) => Typed;

export const int = (value: number): Value => ({ kind: 'int', value });
export const SUCCESS: Typed = { value: int(0), type: INT };
export const NOTHING: Typed = { value: { kind: 'nothing' }, type: UNKNOWN };

/** A call with the least number of its arguments. */
export type Entry = readonly [name: string, least: number, call: Call];

/** One call by several names, which spaces separate. */
export const alsoCalled = (least: number, call: Call, names: string): readonly Entry[] =>
  names.split(' ').map((name) => [name, least, call]);

/** Calls by their names, each with the least number of its arguments; those with fewer are refused. */
export const withArguments = (all: readonly Entry[]): ReadonlyMap<string, Call> =>
  new Map(
    all.map(([name, least, call]) => [
      name,
      (core, given, node) =>
        given.length < least
          ? core.refuse(node, `${name} has ${least} arguments`)
          : call(core, given, node),
    ]),
  );

interface More {
  readonly tags?: readonly Ident[];
  readonly target?: NameRef;
}

/** Writes down a call of an operation. */
export function emitCall(
  core: Core,
  name: string,
  given: readonly CallArgument[],
  node: CNode,
  { tags = [], target }: More = {},
): void {
  core.emit({
    kind: 'call',
    name: core.ident(name, node),
    ...(tags.length > 0 && { tags }),
    ...(given.length > 0 && { arguments: given }),
    ...(target && { target }),
    span: core.spanOf(node),
  });
}

/** The queue pair of a thread by its ends: `1>2.a`. */
export const wireTo = ({ thread }: Core, { node, name }: QueuePairEnd): string =>
  wireOf(thread.node.text, node.text, name?.text);

/** The one that leads from its other end to the thread. */
export const wireFrom = ({ thread }: Core, { node, name }: QueuePairEnd): string =>
  wireOf(node.text, thread.node.text, name?.text);

export const wireOf = (from: string, to: string, name = ''): string => `${from}>${to}.${name}`;

/** The requests of a kind on a queue pair. */
export const kindOn = (wire: string, isReceive: boolean): string =>
  `${wire} ${isReceive ? 'receives' : 'sends'}`;

/** A queue pair as an argument: `2`, or `2.a`. */
export function peer(core: Core, { node: to, name }: QueuePairEnd, node: CNode): CallArgument {
  const span = core.spanOf(node);
  if (name !== undefined)
    return { kind: 'peer', node: { ...to, span }, queuePair: { ...name, span }, span };
  return /^\d+$/.test(to.text)
    ? { kind: 'int', value: Number(to.text), span }
    : core.refExpr(to.text, node);
}
