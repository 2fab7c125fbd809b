import type { Report } from '../parse/diagnostics/index.js';
import type { Operations } from '../model/instructions/operations.js';
import { operationsOf } from '../model/instructions/operations.js';
import type { Body, Operation } from '../model/instructions/set.js';
import { registersOf } from './accessed.js';
import { flowOf } from './flow/compile.js';
import { forwards, isReadStep, readsOf } from './flow/facts.js';
import type { FlowGraph, FlowStep } from './flow/graph.js';
import { expressionsOf, instructionsOf } from './instructions.js';
import type { Partners } from './partners.js';
import { partnersOf, queuePairOfCall } from './partners.js';
import type {
  Call,
  LocationId,
  PlaceArgument,
  Program,
  QueuePair,
  RegisterId,
  Thread,
} from './program.js';

/** An operation that was not polled yet. */
interface Open {
  readonly call: Call;
  /** The queue pair and the guess that its completion counts for. */
  readonly key?: string;
  /** The location of its answer, unless a wait waited for it. */
  readonly answer?: LocationId;
}

/**
 * Warns if a thread uses the answer of an operation that changes another node's memory before it has waited for it.
 * This is easily forgotten, since CPUs wait for the answers of their own atomics. The k-th poll is for the k-th
 * operation, as `kth` guesses say, and a wait is for the operations with its work identifier. If branches differ, there
 * is no warning rather than a wrong one. Copying the answer for a query is no use of it.
 */
export function warnOfUnanswered(program: Program, thread: Thread, warn: Report): void {
  const operations = operationsOf(program.instructions);
  const isAnswered = (call: Call): boolean =>
    call.into?.kind === 'place' && changesOtherNode(operations.called(call));
  const all = [...instructionsOf(thread.body)];
  if (!all.some((i) => i.kind === 'call' && isAnswered(i))) return;
  const partners = partnersOf(program);
  // What is missing in the first iteration of a loop may be there in later ones.
  const flow = flowOf(thread, program.instructions, { resting: false, bound: 'once' });
  const found = forwards<readonly Open[]>(
    flow,
    [],
    (open, step) => openAfter(step, open, partners, isAnswered),
    (open, other) => (other.length < open.length ? other : open),
  );
  // The registers that the thread itself reads.
  const used = new Set(all.flatMap(expressionsOf).flatMap(registersOf));
  const warned = new Set<Call>();
  for (const [at, step] of flow.steps.entries()) {
    const read = readFrom(flow, at, operations, used);
    if (read.length === 0) continue;
    for (const { call, answer } of found[at] ?? []) {
      if (answer === undefined || !read.includes(answer) || warned.has(call)) continue;
      warned.add(call);
      const { name } = program.locations[answer];
      const message = `the answer of \`${call.operation}\` may not be in '${name}' yet`;
      const hint =
        waitHint(program, call) ?? pollHint(program, partners, queuePairOfCall(program, call));
      warn(step.span, message, hint);
    }
  }
}

function openAfter(
  step: FlowStep,
  before: readonly Open[],
  partners: (call: Call) => readonly Partners[],
  isAnswered: (call: Call) => boolean,
): readonly Open[] {
  const call = step.kind === 'use' ? step.use.call : undefined;
  if (call === undefined) return before;
  const counts = partners(call);
  const works = call.arguments.flatMap((given) => (given.kind === 'work' ? [given.work] : []));
  // A wait does not take the completion, so a later poll still counts the operation.
  const isWaitedFor = ({ work }: Call): boolean => work !== undefined && works.includes(work);
  const open =
    works.length === 0
      ? [...before]
      : before.map((one) => (isWaitedFor(one.call) ? { ...one, answer: undefined } : one));
  for (const { asked, queuePair } of counts) {
    for (let k = 0; k < asked; k++) {
      const first = open.findIndex((one) => one.key === queuePair.key);
      if (first >= 0) open.splice(first, 1);
    }
  }
  const key = counts.find(({ given }) => given > 0)?.queuePair.key;
  const answer = isAnswered(call) ? (call.into as PlaceArgument).location : undefined;
  return key === undefined && answer === undefined ? open : [...open, { call, key, answer }];
}

/**
 * The locations that the CPU reads for the instruction that begins with a step, if their values make a difference. An instruction reads them one after the other,
 * and then does something with them.
 */
function readFrom(
  { steps, temporaries }: FlowGraph,
  at: number,
  operations: Operations,
  used: ReadonlySet<RegisterId>,
): readonly LocationId[] {
  const step = steps[at];
  const call = step.kind === 'use' ? step.use.call : undefined;
  if (call !== undefined) {
    if (operations.isRemote(operations.called(call))) return [];
    return call.arguments.flatMap((given) => (given.kind === 'place' ? [given.location] : []));
  }
  if (!isReadStep(step) || (at > 0 && isReadStep(steps[at - 1]))) return [];
  let end = at;
  while (isReadStep(steps[end])) end += 1;
  const user = steps[end];
  if (user.kind === 'use' && user.use.call !== undefined) return [];
  if (user.kind === 'set' && user.cell.kind === 'register' && !used.has(user.cell.register)) {
    return [];
  }
  return readsOf(user).flatMap((cell) =>
    cell.kind === 'temporary' ? [temporaries[cell.temporary]] : [],
  );
}

/** Does a NIC read and write one place for an operation, and write the answer into a place of the own node? */
function changesOtherNode({ into, on, alternatives, parameters }: Operation): boolean {
  if (into?.kind !== 'own' || on === undefined) return false;
  const bodies = alternatives.map(({ body }) => body);
  const [read, written] = [placesOf(bodies, 'reads'), placesOf(bodies, 'writes')];
  return parameters.some(({ name }) => read.includes(name) && written.includes(name));
}

function placesOf(bodies: readonly Body[], access: 'reads' | 'writes'): readonly string[] {
  return bodies.flatMap((body) => {
    if (body.kind === 'event') return body[access]?.place ?? [];
    return placesOf('parts' in body ? body.parts : [body.body], access);
  });
}

/** The call that waits for an operation with an identifier, if there is one. */
function waitHint({ instructions }: Program, { work }: Call): string | undefined {
  const wait = instructions.operations.find(({ tag, parameters: [first, ...others] }) => {
    return tag === undefined && others.length === 0 && first?.kind === 'work';
  });
  return work === undefined || wait === undefined
    ? undefined
    : `${wait.name}(${work}) waits for it`;
}

/** The call that polls a queue pair, if there is one. */
function pollHint(
  { instructions }: Program,
  partners: (call: Call) => readonly Partners[],
  queuePair: QueuePair | undefined,
): string | undefined {
  if (queuePair === undefined) return undefined;
  const { node, name } = queuePair;
  const poll = instructions.operations.find((operation) => {
    const [first, ...others] = operation.parameters;
    if (operation.tag !== undefined || others.length > 0 || first?.kind !== 'peer') return false;
    const span = { file: '', start: 0, end: 0 };
    const argument = { kind: 'peer' as const, node, name };
    const call: Call = { kind: 'call', operation: operation.name, arguments: [argument], span };
    return partners(call).some(({ asked }) => asked > 0);
  });
  if (poll === undefined) return undefined;
  const call = `${poll.name}(${name === undefined ? node : `${node}.${name}`})`;
  return `${call} waits for it: the k-th is for the k-th operation`;
}
