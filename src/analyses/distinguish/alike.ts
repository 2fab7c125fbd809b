import type { Model } from '../../model/term.js';
import type { EventStructure } from '../../program/events/structure.js';
import { draftOf } from '../../rdma/classes/draft.js';
import type { Shape } from '../../rdma/classes/shape.js';
import { kindsKey, threadsKey } from '../../rdma/classes/skeleton.js';
import type { MadePrograms } from '../by-size/unrolled.js';
import { Saying } from './saying.js';

/** After so many threads that told no more than their kinds, no others are asked: the models are two ways to say something. */
const IN_VAIN = 200;

/**
 * Which of some models say the same of programs that are made. It is found out once for all programs with the same kinds of
 * calls; and where that does not tell, for all whose threads have the same calls.
 */
export class Sayings {
  private readonly byKinds = new Map<string, readonly number[]>();
  private readonly byThreads = new Map<string, readonly number[]>();
  /** Whether threads have told more than kinds of calls. */
  private told = false;

  constructor(
    private readonly made: MadePrograms,
    readonly models: readonly Model[],
  ) {}

  /** For each model, as an index, the first of them that says the same of a program. */
  of(shape: Shape): readonly number[] {
    const { byKinds, byThreads, models } = this;
    const kinds = kindsKey(shape);
    const alike = byKinds.get(kinds) ?? this.found(shape, false, [...models.keys()]);
    byKinds.set(kinds, alike);
    if (alike.every((first) => first === 0)) return alike;
    if (!this.told && byThreads.size >= IN_VAIN) return alike;
    const threads = threadsKey(shape);
    const found = byThreads.get(threads) ?? this.found(shape, true, alike);
    byThreads.set(threads, found);
    this.told ||= found.some((first, i) => first !== alike[i]);
    return found;
  }

  /**
   * @param ofThreads whether it is about threads, or only about kinds of calls
   * @param before for each model, the first of which it is known already that it says the same
   */
  private found(shape: Shape, ofThreads: boolean, before: readonly number[]): readonly number[] {
    const skeleton = this.made.skeleton(draftOf(shape, this.made.alphabet));
    const numbers = new Map<string, number>();
    const about = new Map<EventStructure, Saying>();
    const said = this.models.map((model, i) => {
      if (before[i] !== i) return undefined;
      const structure = skeleton(model);
      if ('open' in structure) return undefined;
      const saying = about.get(structure) ?? new Saying(structure, numbers, ofThreads);
      about.set(structure, saying);
      return saying.by(model);
    });
    return before.map((first) => (said[first] === undefined ? first : said.indexOf(said[first])));
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
