import type { LocationId, Program } from '../../program/program.js';
import { subjectName } from '../../program/subjects.js';
import type { Towards } from '../instructions.js';
import type { Instruction as View } from '../instructions.js';
import type { UpdateKind } from '../update.js';
import { isPosted, keyOf, viewsOf } from '../instructions.js';
import type { Hardware } from './hardware.js';
import type { Code } from './code.js';
import { compile } from './code.js';
import { breakCycles, deadSlots, polledAtOnce } from './flow.js';
import type { Slot } from './op.js';
import type { Sharing } from './sharing.js';
import { sharingOf } from './sharing.js';

/** A remote operation as it stands in the program. */
export interface Request {
  readonly kind: 'put' | 'get' | 'atomic' | 'rfence';
  /** Which atomic it is, if it is one. */
  readonly update?: UpdateKind;
  /** What the NIC reads first: the source of a put or get, the word of an atomic. */
  readonly from: LocationId;
  /** What it writes: the target of a put or get, where the answer of an atomic goes. */
  readonly to: LocationId;
}

export interface QueuePair extends Towards {
  readonly thread: number;
  /** Does the program poll it? If not, nobody sees its completions. */
  readonly polled: boolean;
}

/** Where a buffer is in a state: its length, and behind it its entries, the oldest first. */
export interface Buffer {
  readonly at: Slot;
  /** How many numbers an entry has. */
  readonly width: number;
  readonly name: string;
}

/**
 * A program on a machine, made ready for its states to be explored. A state is a vector of 32-bit numbers: where each
 * thread is, registers, ghosts, memory, buffers. All buffers have room for the same number of entries.
 */
export interface Layout {
  readonly program: Program;
  readonly hardware: Hardware;
  readonly reduce: boolean;
  readonly codes: readonly Code[];
  readonly queuePairs: readonly QueuePair[];
  readonly requests: readonly Request[];
  readonly sharing: Sharing;
  /** How many numbers a state has. */
  readonly size: number;
  /** How many entries a buffer can hold. */
  readonly room: number;
  /** The slots besides those of buffers whose values can change. */
  readonly variables: readonly Slot[];
  /** What people call a slot. */
  readonly nameOf: (slot: Slot) => string;
  readonly registers: readonly (readonly Slot[])[];
  /** By thread: where values are that were read, by the index of the value or, if threads are symmetric, by location. */
  readonly temporaries: readonly ReadonlyMap<number, Slot>[];
  readonly ghosts: readonly Slot[];
  /** By question: is somebody between the two marks of a `progress`? */
  readonly waits: readonly Slot[];
  readonly memory: Slot;
  readonly storeBuffers: readonly Buffer[];
  readonly pipes: readonly Buffer[];
  readonly wbR: readonly Buffer[];
  readonly wbL: readonly Buffer[];
  /** By thread and step: registers, and memory of its own, whose values no later step needs. */
  readonly dead: readonly (readonly (readonly Slot[])[])[];
}

/** What a search asks of the states. */
export interface Asked {
  /** How many entries a buffer can hold. */
  readonly room: number;
  /** Whether a thread may stay for ever before an iteration of the `loop` that it ends with. */
  readonly resting: boolean;
  /** Registers whose values are looked at, by thread. */
  readonly registers: ReadonlySet<string>;
  /** Whether steps that can be taken at once are. Default: yes; without it, exploration is slow, and a check of that. */
  readonly reduce?: boolean;
  /** Whether registers are looked at in any state, and not only at the end. */
  readonly always: boolean;
  /** Locations whose values are looked at in any state. */
  readonly locations: ReadonlySet<LocationId>;
  /** Pairs of marks: between them a thread waits. */
  readonly waits: readonly {
    readonly from: { readonly thread: number; readonly mark: string };
    readonly to: { readonly thread: number; readonly mark: string };
  }[];
}

/** A register of a thread, as `Asked` names it. */
export const registerKey = (thread: number, register: number): string => `${thread}:${register}`;

/** Widths of entries: see `Machine`. */
const [IN_STORE_BUFFER, IN_PIPE, IN_WRITE_BACK] = [3, 4, 2];

export function layoutOf(program: Program, hardware: Hardware, asked: Asked): Layout {
  const { threads, locations, ghosts: declared = [] } = program;
  const names: string[] = [];
  const take = (name: string): Slot => names.push(name) - 1;
  threads.forEach((t) => take(`${t.name}'s place`));
  const registers = threads.map((t) => t.registers.map((r) => take(`${t.name}:${r}`)));
  const ghosts = declared.map((g) => take(g.name));
  const waits = asked.waits.map((_, k) => take(`progress ${k + 1}`));
  const memory = names.length;
  locations.forEach((l, location) =>
    take(l.hidden === true ? `${l.initial}` : subjectName(program, { kind: 'location', location })),
  );

  // Where threads are symmetric, what a slot holds is an identity or not: so each location that is read has its own.
  const apart = program.symmetric !== undefined;
  const temporaries = threads.map(() => new Map<number, Slot>());
  const queuePairs: QueuePair[] = [];
  const requests: Request[] = [];
  const requestFor = (i: View): number => {
    const made = requestOf(i);
    const known = requests.findIndex((r) =>
      (['kind', 'update', 'from', 'to'] as const).every((key) => r[key] === made[key]),
    );
    return known >= 0 ? known : requests.push(made) - 1;
  };
  const codes = threads.map((t, thread) => {
    const mine = new Map<string, number>();
    const queuePair = (i: View): number => {
      const towards = i as unknown as Towards;
      const key = keyOf(towards);
      const known = mine.get(key);
      if (known !== undefined) return known;
      const polled = [...viewsOf(t.body)].some((p) => p.kind === 'poll' && keyOf(p) === key);
      const { node, queuePair } = towards;
      const made = queuePairs.push({ thread, node, queuePair, polled }) - 1;
      mine.set(key, made);
      return made;
    };
    const code = compile(
      t.body,
      {
        register: (r) => registers[thread][r],
        isWatched: (r) => asked.always && asked.registers.has(registerKey(thread, r)),
        ghost: (g) => ghosts[g],
        temporary(k, from) {
          const key = apart ? from : k;
          const known = temporaries[thread].get(key) ?? take(`${t.name}'s value ${key + 1}`);
          temporaries[thread].set(key, known);
          return known;
        },
        queuePair,
        request: (i) => ({ request: requestFor(i), queuePair: queuePair(i) }),
        passing: (mark) =>
          asked.waits.flatMap(({ from, to }, k) => [
            ...(to.thread === thread && to.mark === mark ? [[waits[k], 0] as const] : []),
            ...(from.thread === thread && from.mark === mark ? [[waits[k], 1] as const] : []),
          ]),
      },
      asked.resting,
    );
    return code;
  });
  const sharing = sharingOf(program, asked.locations);
  for (const { ops } of codes) breakCycles(ops, sharing);

  const variables = [...names.keys()].filter((slot) => {
    const location = slot - memory;
    const isMemory = location >= 0 && location < locations.length;
    return !isMemory || !(sharing.constant[location] || sharing.ignored[location]);
  });
  let size = names.length;
  const buffer = (name: string, width: number): Buffer => {
    const at = size;
    size += 1 + width * asked.room;
    return { at, width, name };
  };
  const towards = (q: QueuePair): string => `${threads[q.thread].name}->${keyOf(q)}`;
  const storeBuffers = threads.map((t) => buffer(`${t.name}'s store buffer`, IN_STORE_BUFFER));
  const pipes = queuePairs.map((q) => buffer(`the pipe of ${towards(q)}`, IN_PIPE));
  const wbR = queuePairs.map((q) => buffer(`the wbR of ${towards(q)}`, IN_WRITE_BACK));
  const wbL = queuePairs.map((q) => buffer(`the wbL of ${towards(q)}`, IN_WRITE_BACK));
  const kept = (thread: number) =>
    registers[thread].filter((_, r) => asked.registers.has(registerKey(thread, r)));
  const dead = codes.map(({ ops }, thread) => {
    const own = [...locations.keys()].filter((l) => sharing.owner[l] === thread);
    const atOnce = polledAtOnce(ops);
    const slots = [
      ...registers[thread],
      ...temporaries[thread].values(),
      ...own.map((l) => memory + l),
    ];
    return deadSlots(ops, slots, new Set(kept(thread)), (op) => {
      const request = op.kind === 'request' ? requests[op.request] : undefined;
      const reads = [...op.uses];
      const writes = [op.slot];
      if (op.kind === 'read') reads.push(memory + op.location);
      if (op.kind === 'write') writes.push(memory + op.location);
      if (op.kind === 'update') reads.push(memory + op.location);
      if (request?.kind === 'put') reads.push(memory + request.from);
      else if (request !== undefined && atOnce.has(op.queuePair)) writes.push(memory + request.to);
      return { reads, writes };
    });
  });
  return {
    reduce: asked.reduce ?? true,
    ...{ program, hardware, codes, queuePairs, requests, sharing, size, room: asked.room },
    ...{ variables, registers, temporaries, ghosts, waits, memory },
    ...{ storeBuffers, pipes, wbR, wbL, dead },
    nameOf: (slot) => names[slot],
  };
}

function requestOf(i: View): Request {
  if (i.kind === 'rfence') return { kind: 'rfence', from: 0, to: 0 };
  if (i.kind === 'remote-atomic') {
    return { kind: 'atomic', update: i.update.kind, from: i.location, to: i.into };
  }
  if (isPosted(i)) return { kind: i.kind, from: i.from, to: i.to };
  throw new Error(`${i.kind} is no remote operation`);
}
