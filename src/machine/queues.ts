import type { CallSite, MessagePart } from './calls.js';
import type { ClassId } from './classes.js';
import type { ModelRelations } from './relations.js';

/** What a step of an event does to a queue. */
export interface QueueStep {
  readonly queue: number;
  /** Does it put something into the queue? If not, it takes something out of it. */
  readonly puts: boolean;
  /** What it is, if things in the queue are told apart. */
  readonly kind?: QueueKind;
}

/** One of several kinds of things in a queue, by its number from 1 on. */
export interface QueueKind {
  readonly number: number;
  /** How many kinds there are. */
  readonly of: number;
}

/**
 * The queues of a program: where the k-th event of one kind is the partner of the k-th of another, in orders of steps, it is enough to count how many of the first
 * have not been taken.
 */
export class Queues {
  /** How many there are. */
  readonly count: number;
  private readonly steps: (readonly QueueStep[])[][];

  constructor(
    private readonly classes: readonly CallSite[],
    relations: ModelRelations,
  ) {
    const parts = new Map<string, { of: ClassId; event: number; puts: boolean; queue: number }>();
    const wires = new Map<string, number>();
    let queues = 0;
    const part = (guess: string, of: ClassId, event: number, puts: boolean) => {
      const key = `${guess} ${of} ${event} ${puts}`;
      const known = parts.get(key) ?? { of, event, puts, queue: queues++ };
      parts.set(key, known);
      return known;
    };
    for (const [i, one] of classes.entries()) {
      for (const [j, other] of classes.entries()) {
        const all = [one, other].map(({ events }) => (1 << events.length) - 1);
        const { length } = one.events;
        for (const { guess, from, to } of relations.of([one, other], all).counted) {
          const members = [
            ...from.map((e) => [e, true] as const),
            ...to.map((e) => [e, false] as const),
          ];
          const found = members.map(([e, puts]) =>
            e < length ? part(guess, i, e, puts) : part(guess, j, e - length, puts),
          );
          const [{ queue }] = found;
          const same = new Set(found.map((each) => each.queue));
          for (const each of parts.values()) if (same.has(each.queue)) each.queue = queue;
        }
      }
    }
    const onWire = (kind: string, wire: number): number => {
      const key = `${kind} ${wire}`;
      const known = wires.get(key) ?? queues++;
      wires.set(key, known);
      return known;
    };
    const messages = classes.flatMap(({ message }, of) =>
      message === undefined ? [] : stepsOfMessage(message, onWire).map((one) => ({ of, ...one })),
    );
    const steps: readonly (Numbered & { readonly of: ClassId })[] = [
      ...parts.values(),
      ...messages,
    ];
    const numbers = [...new Set(steps.map(({ queue }) => queue))];
    this.count = numbers.length;
    this.steps = classes.map(({ events }) => events.map(() => []));
    for (const { of, event, queue, puts, kind } of steps) {
      const made = { queue: numbers.indexOf(queue), puts, ...(kind !== undefined && { kind }) };
      this.steps[of][event] = [...this.steps[of][event], made];
    }
  }

  /** Does it matter for other threads when an event is performed: what is taken is taken from others, and the order of several kinds is seen. */
  isShared(of: ClassId, event: number): boolean {
    const { thread } = this.classes[of];
    return this.of(of, event).some(
      ({ queue, puts, kind }) =>
        !puts ||
        (kind !== undefined &&
          this.classes.some(
            (other, o) =>
              other.thread !== thread &&
              this.steps[o].flat().some((one) => one.puts && one.queue === queue),
          )),
    );
  }

  /** What an event of a class does when it is performed. */
  of(of: ClassId, event: number): readonly QueueStep[] {
    return this.steps[of][event];
  }
}

type Numbered = QueueStep & { readonly event: number };

/** A message takes the first receive that is posted, which has to be its own, and brings a completion. */
function stepsOfMessage(
  message: MessagePart,
  queueOf: (kind: string, wire: number) => number,
): readonly Numbered[] {
  const { wire } = message;
  if (message.kind === 'completion')
    return [{ event: message.event, queue: queueOf('completions', wire), puts: false }];
  const { receive: number, all } = message;
  if (message.kind === 'sent' && message.receive === 0)
    return [{ event: message.arrival, queue: queueOf('nothing', wire), puts: false }];
  const queue = queueOf('receives', wire);
  const kind = all > 1 ? { kind: { number, of: all } } : {};
  if (message.kind === 'posted') return [{ event: message.event, queue, puts: true, ...kind }];
  const { arrival, carries } = message;
  const arrives = { event: arrival, queue, puts: false, ...kind };
  if (carries?.completion === undefined) return [arrives];
  const { completion: event } = carries;
  return [arrives, { event, queue: queueOf('completions', wire), puts: true }];
}
