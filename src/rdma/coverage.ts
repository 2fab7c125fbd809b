import type { Diagnostic } from '../parse/diagnostics/index.js';
import { instructionsOf } from '../program/instructions.js';
import type * as core from '../program/program.js';
import type { RdmaInstruction } from './instructions.js';
import { isFor } from '../model/instructions/instead.js';
import { operationsOf } from '../model/instructions/operations.js';
import { queuePairOfCall, tagsOfCall } from '../program/partners.js';
import { queuePairsOf } from '../program/queue-pairs.js';
import { asksStatus, isUnknown, viewed } from './instructions.js';
import { operationCalled } from '../program/call-forms.js';

type InstructionKind = RdmaInstruction['kind'];

type Known = 'known' | 'unknown';

/** Why a theory does not apply to programs with an instruction. */
export type CoverageGap = Pick<Diagnostic, 'message' | 'hint'>;

/**
 * The instructions that a theory of RDMA programs covers: for each kind `known`, `unknown`, or why it is not covered.
 * Each theory lists all kinds, so that a new kind is not forgotten.
 */
export interface Coverage {
  /** The theory's name in messages: "the machines". */
  readonly theory: string;
  readonly kinds: {
    readonly [K in InstructionKind]:
      | Known
      | ((i: Extract<RdmaInstruction, { readonly kind: K }>) => CoverageGap);
  };
  /** What covers other operations; undefined if nothing does. */
  readonly elsewhere?: string;
  /** Whether a NIC may read and write the memory of its own node for an operation. */
  readonly loopBack: boolean;
}

/**
 * The instructions of the TSO paper, which has polls. Theories that cover all of these only add waits and atomics.
 */
export const WITH_POLLS = {
  assign: 'known',
  get: 'known',
  put: 'known',
  cas: 'known',
  mfence: 'known',
  poll: 'known',
  rfence: 'known',
  assume: 'known',
  if: 'known',
  loop: 'known',
  choose: 'known',
} as const satisfies Partial<Coverage['kinds']>;

/** Why a theory does not cover an instruction of a thread, with its place; empty if it does. */
export function refusalsOf(
  i: core.Instruction,
  { theory, kinds, elsewhere: hint, loopBack }: Coverage,
  thread: core.Thread,
): readonly Diagnostic[] {
  const unknown = (operation: string): readonly Diagnostic[] => {
    return [
      { span: i.span, message: `${theory} do not know the operation \`${operation}\``, hint },
    ];
  };
  const name = i.kind === 'call' ? operationCalled(i) : i.kind;
  if (isUnknown(i)) return unknown(name);
  const known = viewed(i);
  if (!loopBack && 'node' in known && known.node === thread.node) {
    const message = `${theory} do not know operations towards the own node`;
    return [{ span: i.span, message }];
  }
  const why = kinds[known.kind] as Known | ((i: RdmaInstruction) => CoverageGap);
  if (why === 'unknown') return unknown(name);
  return why === 'known' ? [] : [{ span: i.span, ...why(known) }];
}

/** The instructions of a program that a theory does not cover, in the order of the text. */
export const notCoveredBy = (coverage: Coverage, program: core.Program): readonly Diagnostic[] =>
  program.threads.flatMap((t, thread) =>
    [...instructionsOf(t.body)].flatMap((i) =>
      isOnShared(i, program, thread)
        ? [refusalBecause(SHARED_QUEUES, i, coverage)]
        : mayFail(i, program, thread)
          ? [refusalBecause(FAILURES, i, coverage)]
          : refusalsOf(i, coverage, t),
    ),
  );

/** Is it on a queue pair, or a completion queue, that several have? */
function isOnShared(i: core.Instruction, program: core.Program, thread: number): boolean {
  if (i.kind !== 'call') return false;
  if (i.arguments.some(({ kind }) => kind === 'completions')) return true;
  const pair = queuePairOfCall(program, i);
  const { joint, completions } =
    pair === undefined ? NOT_SHARED : queuePairsOf(program, thread)(pair);
  return joint || completions !== undefined;
}

const NOT_SHARED = { joint: false, completions: undefined };

const SHARED_QUEUES = 'queue pairs and completion queues that several share';
const FAILURES = 'queue pairs that may break, and the status of a poll';

/** Is it an operation on a queue pair that may break, or does it ask whether one has? */
function mayFail(i: core.Instruction, program: core.Program, thread: number): boolean {
  if (i.kind !== 'call') return false;
  if (asksStatus(i)) return true;
  const { alternatives } = operationsOf(program.instructions).named(i.operation, i.tags);
  const tags = tagsOfCall(program, thread, i);
  return alternatives.some((one) => one.tags !== undefined && isFor(one, tags));
}

const refusalBecause = (
  what: string,
  { span }: core.Instruction,
  { theory, elsewhere: hint }: Coverage,
): Diagnostic => ({ span, message: `${theory} do not know ${what}`, hint });
