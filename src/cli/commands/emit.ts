import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import type { TextFile } from '../../emit/folder.js';
import { folderOf } from '../../emit/folder.js';
import { RUN_TIME_FOLDER } from '../../node/card.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, BAD_INPUT } from '../command/exit.js';
import { force, pathsArgument } from '../command/options.js';
import { readCorpus } from '../inputs/corpus.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import type { OutputKind } from '../outputs/checksum.js';
import { planOutputs } from '../outputs/plan.js';
import { complain } from '../print/print.js';
import { DEFAULT_MODEL } from '../run/options.js';

interface Options {
  readonly out: string;
  readonly inline?: boolean;
  readonly force?: boolean;
}

export const emitCommand = () =>
  declare(
    {
      name: 'emit',
      summary: 'write tests as C over libibverbs, to be run on cards',
      description:
        'Writes a folder of C: a file for each test, which Remora can read back, and what makes a program of them that runs them on a ' +
        'card and counts their final states. What cannot be measured is left out, and told.',
      arguments: [pathsArgument(true)],
      options: [
        new Option('-o, --out <folder>', 'the folder').makeOptionMandatory(),
        new Option(
          '--inline',
          'constants are in the request, and not in memory that the card reads',
        ),
        force(),
      ],
      examples: [
        ['remora emit corpus/tso -o card-tests', 'then: cd card-tests && make && ./run'],
        ['remora emit corpus/columns -o inlined --inline', 'with IBV_SEND_INLINE for constants'],
      ],
      codes: {
        asExpected: 'everything that can be measured is written',
        badInput: 'wrong usage, or an input that cannot be read, or a file that cannot be written',
      },
    },
    emitFolder,
  );

async function emitFolder(paths: readonly string[], options: Options): Promise<number> {
  const reader = await openReader(paths);
  const models = readModels(DEFAULT_MODEL, 'smt', reader);
  const corpus = readCorpus(paths, models, reader);
  const tests = corpus.tests.map(({ test }) => test);
  const { files, leftOut, tests: there } = folderOf(tests, runTime(), options.inline ?? false);
  const said = leftOut.map(({ test, why }) => `${test.file}: left out: ${why}`);
  complain([...corpus.warnings, ...corpus.errors, ...said]);
  if (corpus.errors.length > 0) return BAD_INPUT;
  if (there.length === 0) {
    complain(['nothing is left to be written']);
    return BAD_INPUT;
  }
  const wanted = files.map(({ name }) => ({ kind: kindOf(name), path: join(options.out, name) }));
  const rule = { inputs: reader.files, force: options.force, makesFolders: true };
  const plan = planOutputs(wanted, rule);
  const problems = [...plan.errors];
  if (problems.length === 0) {
    for (const [i, output] of plan.outputs.entries()) {
      problems.push(...output.write(files[i].text));
      if (problems.length > 0) break;
    }
  }
  complain(problems);
  return problems.length > 0 ? BAD_INPUT : AS_EXPECTED;
}

const kindOf = (name: string): OutputKind =>
  name === 'Makefile' ? 'litmus' : name.endsWith('.md') ? 'markdown' : 'c';

const runTime = (): readonly TextFile[] =>
  readdirSync(RUN_TIME_FOLDER)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(RUN_TIME_FOLDER, name), 'utf8') }));
