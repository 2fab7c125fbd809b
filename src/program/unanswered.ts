import { operationsOf } from '../model/instructions/operations.js';
import type { Body, Operation } from '../model/instructions/set.js';
import type { Span } from '../parse/diagnostics/index.js';
import { locationsOf } from './accessed.js';
import { instructionsOf } from './instructions.js';
import type { Partners } from './partners.js';
import { partnersOf, queuePairOfCall } from './partners.js';
import type {
  Call,
  Expression,
  Instruction,
  LocationId,
  Program,
  QueuePair,
  RegisterId,
  Thread,
} from './program.js';
import type { Report } from './report.js';

/** An operation that no poll was for yet, in the order of the program. */
interface Open {
  readonly call: Call;
  /** The queue pair and the guess that its completion counts for. */
  readonly key?: string;
  /** Where its answer goes, unless a wait was for it. */
  readonly answer?: LocationId;
}

/**
 * Warns where a thread goes by the answer of an operation that changes another node's memory, and
 * has not waited for it: CPUs wait for the answers of their own such operations, so that this is easily forgotten.
 * The k-th poll is for the k-th operation, as `kth` guesses say, and a wait for those with its work
 * identifier. Where branches differ, no warning is better than a wrong one. A thread that only copies the
 * answer, for a query to ask about, does not go by it.
 */
export function warnOfUnanswered(program: Program, thread: Thread, warn: Report): void {
  const partners = partnersOf(program);
  const operations = operationsOf(program.instructions);
  const isAtomic = ({ operation, tag }: Call): boolean =>
    changesOtherNode(operations.named(operation, tag));
  if (![...instructionsOf(thread.body)].some((i) => i.kind === 'call' && isAtomic(i))) return;
  const used = usedRegisters(thread);
  const warned = new Set<Call>();

  const check = (read: readonly LocationId[], open: Open[], span: Span): void => {
    if (read.length === 0) return;
    for (const [i, one] of open.entries()) {
      const { answer, call } = one;
      if (answer === undefined || !read.includes(answer)) continue;
      open[i] = { ...one, answer: undefined };
      if (warned.has(call)) continue;
      warned.add(call);
      const { name } = program.locations[answer];
      const message = `the answer of \`${call.operation}\` may not be in '${name}' yet`;
      warn(span, message, pollHint(program, partners, queuePairOfCall(program, call)));
    }
  };

  // The list is changed in place, as programs may have thousands of operations; each branch gets its own.
  const called = (call: Call, open: Open[]): void => {
    const counts = partners(call);
    for (const { asked, queuePair } of counts) {
      for (let k = 0; k < asked; k++) {
        const first = open.findIndex((one) => one.key === queuePair.key);
        if (first >= 0) open.splice(first, 1);
      }
    }
    for (const given of call.arguments) {
      if (given.kind !== 'work') continue;
      // A wait does not use a completion up: a poll that comes later still counts the operation.
      open.forEach((one, i) => {
        if (one.call.work === given.work) open[i] = { ...one, answer: undefined };
      });
    }
    const counted = counts.find(({ given }) => given > 0);
    const answer = isAtomic(call) && call.into?.kind === 'place' ? call.into.location : undefined;
    if (counted === undefined && answer === undefined) return;
    open.push({ call, key: counted?.queuePair.key, answer });
  };

  const after = (body: readonly Instruction[], before: readonly Open[]): Open[] => {
    let open = [...before];
    for (const i of body) open = step(i, open);
    return open;
  };

  const step = (i: Instruction, open: Open[]): Open[] => {
    check(readBy(i, program, used), open, i.span);
    switch (i.kind) {
      case 'call':
        called(i, open);
        return open;
      case 'if':
        return shortest([after(i.then, open), after(i.else, open)]);
      case 'choose':
        return shortest(i.branches.map((branch) => after(branch, open)));
      case 'loop': {
        const once = after(i.body, open);
        check(readBy(i, program, used), once, i.span);
        return shortest([open, once]);
      }
      case 'assign':
      case 'assume':
        return open;
    }
  };

  after(thread.body, []);
}

/** Does an operation read and write one place, through a NIC, and answer into a place of the own node? */
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

/** The locations that the CPU reads for an instruction, and whose values make a difference. */
function readBy(
  i: Instruction,
  { instructions }: Program,
  used: ReadonlySet<RegisterId>,
): readonly LocationId[] {
  switch (i.kind) {
    case 'assign':
      return i.target.kind === 'register' && !used.has(i.target.register)
        ? []
        : locationsOf(i.value);
    case 'call': {
      const operations = operationsOf(instructions);
      if (operations.isRemote(operations.named(i.operation, i.tag))) return [];
      return i.arguments.flatMap((given) => (given.kind === 'place' ? [given.location] : []));
    }
    case 'assume':
    case 'if':
      return locationsOf(i.condition);
    case 'loop':
      return i.condition === undefined ? [] : locationsOf(i.condition);
    case 'choose':
      return [];
  }
}

/** The registers that a thread itself reads. */
function usedRegisters({ body }: Thread): ReadonlySet<RegisterId> {
  const used = new Set<RegisterId>();
  const visit = (e: Expression): void => {
    if (e.kind === 'register') used.add(e.register);
    if (e.kind === 'unary') visit(e.arg);
    if (e.kind === 'binary') [e.left, e.right].forEach(visit);
  };
  for (const i of instructionsOf(body)) {
    if (i.kind === 'assign') visit(i.value);
    if (i.kind === 'assume' || i.kind === 'if') visit(i.condition);
    if (i.kind === 'loop' && i.condition !== undefined) visit(i.condition);
    if (i.kind !== 'call') continue;
    for (const given of i.arguments) if (given.kind === 'value') visit(given.value);
  }
  return used;
}

const shortest = (all: readonly Open[][]): Open[] =>
  all.reduce((best, open) => (open.length < best.length ? open : best));

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
