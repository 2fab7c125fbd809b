import { expect, test } from 'vitest';
import { remora } from '../support/run.js';

/** The programs of the undecidability proof. They are no part of the corpus, as pictures of their executions take long. */

test.each(['search', 'smt'])(
  "Post's correspondence problem, by %s: decidability paper, Thm 3.1, Figs. 6-10, as printed and with Fig. 10's polarity",
  async (engine) => {
    const models = 'sc,rdma-sc,rdma-tso';
    const { code, stdout } = await remora(['test', 'bench/post', '-m', models, '--engine', engine]);
    expect(stdout).toContain('4 tests, 12 verdicts, 0 unknown; 12 expectations held (2 published)');
    expect(code).toBe(0);
  },
);
