import { structureFor } from '../../check/structure.js';
import type { InstructionSet } from '../../model/instructions/set.js';
import { interned } from '../../model/instructions/union.js';
import type { Model } from '../../model/term.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { Composer } from '../../rdma/classes/composed.js';
import type { Draft } from '../../rdma/classes/draft.js';
import { placed } from '../../rdma/classes/placed.js';
import { skeletonKey, skeletonOf } from '../../rdma/classes/skeleton.js';
import { writeDraft } from '../../rdma/classes/write.js';
import { adapt, adaptsAlike } from '../../rdma/translate.js';
import { MADE, testOf } from './programs.js';

/** What a program is unrolled to for a model; or why that is not known. */
export type Unrolled = (model: Model) => EventStructure | Open;

interface Open {
  readonly open: string;
}

/** Unrolls a program. Models of a family differ in their axioms, and have one meaning of instructions: it is unrolled once for them. */
export const unrolled = (program: Program): Unrolled =>
  byFamily((model) => {
    const adapted = adapt(program, model);
    if (!adapted.ok) return { open: `${model.name}: ${adapted.errors[0].message}` };
    const structure = structureFor(adapted.value.program, model);
    return 'reason' in structure ? { open: structure.reason } : structure;
  });

/** Of more skeletons than these, those that were used longest ago are read again: memory stays flat. */
const MOST_SKELETONS = 2000;

const made = new WeakMap<InstructionSet, Map<string, MadePrograms>>();

/** The programs of an alphabet: the same object each time, as workers go through many shares. */
export function madePrograms(alphabet: Alphabet, instructions: InstructionSet): MadePrograms {
  const set = interned(instructions);
  const ofSet = made.get(set) ?? new Map<string, MadePrograms>();
  made.set(set, ofSet);
  const key = JSON.stringify(alphabet);
  const known = ofSet.get(key) ?? new MadePrograms(alphabet, set);
  ofSet.set(key, known);
  return known;
}

/** Unrolls programs that are made. Those that differ in places and values alone are unrolled once. */
export class MadePrograms {
  private readonly skeletons = new Map<string, Unrolled>();
  private readonly composer: Composer;

  constructor(
    readonly alphabet: Alphabet,
    instructions: InstructionSet,
  ) {
    const read = (draft: Draft): Program =>
      testOf(writeDraft(draft, alphabet, MADE), instructions).program;
    this.composer = new Composer(alphabet.marks, instructions, read);
  }

  unrolled(draft: Draft): Unrolled {
    const skeleton = this.skeleton(draft);
    return byFamily((model) => {
      const structure = skeleton(model);
      return 'open' in structure ? structure : placed(structure, draft, this.alphabet);
    });
  }

  /** Of a program that has each call of a draft, and no two of them at one place. */
  skeleton(draft: Draft): Unrolled {
    const { skeletons } = this;
    const key = skeletonKey(draft);
    const known = skeletons.get(key);
    skeletons.delete(key);
    const skeleton = known ?? unrolled(this.composer.program(skeletonOf(draft)));
    skeletons.set(key, skeleton);
    if (skeletons.size > MOST_SKELETONS) skeletons.delete(skeletons.keys().next().value!);
    return skeleton;
  }
}

/** Remembers what was made for models to which every program is the same. */
function byFamily<Made>(make: (model: Model) => Made): (model: Model) => Made {
  const families: { readonly model: Model; readonly made: Made }[] = [];
  return (model) => {
    const known = families.find((one) => adaptsAlike(one.model, model));
    if (known !== undefined) return known.made;
    const made = make(model);
    families.push({ model, made });
    return made;
  };
}
