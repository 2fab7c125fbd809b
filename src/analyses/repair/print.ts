import type { Span } from '../../parse/diagnostics/index.js';
import { bodiesOf } from '../../program/instructions.js';
import { printInstruction, printLocation, printTest } from '../../program/print.js';
import type { Instruction, Program, Test } from '../../program/program.js';
import type { AddedPart, AdditionKind } from '../../rdma/additions.js';
import type { ThroughCard } from '../../rdma/own-card.js';
import type { Retag } from '../../rdma/retags.js';
import { retaggedCall } from '../../rdma/retags.js';
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
      /** There was no time to find out whether cheaper additions would do. */
      readonly perhapsDear?: true;
    } & Limited)
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An addition in one thread. Of a family of threads there is one for each, and all are one addition. */
export interface PrintedAddition {
  readonly thread: string;
  readonly kind: AdditionKind;
  /** What is added, as litmus text. */
  readonly text: string;
  /** The instruction that it is added before, or that it is added in at the end. */
  readonly place: ({ readonly before: string } | { readonly endOf: string }) & {
    readonly span: Span;
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
  /** Of a location. */
  readonly node?: string;
  /** Of a call. */
  readonly thread?: string;
  readonly tags: readonly string[];
  readonly text: string;
  readonly insteadOf: string;
  readonly span: Span;
}

/** Where something gets other tags, in words: `T1`, or `node 2`. */
export const ownerOf = ({ thread, node }: PrintedRetag): string => thread ?? `node ${node}`;

const MARK = 'added';

/** In what the program that has the additions is another than the one as written. */
interface Besides {
  readonly from?: Program;
  readonly replaced?: readonly ThroughCard[];
  readonly retags?: readonly Retag[];
}

/** @param test the test that was repaired, its program as it is for the model */
export function printRepair(
  test: Test,
  repair: Repair,
  { from = test.program, replaced = [], retags = [] }: Besides = {},
): PrintedRepair {
  if (repair.kind === 'unknown') return { kind: 'unknown', reason: repair.reason };
  if (repair.kind === 'none') return repair;
  const { cost, additions, program, added, upTo, full, perhapsDear } = repair;
  const others = replaced.flatMap(({ instructions }) => instructions);
  const marked = new Map([...added, ...others].map((i) => [i, MARK] as const));
  const litmus = printTest(
    { ...test, program },
    { marked, tidyFrom: test.program.locations.length },
  );
  return {
    kind: 'found',
    cost,
    additions: additions.flatMap(({ kind, parts }) => parts.map((part) => printPart(kind, part))),
    ...(replaced.length === 0 ? {} : { replaced: replaced.map(printReplaced) }),
    ...(retags.length === 0 ? {} : { retagged: retags.flatMap(printRetag) }),
    litmus,
    upTo,
    full,
    perhapsDear,
  };

  function printRetag(retag: Retag): readonly PrintedRetag[] {
    const { tags } = retag;
    if ('calls' in retag) {
      return retag.calls.map(({ thread: index, call }) => {
        const thread = program.threads[index];
        const [text, insteadOf] = [retaggedCall(call, tags), call].map((one) =>
          printInstruction(program, thread, one),
        );
        return { thread: thread.name, tags, text, insteadOf, span: call.span };
      });
    }
    return retag.locations.map((id) => {
      const { node, span } = test.program.locations[id];
      const [text, insteadOf] = [program, test.program].map((p) => printLocation(p.locations[id]));
      return { node, tags, text, insteadOf, span: span! };
    });
  }

  function printPart(kind: AdditionKind, part: AddedPart): PrintedAddition {
    const thread = program.threads[part.thread];
    const print = (i: Instruction): string => printInstruction(program, thread, i);
    const text = part.instructions.map(print).join('; ');
    return { thread: thread.name, kind, text, place: placeOf(from, part) };
  }

  function printReplaced({
    thread: index,
    insteadOf,
    instructions,
  }: ThroughCard): PrintedReplacement {
    const thread = program.threads[index];
    const print = (i: Instruction): string => printInstruction(program, thread, i);
    const text = instructions.map(print).join('; ');
    return { thread: thread.name, text, insteadOf: print(insteadOf), span: insteadOf.span };
  }
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
  return next === undefined
    ? { endOf: print(outer!), span: outer!.span }
    : { before: print(next), span: next.span };
}
