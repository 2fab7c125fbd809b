import { Argument } from 'commander';
import { declare } from '../command/declare.js';
import { formats } from '../command/format-options.js';
import { corpusArgument, grep, search, shipped, spread } from '../command/options.js';
import { compared, notCompared } from '../inputs/clients.js';
import type { FormatOf } from '../print/reports.js';
import { compareReport, formatsOf } from '../print/reports.js';
import { answer } from '../run/answer.js';
import { begin } from '../run/begin.js';
import { decideTask } from '../run/decide.js';
import type { CommonOptions } from '../run/options.js';

const MODEL = "a model's or library's name or .cat file";

export const compareCommand = () =>
  declare(
    {
      name: 'compare',
      summary: 'compare two models',
      description: 'Shows the verdicts that differ between two models.',
      arguments: [
        new Argument('<model1>', MODEL),
        new Argument('<model2>', MODEL),
        corpusArgument(),
      ],
      options: [shipped(), grep(), ...formats(formatsOf('compare')), ...search(), ...spread()],
      examples: [
        ['remora compare rdma-sc rdma-tso corpus/tso', 'what store buffers make of these tests'],
      ],
      codes: {
        asExpected: 'everything is compared, whether verdicts differ or not',
        undecided:
          'something is not: a verdict is unknown, or there is none under one of the models',
      },
    },
    compare,
  );

/** Which verdicts differ between two models. */
async function compare(
  first: string,
  second: string,
  paths: readonly string[],
  options: CommonOptions & { readonly reporter?: FormatOf<'compare'> },
): Promise<number> {
  const work = await begin('compare', [first, second], paths, options);
  if ('refused' in work) return answer(work.run, work);
  const { run, models, corpus, store, bad } = work;
  const [a, b] = models.items;
  const sides = corpus.tests.map((item) => compared(item, models.items));
  const others = corpus.tests.filter((_, i) => sides[i] === undefined);
  const some = others.length === 0 || others.length < sides.length;
  const { reporter = 'table' } = options;
  return answer(run, {
    said: notCompared(others, [a, b]),
    ...{ bad, store },
    tasks: corpus.tests.map((item, i) => decideTask(item, sides[i] ?? [], options, store)),
    report: (results) => compareReport(results.flat(), [a.name, b.name], reporter, some),
  });
}
