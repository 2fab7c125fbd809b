// Growth, family by family.
import { TIME_LIMIT } from './growth.js';
import { HERD, herdTime } from './herd.js';
import { ms, table } from './markdown.js';

export function growthLines({ growth, sizes }) {
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
function familyLines({ family, engines }, sizes) {
  const herd = HERD[family];
  const steps = engines.flatMap((e) => e.steps);
  const verdict = steps.find((s) => s.verdict !== undefined)?.verdict ?? 'no answer';
  const names = engines.map(({ engine }) => `\`${engine}\``);
  const encodings = engines.filter(({ engine }) => engine !== 'enumerate');
  const others = engines.filter(({ engine }) => engine === 'enumerate');
  const measured = sizes.filter(({ k }) => steps.some((s) => s.k === k));
  const columns = (k, list, of) =>
    list.map(({ steps }) => steps.filter((s) => s.k === k).map(of)[0] ?? '');
  const titles = (list, text) => list.map(({ engine }) => `${text}, \`${engine}\``);
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
        pairs.rf + pairs.mo + pairs.nfo,
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

function endOrTime({ end, milliseconds }) {
  if (end === undefined) return ms(milliseconds.median);
  return end === 'time' || /time limit/.test(end) ? `> ${TIME_LIMIT * 1000}` : end;
}
