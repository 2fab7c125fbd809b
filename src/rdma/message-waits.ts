import type { WireEnd } from '../model/instructions/set.js';
import { operationsOf } from '../model/instructions/operations.js';
import { bodiesOf, instructionsOf } from '../program/instructions.js';
import { queuePairOfCall } from '../program/partners.js';
import type { Call, Instruction, Program, Thread } from '../program/program.js';
import { endsIn } from '../program/wires.js';
import type { Towards } from './instructions.js';
import { completionsOf, knownPosting, receiveQueueOf } from './postings.js';

/**
 * Which polls are sure to end where messages and receives wait for each other: the completion of a receive waits for a message,
 * and that of a message, and of what is behind it on its queue pair, for a receive.
 */

/** What a thread does for connections, in the order of its text. Each connection has a key, as each direction is one. */
type Step =
  /** Sends a message, or posts a receive, in every run. */
  | { readonly kind: 'sends' | 'receives'; readonly key: string }
  /** Takes the completion of a receive. `often`: any number of them. */
  | {
      readonly kind: 'takes';
      readonly poll: Call;
      readonly key: string;
      readonly often: boolean;
    }
  /** Polls behind messages of its thread: so many of each connection. */
  | {
      readonly kind: 'polls';
      readonly poll: Call;
      readonly behind: ReadonlyMap<string, number>;
      readonly queue?: QueueSoFar;
    };

/** What a thread has surely had to do with a completion queue that receives complete to, before it polls that. */
interface QueueSoFar {
  /** How much work it has posted that completes there, and how many receives, by connection. */
  readonly posted: number;
  readonly received: ReadonlyMap<string, number>;
  /** How many polls there were before this one; infinitely many if that is not known. */
  readonly polled: number;
}

/**
 * The polls that may wait for ever for a message or a receive. Only what every run does counts: no message in a branch or behind
 * a wait for memory is sure to be sent.
 */
export function pollsThatNobodyEnds(program: Program): readonly Call[] {
  const readers = program.threads.map((_, thread) => new Reader(program, thread));
  const all = readers.map(({ steps }) => steps);
  /** What other threads may send on the queue pairs that they share with one. */
  const othersSend = (thread: number, key: string): number =>
    readers.reduce(
      (sum, { sent }, other) => sum + (other === thread ? 0 : (sent.get(key) ?? 0)),
      0,
    );
  const [sent, received, taken] = [new Counts(), new Counts(), new Counts()];
  const goesOn = (step: Step, thread: number): boolean => {
    switch (step.kind) {
      case 'sends':
        sent.add(step.key);
        return true;
      case 'receives':
        received.add(step.key);
        return true;
      case 'takes':
        if (step.often || sent.of(step.key) <= taken.of(step.key)) return false;
        taken.add(step.key);
        return true;
      case 'polls': {
        const isAnswered = [...step.behind].every(
          ([key, own]) => received.of(key) >= own + othersSend(thread, key),
        );
        return step.queue === undefined ? isAnswered : comes(step.queue, isAnswered, sent);
      }
    }
  };
  const next = all.map(() => 0);
  for (let moved = true; moved;) {
    moved = false;
    for (const [thread, steps] of all.entries()) {
      while (next[thread] < steps.length && goesOn(steps[next[thread]], thread)) {
        next[thread] += 1;
        moved = true;
      }
    }
  }
  // What is behind a poll that may not end is no sure help. It may still be sure to end itself.
  return all.flatMap((steps, thread) =>
    steps
      .slice(next[thread])
      .flatMap((step) => ('poll' in step && !goesOn(step, thread) ? [step.poll] : [])),
  );
}

/** Is there a completion for a poll of a queue that receives complete to? Which comes first does not matter. */
function comes(
  { posted, received, polled }: QueueSoFar,
  isAnswered: boolean,
  sent: Counts,
): boolean {
  const messages = [...received].reduce((sum, [key, own]) => sum + Math.min(own, sent.of(key)), 0);
  return messages + (isAnswered ? posted : 0) > polled;
}

class Counts {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  all(): ReadonlyMap<string, number> {
    return this.counts;
  }

  add(key: string): void {
    this.counts.set(key, this.of(key) + 1);
  }
}

/** Is it done in every run, and may a run do it several times? */
interface How {
  readonly sure: boolean;
  readonly often: boolean;
}

/** Reads the steps of a thread, and how many messages it may send on each connection. */
class Reader {
  readonly steps: Step[] = [];
  readonly sent = new Map<string, number>();
  /** By where they complete: the connections of the queue pairs that it has used so far. */
  private readonly used = new Map<string, Set<string>>();
  /** By completion queue: what has surely been posted there, and how often it was polled. */
  private readonly posted = new Counts();
  private readonly polled = new Counts();
  /** The receives that complete to each, by connection. */
  private readonly receives = new Map<string, Counts>();
  private waited = false;

  constructor(
    private readonly program: Program,
    private readonly thread: number,
  ) {
    this.walk(program.threads[thread].body, { sure: true, often: false });
  }

  private walk(body: readonly Instruction[], how: How): void {
    for (const i of body) {
      if (i.kind === 'call') this.call(i, how);
      const often = how.often || i.kind === 'loop';
      for (const inner of bodiesOf(i)) this.walk(inner, { sure: false, often });
      this.waited ||= i.kind === 'assume' || i.kind === 'loop';
    }
  }

  private call(call: Call, { sure, often }: How): void {
    const { program, steps } = this;
    const posting = knownPosting(program, call);
    switch (posting.kind) {
      case 'posted': {
        const key = this.connection(call, 'to');
        const queue = completionsOf(program, posting.on);
        this.used.set(queue, (this.used.get(queue) ?? new Set()).add(key));
        if (sure && posting.completes) this.posted.add(queue);
        if (!this.isAt(call, 'to')) return;
        this.sent.set(key, often ? Infinity : (this.sent.get(key) ?? 0) + 1);
        if (sure && !this.waited) steps.push({ kind: 'sends', key });
        return;
      }
      case 'receive':
        if (sure) this.receive(posting.on, this.connection(call, 'from'));
        if (!sure || this.waited) return;
        steps.push({ kind: 'receives', key: this.connection(call, 'from') });
        return;
      case 'receive-poll':
        steps.push({ kind: 'takes', poll: call, key: this.connection(call, 'from'), often });
        return;
      case 'poll': {
        const used = [...(this.used.get(posting.of) ?? [])];
        const behind = new Map(used.map((key) => [key, this.sent.get(key) ?? 0]));
        steps.push({ kind: 'polls', poll: call, behind, queue: this.soFar(posting.of, often) });
        this.polled.add(posting.of);
        return;
      }
      case 'other':
    }
  }

  private receive(on: Towards, key: string): void {
    const queue = receiveQueueOf(this.program, on);
    if (queue === undefined) return;
    const counts = this.receives.get(queue) ?? new Counts();
    counts.add(key);
    this.receives.set(queue, counts);
  }

  /** Undefined: no receives complete to this queue. */
  private soFar(queue: string, often: boolean): QueueSoFar | undefined {
    const { program, receives, posted, polled } = this;
    const holds = (thread: Thread): boolean =>
      [...instructionsOf(thread.body)].some((i) => {
        const one = knownPosting(program, i);
        return one.kind === 'receive' && receiveQueueOf(program, one.on) === queue;
      });
    if (!program.threads.some(holds)) return undefined;
    const others = program.threads.filter(
      (thread, other) => other !== this.thread && usesQueue(program, thread, queue),
    );
    return {
      posted: posted.of(queue),
      received: new Map(receives.get(queue)?.all() ?? []),
      polled: often || others.length > 0 ? Infinity : polled.of(queue),
    };
  }

  private isAt({ operation, tags }: Call, end: WireEnd): boolean {
    return endsIn(operationsOf(this.program.instructions).named(operation, tags)).includes(end);
  }

  /** The connection of a call's queue pair: to the other node, or from it. */
  private connection(call: Call, end: WireEnd): string {
    const { node, name = '' } = queuePairOfCall(this.program, call)!;
    const home = this.program.threads[this.thread].node;
    return end === 'to' ? `${home} ${node} ${name}` : `${node} ${home} ${name}`;
  }
}

/** Does a thread poll a completion queue? */
const usesQueue = (program: Program, { body }: Thread, queue: string): boolean =>
  [...instructionsOf(body)].some((i) => {
    const one = knownPosting(program, i);
    return one.kind === 'poll' && one.of === queue;
  });
