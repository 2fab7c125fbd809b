import type { Answer, Outcomes } from '../../check/result.js';
import type { Diagnostic } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';
import type { Program, Subject, Test } from '../../program/program.js';
import type { Engine } from '../../rdma/engines.js';
import { prepare } from '../../rdma/prepare.js';
import type { Pool } from '../workers.js';

/** What is seen of a program under a model. */
export interface View {
  /** None where no subject was asked for. */
  readonly outcomes?: Outcomes;
  /** Answers to queries about runs. */
  readonly answers: readonly Answer[];
}

export interface ViewOptions {
  readonly engine: Engine;
  /** Overrides the file's loop bound. */
  readonly bound?: number;
  readonly limit?: number;
  /** How many calls of a thread can be unfinished on one queue pair, for queries about runs. */
  readonly room?: number;
}

/** What is asked of programs: final states over some subjects, and queries about runs by their index. */
export interface Asked {
  readonly subjects: readonly Subject[];
  readonly runs: readonly number[];
}

export const reasonOf = (errors: readonly Diagnostic[]): string =>
  errors.map(({ message }) => message).join('; ');

/** What lists final states and decides queries: usually a pool of worker threads. */
export type Viewer = Pick<Pool, 'outcomes' | 'decide'>;

/** Has workers look at a test with another program, or says why they cannot. */
export async function viewOf(
  pool: Viewer,
  test: Test,
  program: Program,
  model: Model,
  { subjects, runs }: Asked,
  options: ViewOptions,
): Promise<View | { readonly reason: string }> {
  const prepared = prepare(program, model, options.engine);
  if (!prepared.ok) return { reason: reasonOf(prepared.errors) };
  const adapted = { ...test, program: prepared.value.program };
  const outcomes =
    subjects.length === 0
      ? undefined
      : pool.outcomes({
          ...options,
          kind: 'outcomes',
          counted: false,
          models: [model],
          test: adapted,
          subjects,
        });
  const answers =
    runs.length === 0
      ? undefined
      : pool.decide({
          ...options,
          kind: 'decide',
          models: [model],
          tests: [adapted],
          queries: runs,
        });
  const [found = [], listed] = [(await answers)?.[0], await outcomes];
  return { answers: found, ...(listed && { outcomes: listed }) };
}
