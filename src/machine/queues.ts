import type { CallSite } from './calls.js';
import type { ClassId } from './classes.js';
import type { ModelRelations } from './relations.js';
import { stepsOfMessage } from './message-queues.js';
import type { QueueStep, QueueStepOf } from './queue-step.js';

/**
 * The queues of a program: where the k-th event of one kind is the partner of the k-th of another, in orders of steps, it is enough to count how many of the first
 * have not been taken; or to keep of what kind they are, where an axiom rules some partners out.
 */
export class Queues {
  /** How many there are. */
  readonly count: number;
  private readonly steps: (readonly QueueStep[])[][];

  constructor(
    private readonly classes: readonly CallSite[],
    relations: ModelRelations,
  ) {
    const steps = [...countedSteps(classes, relations), ...messageSteps(classes)];
    const numbers = [...new Set(steps.map(({ queue }) => queue))];
    this.count = numbers.length;
    this.steps = classes.map(({ events }) => events.map(() => []));
    for (const { of, event, queue, ...step } of steps) {
      this.steps[of][event] = [
        ...this.steps[of][event],
        { ...step, queue: numbers.indexOf(queue) },
      ];
    }
  }

  /** Do other steps see when an event is performed: is something taken from others, or of which kind things are, and so in which order they come? */
  isShared(of: ClassId, event: number): boolean {
    return this.of(of, event).some(
      ({ queue, puts, kinds }) =>
        !puts || (kinds !== undefined && !this.isPostedInOrder(of, queue)),
    );
  }

  /** Are all receives of a queue posted by one thread, and so in program order? */
  private isPostedInOrder(of: ClassId, queue: number): boolean {
    const { thread } = this.classes[of];
    return this.classes.every(
      (site, other) =>
        !this.steps[other].flat().some((one) => one.puts && one.queue === queue) ||
        (site.thread === thread && site.message?.kind === 'posted'),
    );
  }

  /** What an event of a class does when it is performed. */
  of(of: ClassId, event: number): readonly QueueStep[] {
    return this.steps[of][event];
  }
}

function messageSteps(classes: readonly CallSite[]): readonly QueueStepOf[] {
  const wires = new Map<string, number>();
  const queueOf = (kind: string, wire: number): number => {
    const key = `${kind} ${wire}`;
    const known = wires.get(key) ?? -1 - wires.size;
    wires.set(key, known);
    return known;
  };
  return classes.flatMap(({ message }, of) =>
    message === undefined ? [] : stepsOfMessage(message, queueOf).map((one) => ({ of, ...one })),
  );
}

/** An event that a guess counts. Queues become one where partners can be in both. */
interface Part {
  readonly of: ClassId;
  readonly event: number;
  readonly puts: boolean;
  queue: number;
  /** The parts that cannot be its partners. */
  readonly excluded: Set<Part>;
}

function countedSteps(
  classes: readonly CallSite[],
  relations: ModelRelations,
): readonly QueueStepOf[] {
  const parts = new Map<string, Part>();
  const part = (guess: string, of: ClassId, event: number, puts: boolean): Part => {
    const key = `${guess} ${of} ${event} ${puts}`;
    const known = parts.get(key) ?? { of, event, puts, queue: parts.size, excluded: new Set() };
    parts.set(key, known);
    return known;
  };
  for (const [i, one] of classes.entries()) {
    for (const [j, other] of classes.entries()) {
      const all = [one, other].map(({ events }) => (1 << events.length) - 1);
      const { length } = one.events;
      const { counted, excluded } = relations.of([one, other], all);
      const partAt = (guess: string, e: number, puts: boolean): Part =>
        e < length ? part(guess, i, e, puts) : part(guess, j, e - length, puts);
      for (const { guess, from, to } of counted) {
        const found = [
          ...from.map((e) => partAt(guess, e, true)),
          ...to.map((e) => partAt(guess, e, false)),
        ];
        const [{ queue }] = found;
        const same = new Set(found.map((each) => each.queue));
        for (const each of parts.values()) if (same.has(each.queue)) each.queue = queue;
        for (const { from: a, to: b, guesses } of excluded) {
          if (guesses?.includes(guess) !== true || !from.includes(a) || !to.includes(b)) continue;
          partAt(guess, a, true).excluded.add(partAt(guess, b, false));
        }
      }
    }
  }
  return withKinds([...parts.values()]);
}

/** Things that the same events may take are of one kind. */
function withKinds(parts: readonly Part[]): readonly QueueStepOf[] {
  const keyOf = ({ excluded }: Part): string =>
    parts.flatMap((part, k) => (excluded.has(part) ? [k] : [])).join();
  return parts.map((part) => {
    const { of, event, queue, puts } = part;
    const put = parts.filter((one) => one.queue === queue && one.puts);
    const kinds = [...new Set(put.map(keyOf))].sort();
    const isCounted = put.every(({ excluded }) => excluded.size === 0);
    if (isCounted) return { of, event, queue, puts };
    const numbers = kinds.flatMap((kind, k) => {
      const isOwn = puts
        ? keyOf(part) === kind
        : put.some((one) => keyOf(one) === kind && !one.excluded.has(part));
      return isOwn ? [k + 1] : [];
    });
    return { of, event, queue, puts, kinds: { numbers, of: kinds.length } };
  });
}
