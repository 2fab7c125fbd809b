import type { JudgeInput } from '../../../analyses/synthesise/judge.js';
import type { Model } from '../../../model/term.js';
import type { JudgedRecord } from '../../../report/minimal.js';
import { judgedJson, judgedText } from '../../../report/minimal.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import type { Corpus, CorpusTest } from '../../inputs/corpus.js';
import { withoutClients } from '../../inputs/clients.js';
import { interruptedAfter } from '../../../report/interruption.js';
import { lines } from '../../print/print.js';
import { answer } from '../../run/answer.js';
import type { CommandTask, RunOptions } from '../../run/tasks.js';
import { startRun } from '../../run/tasks.js';

type Options = RunOptions & { readonly reporter?: 'text' | 'json' };

/** Which questions of files are minimal tests of a model. */
export function judgeCorpus(
  read: Corpus,
  model: Model,
  work: Omit<JudgeInput, 'test'>,
  options: Options,
): Promise<number> {
  const { corpus, refused } = withoutClients(
    read,
    'synthesise --of',
    'what their calls forbid is up to the libraries',
  );
  const errors = [...corpus.errors, ...refused];
  const { reporter: format = 'text' } = options;
  return answer(startRun({ ...options, engine: 'search' }, true), {
    said: [...corpus.warnings, ...errors],
    bad: errors.length > 0,
    tasks: corpus.tests.map((item) => judgeTask(item, model, work)),
    report(results) {
      const records = results.filter((one) => one !== undefined);
      const interruption = interruptedAfter(records.length, corpus.tests.length, 'programs');
      const text =
        format === 'json'
          ? judgedJson(records)
          : judgedText(model.name, records) + lines(interruption);
      return { format, text, interruption, code: codeOf(records) };
    },
  });
}

const judgeTask = (
  { test }: CorpusTest,
  model: Model,
  work: Omit<JudgeInput, 'test'>,
): CommandTask<JudgedRecord> => ({
  name: test.name,
  async do(pool) {
    const found = await pool.analyse({
      ...{ kind: 'analysis', analysis: 'judge-minimal', engine: 'search', models: [model] },
      input: { ...work, test },
    });
    const judged =
      'output' in found
        ? found.output
        : test.queries.map((_, query) => ({
            ...{ query, verdict: 'not compared' as const, reason: found.unfinished },
            ...{ needless: [], weaker: [], about: [] },
          }));
    return { test, model: model.name, judged };
  },
});

function codeOf(records: readonly JudgedRecord[]): number {
  const verdicts = new Set(records.flatMap(({ judged }) => judged.map(({ verdict }) => verdict)));
  if (verdicts.has('not minimal')) return DEPARTS;
  return verdicts.has('not compared') ? UNDECIDED : AS_EXPECTED;
}
