import type { Report } from '../parse/diagnostics/index.js';
import type { Body, Operation, WireEnd } from '../model/instructions/set.js';
import { operationsOf } from '../model/instructions/operations.js';
import { instructionsOf } from './instructions.js';
import { queuePairOfCall } from './partners.js';
import type { Call, Location, LocationId, Program, QueuePair } from './program.js';

/**
 * Wires: the hidden cells through which messages go, one for each direction between the two ends of a connection. The
 * ends are queue pairs of one name, or without a name, that lead to each other's nodes.
 */

/** The cell to the other end of a queue pair, or from it. -1 if the program has none. */
export function wireOf(
  { locations }: Pick<Program, 'locations'>,
  home: string,
  { node, name }: QueuePair,
  end: WireEnd,
): LocationId {
  const wire = end === 'to' ? wireName(home, node, name) : wireName(node, home, name);
  return locations.findIndex((one) => one.wire === true && one.name === wire);
}

const wireName = (from: string, to: string, pair: string | undefined): string =>
  pair === undefined ? `${from}→${to}` : `${from}→${to}.${pair}`;

/**
 * The wires that the calls of a program need. Reports an end that several threads have: nothing would say whose
 * messages these are.
 */
export function wiresOf(program: Program, report: Report): readonly Location[] {
  const operations = operationsOf(program.instructions);
  const made = new Map<string, Location>();
  /** Who has which end: a thread, or those that share a queue pair. */
  const owners = new Map<string, string>();
  for (const { name: thread, node: home, body, queuePairs = [] } of program.threads) {
    for (const call of instructionsOf(body)) {
      if (call.kind !== 'call') continue;
      const ends = endsIn(operations.named(call.operation, call.tags));
      const on = ends.length === 0 ? undefined : queuePairOfCall(program, call);
      if (on === undefined) continue;
      const { node, name } = on;
      for (const end of ends) {
        const wire = end === 'to' ? wireName(home, node, name) : wireName(node, home, name);
        const to = end === 'to' ? node : home;
        made.set(wire, { name: wire, node: to, initial: 0, hidden: true, empty: true, wire: true });
        const joint = queuePairs.some((one) => one.name === name && one.joint === true);
        const owner = joint ? name! : thread;
        const other = owners.get(`${end} ${wire}`) ?? owner;
        owners.set(`${end} ${wire}`, other);
        if (other !== owner) reportEnd(call, on, [other, thread], end, report);
      }
    }
  }
  return [...made.values()];
}

function reportEnd(
  { span }: Call,
  { node, name }: QueuePair,
  [one, other]: readonly [string, string],
  end: WireEnd,
  report: Report,
): void {
  const pair = name === undefined ? `queue pair ${end} node ${node}` : `queue pair '${name}'`;
  const message = `${one} and ${other} both have a ${pair}: which one is meant at the other end?`;
  report(span, message, `give each a name, the same at both ends: ${node}.a, ${node}.b`);
}

/** Which ends of wires the events of an operation use: those of messages have some. */
export function endsIn({ alternatives }: Operation): readonly WireEnd[] {
  return [...new Set(alternatives.flatMap(({ body }) => endsOf(body)))];
}

function endsOf(body: Body): readonly WireEnd[] {
  if (body.kind === 'event') {
    const end = (body.reads ?? body.writes ?? body.at)?.wire;
    return end === undefined ? [] : [end];
  }
  return ('parts' in body ? body.parts : [body.body]).flatMap(endsOf);
}
