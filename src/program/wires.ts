import type { Report } from '../parse/diagnostics/index.js';
import type { Body, Operation, WireEnd } from '../model/instructions/set.js';
import { operationsOf } from '../model/instructions/operations.js';
import { instructionsOf } from './instructions.js';
import { queuePairOfCall, tagsOfCall } from './partners.js';
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
 * messages these are. Warns of a wire that only one end uses.
 */
export function wiresOf(program: Program, report: Report, warn: Report): readonly Location[] {
  const made = new Map<string, Location>();
  /** Who has which end: a thread, or those that share a queue pair. */
  const owners = new Map<string, string>();
  const reported = new Set<string>();
  /** The first call that uses each wire, by the end of the wire that it is at. */
  const uses = { to: new Map<string, Call>(), from: new Map<string, Call>() };
  for (const connection of connectionsOf(program)) {
    const { call, home, on, ends, owner } = connection;
    const { node, name } = on;
    for (const end of ends) {
      const wire = end === 'to' ? wireName(home, node, name) : wireName(node, home, name);
      const to = end === 'to' ? node : home;
      made.set(wire, { name: wire, node: to, initial: 0, hidden: true, empty: true, wire: true });
      uses[end].set(wire, uses[end].get(wire) ?? call);
    }
    const key = `${home} ${node} ${name ?? ''}`;
    const other = owners.get(key) ?? owner;
    owners.set(key, other);
    if (other !== owner && !reported.has(`${key} ${owner}`)) {
      reportEnd(call, on, [other, owner], report);
    }
    reported.add(`${key} ${owner}`);
    reportInsteads(program, connection, report);
    reportCollected(program, connection, report);
  }
  for (const [wire, { span }] of uses.to) {
    if (uses.from.has(wire)) continue;
    warn(
      span,
      'nobody receives at the other end',
      'a receive is posted by b := recv(n), on a queue pair of the same name',
    );
  }
  for (const [wire, { span }] of uses.from) {
    if (!uses.to.has(wire))
      warn(
        span,
        'nobody sends at the other end',
        'both ends of a connection have one name, or none',
      );
  }
  return [...made.values()];
}

/** A call of a program that is about messages. */
interface Connection {
  readonly call: Call;
  readonly thread: number;
  /** The node of its thread. */
  readonly home: string;
  readonly on: QueuePair;
  readonly ends: readonly WireEnd[];
  /** The thread whose queue pair this is, or the name of one that threads share. */
  readonly owner: string;
}

function connectionsOf(program: Program): readonly Connection[] {
  const operations = operationsOf(program.instructions);
  return program.threads.flatMap(({ name: own, node: home, body, queuePairs = [] }, thread) =>
    [...instructionsOf(body)].flatMap((call): Connection[] => {
      if (call.kind !== 'call') return [];
      const ends = endsIn(operations.called(call));
      const on = ends.length === 0 ? undefined : queuePairOfCall(program, call);
      if (on === undefined) return [];
      const isJoint = queuePairs.some((one) => one.name === on.name && one.joint === true);
      return [{ call, thread, home, on, ends, owner: isJoint ? on.name! : own }];
    }),
  );
}

const connected = new WeakMap<Program, ReadonlySet<string>>();

/** Is a queue pair of a thread an end of a connection: do messages go through it? */
export function isConnected(program: Program, thread: number, { node, name }: QueuePair): boolean {
  const before = connected.get(program);
  const made =
    before ??
    new Set(connectionsOf(program).map((one) => keyOfPair(one.owner, one.on.node, one.on.name)));
  if (before === undefined) connected.set(program, made);
  if (made.size === 0) return false;
  const { name: own, queuePairs = [] } = program.threads[thread];
  const isJoint = queuePairs.some((one) => one.name === name && one.joint === true);
  return made.has(keyOfPair(isJoint ? name! : own, node, name));
}

/** The tags that a queue pair has by those of its other end, if messages go through it (`tag nearA on qp facing farA`). */
export function facingTags(program: Program, thread: number, pair: QueuePair): readonly string[] {
  if (!isConnected(program, thread, pair)) return [];
  const { instructions, threads } = program;
  const faces = instructions.tags.filter(({ facing }) => facing !== undefined);
  const home = threads[thread].node;
  const there = threads.flatMap(({ node, queuePairs = [] }, t) => {
    const end = queuePairs.find((one) => one.name === pair.name && one.node === home);
    const isEnd = end !== undefined && node === pair.node && isConnected(program, t, end);
    return isEnd ? (end.tags ?? []) : [];
  });
  return faces.flatMap(({ name, facing }) => [
    ...(there.includes(facing!) ? [name] : []),
    ...(there.includes(name) ? [facing!] : []),
  ]);
}

const keyOfPair = (owner: string, node: string, name: string | undefined): string =>
  `${owner} ${node} ${name ?? ''}`;

/** Reports a call that takes messages on a queue pair with a tag by which other calls on it may go other ways. */
function reportInsteads(
  program: Program,
  { call, thread, ends }: Connection,
  report: Report,
): void {
  const { insteads } = program.instructions;
  if (insteads.length === 0 || !ends.includes('from')) return;
  const own = tagsOfCall(program, thread, call);
  const tag = insteads.flatMap(({ tags }) => tags).find((one) => own.includes(one));
  if (tag === undefined) return;
  const message = `nothing says what the tag '${tag}' means for \`${call.operation}\``;
  report(call.span, message, 'messages can come in on a queue pair without it');
}

/** Reports a call that takes the completion of a receive where these go to a completion queue with others. */
function reportCollected(
  { completionQueues = [], instructions }: Program,
  { call, on, ends }: Connection,
  report: Report,
): void {
  const queue = completionQueues.find(({ of }) => on.name !== undefined && of.includes(on.name));
  if (queue === undefined || !ends.includes('from')) return;
  const { alternatives } = operationsOf(instructions).called(call);
  const events = alternatives.flatMap(({ body }) => eventsIn(body));
  if (events.some(({ reads }) => reads !== undefined)) return;
  const message = `the completions of queue pair '${on.name}' go to the completion queue '${queue.name}'`;
  report(call.span, message, `poll(${queue.name}) takes them`);
}

function reportEnd(
  { span }: Call,
  { node, name }: QueuePair,
  [one, other]: readonly [string, string],
  report: Report,
): void {
  const pair = name === undefined ? `queue pair to node ${node}` : `queue pair '${name}'`;
  const message = `${one} and ${other} both have a ${pair}: which one is meant at the other end?`;
  report(span, message, `give each a name, the same at both ends: ${node}.a, ${node}.b`);
}

/** Which ends of wires the events of an operation use: those of messages have some. */
export function endsIn({ alternatives }: Operation): readonly WireEnd[] {
  return [...new Set(alternatives.flatMap(({ body }) => endsOf(body)))];
}

const endsOf = (body: Body): readonly WireEnd[] =>
  eventsIn(body).flatMap((event) => endOf(event) ?? []);

type EventBody = Extract<Body, { kind: 'event' }>;

const endOf = ({ reads, writes, at }: EventBody): WireEnd | undefined =>
  (reads ?? writes ?? at)?.wire;

const eventsIn = (body: Body): readonly EventBody[] =>
  body.kind === 'event' ? [body] : ('parts' in body ? body.parts : [body.body]).flatMap(eventsIn);

/** The labels of which all events are at wires. */
export function labelsAtWires(operations: readonly Operation[]): ReadonlySet<string> {
  const events = operations.flatMap(({ alternatives }) =>
    alternatives.flatMap(({ body }) => eventsIn(body)),
  );
  const isAtWire = (event: EventBody): boolean => endOf(event) !== undefined;
  const elsewhere = new Set(events.filter((e) => !isAtWire(e)).map(({ label }) => label));
  return new Set(events.map(({ label }) => label).filter((label) => !elsewhere.has(label)));
}
