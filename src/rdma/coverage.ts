import type { Diagnostic } from '../parse/diagnostics/index.js';
import { instructionsOf } from '../program/instructions.js';
import type { Instruction, Program } from '../program/program.js';

type InstructionKind = Instruction['kind'];

/** Why a theory says nothing about programs with an instruction. */
export type Refusal = Pick<Diagnostic, 'message' | 'hint'>;

/**
 * What a theory of RDMA programs knows: for each kind of instruction `known`, or why it does not know it.
 * Each theory lists all kinds, so that a new kind is not passed over.
 */
export type Coverage = {
  readonly [K in InstructionKind]:
    'known' | ((i: Extract<Instruction, { readonly kind: K }>) => Refusal);
};

/** Why a theory does not know an instruction, with its place; nothing if it knows it. */
export function refusalsOf(i: Instruction, coverage: Coverage): readonly Diagnostic[] {
  const why = coverage[i.kind] as 'known' | ((i: Instruction) => Refusal);
  return why === 'known' ? [] : [{ span: i.span, ...why(i) }];
}

/** The instructions of a program that a theory does not know, in the order of the text. */
export const notCoveredBy = (coverage: Coverage, { threads }: Program): readonly Diagnostic[] =>
  threads.flatMap((t) => [...instructionsOf(t.body)].flatMap((i) => refusalsOf(i, coverage)));
