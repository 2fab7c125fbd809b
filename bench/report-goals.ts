// Which goals are met, and where herd7 is faster.
import type { FamilyGrowth } from './growth.js';
import type { AgainstHerd, AnswerGoal, Cold, Generated, Goals, Start } from './goals.js';
import { START, herdTime } from './herd.js';
import type { Row } from './markdown.js';
import { met, ms, seconds, table } from './markdown.js';
import { sizeGoal } from './report-sizes.js';
import type { Results } from './results.js';

/** MiB that no process may need. */
const MEMORY_GOAL = 1024;

/** How much longer twice the size may take. */
const GROWTH_GOAL = 8;

export function goalLines(
  goals: Goals,
  { commands, c, bySize, sizes, growth }: Results,
): readonly string[] {
  return [
    'Default engine, RDMA^TSO. First answer: from reading the model and the test to the verdict, without the start of',
    'the process; each run is a process of its own. Warm: the last five of up to twenty answers of a process.',
    '',
    ...table(
      ['goal', 'answer', 'measured', 'MiB', 'limit', 'met'],
      [
        ...goals.answers.map(answerGoal),
        ...[commands ?? [], c ?? [], bySize?.told ?? []]
          .flat()
          .flatMap(({ name, seconds: { median }, goal }) =>
            goal === undefined
              ? []
              : [[name, '', `${median.toFixed(2)} s`, '', `< ${goal} s`, met(median < goal)]],
          ),
        startGoal(goals.start),
        generatedGoal(goals.generated),
        memoryGoal([...goals.answers, ...goals.against, ...stepsOf(growth ?? [], 'smt')]),
        ...herdGoals(goals.against),
        ...timeGrowthGoals(growth ?? []),
        ...(sizes === undefined ? [] : [sizeGoal(sizes)]),
      ],
    ),
  ];
}

const ASKED = { verdict: 'asked outcome', states: 'all final states' };

function answerGoal(a: AnswerGoal): Row {
  const { family, k, ask, goal, warmGoal, mebibytes, memory } = a;
  const isWarm = warmGoal !== undefined;
  const name = `\`${family}\`, k = ${k}, ${ASKED[ask]}${isWarm ? ', warm' : ''}`;
  const limits = [
    ...(isWarm ? [`≤ ${warmGoal} ms`] : goal === undefined ? ['answered'] : [`< ${goal} s`]),
    ...(mebibytes === undefined ? [] : [`< ${mebibytes} MiB`]),
  ];
  if (a.end !== undefined) return [name, a.end, '', memory, limits.join(', '), met(false)];
  const { verdict, states, milliseconds, warm } = a;
  const isQuick = isWarm
    ? warm.median <= warmGoal
    : goal === undefined || milliseconds.median < goal * 1000;
  return [
    name,
    verdict ?? `${states} states`,
    isWarm ? `${ms(warm.median)} ms` : `${seconds(milliseconds.median)} s`,
    memory,
    limits.join(', '),
    met(isQuick && (mebibytes === undefined || memory < mebibytes)),
  ];
}

function startGoal({ goal, file, node }: Start): Row {
  const factor = file.median / node.median;
  return [
    'one small file from start, against `node -e 0`',
    '',
    `${file.median.toFixed(2)} s, ${node.median.toFixed(2)} s`,
    '',
    `≤ ${goal} times`,
    `${met(factor <= goal)} (${factor.toFixed(1)})`,
  ];
}

function generatedGoal({ count, seconds: { median }, goal }: Generated): Row {
  const name = `${count} generated tests on two cores`;
  return [name, '', `${median.toFixed(2)} s`, '', `< ${goal} s`, met(median < goal)];
}

/** How much a process took for a member of a family. */
type Taken = Pick<Cold, 'family' | 'k' | 'memory'>;

function memoryGoal(answers: readonly Taken[]): Row {
  const most = answers.reduce((a, b) => (b.memory > a.memory ? b : a));
  return [
    'memory, the most of all processes with `auto` or `smt`',
    `\`${most.family}\`, k = ${most.k}`,
    '',
    most.memory,
    `< ${MEMORY_GOAL} MiB`,
    met(most.memory < MEMORY_GOAL),
  ];
}

const stepsOf = (growth: readonly FamilyGrowth[], name: string): readonly Taken[] =>
  growth.flatMap(({ family, engines }) =>
    engines
      .filter(({ engine }) => engine === name)
      .flatMap(({ steps }) => steps.map((step) => ({ ...step, family }))),
  );

/** One answer: what herd7 needs for more than this many milliseconds, Remora is to do faster. */
const SLOW = 30;
/** Where herd7 needs less, Remora may take so many milliseconds longer, in a warm process. */
const BEHIND = 15;
/** From this size on, Remora is to list all final states faster. Of some families herd7 does not get that far. */
const ALL_FROM: Readonly<Record<string, number>> = {
  sbring: 8,
  sbringget: 8,
  mpchain: 8,
  getsputs: 4,
  putrace: 4,
};

const isSlow = ({ herd }: AgainstHerd): boolean => herd.one > SLOW;

/** Is one answer there in time, the starts of both subtracted? */
const isOneMet = (
  a: AgainstHerd,
  by: 'milliseconds' | 'warm' = isSlow(a) ? 'milliseconds' : 'warm',
): boolean => a.end === undefined && a[by].median < a.herd.one - START + (isSlow(a) ? 0 : BEHIND);

/** Are all final states there first, with the start of both? */
const areAllMet = ({ herd, outcomes }: AgainstHerd): boolean => outcomes.median < herd.all;

function herdGoals(against: readonly AgainstHerd[]): readonly Row[] {
  const goal = (
    name: string,
    cases: readonly AgainstHerd[],
    isMet: (a: AgainstHerd) => boolean,
  ): Row => {
    const ahead = cases.filter(isMet).length;
    const all = cases.length;
    return [name, `${ahead} of ${all}`, '', '', 'all', met(ahead === all)];
  };
  return [
    goal(
      `one answer: ahead of herd7 where that needs over ${SLOW} ms (below)`,
      against.filter(isSlow),
      (a) => isOneMet(a),
    ),
    goal(
      `one answer, warm: at most ${BEHIND} ms behind it elsewhere (below)`,
      against.filter((a) => !isSlow(a)),
      (a) => isOneMet(a),
    ),
    goal(
      'all final states: ahead of herd7, k ≥ 8 or as far as that gets (below)',
      against.filter(({ family, k }) => k >= ALL_FROM[family]),
      areAllMet,
    ),
  ];
}

/** For each encoding, the worst step from k to 2k among families with the answer "forbidden". */
function timeGrowthGoals(growth: readonly FamilyGrowth[]): readonly Row[] {
  const steps = growth.flatMap(({ family, engines }) =>
    engines
      .filter(({ engine }) => engine.startsWith('smt'))
      .flatMap(({ engine, steps }) =>
        steps.slice(1).flatMap((step, i) => {
          const before = steps[i];
          if (before.end !== undefined || before.verdict !== 'forbidden') return [];
          const { k } = step;
          if (step.end !== undefined) return [{ engine, family, k, factor: Infinity }];
          const factor = step.milliseconds.median / before.milliseconds.median;
          return step.verdict === 'forbidden' ? [{ engine, family, k, factor }] : [];
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
      `≤ ${GROWTH_GOAL} times`,
      `${met(worst.factor <= GROWTH_GOAL)} (${worst.factor.toFixed(1)})`,
    ];
  });
}

export function herdLines({ against }: Goals): readonly string[] {
  return [
    "Milliseconds of Remora as above and, in brackets, when the process is warm. herd7 7.58 is another machine's, of two cores: its",
    `CPU time with its start, about ${START}. One answer is without the start of both, and met where Remora is ahead, or warm at most ${BEHIND}`,
    `behind where herd7 needs no more than ${SLOW}. All final states are whole commands, starts included.`,
    '',
    ...table(
      ['family', 'k', 'one', 'herd7', 'met', 'all', 'herd7', 'ahead'],
      against.map((a) => [
        a.family,
        a.k,
        a.end ?? `${ms(a.milliseconds.median)} (${ms(a.warm.median)})`,
        herdTime(a.herd.one),
        isOneMet(a) ? 'yes' : isOneMet(a, 'warm') ? '**warm**' : met(false),
        ms(a.outcomes.median),
        herdTime(a.herd.all),
        met(areAllMet(a)),
      ]),
    ),
  ];
}
