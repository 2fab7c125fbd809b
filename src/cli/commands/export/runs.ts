import { isForSpin } from '../../../explore/promela/promela.js';
import type { Test } from '../../../program/program.js';
import { isStateQuery } from '../../../program/program.js';
import { prepare } from '../../../rdma/prepare.js';
import { harmless } from '../../../report/site/paths.js';
import { withoutClients } from '../../inputs/clients.js';
import { readCorpus } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import { readModels } from '../../inputs/models.js';
import type { InputReader } from '../../inputs/reader.js';
import { MACHINES } from '../../run/options.js';
import type { ScriptFile, Scripts } from './script.js';

export interface RunsOptions {
  readonly model: readonly string[];
  /** Just one query of each test, counted from 1. */
  readonly query?: number;
  readonly room?: number;
}

/** Queries about runs as Promela: one script for each test and model, with all queries that SPIN can be asked. */
export function runsScripts(
  paths: readonly string[],
  { model: names, query, room }: RunsOptions,
  reader: InputReader,
): Scripts {
  const models = readModels(names, MACHINES, reader);
  const { corpus, refused } = withoutClients(
    readCorpus(paths, models, reader),
    'export --promela',
    'it is about machines, and there is none with libraries',
  );
  const errors = [...models.errors, ...corpus.errors, ...refused];
  const warnings = [...corpus.warnings];
  const scripts: ScriptFile[] = [];
  for (const { source, test } of corpus.tests) {
    const { queries, left } = queriesAsked(test, query);
    const whole = queries.length === 0 ? errors : warnings;
    whole.push(...left.map((why) => `${source.path}: ${why}`));
    if (queries.length === 0) continue;
    for (const model of models.items) {
      const prepared = prepare(test.program, model, MACHINES);
      if (!prepared.ok) {
        errors.push(renderFor(source, prepared.errors));
        continue;
      }
      const { program, note } = prepared.value;
      scripts.push({
        file: harmless(`${test.name}.${model.name}.pml`),
        path: source.path,
        of: {
          ...{ format: 'runs', models: [model], test: { ...test, program }, source, queries },
          options: { note, room },
        },
      });
    }
  }
  return { scripts, warnings, errors };
}

/** The queries of a test that SPIN can be asked, by index, and why others are left out. */
function queriesAsked(
  { queries }: Test,
  only: number | undefined,
): { readonly queries: readonly number[]; readonly left: readonly string[] } {
  if (only !== undefined && only > queries.length) {
    return { queries: [], left: [`there is no query ${only}: the test has ${queries.length}`] };
  }
  if (queries.length === 0) return { queries: [], left: ['the test has no query'] };
  const wanted = only === undefined ? [...queries.keys()] : [only - 1];
  const others = wanted.filter((q) => !isForSpin(queries[q]));
  const [final, progress] = [true, false].map((is) =>
    others.filter((q) => isStateQuery(queries[q]) === is).map((q) => q + 1),
  );
  const left = [
    ...(final.length === 0
      ? []
      : [`${areAbout(final)} final states, and not for SPIN: --smtlib writes that`]),
    ...(progress.length === 0
      ? []
      : [`${areAbout(progress)} progress, and not for SPIN: remora explore answers that`]),
  ];
  const asked = wanted.filter((q) => isForSpin(queries[q]));
  return { queries: asked, left };
}

const areAbout = (numbers: readonly number[]): string =>
  numbers.length === 1 ? `query ${numbers[0]} is about` : `queries ${numbers.join(', ')} are about`;
