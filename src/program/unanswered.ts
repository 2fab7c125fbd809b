import type { Report } from '../parse/diagnostics/index.js';
import { operationsOf } from '../model/instructions/operations.js';
import type { Body, Operation } from '../model/instructions/set.js';
import { locationsOf, registersOf } from './accessed.js';
import { bodiesOf, expressionsOf, instructionsOf, registerSet } from './instructions.js';
import type { Partners } from './partners.js';
import { partnersOf, queuePairOfCall } from './partners.js';
import type {
  Call,
  Instruction,
  LocationId,
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
  const isAtomic = ({ operation, tag }: Call): boolean =>
    changesOtherNode(operations.named(operation, tag));
  if (![...instructionsOf(thread.body)].some((i) => i.kind === 'call' && isAtomic(i))) return;
  new Unanswered(program, thread, isAtomic, warn).after(thread.body, []);
}

/** Goes through a thread with the operations that are open. */
class Unanswered {
  private readonly partners: (call: Call) => readonly Partners[];
  /** The registers that the thread itself reads. */
  private readonly used: ReadonlySet<RegisterId>;
  private readonly warned = new Set<Call>();

  constructor(
    private readonly program: Program,
    thread: Thread,
    private readonly isAtomic: (call: Call) => boolean,
    private readonly warn: Report,
  ) {
    this.partners = partnersOf(program);
    const all = [...instructionsOf(thread.body)];
    this.used = new Set(all.flatMap(expressionsOf).flatMap(registersOf));
  }

  // The list is changed in place, as programs may have thousands of operations; each branch gets its own.
  after(body: readonly Instruction[], before: readonly Open[]): Open[] {
    let open = [...before];
    for (const i of body) open = this.step(i, open);
    return open;
  }

  private step(i: Instruction, open: Open[]): Open[] {
    this.check(i, open);
    if (i.kind === 'call') this.called(i, open);
    const ends = bodiesOf(i).map((body) => this.after(body, open));
    if (i.kind !== 'loop') return ends.length === 0 ? open : shortest(ends);
    this.check(i, ends[0]);
    return shortest([open, ...ends]);
  }

  /** Warns if an instruction reads the location of an open answer. */
  private check(i: Instruction, open: Open[]): void {
    const read = readBy(i, this.program, this.used);
    if (read.length === 0) return;
    for (const [at, one] of open.entries()) {
      const { answer, call } = one;
      if (answer === undefined || !read.includes(answer)) continue;
      open[at] = { ...one, answer: undefined };
      if (this.warned.has(call)) continue;
      this.warned.add(call);
      const { name } = this.program.locations[answer];
      const message = `the answer of \`${call.operation}\` may not be in '${name}' yet`;
      const hint = pollHint(this.program, this.partners, queuePairOfCall(this.program, call));
      this.warn(i.span, message, hint);
    }
  }

  private called(call: Call, open: Open[]): void {
    const counts = this.partners(call);
    for (const { asked, queuePair } of counts) {
      for (let k = 0; k < asked; k++) {
        const first = open.findIndex((one) => one.key === queuePair.key);
        if (first >= 0) open.splice(first, 1);
      }
    }
    for (const given of call.arguments) {
      if (given.kind !== 'work') continue;
      // A wait does not take the completion, so a later poll still counts the operation.
      open.forEach((one, i) => {
        if (one.call.work === given.work) open[i] = { ...one, answer: undefined };
      });
    }
    const counted = counts.find(({ given }) => given > 0);
    const isPlace = this.isAtomic(call) && call.into?.kind === 'place';
    const answer = isPlace ? call.into.location : undefined;
    if (counted === undefined && answer === undefined) return;
    open.push({ call, key: counted?.queuePair.key, answer });
  }
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

/** The locations that the CPU reads for an instruction, if their values make a difference. */
function readBy(
  i: Instruction,
  { instructions }: Program,
  used: ReadonlySet<RegisterId>,
): readonly LocationId[] {
  if (i.kind === 'call') {
    const operations = operationsOf(instructions);
    if (operations.isRemote(operations.named(i.operation, i.tag))) return [];
    return i.arguments.flatMap((given) => (given.kind === 'place' ? [given.location] : []));
  }
  const set = registerSet(i);
  if (set !== undefined && !used.has(set)) return [];
  return expressionsOf(i).flatMap(locationsOf);
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
