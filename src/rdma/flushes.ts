import type { Span } from '../parse/diagnostics/index.js';
import { bodiesOf, instructionsOf } from '../program/instructions.js';
import type { Expression, Instruction, LocationId, Program } from '../program/program.js';
import type { RdmaOperation, Towards } from './instructions.js';
import { isPosted, queuePairKey, viewedAsPosted } from './instructions.js';
import type { Update } from './update.js';

/** An operation that is only there to be polled: after the poll, the earlier operations of its queue pair are done. */
export const FLUSHES = ['get', 'rfaa'] as const;
export type FlushKind = (typeof FLUSHES)[number];

/** The locations of a flush: one at the other end, and one for the value that comes back. */
export interface Flush extends Towards {
  readonly from: LocationId;
  readonly to: LocationId;
  /** Its work identifier, under a model with waits. */
  readonly work: string;
}

/** Makes the locations for flushes: one pair for each thread and each of its queue pairs. */
export function makeRoom(
  program: Program,
  wanted: boolean,
): {
  readonly program: Program;
  readonly gets: readonly ReadonlyMap<string, Flush>[];
} {
  const locations = [...program.locations];
  const taken = new Set([
    ...locations.map((l) => l.name),
    ...program.threads.flatMap((t) => [
      ...t.registers,
      ...[...instructionsOf(t.body)].flatMap(work),
    ]),
  ]);
  function work(i: Instruction): readonly string[] {
    return i.kind === 'call' && i.work !== undefined ? [i.work] : [];
  }
  const fresh = (name: string): string => (taken.has(name) ? fresh(`${name}_`) : name);
  const remote = new Map<string, LocationId>();
  const gets = program.threads.map((thread, owner) => {
    const pairs = wanted
      ? new Map(thread.body.flatMap((i) => [...targetsOf(i)]))
      : new Map<string, Towards>();
    return new Map(
      [...pairs].map(([key, { node, queuePair }]) => {
        if (!remote.has(node)) {
          remote.set(node, locations.length);
          locations.push({ name: fresh(`flush${node}`), node, initial: 0 });
        }
        const from = remote.get(node)!;
        const to = locations.length;
        const name = fresh(
          queuePair === undefined ? `flushed${node}` : `flushed${node}_${queuePair}`,
        );
        locations.push({ name, node: thread.node, initial: 0, owner });
        // Flushes of different queue pairs need different identifiers.
        const flush = locations[from].name;
        const work = queuePair === undefined ? flush : fresh(`${flush}_${queuePair}`);
        return [key, { from, to, node, queuePair, work }] as const;
      }),
    );
  });
  return { program: { ...program, locations }, gets };
}

const ADD_NOTHING: Update<Expression> = { kind: 'faa', value: { kind: 'int', value: 0 } };

/** A flush, and the poll or wait for it. */
export function flush(
  kind: FlushKind,
  { from, to, node, queuePair, work: known }: Flush,
  completion: 'poll' | 'wait',
  span: Span,
): readonly RdmaOperation[] {
  const work = completion === 'wait' ? known : undefined;
  const on = { node, queuePair, work, span };
  return [
    kind === 'get'
      ? { kind, from, to, ...on }
      : { kind: 'remote-atomic', update: ADD_NOTHING, location: from, into: to, ...on },
    work === undefined ? { kind: 'poll', node, queuePair, span } : { kind: 'wait', work, span },
  ];
}

/** The queue pairs that an instruction's remote operations are on, by key; those inside it included. */
export function targetsOf(given: Instruction): ReadonlyMap<string, Towards> {
  const i = viewedAsPosted(given);
  if (isPosted(i)) return new Map([[queuePairKey(i), { node: i.node, queuePair: i.queuePair }]]);
  return new Map(bodiesOf(given).flatMap((body) => body.flatMap((j) => [...targetsOf(j)])));
}
