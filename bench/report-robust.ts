// Robustness in tables.
import { met, ms, seconds, table } from './markdown.js';
import type { Robust, Summary } from './robust.js';

export function robustLines({ goals, kinds, protocols }: Robust): readonly string[] {
  const slowest = ({ most, name }: Summary): string => `${seconds(most)} (${name})`;
  return [
    'Every program of the corpus, one after the other in a process that has loaded Z3: milliseconds of the exact answer, and of the',
    'cheapest repair where a program is not robust.',
    '',
    ...table(
      [
        'model',
        'executions',
        'programs',
        'median',
        'slowest, s',
        '< 1 s',
        'repairs',
        'median',
        'slowest, s',
        '< 10 s',
        'no repair',
      ],
      kinds.map(({ model, comparison, exact, repair, unrepaired }) => [
        model,
        comparison,
        exact.count,
        ms(exact.median),
        slowest(exact),
        met(exact.most < goals.exact * 1000),
        repair.count,
        ms(repair.median),
        slowest(repair),
        met(repair.most < goals.repair * 1000),
        unrepaired.join(', '),
      ]),
    ),
    '',
    'Protocols with loops. "all": by exploration, for any number of iterations; else the number up to which the answer holds.',
    '',
    ...table(
      [
        'protocol',
        'model',
        'executions',
        'answer',
        'iterations',
        'states',
        'seconds',
        'repair costs',
        'seconds',
      ],
      protocols.map((p) => [
        p.test,
        p.model,
        p.comparison,
        p.verdict,
        p.verdict === 'not robust' ? '' : (p.upTo ?? 'all'),
        p.explored?.states ?? '',
        seconds(p.milliseconds),
        p.repair === undefined ? '' : (p.repair.cost ?? p.repair.kind),
        p.repair === undefined ? '' : seconds(p.repair.milliseconds),
      ]),
    ),
  ];
}
