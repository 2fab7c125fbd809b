// The results as Markdown.
import { bySizeLines } from './by-size.js';
import { commandLines } from './commands.js';
import { table } from './markdown.js';
import type { Results } from './results.js';
import type { Stages } from './stages.js';
import { editorLines } from './editor.js';
import { againstLines } from './report-against.js';
import { goalLines, herdLines } from './report-goals.js';
import { growthLines } from './report-growth.js';
import { robustLines } from './report-robust.js';
import { siteLines } from './site.js';
import { sizeLines } from './report-sizes.js';
import { locksLines } from './large-locks.js';
import { librariesLines } from './libraries.js';
import { proofsLines } from './proofs.js';
import { spinLines } from './report-spin.js';

const section = <T>(
  title: string,
  part: T | undefined,
  lines: (part: T) => readonly string[],
): readonly string[] => (part === undefined ? [] : ['', `## ${title}`, '', ...lines(part)]);

export function report(results: Results): string {
  const {
    commands,
    c,
    bySize,
    stages,
    goals,
    robust,
    sizes,
    locks,
    spin,
    libraries,
    proofs,
    editor,
    site,
    growth,
    against,
  } = results;
  return [
    '# Benchmark',
    '',
    `Node ${results.node}, Z3 ${results.z3} (WebAssembly). Made by \`npm run bench\`; medians. Times of two machines are not to be compared.`,
    '',
    ...originLines(results.measured),
    ...section('Commands', commands, commandLines),
    ...section('C files', c, commandLines),
    ...section('Programs by size', bySize, bySizeLines),
    ...section('Where the time goes', stages, stageLines),
    ...section('Goals', goals, (part) => goalLines(part, results)),
    ...section('Against herd7', goals, herdLines),
    ...section('Beside other checkers on this machine', against, againstLines),
    ...section('Size of encodings', sizes, sizeLines),
    ...section('Robustness', robust, robustLines),
    ...section('Large locks', locks, locksLines),
    ...section('States of locks, beside SPIN', spin, spinLines),
    ...section('Libraries', libraries, librariesLines),
    ...section('Proofs', proofs, proofsLines),
    ...section('The language server', editor, editorLines),
    ...section('The playground', site, siteLines),
    ...section('Growth', growth, (part) => growthLines(part, sizes)),
    '',
  ].join('\n');
}

/** Which parts were measured on which machine. */
function originLines(measured: Results['measured']): readonly string[] {
  const stamps = Object.entries(measured);
  const machines = [...new Set(stamps.map(([, { machine }]) => machine))];
  return machines.map((own) => {
    const parts = stamps.flatMap(([name, { machine, date, runs }]) =>
      machine === own ? [`${name} ${date} (${runs} ${runs === 1 ? 'run' : 'runs'})`] : [],
    );
    return `- ${own}: ${parts.join(', ')}.`;
  });
}

function stageLines({ tests, queries, events, clauses, rows }: Stages): readonly string[] {
  return [
    `Engine \`smt\`, in one thread of a new process: ${tests} tests under five models, ${queries} queries, ` +
      `${events} events and ${clauses} clauses in all.`,
    '',
    ...table(
      ['stage', 'milliseconds', 'per query'],
      rows.map(({ stage, milliseconds: { median } }) => [
        stage,
        median.toFixed(0),
        (median / queries).toFixed(2),
      ]),
    ),
  ];
}
