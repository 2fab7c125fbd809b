import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import { instructionsOf } from '../../../model/instructions/union.js';
import { defaultInstructions } from '../../../node/models.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import type { SynthesisReport } from '../../../report/synthesise.js';
import { synthesisFiles } from '../../../report/synthesise.js';
import { declare } from '../../command/declare.js';
import { readCorpus } from '../../inputs/corpus.js';
import { isFolder } from '../../outputs/folders.js';
import { planOutputs } from '../../outputs/plan.js';
import { refuse } from '../../run/answer.js';
import { answerBySize } from '../../run/by-size.js';
import { programOptions, searchOptions } from '../by-size-options.js';
import { judgeCorpus } from './of.js';
import type { Options } from './question.js';
import { DEFAULT_CALLS, askSynthesise } from './question.js';
import { synthesisCommand } from './tests.js';

export const synthesiseCommand = () =>
  declare(
    {
      name: 'synthesise',
      summary: 'make all minimal tests of a model',
      description:
        'Goes through all programs by size, each once up to names, and finds the outcomes that the model forbids, and would allow if anything ' +
        'in the program were weaker. Says which tests are about which axioms and entries of tables, and which of these no test needs.',
      arguments: [new Argument('<model>', "a model's name or .cat file")],
      options: [
        ...programOptions(`${DEFAULT_CALLS}`),
        new Option(
          '--of <path...>',
          'instead of making tests: which outcomes that files ask about are minimal tests, and what others can do without',
        ).conflicts(['calls', 'operations', 'out', 'resume']),
        new Option('-o, --out <folder>', 'write the tests, and a page about them, into a folder'),
        ...searchOptions(),
      ],
      examples: [
        ['remora synthesise rdma-tso --calls 2 -o tests', 'the tests of up to two calls'],
        ['remora synthesise rdma-tso --of corpus/tso/GFP2.litmus', 'is this test minimal?'],
        [
          'remora synthesise rdma-tso --calls 2 --operations put,get,poll,write,read',
          'those made of some operations',
        ],
      ],
      codes: {
        asExpected: 'all programs were decided; `--of`: all are minimal',
        departs: '`--of`: an outcome is no minimal test',
        undecided: 'a program was not decided',
      },
    },
    synthesise,
  );

async function synthesise(name: string, options: Options): Promise<number> {
  const { out, of = [] } = options;
  const asked = await askSynthesise(name, options, of);
  const full = out === undefined ? [] : notEmpty(out, options.force);
  const errors = [...asked.models.errors, ...full];
  if (errors.length > 0) return refuse(errors);
  const { models, question, reader } = asked;
  const [model] = models.items;
  if (options.of !== undefined) {
    const alphabet = alphabetOf([model], defaultInstructions());
    const instructions = instructionsOf([model], defaultInstructions());
    const corpus = readCorpus(of, models, reader);
    return judgeCorpus(corpus, model, { alphabet, instructions }, options);
  }
  const write = (report: SynthesisReport): readonly string[] =>
    out === undefined ? [] : written(report, out, options, reader.files);
  const command = synthesisCommand(model, question, options.reporter, write);
  return answerBySize(command, { ...options, engine: 'search' });
}

/** Why a folder is not written into: tests of another run would be taken for those of this one. */
function notEmpty(folder: string, force: boolean | undefined): readonly string[] {
  if (existsSync(folder) && !isFolder(folder)) return [`${folder}: is a file, and no folder`];
  if (!existsSync(folder) || force === true || readdirSync(folder).length === 0) return [];
  return [`${folder}: is not empty (--force writes there all the same)`];
}

function written(
  report: SynthesisReport,
  folder: string,
  options: Options,
  inputs: readonly string[],
): readonly string[] {
  const files = synthesisFiles(report);
  const wanted = files.map(({ path, kind }) => ({ kind, path: join(folder, path) }));
  const plan = planOutputs(wanted, { inputs, force: options.force, makesFolders: true });
  if (plan.errors.length > 0) return plan.errors;
  return plan.outputs.flatMap(({ write }, i) => write(files[i].text));
}
