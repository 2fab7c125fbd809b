import type { ThreadPath } from '../../check/enumerate/paths.js';
import type { Evaluated, Values } from '../../check/enumerate/values.js';
import { createConcreteValues } from '../../check/enumerate/values.js';
import type { Event, EventStructure, ValueId } from '../../program/events/structure.js';
import type { RunState } from './run.js';

/** The values of a run that is at its end. */
export interface Ending {
  readonly value: (id: ValueId) => number;
  readonly choices: readonly number[];
}

/** The values of runs on one way through a program, as far as they are known. */
export class WayValues {
  private readonly values: Values;
  private readonly taken: ReadonlyMap<ValueId, boolean>;
  private readonly conditions: readonly (readonly [ValueId, boolean])[];
  private readonly position: ReadonlyMap<number, number>;
  private choices = new Map<number, number>();
  private state: RunState | undefined;

  /** @param overflow hears of a value beyond the exact integers */
  constructor(
    private readonly structure: EventStructure,
    private readonly events: readonly Event[],
    paths: readonly ThreadPath[],
    overflow: () => void,
  ) {
    this.taken = new Map(paths.flatMap(({ taken }) => [...taken]));
    this.conditions = [
      ...this.taken,
      ...paths.flatMap(({ required }) => required.map((id) => [id, true] as const)),
    ];
    this.position = new Map(events.map(({ id }, e) => [id, e]));
    for (const [id, truth] of this.taken) {
      const value = structure.values[id];
      if (value.op === 'choice') this.choices.set(value.choice, Number(truth));
    }
    this.values = createConcreteValues(structure, {
      taken: (condition) => this.taken.get(condition),
      choice: (choice) => this.choices.get(choice),
      read: (event) => this.readBy(event),
      overflow,
    });
  }

  /** Does what is known in a state contradict no condition that the way takes for granted? */
  readonly areOpen = (state: RunState): boolean => {
    this.look(state);
    return this.conditions.every(([id, truth]) => {
      const value = this.values.evaluate(id);
      return typeof value === 'number' ? (value !== 0) === truth : value !== 'undefined';
    });
  };

  /** A value in a state. */
  in(state: RunState, id: ValueId): Evaluated {
    this.look(state);
    return this.values.evaluate(id);
  }

  /**
   * The values at the end of a run: of each way in which choices fall that no branch has made.
   *
   * @param asked the values that are asked for
   * @returns undefined: one of them is not known, as it is made of itself
   */
  endings(state: RunState, asked: readonly ValueId[]): readonly Ending[] | undefined {
    this.look(state);
    const ids = [...this.conditions.map(([id]) => id), ...asked];
    const found = ids.map((id) => this.values.evaluate(id));
    const open = found.find((value) => typeof value === 'object');
    if (open !== undefined) {
      const { choices } = this;
      const all = [0, 1].map((to) => {
        this.choices = new Map([...choices, [open.choice, to]]);
        this.values.forget();
        return this.endings(state, asked);
      });
      this.choices = choices;
      this.values.forget();
      return all.includes(undefined) ? undefined : all.flatMap((some) => some!);
    }
    if (!this.areOpen(state)) return [];
    if (found.includes('unknown')) return undefined;
    const numbers = new Map(ids.map((id, k) => [id, found[k] as number]));
    const { choices } = this;
    return [
      {
        value: (id) => numbers.get(id)!,
        choices: Array.from({ length: this.structure.choices }, (_, c) => choices.get(c) ?? 0),
      },
    ];
  }

  private look(state: RunState): void {
    if (this.state === state) return;
    this.state = state;
    this.values.forget();
  }

  private readBy(event: number): { readonly value: ValueId } | undefined {
    const source = this.state!.sources[this.position.get(event) ?? -1] ?? -1;
    return source < 0 ? undefined : { value: this.events[source].value! };
  }
}
