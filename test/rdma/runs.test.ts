import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { showQuery } from '../../src/program/print.js';
import { askedAlways } from '../../src/explore/asked.js';
import { machineOf } from '../../src/explore/prepare.js';
import { explore } from '../../src/explore/search.js';
import { isStateQuery } from '../../src/program/program.js';
import { itemsOf, readProgram, testCases } from '../support/cases.js';
import { modelOf } from '../support/checker.js';
import { decidedRuns } from '../support/explored.js';
import { litmus } from '../support/litmus.js';

/** Queries about runs: verdicts, and the runs that are told. */

testCases(join(import.meta.dirname, 'runs'), (input) => {
  const { settings, text } = readProgram(input, ['models', 'room', 'limit']);
  const asked = litmus(text);
  const queries = [...asked.queries.keys()].filter((q) => !isStateQuery(asked.queries[q]));
  return itemsOf(settings.models ?? 'rdma-tso')
    .flatMap((model) => {
      const limits = {
        ...(settings.room !== undefined && { room: Number(settings.room) }),
        ...(settings.limit !== undefined && { limit: Number(settings.limit) }),
      };
      const answers = decidedRuns(asked, model, queries, limits);
      return answers.flatMap(
        ({ query, verdict, reason, run = [], round, assuming, full, room }) => [
          `${showQuery(asked.queries[query])} under ${model}: ${[verdict, ...(reason === undefined ? [] : [reason])].join(': ')}`,
          ...(full === undefined ? [] : [`  with ${room} entries in ${full.join(', ')}`]),
          ...(assuming ?? []).map((line) => `  if ${line}`),
          ...run.map((line) => `  ${line}`),
          ...(round === undefined ? [] : ['  for ever:', ...round.map((line) => `    ${line}`)]),
        ],
      );
    })
    .join('\n');
});

test('a limit of memory ends an exploration, with the reason', () => {
  const { program } = litmus(
    'RDMA t node 1 { x = 0; y = 0 } thread T on 1 { loop { x := 1 - x } } thread U on 1 { loop { y := x } }',
  );
  const subjects = [0, 1].map((location) => ({ kind: 'location', location }) as const);
  const asked = { ...askedAlways(subjects), room: 4, resting: false, reduces: true };
  const machine = machineOf(program, modelOf('rdma-tso'), asked);
  if ('message' in machine) throw new Error(machine.message);
  const { incomplete, states } = explore(machine, {}, false, { memory: 2 ** 20 });
  expect(incomplete).toBe('memory limit of 1 MiB reached after 1 states');
  expect(states).toBe(1);
  expect(explore(machine, {}, false, {}).incomplete).toBeUndefined();
});

describe('without taking steps at once, verdicts are the same', () => {
  const small = [
    'alock-1-1',
    'alock-no-fence',
    'alock-no-poll',
    'alock-victim-first',
    'one-word',
    'peterson',
  ];
  const cases = [
    ...small,
    ...[
      'peterson-own-flags',
      'peterson-own-flags-flushed',
      'peterson-local-remote',
      'tas',
      'tas-elsewhere-flushed',
    ],
  ];

  test.each(cases)('%s', (name) => {
    const { program, ...rest } = litmus(readFileSync(`corpus/locks/${name}.litmus`, 'utf8'));
    const queries = [...rest.queries.keys()];
    for (const model of ['rdma-sc', 'rdma-tso']) {
      const verdicts = [true, false].map((reduces) => {
        const limits = { room: 4, reduces };
        const answers = decidedRuns({ ...rest, program }, model, queries, limits);
        return answers.map(({ verdict, states }) => [verdict, states] as const);
      });
      const [reduced, full] = verdicts.map((all) => all.map(([verdict]) => verdict));
      expect([model, full]).toEqual([model, reduced]);
      const [fewer, more] = verdicts.map((all) => all[0][1]!);
      expect(more).toBeGreaterThan(fewer);
    }
  });
});
