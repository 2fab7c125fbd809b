import { bodiesOf } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import type { Instruction, Program } from '../../program/program.js';
import { doesSomething } from '../../rdma/offering.js';

/** What is to be new in a program: instructions at places, and other texts of instructions that are there. */
export interface Changes {
  readonly added: readonly Added[];
  readonly replaced: readonly Replaced[];
}

/** Instructions before one of a thread, or at the end of a body: `place` is as in additions. */
export interface Added {
  readonly thread: number;
  readonly place: readonly number[];
  /** The instructions as text. */
  readonly steps: readonly string[];
  /** Whether they may be of other queue pairs: they are there because they are in another thread, or in a helper. */
  readonly besides?: true;
}

/** An instruction, by its thread and its place in the C, with other tags or with more order. */
export interface Replaced {
  readonly kind: 'tag' | 'acquire';
  readonly thread: number;
  readonly start: number;
  readonly end: number;
  /** The instructions in its place, by their heads. */
  readonly heads: readonly string[];
}

export const keyOf = ({ thread, place }: Pick<Added, 'thread' | 'place'>): string =>
  [thread, ...place].join();

/**
 * The key of a place, the same for places between which nothing can be put in C: the values that are computed for a call, and the
 * fence that is a flag of its request, stand before its instruction.
 */
export function slotOf(
  program: Program,
  { thread, place }: Pick<Added, 'thread' | 'place'>,
): string {
  let at = place;
  for (;;) {
    const index = at[at.length - 1] - 1;
    const before = [...at.slice(0, -1), index];
    const i = index < 0 ? undefined : instructionAt(program, { thread, place: before });
    const isFlag = i?.kind === 'call' && i.operation === 'rfence';
    const isValue = i?.kind === 'assign' && !doesSomething(program, i);
    if (!isFlag && !isValue) break;
    at = before;
  }
  return keyOf({ thread, place: at });
}

export const headOf = (program: Program, thread: number, i: Instruction): string =>
  printInstruction(program, program.threads[thread], i, () => '{ … }');

/** Heads without what tells apart the registers that hold what is read for a moment: one more changes the names of those behind it. */
export const alike = (heads: readonly string[]): string =>
  heads.map((head) => head.replaceAll(/\br(_?\d+)?\b/g, 'r')).join();

/** The instruction at a place; undefined: it is the end of a body. */
export function instructionAt(
  { threads }: Program,
  { thread, place }: Pick<Added, 'thread' | 'place'>,
): Instruction | undefined {
  let { body } = threads[thread];
  for (let at = 0; at + 2 < place.length; at += 2) {
    const outer = body.at(place[at]);
    if (outer === undefined) return undefined;
    body = bodiesOf(outer)[place[at + 1]] ?? [];
  }
  return body.at(place[place.length - 1]) ?? undefined;
}

/** Is a program another one with nothing but some changes? What a get reads, and into what, does not matter. */
export function isChanged(before: Program, after: Program, changes: Changes): boolean {
  const steps = new Map<string, readonly Step[]>();
  for (const one of changes.added) {
    const key = keyOf(one);
    const own = one.steps.map((text) => ({ text, besides: one.besides === true }));
    steps.set(key, [...(steps.get(key) ?? []), ...own]);
  }
  return (
    before.threads.length === after.threads.length &&
    before.threads.every((_, thread) => {
      const { replaced } = changes;
      const walk = new Comparison(before, after, thread, steps, replaced);
      return walk.same(before.threads[thread].body, after.threads[thread].body, []);
    })
  );
}

/** Goes through a thread of two programs at once. */
class Comparison {
  constructor(
    private readonly before: Program,
    private readonly after: Program,
    private readonly thread: number,
    private readonly steps: ReadonlyMap<string, readonly Step[]>,
    private readonly replaced: readonly Replaced[],
  ) {}

  same(
    old: readonly Instruction[],
    now: readonly Instruction[],
    outer: readonly number[],
  ): boolean {
    let at = 0;
    for (let i = 0; i <= old.length; i++) {
      const key = [this.thread, ...outer, i].join();
      for (const step of this.steps.get(key) ?? []) {
        const one = now.at(at++);
        if (one === undefined || !isStep(headOf(this.after, this.thread, one), step)) return false;
      }
      if (i === old.length) break;
      const heads = this.headsOf(old[i]);
      const place = [...outer, i];
      const own = now.slice(at, (at += heads.length));
      const found = own.map((one) => headOf(this.after, this.thread, one));
      if (alike(found) !== alike(heads)) return false;
      if (!this.sameBodies(old[i], own.at(-1)!, place)) return false;
    }
    return at === now.length;
  }

  private headsOf(old: Instruction): readonly string[] {
    const { before, thread } = this;
    const other = this.replaced.find(
      (one) => one.thread === thread && one.start === old.span.start && one.end === old.span.end,
    );
    return other?.heads ?? [headOf(before, thread, old)];
  }

  private sameBodies(old: Instruction, now: Instruction, place: readonly number[]): boolean {
    const inner = bodiesOf(now);
    return bodiesOf(old).every((body, b) => this.same(body, inner[b], [...place, b]));
  }
}

/** A read of remote memory: what it goes through. */
export const getOf = (text: string): string | undefined => /^\w+ := \w+\^(\S+)$/.exec(text)?.[1];

interface Step {
  readonly text: string;
  readonly besides: boolean;
}

/** Barriers of C, as those that are added: for the CPUs of a node or for all, and stronger where C has none that is as weak. */
const asAdded = (text: string): string =>
  text.replace(/ \[(ish|osh)\](?=\[)/, ' ').replace('dmb [release]', 'dmb [st]');

function isStep(given: string, step: Step): boolean {
  const text = asAdded(given);
  if (step.besides) return kindOf(text) === kindOf(step.text);
  const through = getOf(step.text);
  return text === step.text || (through !== undefined && getOf(text) === through);
}

/** `poll` for `poll(1)`, `get` for a read of remote memory. */
export const kindOf = (step: string): string =>
  getOf(step) === undefined ? /^\w*/.exec(step)![0] : 'get';

/**
 * Where instructions of a program are that another one does not have; undefined: it has not all the others.
 *
 * @param isNew may an instruction be one of them, where the other program has the one given, or nothing more?
 */
export function addedTo(
  before: Program,
  after: Program,
  isNew: (i: Instruction, thread: number, other: Instruction | undefined) => boolean,
): readonly Pick<Added, 'thread' | 'place'>[] | undefined {
  const found: { thread: number; place: readonly number[] }[] = [];
  const walk = (
    thread: number,
    old: readonly Instruction[],
    now: readonly Instruction[],
    outer: readonly number[],
  ): boolean => {
    let i = 0;
    for (const one of now) {
      const other: Instruction | undefined = old[i];
      const place = [...outer, i];
      if (isNew(one, thread, other)) {
        found.push({ thread, place });
        continue;
      }
      if (other === undefined) return false;
      if (headOf(before, thread, other) !== headOf(after, thread, one)) return false;
      const inner = bodiesOf(one);
      if (!bodiesOf(other).every((body, b) => walk(thread, body, inner[b], [...place, b]))) {
        return false;
      }
      i += 1;
    }
    return i === old.length;
  };
  const isSame =
    before.threads.length === after.threads.length &&
    before.threads.every((one, t) => walk(t, one.body, after.threads[t].body, []));
  return isSame ? found : undefined;
}
