import type { Model } from '../../model/term.js';
import type { EventStructure } from '../../program/events/structure.js';
import { draftOf } from '../../rdma/classes/draft.js';
import type { Shape } from '../../rdma/classes/shape.js';
import { threadsKey } from '../../rdma/classes/skeleton.js';
import type { MadePrograms } from '../by-size/unrolled.js';
import { Saying } from './saying.js';

/** Which of some models say the same of programs that are made; found out once for all whose threads have the same calls. */
export class Sayings {
  private readonly known = new Map<string, readonly number[]>();

  constructor(
    private readonly made: MadePrograms,
    readonly models: readonly Model[],
  ) {}

  /** For each model, as an index, the first of them that says the same of a program. */
  of(shape: Shape): readonly number[] {
    const key = threadsKey(shape);
    const known = this.known.get(key) ?? this.found(shape);
    this.known.set(key, known);
    return known;
  }

  private found(shape: Shape): readonly number[] {
    const skeleton = this.made.skeleton(draftOf(shape, this.made.alphabet));
    const numbers = new Map<string, number>();
    const about = new Map<EventStructure, Saying>();
    const all = this.models.map((model) => {
      const structure = skeleton(model);
      if ('open' in structure) return undefined;
      const saying = about.get(structure) ?? new Saying(structure, numbers);
      about.set(structure, saying);
      return saying.by(model);
    });
    return all.map((said, i) => (said === undefined ? i : all.indexOf(said)));
  }
}

const remembered = new WeakMap<MadePrograms, Sayings[]>();

/** What is known of some models: workers go through many shares. */
export function sayingsOf(made: MadePrograms, models: readonly Model[]): Sayings {
  const all = remembered.get(made) ?? [];
  remembered.set(made, all);
  const isOfThese = ({ models: own }: Sayings): boolean =>
    own.length === models.length && own.every((model, i) => model === models[i]);
  const known = all.find(isOfThese) ?? new Sayings(made, models);
  if (!all.includes(known)) all.push(known);
  return known;
}
