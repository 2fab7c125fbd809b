import type { Diagnostic, Result } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { Model } from '../model/term.js';
import { inside, instructionsOf, withBodies } from '../program/instructions.js';
import type { Instruction, Program, Thread } from '../program/program.js';
import type { Operation } from './operations.js';
import { isOperation } from './operations.js';

/** A program in the instructions of a model, and a note for people that says what was translated. */
export interface Adapted {
  readonly program: Program;
  readonly note?: string;
}

type CompletionInstruction = Extract<Instruction, { kind: 'poll' | 'wait' }>;

/**
 * Gives a program the completion instructions that a model knows. A model that uses `wf` has waits, and one that
 * uses `pf` has polls. A model that uses both, or neither, takes a program as it is.
 *
 * In code without branches, the k-th poll of a queue pair waits for its k-th operation and for nothing else. So it
 * can be replaced by a wait for an identifier that only this operation has, and the other way round (the
 * semantics page, "Consistency", on RDMA^WAIT). A wait with no operation to wait for orders nothing: it is left out
 * where the model has no waits.
 *
 * @returns the program, or an error for each instruction that has no translation
 */
export function adapt(given: Program, model: Model): Result<Adapted> {
  const waits = model.bases.includes('wf');
  const polls = model.bases.includes('pf');
  if (waits === polls) return ok({ program: given });
  const program = waits ? given : withoutIdleWaits(given);
  const [foreign, translate] = waits
    ? (['poll', pollsToWaits] as const)
    : (['wait', waitsToPolls] as const);

  const errors: Diagnostic[] = [];
  let count = 0;
  const threads = program.threads.map((thread) => {
    const instructions = [...instructionsOf(thread.body)].filter(isCompletion(foreign));
    if (instructions.length === 0) return thread;
    count += instructions.length;
    const report = (i: CompletionInstruction, why: string): void => {
      const message = `${show(i)} cannot be translated for ${model.name}: ${why}`;
      errors.push({ span: i.span, message });
    };
    if (!isStraight(thread)) {
      report(
        instructions[0],
        `${thread.name} has remote operations or ${foreign}s inside branches`,
      );
      return thread;
    }
    return { ...thread, body: translate(thread, report) };
  });
  if (errors.length > 0) return fail(errors);
  if (count === 0) return ok({ program });
  const plural = count === 1 ? '' : 's';
  const [from, to] = [`${count} ${foreign}${plural}`, `${waits ? 'wait' : 'poll'}${plural}`];
  return ok({ program: { ...program, threads }, note: `${from} read as ${to} for ${model.name}` });
}

function show(i: CompletionInstruction): string {
  return i.kind === 'poll' ? `poll(${i.node})` : `wait(${i.work})`;
}

/** Tells the polls, or the waits, among instructions. */
const isCompletion =
  (kind: 'poll' | 'wait') =>
  (i: Instruction): i is CompletionInstruction =>
    i.kind === kind;

const isQueued = (i: Instruction): boolean =>
  isOperation(i) || i.kind === 'poll' || i.kind === 'wait';

/** Is every operation, poll and wait of the thread outside branches and loops? */
function isStraight(thread: Thread): boolean {
  const nested = thread.body.flatMap(inside).flatMap((body) => [...instructionsOf(body)]);
  return !nested.some(isQueued);
}

/** A program without the waits for identifiers that no operation of their thread has. */
function withoutIdleWaits(program: Program): Program {
  let found = false;
  const threads = program.threads.map((thread) => {
    const works = new Set(
      [...instructionsOf(thread.body)].map((i) => ('work' in i && i.kind !== 'wait' ? i.work : '')),
    );
    const without = (body: readonly Instruction[]): readonly Instruction[] =>
      body.flatMap((i) => {
        const idle = i.kind === 'wait' && !works.has(i.work);
        found ||= idle;
        return idle ? [] : [withBodies(i, inside(i).map(without))];
      });
    return { ...thread, body: without(thread.body) };
  });
  return found ? { ...program, threads } : program;
}

type ReportProblem = (i: CompletionInstruction, why: string) => void;

function pollsToWaits(thread: Thread, report: ReportProblem): readonly Instruction[] {
  const issued = new Map<string, number[]>();
  const polled = new Map<string, number>();
  const body = [...thread.body];
  thread.body.forEach((i, at) => {
    if (isOperation(i)) {
      issued.set(i.node, [...(issued.get(i.node) ?? []), at]);
    }
    if (i.kind !== 'poll') return;
    const k = polled.get(i.node) ?? 0;
    polled.set(i.node, k + 1);
    const operation = issued.get(i.node)?.[k];
    if (operation === undefined) {
      // Nothing to poll: this path has no execution, and the translation has none either.
      body[at] = { kind: 'assume', condition: { kind: 'int', value: 0 }, span: i.span };
      return;
    }
    const op = body[operation] as Operation;
    const shared = thread.body.filter((other) => isOperation(other) && other.work === op.work);
    if (op.work !== undefined && shared.length > 1) {
      report(i, `it is for an operation that shares its identifier '${op.work}'`);
      return;
    }
    const work = op.work ?? `${i.node}#${k + 1}`;
    body[operation] = { ...op, work };
    body[at] = { kind: 'wait', work, span: i.span };
  });
  return body;
}

function waitsToPolls(thread: Thread, report: ReportProblem): readonly Instruction[] {
  const issued = new Map<string, string[]>();
  const polled = new Map<string, number>();
  return thread.body.map((i) => {
    if (isOperation(i)) {
      issued.set(i.node, [...(issued.get(i.node) ?? []), i.work ?? '']);
    }
    if (i.kind !== 'wait') return i;
    const nodes = [...issued].filter(([, works]) => works.includes(i.work));
    const uses = nodes.flatMap(([, works]) => works.filter((w) => w === i.work)).length;
    if (uses !== 1) {
      report(i, `${uses === 0 ? 'no' : 'more than one'} operation before it has the identifier`);
      return i;
    }
    const [[node, works]] = nodes;
    if (thread.body.some((other) => other.kind === 'poll' && other.node === node)) {
      // A poll uses a completion up, and a wait does not.
      report(i, `${thread.name} polls node ${node} as well`);
      return i;
    }
    const k = polled.get(node) ?? 0;
    if (works.indexOf(i.work) !== k) {
      report(i, `the next poll of node ${node} is not for the operation with this identifier`);
      return i;
    }
    polled.set(node, k + 1);
    return { kind: 'poll', node, span: i.span };
  });
}
