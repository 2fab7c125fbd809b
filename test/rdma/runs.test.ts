import { join } from 'node:path';
import { showQuery } from '../../src/program/print.js';
import { decideRuns } from '../../src/rdma/explore/decide.js';
import { EXPLORED_MODELS } from '../../src/rdma/explore/hardware.js';
import { isStateQuery } from '../../src/program/program.js';
import { itemsOf, readProgram, testCases } from '../support/cases.js';
import { litmus } from '../support/litmus.js';

/** Queries about runs: verdicts, and the runs that are told. */

testCases(join(import.meta.dirname, 'runs'), (input) => {
  const { settings, text } = readProgram(input, ['models', 'room', 'limit']);
  const test = litmus(text);
  const queries = [...test.queries.keys()].filter((q) => !isStateQuery(test.queries[q]));
  return itemsOf(settings.models ?? 'rdma-tso')
    .flatMap((model) => {
      const limits = {
        deadline: Infinity,
        room: settings.room === undefined ? undefined : Number(settings.room),
        limit: settings.limit === undefined ? undefined : Number(settings.limit),
      };
      const answers = decideRuns(test, EXPLORED_MODELS.get(model)!, queries, limits);
      return answers.flatMap(
        ({ query, verdict, reason, run = [], round, assuming, full, room }) => [
          `${showQuery(test.queries[query])} under ${model}: ${[verdict, ...(reason === undefined ? [] : [reason])].join(': ')}`,
          ...(full === undefined ? [] : [`  with ${room} entries in ${full.join(', ')}`]),
          ...(assuming ?? []).map((line) => `  if ${line}`),
          ...run.map((line) => `  ${line}`),
          ...(round === undefined ? [] : ['  for ever:', ...round.map((line) => `    ${line}`)]),
        ],
      );
    })
    .join('\n');
});
