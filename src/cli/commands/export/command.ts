import type { Command } from 'commander';
import { Option } from 'commander';
import type { ExportOptions, PromelaOptions } from './export.js';
import { exportPromela, exportSmtlib } from './export.js';
import { UsageError } from '../../command/usage.js';
import { declare } from '../../command/declare.js';
import {
  force,
  bound,
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
}

export const exportCommand = (): Command =>
  declare(
    {
      name: 'export',
      summary: 'write queries, or programs, for other tools',
      description:
        'Writes the queries of the files as scripts for SMT solvers, or their programs as models in ' +
        'which SPIN decides robustness, to keep or to run elsewhere.',
      arguments: [pathsArgument(true)],
      options: [
        new Option('--smtlib', 'queries as SMT-LIB 2').conflicts('counterBound'),
        new Option('--promela', 'programs as Promela, in which SPIN decides robustness').conflicts(
          'smtlib,model,library,query,bound'.split(','),
        ),
        model(),
        library(),
        query(),
        bound(),
        counterBound('how far writes that polls in loops wait for are counted (default: 3)'),
        timeLimit('one script'),
        memory(),
        new Option(
          '-o, --out <path>',
          'a file (.smt2, .pml) or a folder for several (default: standard output)',
        ),
        force(),
      ],
      examples: [
        ['remora export --smtlib corpus/tso/MP1.litmus', 'the query as a script'],
        ['remora export --promela corpus/tso -o spin', 'a model of each program in a folder'],
      ],
      codes: {
        asExpected: 'everything is written',
        undecided: 'some script is not written: it took too much time or memory',
        badInput: 'wrong usage, or an input that cannot be read or put into that format',
      },
    },
    (paths: string[], o: Options) => {
      if (o.promela === true) return exportPromela(paths, o);
      if (o.smtlib === true) return exportSmtlib(paths, o);
      throw new UsageError('a format is needed: --smtlib or --promela');
    },
  );
