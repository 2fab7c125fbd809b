import type { Span } from '../../parse/diagnostics/index.js';
import { bodiesOf, instructionsOf } from '../../program/instructions.js';
import { printInstruction, printLocation, printTest } from '../../program/print.js';
import type { Instruction, Program, Test } from '../../program/program.js';
import { placeKey } from '../../program/program.js';
import type { AddedPart, Addition, AdditionKind } from '../../rdma/additions.js';
import type { ThroughCard } from '../../rdma/own-card.js';
import type { NamedPoll, TestedProgram } from '../../rdma/tested.js';
import type { Retag } from '../../rdma/retags.js';
import type { Limited, Repair } from './goal.js';

/** A repair as plain data, for people and programs to read. */
export type PrintedRepair =
  | ({
      readonly kind: 'found';
      readonly cost: number;
      readonly additions: readonly PrintedAddition[];
      /** Instructions that others stand for; without it, none. */
      readonly replaced?: readonly PrintedReplacement[];
      /** Declarations of locations, and calls, with other tags; without it, none. */
      readonly retagged?: readonly PrintedRetag[];
      /** The repaired program as a litmus file, each addition marked by a comment. */
      readonly litmus: string;
      /** For a program that was read from C: the repair as a patch of that. */
      readonly inC?: Patch;
      /** There was no time to find out whether cheaper additions would do. */
      readonly perhapsDear?: true;
      /** Others that cost less may have been passed over; or, for none, others at all. */
      readonly unsure?: true;
    } & Limited)
  | { readonly kind: 'none'; readonly unsure?: true }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A repair in the C that the program was read from. */
export type Patch =
  | {
      readonly kind: 'patch';
      /** The C with it. */
      readonly text: string;
      /** As a unified diff. */
      readonly diff: string;
      /** Does it change more of the program than the repair does, as in a helper that others call? */
      readonly more: boolean;
    }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Was everything tried that costs less? Not where the own card replaces the CPU, of which there are other ways. Polls are
 * replaced for the tests of their statuses only.
 */
export const isCheapest = ({
  additions,
  replaced,
  perhapsDear,
  unsure,
}: Extract<PrintedRepair, { readonly kind: 'found' }>): boolean =>
  perhapsDear === undefined &&
  unsure === undefined &&
  (replaced === undefined || additions.some(({ kind }) => kind === 'status'));

/** An addition in one thread. Of a family of threads there is one for each, and all are one addition. */
export interface PrintedAddition {
  readonly thread: string;
  readonly kind: AdditionKind;
  /** What is added, as litmus text: for a test, `if (s = 0) { … }`, which holds all that is behind its place. */
  readonly text: string;
  /** The instruction that it is added before, or that it is added in at the end. */
  readonly place: ({ readonly before: string } | { readonly endOf: string }) & {
    readonly span: Span;
    /** As in additions (`AddedPart`). */
    readonly path: readonly number[];
    /** Of C, if they are asked for. */
    readonly lines?: string;
  };
}

/** An instruction of one thread, and what stands in its place. */
export interface PrintedReplacement {
  readonly thread: string;
  readonly text: string;
  readonly insteadOf: string;
  readonly span: Span;
}

/** The declaration of a location, or a call, and what stands in its place. */
export interface PrintedRetag {
  /** Whether it has other tags, or is an access of the CPU with more order. */
  readonly kind: Retag['kind'];
  /** Of a location. */
  readonly node?: string;
  /** Of a call. */
  readonly thread?: string;
  readonly tags: readonly string[];
  readonly text: string;
  readonly insteadOf: string;
  readonly span: Span;
  /** Of C, if they are asked for. */
  readonly lines?: string;
}

/** Where something gets other tags, in words: `T1`, or `node 2`. */
export const ownerOf = ({ thread, node }: PrintedRetag): string => thread ?? `node ${node}`;

const MARK = 'added';

/** In what the program that has the additions is another than the one as written. */
interface Besides {
  readonly from?: Program;
  readonly replaced?: readonly ThroughCard[];
  readonly retags?: readonly Retag[];
  readonly tested?: TestedProgram;
}

/** @param test the test that was repaired, its program as it is for the model */
export function printRepair(
  test: Test,
  repair: Repair,
  { tested, from = tested?.program ?? test.program, replaced = [], retags = [] }: Besides = {},
): PrintedRepair {
  if (repair.kind === 'unknown') return { kind: 'unknown', reason: repair.reason };
  const unsure = repair.unsure === undefined ? undefined : true;
  if (repair.kind === 'none') return { kind: 'none', ...(unsure && { unsure }) };
  const { cost, additions, program, added, upTo, full, perhapsDear } = repair;
  const named = tested?.named ?? [];
  const others = [...replaced, ...named].flatMap(({ instructions }) => instructions);
  const inTests = tested === undefined ? [] : madeForTests(program, tested);
  const marked = new Map([...added, ...others, ...inTests].map((i) => [i, MARK] as const));
  const litmus = printTest(
    { ...test, program },
    { marked, tidyFrom: test.program.locations.length },
  );
  return {
    kind: 'found',
    cost,
    additions: [
      ...printAdditions(tested?.additions ?? [], test.program),
      ...printAdditions(additions, from),
    ],
    ...(replaced.length + named.length === 0
      ? {}
      : { replaced: [...replaced, ...named].map(printReplaced) }),
    ...(retags.length === 0 ? {} : { retagged: retags.flatMap(printRetag) }),
    litmus,
    upTo,
    full,
    perhapsDear,
    unsure,
  };

  function printRetag(retag: Retag): readonly PrintedRetag[] {
    const { kind, tags } = retag;
    if ('calls' in retag) {
      return retag.calls.map(({ thread: index, from, to }) => {
        const thread = program.threads[index];
        const print = (one: Instruction): string =>
          printInstruction(program, thread, one, () => '{ … }');
        const text = to.map(print).join('; ');
        const insteadOf = print(from);
        const lines = thread.lines?.[placeKey(from.span)];
        return { kind, thread: thread.name, tags, text, insteadOf, span: from.span, lines };
      });
    }
    return retag.locations.map((id) => {
      const { node, span } = test.program.locations[id];
      const [text, insteadOf] = [program, test.program].map((p) => printLocation(p.locations[id]));
      return { kind, node, tags, text, insteadOf, span: span! };
    });
  }

  function printAdditions(list: readonly Addition[], before: Program): readonly PrintedAddition[] {
    return list.flatMap(({ kind, parts }) =>
      parts.map((part) => {
        const thread = program.threads[part.thread];
        const text = part.instructions
          .map((i) => printInstruction(program, thread, i, () => '{ … }'))
          .join('; ');
        return { thread: thread.name, kind, text, place: placeOf(before, part) };
      }),
    );
  }

  function printReplaced({
    thread: index,
    insteadOf,
    instructions,
  }: ThroughCard | NamedPoll): PrintedReplacement {
    const thread = program.threads[index];
    const print = (i: Instruction): string => printInstruction(program, thread, i);
    const text = instructions.map(print).join('; ');
    return { thread: thread.name, text, insteadOf: print(insteadOf), span: insteadOf.span };
  }
}

/** Tests, and what was added for them, where they are in the repaired program. */
function madeForTests({ threads }: Program, { additions }: TestedProgram): readonly Instruction[] {
  const made = additions.flatMap(({ parts }) => parts.flatMap(({ instructions }) => instructions));
  const spans = new Set(made.map(({ span }) => span));
  return threads.flatMap(({ body }) => [...instructionsOf(body)].filter((i) => spans.has(i.span)));
}

/** A place of an addition, told by an instruction of the program as written. */
function placeOf(program: Program, { thread, place }: AddedPart): PrintedAddition['place'] {
  const own = program.threads[thread];
  const print = (i: Instruction): string => printInstruction(program, own, i, () => '{ … }');
  let body = own.body;
  let outer: Instruction | undefined;
  for (let at = 0; at + 2 < place.length; at += 2) {
    outer = body[place[at]];
    body = bodiesOf(outer)[place[at + 1]];
  }
  const next = body[place[place.length - 1]];
  const at = ({ span }: Instruction) => ({ span, path: place, lines: own.lines?.[placeKey(span)] });
  return next === undefined
    ? { endOf: print(outer!), ...at(outer!) }
    : { before: print(next), ...at(next) };
}
