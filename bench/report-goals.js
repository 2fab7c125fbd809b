// Which goals are met, and where herd7 is faster.
import { START, herdTime } from './herd.js';
import { met, ms, seconds, table } from './markdown.js';

/** MiB that no process may need. */
const MEMORY_GOAL = 1024;

/** How much longer twice the size may take. */
const GROWTH_GOAL = 8;

export function goalLines(results) {
  const { commands, goals, growth } = results;
  const what = { verdict: 'asked outcome', states: 'all final states' };
  const { generated } = goals;
  return [
    'Default engine, RDMA^TSO; from reading the model and the test to the verdict, without the start of',
    'the process and of Z3; each run is a process of its own. "In all" is with the start.',
    '',
    ...table(
      ['goal', 'answer', 'seconds', 'in all', 'MiB', 'limit', 'met'],
      [
        ...goals.answers.map((a) => [
          `\`${a.family}\`, k = ${a.k}, ${what[a.ask]}`,
          a.end ?? a.verdict ?? `${a.states} states`,
          a.end === undefined ? seconds(a.milliseconds.median) : '',
          a.inAll.median.toFixed(2),
          a.memory,
          `< ${a.goal} s`,
          met(a.end === undefined && a.milliseconds.median < a.goal * 1000),
        ]),
        ...(commands ?? [])
          .filter(({ goal }) => goal !== undefined)
          .map(({ name, seconds: { median }, goal }) => [
            name,
            '',
            '',
            median.toFixed(2),
            '',
            `< ${goal} s`,
            met(median < goal),
          ]),
        [
          `${generated.count} generated tests on two cores`,
          '',
          '',
          generated.seconds.median.toFixed(2),
          '',
          `< ${generated.goal} s`,
          met(generated.seconds.median < generated.goal),
        ],
        memoryGoal([...goals.answers, ...goals.against, ...stepsOf(growth ?? [], 'smt')]),
        herdGoal(goals.against),
        ...growthGoals(growth ?? []),
      ],
    ),
  ];
}

function memoryGoal(answers) {
  const most = answers.reduce((a, b) => (b.memory > a.memory ? b : a));
  return [
    'memory, the most of all processes with `auto` or `smt`',
    `\`${most.family}\`, k = ${most.k}`,
    '',
    '',
    most.memory,
    `< ${MEMORY_GOAL} MiB`,
    met(most.memory < MEMORY_GOAL),
  ];
}

const stepsOf = (growth, name) =>
  growth.flatMap(({ family, engines }) =>
    engines
      .filter(({ engine }) => engine === name)
      .flatMap(({ steps }) => steps.map((step) => ({ ...step, family }))),
  );

/** Is Remora's answer there before herd7's, if herd7 had to be started, too? */
const isAhead = (by, { herd, end, ...times }) =>
  end === undefined && times[by].median < herd - START;

function herdGoal(against) {
  const ahead = (by) => against.filter((a) => isAhead(by, a)).length;
  return [
    'ahead of herd7 from k = 4 on (below)',
    `${ahead('milliseconds')} of ${against.length}, warm ${ahead('warm')}`,
    '',
    '',
    '',
    'all',
    met(ahead('milliseconds') === against.length),
  ];
}

/** For each encoding, the worst step from k to 2k among families with the answer "forbidden". */
function growthGoals(growth) {
  const steps = growth.flatMap(({ family, engines }) =>
    engines
      .filter(({ engine }) => engine.startsWith('smt'))
      .flatMap(({ engine, steps }) =>
        steps.slice(1).flatMap(({ k, end, verdict, milliseconds }, i) => {
          const before = steps[i];
          if (before.verdict !== 'forbidden' || (end === undefined && verdict !== 'forbidden')) {
            return [];
          }
          const factor =
            end === undefined ? milliseconds.median / before.milliseconds.median : Infinity;
          return [{ engine, family, k, factor }];
        }),
      ),
  );
  return [...new Set(steps.map(({ engine }) => engine))].map((name) => {
    const worst = steps
      .filter(({ engine }) => engine === name)
      .reduce((a, b) => (b.factor > a.factor ? b : a));
    return [
      `growth from k to 2k where forbidden, \`${name}\`: the worst`,
      `\`${worst.family}\`, to k = ${worst.k}`,
      '',
      '',
      '',
      `≤ ${GROWTH_GOAL} times`,
      `${met(worst.factor <= GROWTH_GOAL)} (${worst.factor.toFixed(1)})`,
    ];
  });
}

export function herdLines({ against }) {
  const cells = (a) => [
    a.end ?? `${ms(a.milliseconds.median)} (${ms(a.warm.median)})`,
    herdTime(a.herd),
    isAhead('milliseconds', a) ? 'yes' : isAhead('warm', a) ? '**warm**' : met(false),
  ];
  return [
    'Milliseconds of Remora as above and, in brackets, when the process is warm: the last five of up to twenty answers. herd7 7.58',
    `is another machine's, of two cores: its CPU time with its start, about ${START}. First for one answer, then for all final states.`,
    'Ahead: less than herd7 without its start.',
    '',
    ...table(
      ['family', 'k', 'one', 'herd7', 'ahead', 'all', 'herd7', 'ahead'],
      against
        .filter(({ ask }) => ask === 'verdict')
        .map((one) => {
          const { family, k } = one;
          const all = against.find((a) => a.family === family && a.k === k && a.ask === 'states');
          return [family, k, ...cells(one), ...cells(all)];
        }),
    ),
  ];
}
