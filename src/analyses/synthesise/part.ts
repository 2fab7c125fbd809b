import type { InstructionSet } from '../../model/instructions/set.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { draftOf } from '../../rdma/classes/draft.js';
import { writeDraft } from '../../rdma/classes/write.js';
import type { Share } from '../by-size/shares.js';
import type { MadeProgram } from '../by-size/programs.js';
import { eachProgram } from '../by-size/programs.js';
import type { Circumstances } from '../circumstances.js';
import { Minimal } from './minimal.js';
import { nameOf } from './name.js';
import type { ModelPart } from './parts.js';

/** A share of the programs of a size, of which the minimal tests are wanted. */
export interface SynthesisInput extends Share {
  /** What programs are made of comes first; the rest is what weaker ones may be made of. */
  readonly alphabet: Alphabet;
  readonly drawn: number;
  /** The operations that programs of the alphabet call. */
  readonly instructions: InstructionSet;
}

/** A minimal test of a model. */
export interface MinimalTest {
  /** The place of its program among those of its share. */
  readonly index: number;
  /** By its shape: `put-poll-write`. Others may have the same. */
  readonly name: string;
  /** A litmus file without its first line, and without a question. */
  readonly program: string;
  /** As queries have it: `r1 = 1 /\ r2 = 0`. */
  readonly condition: string;
  readonly about: readonly ModelPart[];
}

export interface SynthesisFound {
  readonly programs: number;
  readonly tests: readonly MinimalTest[];
  /** The programs that were not decided. */
  readonly open: readonly MadeProgram[];
}

/** The minimal tests among the programs of a part, under the model of the circumstances. */
export function synthesisePart(input: SynthesisInput, { models }: Circumstances): SynthesisFound {
  const { alphabet, drawn, instructions } = input;
  const made = { ...alphabet, letters: alphabet.letters.slice(0, drawn) };
  const minimal = new Minimal(models[0], alphabet, instructions, made);
  const tests: MinimalTest[] = [];
  const open: MadeProgram[] = [];
  let programs = 0;
  eachProgram(made, input, (shape, index) => {
    programs += 1;
    const draft = draftOf(shape, alphabet);
    const litmus = writeDraft(draft, alphabet, 'minimal');
    const conditions = minimal.conditionsOf(draft);
    if (conditions === undefined) return void open.push({ litmus });
    const name = nameOf(draft, alphabet);
    const program = litmus.slice(litmus.indexOf('\n') + 1);
    for (const { values, about } of conditions) {
      const condition = [...values].map(([one, value]) => `${one} = ${value}`).join(' /\\ ');
      tests.push({ index, name, program, condition, about });
    }
  });
  return { programs, tests, open };
}
