import type { Diagnostic, Result } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { Model } from '../model/term.js';
import { bodiesOf, instructionsOf, mapInstructions } from '../program/instructions.js';
import type { Call, Instruction, Program, Thread } from '../program/program.js';
import { occasionsMade } from '../program/occasions.js';
import { queuePairOfCall } from '../program/partners.js';
import { dependsOn } from '../model/depends.js';
import { agreeOnCommon } from '../model/instructions/union.js';
import { operationsOf } from '../model/instructions/operations.js';
import { inInstructionsOf } from '../program/in-model.js';
import type { RdmaOperation, Towards } from './instructions.js';
import {
  asksStatus,
  callFor,
  isUnknown,
  queuePairKey,
  towardsInWords,
  viewed,
} from './instructions.js';

/** A program in the instructions of a model, and a note for people that says what was translated. */
export interface Adapted {
  readonly program: Program;
  readonly note?: string;
}

/** The message about an instruction without translation, before the name of the model. */
const UNTRANSLATED = 'cannot be translated for';

/** Is this a message about waits or polls without translation, and not about a missing operation? */
export const isAboutTranslation = (message: string): boolean => message.includes(UNTRANSLATED);

type CompletionInstruction = Extract<RdmaOperation, { kind: 'poll' | 'wait' }>;

/** Is every program that calls what two models have the same for both of them? */
export function adaptsAlike(a: Model, b: Model): boolean {
  const [one, other] = [completionsOf(a), completionsOf(b)];
  return (
    one.waits === other.waits &&
    one.polls === other.polls &&
    agreeOnCommon(a.instructions, b.instructions)
  );
}

/** How threads take completions under a model. */
interface Completions {
  readonly isFirst: boolean;
  readonly waits: boolean;
  readonly polls: boolean;
}

const completions = new WeakMap<Model, Completions>();

function completionsOf(model: Model): Completions {
  const known = completions.get(model) ?? completionsUnder(model);
  completions.set(model, known);
  return known;
}

function completionsUnder(model: Model): Completions {
  // Libraries know no polls: what polls count is no property of one library alone (LOCO paper, section 3.2).
  // Where the model does not even declare polls, they are translated before anything is asked of the rest.
  const isFirst = model.instructions.libraries.length > 0;
  const waits = dependsOn(model, 'wf') || isFirst;
  // A relation `pf` of a library has its own meaning.
  return { isFirst, waits, polls: dependsOn(model, 'pf') && !isFirst };
}

/**
 * Translates a program to the completion instructions of a model. A model that uses `wf` has waits, and one that uses
 * `pf` has polls. A model that uses both, or neither, takes a program as it is.
 *
 * In code without branches, the k-th poll of a queue pair waits for its k-th operation and for nothing else. So it can
 * be replaced by a wait for an identifier that only this operation has, and the other way round (docs/findings.md, "The
 * language"). A wait with no operation to wait for orders nothing: it is left out if the model has no waits.
 *
 * @returns the program, or an error for each instruction that has no translation
 */
export function adapt(resolved: Program, model: Model): Result<Adapted> {
  const { isFirst, waits, polls } = completionsOf(model);
  const meant = isFirst ? ok(resolved) : inInstructionsOf(resolved, model);
  if (!meant.ok) return meant;
  const given = meant.value;
  if (waits === polls) return ok({ program: given });
  const program = waits ? given : withoutIdleWaits(given);
  const [foreign, translate] = waits
    ? (['poll', pollsToWaits] as const)
    : (['wait', waitsToPolls] as const);

  const errors: Diagnostic[] = [];
  let count = 0;
  const threads = program.threads.map((thread) => {
    const all = [...instructionsOf(thread.body)];
    const asked = waits ? all.find(asksStatus) : undefined;
    if (asked !== undefined) {
      const message = `poll(…) for its status ${UNTRANSLATED} ${model.name}: a wait has none`;
      errors.push({ span: asked.span, message });
    }
    const instructions = completionsIn(all, foreign);
    if (instructions.length === 0) return thread;
    count += instructions.length;
    const report = (i: CompletionInstruction, why: string): void => {
      const message = `${show(i)} ${UNTRANSLATED} ${model.name}: ${why}`;
      errors.push({ span: i.span, message });
    };
    const uncounted = uncountedBecause(program, model);
    if (uncounted !== undefined) {
      report(instructions[0], uncounted);
      return thread;
    }
    if (!isStraight(program, thread)) {
      report(
        instructions[0],
        `${thread.name} has remote operations or ${foreign}s inside branches`,
      );
      return thread;
    }
    return { ...thread, body: translate(program, thread, report) };
  });
  if (errors.length > 0) return fail(errors);
  const last = { ...program, threads };
  const own = isFirst ? inInstructionsOf(last, model) : ok(last);
  if (!own.ok) return own;
  if (count === 0) return ok({ program: isFirst ? own.value : program });
  const plural = count === 1 ? '' : 's';
  const [from, to] = [`${count} ${foreign}${plural}`, `${waits ? 'wait' : 'poll'}${plural}`];
  return ok({ program: own.value, note: `${from} read as ${to} for ${model.name}` });
}

/** Why the k-th poll of a queue pair need not be for its k-th operation, if so. */
function uncountedBecause({ instructions }: Program, model: Model): string | undefined {
  if (model.instructions.guesses.some(({ name, how }) => name === 'pf' && how !== 'kth')) {
    return 'which operation a poll is for does not follow from their number';
  }
  const some = occasionsMade(instructions);
  return some.length === 0
    ? undefined
    : `polls are not for one operation each in a program with something ${some.join(' or ')}`;
}

function show(i: CompletionInstruction): string {
  return i.kind === 'poll' ? `poll(${queuePairKey(i)})` : `wait(${i.work})`;
}

/** The completion instructions of a kind among some instructions. */
const completionsIn = (
  list: readonly Instruction[],
  kind: 'poll' | 'wait',
): readonly CompletionInstruction[] =>
  list.flatMap((i) => {
    const view = isUnknown(i) ? undefined : viewed(i);
    return view?.kind === kind ? [view as CompletionInstruction] : [];
  });

/**
 * An operation that can be polled and waited for: a call on a queue pair that has a work identifier, or may have one.
 */
interface Completing {
  readonly call: Call;
  readonly towards: Towards;
}

function completing(program: Program, i: Instruction): Completing | undefined {
  if (i.kind !== 'call') return undefined;
  const { work } = operationsOf(program.instructions).called(i);
  const pair = work === undefined ? undefined : queuePairOfCall(program, i);
  return pair && { call: i, towards: { node: pair.node, queuePair: pair.name } };
}

/** Is every operation, poll and wait of the thread outside branches and loops? */
function isStraight(program: Program, thread: Thread): boolean {
  const nested = thread.body.flatMap(bodiesOf).flatMap((body) => [...instructionsOf(body)]);
  return (
    completionsIn(nested, 'poll').length === 0 &&
    completionsIn(nested, 'wait').length === 0 &&
    !nested.some((i) => completing(program, i) !== undefined)
  );
}

/** A program without the waits for identifiers that no operation of their thread has. */
function withoutIdleWaits(program: Program): Program {
  let found = false;
  const threads = program.threads.map((thread) => {
    const works = new Set(
      [...instructionsOf(thread.body)].map((i) => (i.kind === 'call' ? i.work : undefined)),
    );
    const body = mapInstructions(thread.body, (i) => {
      const view = isUnknown(i) ? undefined : viewed(i);
      const idle = view?.kind === 'wait' && !works.has(view.work);
      found ||= idle;
      return idle ? [] : undefined;
    });
    return { ...thread, body };
  });
  return found ? { ...program, threads } : program;
}

type ReportProblem = (i: CompletionInstruction, why: string) => void;

/** The k-th poll of a queue pair becomes a wait for its k-th operation. */
function pollsToWaits(
  program: Program,
  thread: Thread,
  report: ReportProblem,
): readonly Instruction[] {
  const issued = new Map<string, number[]>();
  const polled = new Map<string, number>();
  const body = [...thread.body];
  const taken = new Set(thread.body.map((i) => (i.kind === 'call' ? i.work : undefined)));
  const fresh = (name: string): string => (taken.has(name) ? fresh(`${name}_`) : name);
  thread.body.forEach((given, at) => {
    const operation = completing(program, given);
    if (operation !== undefined) {
      const key = queuePairKey(operation.towards);
      issued.set(key, [...(issued.get(key) ?? []), at]);
    }
    const [i] = completionsIn([given], 'poll');
    if (i?.kind !== 'poll') return;
    const key = queuePairKey(i);
    const k = polled.get(key) ?? 0;
    polled.set(key, k + 1);
    const polledAt = issued.get(key)?.[k];
    if (polledAt === undefined) {
      // Nothing to poll: this path has no execution, and the translation has none either.
      body[at] = { kind: 'assume', condition: { kind: 'int', value: 0 }, span: i.span };
      return;
    }
    const op = body[polledAt] as Call;
    const shared = thread.body.filter((other) => other.kind === 'call' && other.work === op.work);
    if (op.work !== undefined && shared.length > 1) {
      report(i, `it is for an operation that shares its identifier '${op.work}'`);
      return;
    }
    // The name must be valid in a file, since programs with additions are printed.
    const work = op.work ?? fresh(`poll${key.replace('.', '_')}_${k + 1}`);
    body[polledAt] = { ...op, work };
    body[at] = callFor({ kind: 'wait', work, span: i.span });
  });
  return body;
}

function waitsToPolls(
  program: Program,
  thread: Thread,
  report: ReportProblem,
): readonly Instruction[] {
  const issued = new Map<string, { readonly towards: Towards; readonly works: string[] }>();
  const polled = new Map<string, number>();
  const polls = completionsIn(thread.body, 'poll').flatMap((i) =>
    i.kind === 'poll' ? [queuePairKey(i)] : [],
  );
  return thread.body.map((given) => {
    const operation = completing(program, given);
    if (operation !== undefined) {
      const { towards, call } = operation;
      const key = queuePairKey(towards);
      const { works } = issued.get(key) ?? { works: [] };
      issued.set(key, { towards, works: [...works, call.work ?? ''] });
    }
    const [i] = completionsIn([given], 'wait');
    if (i?.kind !== 'wait') return given;
    const pairs = [...issued].filter(([, { works }]) => works.includes(i.work));
    const uses = pairs.flatMap(([, { works }]) => works.filter((w) => w === i.work)).length;
    if (uses !== 1) {
      report(i, `${uses === 0 ? 'no' : 'more than one'} operation before it has the identifier`);
      return given;
    }
    const [[key, { towards, works }]] = pairs;
    if (polls.includes(key)) {
      // A poll takes a completion, and a wait does not.
      report(i, `${thread.name} polls ${towardsInWords(towards)} as well`);
      return given;
    }
    const k = polled.get(key) ?? 0;
    if (works.indexOf(i.work) !== k) {
      const pair = towardsInWords(towards);
      report(i, `the next poll of ${pair} is not for the operation with this identifier`);
      return given;
    }
    polled.set(key, k + 1);
    return callFor({ kind: 'poll', ...towards, span: i.span });
  });
}
