// Growth, family by family.
import type { EngineGrowth, FamilyGrowth, Step } from './growth.js';
import { TIME_LIMIT } from './growth.js';
import { HERD, herdTime } from './herd.js';
import type { Row } from './markdown.js';
import { ms, table } from './markdown.js';
import type { Results } from './results.js';
import type { FamilySizes } from './sizes.js';

export function growthLines(
  growth: readonly FamilyGrowth[],
  sizes: Results['sizes'],
): readonly string[] {
  return [
    'From the text of a test to the verdict under RDMA^TSO, its execution verified; without the start of the process',
    `and of Z3, medians of runs in one process (fewer where one takes seconds). At most ${TIME_LIMIT} s an answer; a series ends`,
    'there, or where the next size is sure to take longer. Pairs: those of `rf`, `mo` and `nfo` that bounds leave',
    'open. MiB: the most of the process. herd7: for one answer. Clauses of `smt-difference` and `search`: with the edges of graphs.',
    ...growth.flatMap((g) =>
      familyLines(g, sizes?.find(({ family }) => family === g.family)?.sizes ?? []),
    ),
  ];
}

/** Two tables: times, then sizes. */
function familyLines(
  { family, engines }: FamilyGrowth,
  sizes: FamilySizes['sizes'],
): readonly string[] {
  const herd: (typeof HERD)[string] | undefined = HERD[family];
  const steps = engines.flatMap((e) => e.steps);
  const [verdict = 'no answer'] = steps.flatMap(verdictOf);
  const names = engines.map(({ engine }) => `\`${engine}\``);
  const encodings = engines.filter(({ engine }) => engine !== 'enumerate');
  const others = engines.filter(({ engine }) => engine === 'enumerate');
  const measured = sizes.filter(({ k }) => steps.some((s) => s.k === k));
  const columns = (
    k: number,
    list: readonly EngineGrowth[],
    of: (step: Step) => string | number | undefined,
  ): Row => list.map(({ steps }) => steps.filter((s) => s.k === k).map(of)[0] ?? '');
  const titles = (list: readonly EngineGrowth[], text: string): readonly string[] =>
    list.map(({ engine }) => `${text}, \`${engine}\``);
  return [
    '',
    `### ${family}: ${verdict}`,
    '',
    'Milliseconds:',
    '',
    ...table(
      ['k', 'events', 'pairs', ...names, ...(herd === undefined ? [] : ['herd7'])],
      measured.map(({ k, events, pairs }) => [
        k,
        events,
        pairs && pairs.rf + pairs.mo + pairs.nfo,
        ...columns(k, engines, endOrTime),
        ...(herd === undefined ? [] : [herdTime(herd.one.get(k))]),
      ]),
    ),
    '',
    ...table(
      [
        'k',
        ...titles(encodings, 'clauses'),
        ...titles(others, 'candidates'),
        ...titles(engines, 'MiB'),
      ],
      measured.map(({ k }) => [
        k,
        ...columns(k, encodings, (s) => s.clauses),
        ...columns(k, others, (s) => s.candidates),
        ...columns(k, engines, (s) => s.memory),
      ]),
    ),
  ];
}

const verdictOf = (step: Step): readonly string[] =>
  step.end === undefined && step.verdict !== undefined ? [step.verdict] : [];

function endOrTime(step: Step): string {
  if (step.end === undefined) return ms(step.milliseconds.median);
  const { end } = step;
  return end === 'time' || /time limit/.test(end) ? `> ${TIME_LIMIT * 1000}` : end;
}
