import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import { once } from '../../parse/once.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Draft } from '../../rdma/classes/draft.js';
import type { Weakening } from '../../rdma/classes/weaken.js';
import { withOwnValues } from '../../rdma/classes/sources.js';
import { weakeningsOf } from '../../rdma/classes/weaken.js';
import { writeDraft } from '../../rdma/classes/write.js';
import type { MadePrograms } from '../by-size/unrolled.js';
import { madePrograms } from '../by-size/unrolled.js';
import type { Condition, State } from './conditions.js';
import { separating } from './conditions.js';
import type { ModelPart, WithoutPart } from './parts.js';
import { partsOf } from './parts.js';
import type { StatesOf } from './states.js';
import { finalsOf } from './states.js';

/** What a minimal test asks, and what it is about. */
export interface MinimalCondition {
  /** By the names of registers and locations. */
  readonly values: ReadonlyMap<string, string>;
  /** The axioms and entries of tables without any one of which the model allows it. */
  readonly about: readonly ModelPart[];
}

/** Whether a test is minimal. */
export type Judged =
  | { readonly kind: 'minimal'; readonly about: readonly ModelPart[] }
  /** What the condition can do without, and the weaker programs that the model forbids it in, too. */
  | {
      readonly kind: 'not';
      readonly needless: readonly string[];
      readonly forbidding: readonly Weakening[];
    }
  /** The model does not forbid it; or no execution has it, whatever the model. */
  | { readonly kind: 'allowed' | 'impossible' }
  | { readonly kind: 'open'; readonly reason: string };

/** Finds minimal tests of a model (docs/synthesise.md). What is found out about weaker programs is remembered. */
export class Minimal {
  private readonly known = new Map<string, StatesOf | undefined>();
  private readonly parts: () => readonly WithoutPart[];
  private readonly programs: MadePrograms;

  constructor(
    private readonly model: Model,
    private readonly alphabet: Alphabet,
    instructions: InstructionSet,
    drawn: Alphabet,
  ) {
    this.programs = madePrograms(alphabet, instructions);
    this.parts = once(() => partsOf(model, drawn, instructions));
  }

  /** The conditions with which a program is a minimal test; undefined: that was not decided. */
  conditionsOf(draft: Draft): readonly MinimalCondition[] | undefined {
    const states = this.statesOf(draft);
    if (states === undefined) return undefined;
    const { possible, allowed } = states;
    const isAllowed = new Set(allowed.map((one) => one.join()));
    const forbidden = possible.filter((one) => !isAllowed.has(one.join()));
    // Of a program without an execution, nothing can be asked.
    if (forbidden.length === 0 || allowed.length === 0) return [];
    const weaker = weakeningsOf(draft, this.alphabet);
    const minimal: MinimalCondition[] = [];
    for (const condition of separating(forbidden, allowed)) {
      const isMinimal = this.areAllowed(weaker, condition, states);
      if (isMinimal === undefined) return undefined;
      if (isMinimal) minimal.push(this.told(condition, states));
    }
    return minimal;
  }

  /**
   * Whether a condition of a program makes a minimal test, and why not. Where one value may come from several places, each of them is asked
   * for by itself: the test is minimal if one of these is, and else the one tells that has least against it.
   */
  judge(draft: Draft, values: ReadonlyMap<string, string>): Judged {
    const told = withOwnValues(draft, this.alphabet.letters);
    const states = told && this.statesOf(told.draft);
    if (told === undefined || states === undefined) return this.judgeOne(draft, values);
    const ways = new Map<string, ReadonlyMap<string, string>>();
    for (const state of states.possible) {
      const own = [...values.keys()].map(
        (name) => [name, state[states.names.indexOf(name)]] as const,
      );
      if (own.some(([name, value]) => told.before(name, value) !== values.get(name))) continue;
      ways.set(own.join(), new Map(own));
    }
    if (ways.size === 0) return { kind: 'impossible' };
    const judged = [...ways.values()].map((one) => this.judgeOne(told.draft, one));
    const first = (kind: Judged['kind']): Judged | undefined =>
      judged.find((one) => one.kind === kind);
    const objections = (one: Judged): number =>
      one.kind === 'not' ? one.needless.length + one.forbidding.length : Infinity;
    const [best] = [...judged].sort((a, b) => objections(a) - objections(b));
    return first('allowed') ?? first('minimal') ?? first('open') ?? best;
  }

  private judgeOne(draft: Draft, values: ReadonlyMap<string, string>): Judged {
    const states = this.statesOf(draft);
    if (states === undefined)
      return { kind: 'open', reason: 'its final states were not all found' };
    const { names, possible, allowed } = states;
    const condition = new Map([...values].map(([name, value]) => [names.indexOf(name), value]));
    if (allowed.some(satisfies([...condition]))) return { kind: 'allowed' };
    if (!possible.some(satisfies([...condition]))) return { kind: 'impossible' };
    const needless = [...condition].flatMap(([i]) => {
      const less = [...condition].filter(([other]) => other !== i);
      return allowed.some(satisfies(less)) ? [] : [names[i]];
    });
    const weaker = weakeningsOf(draft, this.alphabet).map((one) => ({
      one,
      answer: this.isAllowed(one, condition, states),
    }));
    const forbidding = weaker.flatMap(({ one, answer }) => (answer === false ? [one] : []));
    if (needless.length + forbidding.length > 0) return { kind: 'not', needless, forbidding };
    if (weaker.some(({ answer }) => answer === undefined)) {
      return { kind: 'open', reason: 'a weaker program was not decided' };
    }
    return { kind: 'minimal', about: this.told(condition, states).about };
  }

  /** Undefined: none of them is known to forbid it, and some are not decided. */
  private areAllowed(
    weaker: readonly Weakening[],
    condition: Condition,
    states: StatesOf,
  ): boolean | undefined {
    let isOpen = false;
    for (const one of weaker) {
      const answer = this.isAllowed(one, condition, states);
      if (answer === false) return false;
      isOpen ||= answer === undefined;
    }
    return isOpen ? undefined : true;
  }

  /**
   * Does a weaker program allow what is left of a condition? What only the call that is gone could bring there, is asked no
   * more. Where nothing is left, the call is what the condition is about.
   */
  private isAllowed(
    { draft }: Weakening,
    condition: Condition,
    { names }: StatesOf,
  ): boolean | undefined {
    if (draft.threads.length === 0) return true;
    const states = this.statesOf(draft);
    if (states === undefined) return undefined;
    const left = [...condition].flatMap(([i, value]): readonly (readonly [number, string])[] => {
      const at = states.names.indexOf(names[i]);
      const isPossible = at >= 0 && states.possible.some((one) => one[at] === value);
      return isPossible ? [[at, value]] : [];
    });
    return states.allowed.some(satisfies(left));
  }

  private told(condition: Condition, { names, under }: StatesOf): MinimalCondition {
    const about = this.parts().filter(({ model }) => under(model)?.some(satisfies([...condition])));
    return {
      values: new Map([...condition].map(([i, value]) => [names[i], value])),
      about: about.map(({ kind, name, tables }) => ({ kind, name, tables })),
    };
  }

  private statesOf(draft: Draft): StatesOf | undefined {
    const text = writeDraft(draft, this.alphabet, 'weaker');
    if (this.known.has(text)) return this.known.get(text);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    const states = finalsOf(this.programs.unrolled(draft), this.model);
    this.known.set(text, states);
    return states;
  }
}

const satisfies =
  (condition: readonly (readonly [number, string])[]) =>
  (state: State): boolean =>
    condition.every(([at, value]) => state[at] === value);

/** Of more programs than these, the states are found again: memory stays flat. */
const MOST_KNOWN = 10_000;
