import { callSetName, librarySetName, libraryMarks } from '../../model/instructions/library.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import { QUEUED, SHARED } from '../../model/instructions/set.js';
import type { BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Event } from './structure.js';
import { INITIAL, areExclusive, isRead, isWrite } from './structure.js';

/**
 * The base sets and relations that events alone determine, by their definitions (docs/cat.md, "Base sets" and "Base
 * relations").
 */

/** Tests whether an event is in a base set: a label, a tag, or one of `BASE_SETS`. */
export function membership(instructions: InstructionSet): Membership {
  const before = known.get(instructions);
  if (before !== undefined) return before;
  const made = membershipIn(instructions);
  known.set(instructions, made);
  return made;
}

type Membership = (name: string) => ((e: Event) => boolean) | undefined;

const known = new WeakMap<InstructionSet, Membership>();

function membershipIn(instructions: InstructionSet): Membership {
  const performers = new Map(instructions.labels.map((label) => [label.name, label.by]));
  const tags = new Set(instructions.tags.map((tag) => tag.name));
  const calls = new Set(instructions.operations.flatMap((o) => callSetName(o) ?? []));
  const owners = new Map(instructions.libraries.map(({ name }) => [librarySetName(name), name]));
  const marks = new Set(
    instructions.libraries.flatMap((l) => l.roles.map((role) => libraryMarks(l.name, role.name))),
  );
  return (name) => {
    const owner = owners.get(name);
    if (owner !== undefined) return (e) => e.library === owner;
    if (marks.has(name)) return (e) => e.mark === name;
    if (calls.has(name)) return (e) => e.operation === name;
    if (performers.has(name)) return (e) => e.label === name;
    if (tags.has(name)) return (e) => e.tags?.includes(name) === true;
    switch (name) {
      case 'R':
        return isRead;
      case 'W':
        return isWrite;
      case 'IW':
        return (e) => e.thread === INITIAL;
      case 'CPU':
        return (e) => performers.get(e.label) === 'cpu';
      case 'NIC':
        return (e) => performers.get(e.label) === 'nic';
      case SHARED:
        return isShared;
      case QUEUED:
        return ({ completions }) => completions !== undefined;
      default:
        return undefined;
    }
  };
}

/** The base sets over the positions of events in a list, each made when it is first asked for. */
export function baseSets(
  events: readonly Event[],
  instructions: InstructionSet,
): (name: string) => BitSet {
  const made = new Map<string, BitSet>();
  const test = membership(instructions);
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const isIn = test(name);
    if (isIn === undefined) throw new Error(`'${name}' is no base set`);
    const set = m.setOf(
      events.length,
      events.flatMap((e, i) => (isIn(e) ? [i] : [])),
    );
    made.set(name, set);
    return set;
  };
}

/** Program order: initial writes before everything else, then the order of each thread. */
export function programOrder(a: Event, b: Event): boolean {
  if (b.thread === INITIAL) return false;
  if (a.thread === INITIAL) return true;
  return a.thread === b.thread && a.id < b.id && b.beside?.includes(a.id) !== true;
}

export const sameLocation = (a: Event, b: Event): boolean =>
  a.location !== undefined && a.location === b.location;

export const sameThread = (a: Event, b: Event): boolean => a.thread === b.thread;

/** Same thread, same remote node, same name; of several threads where they share it. */
export const sameQueuePair = (a: Event, b: Event): boolean =>
  a.node !== undefined &&
  a.node === b.node &&
  a.queuePair === b.queuePair &&
  (a.thread === b.thread || (a.joint === true && b.joint === true));

/** The queue pairs at both ends of a connection: they lead to each other's nodes, and have one name or none. */
const otherEnd = (a: Event, b: Event): boolean =>
  a.connected === true &&
  b.connected === true &&
  a.node !== undefined &&
  a.node === b.own &&
  b.node === a.own &&
  a.queuePair === b.queuePair;

/** Where no completion queue is declared, each queue pair has its own. */
const sameCompletionQueue = (a: Event, b: Event): boolean =>
  a.completions === undefined && b.completions === undefined
    ? sameQueuePair(a, b)
    : a.completions === b.completions;

/** Is an event on a queue pair, or a completion queue, that several have? */
export const isShared = ({ joint, completions }: Event): boolean =>
  joint === true || completions !== undefined;

/** Of two alternatives of a call, there is only one. */
const sameUse = (a: Event, b: Event): boolean =>
  a.use !== undefined && a.use === b.use && !areExclusive(a.path, b.path);

const sameWork = (a: Event, b: Event): boolean =>
  a.work !== undefined && a.work === b.work && a.thread === b.thread && a.library === b.library;

/** The relations by which two events are at one place, or at places that belong together. */
export const BY_PLACES: ReadonlySet<string> = new Set(['loc', 'nloc']);

/** The base relations that follow from the events alone, by their names in cat. */
export const FIXED_RELATIONS: ReadonlyMap<string, (a: Event, b: Event) => boolean> = new Map([
  ['po', programOrder],
  ['loc', sameLocation],
  ['sthd', sameThread],
  ['ext', (a: Event, b: Event) => !sameThread(a, b)],
  ['obj', (a: Event, b: Event) => a.object !== undefined && a.object === b.object],
  ['same', sameUse],
  ['sqp', sameQueuePair],
  ['scq', sameCompletionQueue],
  ['ends', otherEnd],
  ['sn', (a: Event, b: Event) => a.node !== undefined && a.node === b.node],
  ['nloc', (a: Event, b: Event) => a.home !== undefined && a.home === b.home],
  ['wid', sameWork],
  ['data', (a: Event, b: Event) => b.data?.includes(a.id) === true],
  ['addr', (a: Event, b: Event) => b.addr?.includes(a.id) === true],
  ['ctrl', (a: Event, b: Event) => b.ctrl?.includes(a.id) === true],
]);

export const FIXED_NAMES: readonly string[] = [...FIXED_RELATIONS.keys()];
