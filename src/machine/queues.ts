import type { CallSite } from './calls.js';
import type { ClassId } from './classes.js';
import type { ModelRelations } from './relations.js';

/** What a step of an event does to a queue. */
export interface QueueStep {
  readonly queue: number;
  /** Does it put something into the queue? If not, it takes something out of it. */
  readonly puts: boolean;
}

/**
 * The queues of a program: where the k-th event of one kind is the partner of the k-th of another, in orders of steps, it is enough to count how many of the first
 * have not been taken.
 */
export class Queues {
  /** How many there are. */
  readonly count: number;
  private readonly steps: (readonly QueueStep[])[][];

  constructor(classes: readonly CallSite[], relations: ModelRelations) {
    const parts = new Map<string, { of: ClassId; event: number; puts: boolean; queue: number }>();
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
    const numbers = [...new Set([...parts.values()].map(({ queue }) => queue))];
    this.count = numbers.length;
    this.steps = classes.map(({ events }) => events.map(() => []));
    for (const { of, event, puts, queue } of parts.values()) {
      this.steps[of][event] = [...this.steps[of][event], { queue: numbers.indexOf(queue), puts }];
    }
  }

  /** What an event of a class does when it is performed. */
  of(of: ClassId, event: number): readonly QueueStep[] {
    return this.steps[of][event];
  }
}
