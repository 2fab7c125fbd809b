import type * as core from '../src/core.js';
import type { CPart } from './c-part.js';
import type { Decider } from './decided.js';
import { decided } from './decided.js';

/** What a text is, or that it is wrong. */
type Read = { readonly test: core.Test } | { readonly mistakes: unknown };

/** A query under a model. */
interface Asked {
  readonly test: core.Test;
  readonly model: core.Model;
  readonly query: number;
}

/** What answers say of a program that is C, in its lines. */
export class InC {
  /** @param readText reads other texts of the program */
  constructor(
    private readonly c: CPart,
    private readonly source: core.SourceFile,
    private readonly readText: (text: string) => Read,
    private readonly by: Decider,
  ) {}

  withLines(test: core.Test): core.Test {
    const { source, read } = this;
    return this.c.withLines(test, { source, read });
  }

  /** A fix with a patch, which was tried. */
  async fix(fix: core.Fix, { test, model, query }: Asked): Promise<core.Fix> {
    if (fix.kind !== 'additions') return fix;
    const { source, read } = this;
    const isRight = async (patched: core.Test): Promise<boolean> => {
      const { answers } = await decided(patched, source, model, this.by);
      const answer = answers.find((one) => one.query === query);
      return answer?.verdict === 'forbidden' || answer?.verdict === 'holds';
    };
    const { program } = test;
    return { ...fix, repair: await this.c.tried(fix.repair, { source, program, read, isRight }) };
  }

  private readonly read = (text: string): core.Result<core.Test> => {
    const found = this.readText(text);
    return 'test' in found ? { ok: true, value: found.test } : { ok: false, errors: [WRONG] };
  };
}

/** What is tried and wrong is shown to nobody. */
const WRONG = { span: { file: '', start: 0, end: 0 }, message: 'this cannot be read' };
