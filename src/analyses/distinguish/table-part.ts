import type { InstructionSet } from '../../model/instructions/set.js';
import { instructionsOf } from '../../model/instructions/union.js';
import type { Model } from '../../model/term.js';
import { draftOf } from '../../rdma/classes/draft.js';
import type { Shape } from '../../rdma/classes/shape.js';
import { contentOf } from '../../rdma/classes/shape.js';
import type { AlphabetUnion } from '../../rdma/classes/union.js';
import { isOf } from '../../rdma/classes/union.js';
import { writeDraft } from '../../rdma/classes/write.js';
import type { Share } from '../by-size/shares.js';
import type { MadeProgram } from '../by-size/programs.js';
import { MADE, eachProgram } from '../by-size/programs.js';
import type { MadePrograms } from '../by-size/unrolled.js';
import { madePrograms } from '../by-size/unrolled.js';
import type { States } from '../by-size/states.js';
import { missing, statesOf } from '../by-size/states.js';
import type { Circumstances } from '../circumstances.js';
import type { Sayings } from './alike.js';
import { sayingsOf } from './alike.js';

/** A share of the programs of a size, to be decided under many models. */
export interface TablePartInput extends Share {
  readonly pairs: readonly ModelPair[];
  /** The alphabets of the pairs, in their order. */
  readonly alphabets: AlphabetUnion;
  /** What models have that declare nothing. */
  readonly base: InstructionSet;
  /** What is looked for: of each, the first program. */
  readonly open: readonly Direction[];
}

/** Two models, as indices. */
export type ModelPair = readonly [number, number];

/** That a model of a pair allows what the other forbids. All are indices. */
export interface Direction {
  readonly pair: number;
  readonly more: number;
  readonly less: number;
}

export interface TablePartFound {
  /** How many programs there were that two models know, and how many by pair. */
  readonly programs: number;
  readonly byPair: readonly number[];
  /** The first program that shows a direction; each with all directions that it is the first for, as indices. */
  readonly showing: readonly ShowingProgram[];
  /** The programs that were not decided under a model. */
  readonly open: readonly (MadeProgram & { readonly model: string; readonly reason: string })[];
}

export interface ShowingProgram extends MadeProgram {
  readonly shows: readonly number[];
  /** The models that know all that it has, as indices. */
  readonly knowing: readonly number[];
}

/** Goes through the programs of a part, each decided once under every model. The models are those of the circumstances. */
export function tablePart(input: TablePartInput, { models }: Circumstances): TablePartFound {
  const { alphabets } = input;
  const { whole } = alphabets;
  const byPair = alphabets.parts.map(() => 0);
  const showing: ShowingProgram[] = [];
  const open: (MadeProgram & { model: string; reason: string })[] = [];
  const shown = new Set<number>();
  const contentFor = contents(input, models);
  let programs = 0;
  eachProgram(whole, input, (shape) => {
    const content = contentFor(shape);
    if (content.pairs.length > 0) programs += 1;
    for (const pair of content.pairs) byPair[pair] += 1;
    const maybe = content.asked.filter((one) => !shown.has(one));
    if (maybe.length === 0) return;
    const said = content.sayings.of(shape);
    // By model: the first one that says the same, so that it allows the same.
    const first = new Map(content.knowing.map((model, i) => [model, content.knowing[said[i]]]));
    const asked = maybe.filter((one) => {
      const { more, less } = input.open[one];
      return first.get(more) !== first.get(less);
    });
    if (asked.length === 0) return;
    const draft = draftOf(shape, whole);
    const litmus = (): string => writeDraft(draft, whole, MADE);
    const concerned = new Set(asked.flatMap((one) => [input.open[one].more, input.open[one].less]));
    const deciding = [...new Set([...concerned].map((model) => first.get(model)!))];
    const states = statesOf(
      content.made.unrolled(draft),
      deciding.map((model) => models[model]),
    );
    const under = (model: number): States => states[deciding.indexOf(first.get(model)!)];
    const shows = asked.filter((one) => {
      const { more, less } = input.open[one];
      const [some, others] = [under(more), under(less)];
      return !('open' in some) && !('open' in others) && missing(some, others).length > 0;
    });
    for (const one of shows) shown.add(one);
    if (shows.length > 0) showing.push({ litmus: litmus(), shows, knowing: content.knowing });
    for (const model of concerned) {
      const own = under(model);
      if ('open' in own) {
        open.push({ litmus: litmus(), model: models[model].name, reason: own.open });
      }
    }
  });
  return { programs, byPair, showing, open };
}

/** What programs with the same calls and tags have in common. */
interface Content {
  /** The pairs of models that know their calls, and these models, as indices. */
  readonly pairs: readonly number[];
  readonly knowing: readonly number[];
  /** Programs of what these models declare. */
  readonly made: MadePrograms;
  /** What these models say of them. */
  readonly sayings: Sayings;
  /** The directions that are looked for between these models, as indices. */
  readonly asked: readonly number[];
}

function contents(
  { pairs, alphabets, base, open }: TablePartInput,
  models: readonly Model[],
): (shape: Shape) => Content {
  const known = new Map<string, Content>();
  return (shape) => {
    const key = contentOf(shape);
    const before = known.get(key);
    if (before !== undefined) return before;
    const own = [...alphabets.parts.keys()].filter((i) => isOf(shape, alphabets.parts[i]));
    const knowing = [...new Set(own.flatMap((i) => pairs[i]))].sort((x, y) => x - y);
    const of = knowing.map((i) => models[i]);
    const made = madePrograms(alphabets.whole, instructionsOf(of, base));
    const asked = [...open.keys()].filter((i) => own.includes(open[i].pair));
    const sayings = sayingsOf(made, of);
    const content = { pairs: own, knowing, made, sayings, asked };
    known.set(key, content);
    return content;
  };
}
