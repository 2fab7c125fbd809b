import type { Model } from '../model/term.js';
import { instructionsOf, mapBodies } from '../program/instructions.js';
import type { Instruction, Program } from '../program/program.js';
import { needsBarriers } from './hosts.js';
import { knownPosting } from './postings.js';

/**
 * The kinds of additions, which order more events of a program. Under a model with waits, `poll` is a wait. `pollr` takes the
 * completion of a receive. `barrier` is one of a CPU that orders little (hosts.ts). `status` is a test of the status that a poll
 * gives; what comes behind it in its body is done on
 * success only (statuses.ts).
 */
export const ADDITION_KINDS = [
  'rfence',
  'barrier',
  'mfence',
  'poll',
  'pollr',
  'get-and-poll',
  'rfaa-and-poll',
  'status',
] as const;
export type AdditionKind = (typeof ADDITION_KINDS)[number];

/** What a repair is made of: additions, changes of tags, and accesses of the CPU with more order. */
export const REPAIR_KINDS = [...ADDITION_KINDS, 'acquire', 'tag'] as const;

export type Costs = Readonly<Record<(typeof REPAIR_KINDS)[number], number>>;
export const DEFAULT_COSTS: Costs = {
  rfence: 1,
  barrier: 2,
  mfence: 2,
  poll: 5,
  pollr: 2,
  'get-and-poll': 10,
  'rfaa-and-poll': 20,
  status: 2,
  acquire: 1,
  tag: 3,
};

/** The kinds of additions that can help in a program, the cheapest first; without tests of statuses, which are no insertions. */
export function kindsByCost(program: Program, model: Model, costs: Costs): readonly AdditionKind[] {
  const { instructions, threads } = program;
  const postings = threads.flatMap(({ body }) =>
    [...instructionsOf(body)].map((i) => knownPosting(program, i)),
  );
  const needed: Partial<Record<AdditionKind, boolean>> = {
    pollr: postings.some(({ kind }) => kind === 'receive'),
    'rfaa-and-poll':
      instructions.operations.some(({ name }) => name === 'rfaa') &&
      postings.some((one) => one.kind === 'posted' && one.isAtomic),
    barrier: needsBarriers(model),
    status: false,
  };
  return ADDITION_KINDS.filter((kind) => needed[kind] !== false).sort(
    (x, y) => costs[x] - costs[y],
  );
}

/** Something that may be added at one place of the program's text. All threads of a family get it. */
export interface Addition {
  readonly kind: AdditionKind;
  /** For each thread that has this text, in order. */
  readonly parts: readonly AddedPart[];
  /**
   * The index of an addition at the same place that must be made before this one, which is useless without it: for
   * example, this one is a second poll.
   */
  readonly after?: number;
}

/** The part of an addition in one thread. */
export interface AddedPart {
  readonly thread: number;
  /**
   * The instruction that it goes before: its index in the thread's body. For an instruction inside others: the
   * index of the outer one, the index of its body, the index in that body, and so on. The number of instructions
   * in a body stands for its end.
   */
  readonly place: readonly number[];
  /** Whether the place is in a loop. */
  readonly repeated: boolean;
  readonly instructions: readonly Instruction[];
}

/** A program with locations for additions, and all additions that can help. */
export interface Additions {
  readonly program: Program;
  readonly additions: readonly Addition[];
}

/** The program with some additions, and the instructions that are new. */
export function insert(
  program: Program,
  additions: readonly Addition[],
): { readonly program: Program; readonly added: ReadonlySet<Instruction> } {
  const parts = additions.flatMap((a) => a.parts);
  const added = new Set(parts.flatMap((part) => part.instructions));
  return { program: rewrite(program, parts, (part) => part.instructions), added };
}

/** The program with what `render` makes of each part of additions, at its place. */
export function rewrite(
  program: Program,
  parts: readonly AddedPart[],
  render: (part: AddedPart) => readonly Instruction[],
): Program {
  const byPlace = new Map<string, Instruction[]>();
  for (const part of parts) {
    const key = [part.thread, ...part.place].join();
    byPlace.set(key, [...(byPlace.get(key) ?? []), ...render(part)]);
  }
  const body = (list: readonly Instruction[], outer: string): readonly Instruction[] => [
    ...list.flatMap((i, at) => {
      const place = `${outer},${at}`;
      const rewritten = mapBodies(i, (inner, b) => body(inner, `${place},${b}`));
      return [...(byPlace.get(place) ?? []), rewritten];
    }),
    ...(byPlace.get(`${outer},${list.length}`) ?? []),
  ];
  const threads = program.threads.map((t, index) => ({ ...t, body: body(t.body, `${index}`) }));
  return { ...program, threads };
}
