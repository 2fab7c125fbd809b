import type { Command } from 'commander';
import { Option } from 'commander';
import type { ExportOptions, PromelaOptions } from './export.js';
import { exportHerd, exportPromela, exportRuns, exportSmtlib } from './export.js';
import { UsageError } from '../../command/usage.js';
import { declare } from '../../command/declare.js';
import {
  force,
  bound,
  buffer,
  counterBound,
  library,
  memory,
  model,
  pathsArgument,
  query,
  timeLimit,
} from '../../command/options.js';

interface Options extends ExportOptions, PromelaOptions {
  readonly smtlib?: boolean;
  readonly promela?: boolean;
  readonly litmus?: string;
  readonly buffer?: number;
}

export const exportCommand = (): Command =>
  declare(
    {
      name: 'export',
      summary: 'write queries, or programs, for other tools',
      description:
        'Writes queries about final states as scripts for SMT solvers, queries about runs as models in ' +
        'which SPIN decides them, programs as models in which it decides robustness, or programs without a network as litmus tests of herd7.',
      arguments: [pathsArgument(true)],
      options: [
        new Option('--smtlib', 'queries as SMT-LIB 2').conflicts('counterBound'),
        new Option(
          '--promela',
          'programs as Promela: with --model, in which SPIN decides queries about runs; without, robustness',
        ).conflicts('smtlib,library,bound'.split(',')),
        new Option(
          '--litmus <language>',
          'programs without a network as litmus tests of herd7, in this assembly',
        ).conflicts('smtlib,promela,model,library,bound,buffer,counterBound'.split(',')),
        model('rdma-tso for --smtlib'),
        library(),
        query(),
        buffer(),
        bound(),
        counterBound('how far writes that polls in loops wait for are counted (default: 3)'),
        timeLimit('one script'),
        memory(),
        new Option(
          '-o, --out <path>',
          'a file (.smt2, .pml, .litmus) or a folder for several (default: standard output)',
        ),
        force(),
      ],
      examples: [
        ['remora export --smtlib corpus/tso/MP1.litmus', 'the query as a script'],
        [
          'remora export --promela corpus/locks/tas.litmus -m rdma-ro -o tas.pml',
          'the same questions for SPIN that remora explore answers',
        ],
        ['remora export --litmus X86 corpus/rmw/SB-xchg.litmus', 'the same test for herd7'],
        ['remora export --promela corpus/tso -o spin', 'is it robust? A model of each program'],
      ],
      codes: {
        asExpected: 'everything is written',
        undecided: 'some script is not written: it took too much time or memory',
        badInput: 'wrong usage, or an input that cannot be read or put into that format',
      },
    },
    (paths: string[], o: Options) => {
      const problem = misuse(o);
      if (problem !== undefined) throw new UsageError(problem);
      const { model: models, buffer: room } = o;
      if (o.promela === true && models) return exportRuns(paths, { ...o, model: models, room });
      if (o.promela === true) return exportPromela(paths, o);
      if (o.litmus !== undefined) return exportHerd(paths, { ...o, litmus: o.litmus });
      if (o.smtlib === true) return exportSmtlib(paths, o);
      throw new UsageError('a format is needed: --smtlib, --promela or --litmus');
    },
  );

/** Options that go with `--promela` in one of its two meanings only. */
function misuse({
  promela,
  model: models,
  query: only,
  buffer: room,
  counterBound: counted,
}: Options) {
  const isOfRuns = promela === true && models !== undefined;
  if (promela === true && models === undefined && only !== undefined)
    return '--query is for --smtlib, and for --promela with --model';
  if (room !== undefined && !isOfRuns) return '--buffer is for --promela with --model';
  if (counted !== undefined && isOfRuns) return '--counter-bound is for --promela without --model';
  return undefined;
}
