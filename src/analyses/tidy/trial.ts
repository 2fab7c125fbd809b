import type { Model } from '../../model/term.js';
import type { Program, Test } from '../../program/program.js';
import { withoutInstructions } from '../../program/without.js';
import type { Candidate } from './candidates.js';
import { instructionsIn } from './candidates.js';
import type { Difference, Kept } from './difference.js';
import { differenceOf } from './difference.js';
import { allBut, keyOf, seenIn } from './seen.js';
import { setBy } from './unused.js';
import type { Asked, View, ViewOptions, Viewer } from './view.js';
import { viewOf } from './view.js';

/** What is different under a model. */
export type Under = { readonly model: string } & Difference;

export interface TidyOptions extends ViewOptions {
  readonly kept: Kept;
}

export const programWithout = (program: Program, candidates: readonly Candidate[]): Program =>
  withoutInstructions(program, instructionsIn(candidates));

/** Tries a test without some of its instructions. */
export class Trial {
  private readonly asked: Asked;
  /** What is seen of the test as it is. */
  private readonly before = new Map<string, ReturnType<typeof viewOf>>();

  constructor(
    private readonly pool: Viewer,
    private readonly test: Test,
    private readonly models: readonly Model[],
    private readonly options: TidyOptions,
  ) {
    const { runs, subjects } = seenIn(test);
    this.asked = { runs, subjects };
  }

  /** What the queries see that is different under each model without some candidates. */
  seen(candidates: readonly Candidate[]): Promise<readonly Under[]> {
    return this.compare(candidates, this.asked, this.options.kept);
  }

  /**
   * What is different without a candidate of all that has a final value, under one of the models; undefined if nothing is. What
   * the candidate sets does not count.
   */
  async besides(candidate: Candidate): Promise<Under | undefined> {
    if (this.asked.subjects.length === 0) return undefined;
    const { program } = this.test;
    const set = candidate.parts.flatMap(({ thread, instruction }) =>
      setBy(program, thread, instruction),
    );
    const asked = { runs: [], subjects: allBut(program, set) };
    const all = await this.compare([candidate], asked, 'outcomes');
    return all.find(({ kind }) => kind === 'differs') ?? all.find(({ kind }) => kind === 'unknown');
  }

  private compare(
    candidates: readonly Candidate[],
    asked: Asked,
    kept: Kept,
  ): Promise<readonly Under[]> {
    const { pool, test, models, options } = this;
    const program = programWithout(test.program, candidates);
    return Promise.all(
      models.map(async (model) => {
        const [before, after] = await Promise.all([
          this.asItIs(model, asked),
          viewOf(pool, test, program, model, asked, options),
        ]);
        return { model: model.name, ...between(test, asked, kept, before, after) };
      }),
    );
  }

  private asItIs(model: Model, asked: Asked): ReturnType<typeof viewOf> {
    const key = [model.name, ...asked.runs, ':', ...asked.subjects.map(keyOf)].join();
    const { pool, test, options } = this;
    const view = this.before.get(key) ?? viewOf(pool, test, test.program, model, asked, options);
    this.before.set(key, view);
    return view;
  }
}

type Seen = View | { readonly reason: string };

function between(test: Test, asked: Asked, kept: Kept, before: Seen, after: Seen): Difference {
  if ('reason' in before) return { kind: 'unknown', reason: before.reason };
  if ('reason' in after) return { kind: 'unknown', reason: after.reason };
  return differenceOf(test, asked, kept, before, after);
}
