/** All pairs of some models: text and JSON of `remora distinguish` with more than two. */
import type { ModelPair } from '../analyses/distinguish/table-part.js';
import type { TellingProgram } from '../analyses/distinguish/verdicts.js';
import { tellingLitmus } from '../analyses/distinguish/verdicts.js';
import { COLOURS } from './colours.js';
import { WIDTH, plural, wrapSentence } from './explain-style.js';
import { jsonLine } from './json.js';
import { tableText } from './table.js';

export interface TableReport {
  readonly models: readonly string[];
  readonly pairs: readonly PairRecord[];
  readonly programs: readonly TableProgram[];
  readonly sizes: readonly SizeRecord[];
  readonly undecided: readonly {
    readonly litmus: string;
    readonly model: string;
    readonly reason: string;
  }[];
  /** Why it was given up. */
  readonly unfinished?: string | undefined;
  readonly interrupted: boolean;
  readonly seconds: number;
}

/** Two models, and what their programs are made of. */
export interface PairRecord {
  readonly models: ModelPair;
  readonly operations: readonly string[];
  readonly marks: readonly string[];
  /** How many programs were made that both know. */
  readonly programs: number;
}

/** A program that tells models apart which no program before it does. */
export interface TableProgram extends TellingProgram {
  readonly calls: number;
}

export interface SizeRecord {
  readonly calls: number;
  readonly programs: number;
  /** Whether all programs were compared. */
  readonly isWhole: boolean;
}

/** How many calls a program has at least in which the first, or the second, model of a pair allows what the other forbids. */
interface Relation {
  readonly more?: number | undefined;
  readonly less?: number | undefined;
}

export function tableReportText(report: TableReport): string {
  const { models, programs, undecided, unfinished, interrupted } = report;
  const upTo = comparedUpTo(report);
  const lines = [
    COLOURS.bold(`${models.length} models in pairs, programs of up to ${plural(upTo, 'call')}`),
    '',
    ...matrix(report).split('\n'),
    '',
    ...legend(report),
    ...equalLines(report),
    ...programs.flatMap((one, i) => ['', ...litmusOf(one, i).trimEnd().split('\n')]),
    '',
    ...(undecided.length === 0
      ? []
      : [
          COLOURS.red(
            `${plural(undecided.length, 'program')} undecided under a model: ${undecided[0].reason}`,
          ),
        ]),
    ...(unfinished === undefined ? [] : [COLOURS.red(`not all were compared: ${unfinished}`)]),
    `programs: ${made(report).join('; ')}`,
    ...(interrupted ? [COLOURS.red('interrupted')] : []),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** What the signs of the matrix say, those that it has. */
function legend(report: TableReport): readonly string[] {
  const pairs = report.pairs.map(({ models: [a, b] }) => cell(report, a, b)[0]);
  return SIGNS.filter(([signs]) => pairs.some((sign) => signs.includes(sign))).flatMap(
    ([, says]) => says,
  );
}

const SIGNS: readonly (readonly [string, readonly string[]])[] = [
  [
    '<>',
    [
      '<  the model of the row allows less than that of the column,  >  it allows more; and the calls',
      '   of the smallest program that shows it',
    ],
  ],
  ['≠', ['≠  each of the two allows what the other forbids']],
  ['=', ['=  no program tells the two apart']],
  ['?', ['?  not all programs were decided']],
  ['-', ['-  there is no program that both know']],
];

const litmusOf = (program: TableProgram, index: number): string =>
  tellingLitmus(program, `difference-${index + 1}`);

/** Of a number of calls, and of all fewer ones, all programs were compared. */
export function comparedUpTo({ sizes }: Pick<TableReport, 'sizes'>): number {
  const cut = sizes.findIndex(({ isWhole }) => !isWhole);
  return cut < 0 ? (sizes.at(-1)?.calls ?? 0) : sizes[cut].calls - 1;
}

const matrix = (report: TableReport): string =>
  tableText([
    ['', ...report.models.map((_, i) => `${i + 1}`)],
    ...report.models.map((name, i) => [
      `${i + 1} ${name}`,
      ...report.models.map((_, j) => (i === j ? '·' : cell(report, i, j))),
    ]),
  ]);

function cell(report: TableReport, row: number, column: number): string {
  const { more, less } = relationOf(report, row, column);
  if (more !== undefined && less !== undefined) return `≠${Math.min(more, less)}`;
  if (more !== undefined) return `>${more}`;
  if (less !== undefined) return `<${less}`;
  if (comparedUpTo(report) === 0 || isOpen(report, [row, column])) return '?';
  const pair = report.pairs.find(({ models }) => models.includes(row) && models.includes(column));
  return pair?.programs === 0 ? '-' : '=';
}

/** Was a program not decided under a model of a pair? */
function isOpen({ models, undecided }: TableReport, pair: ModelPair): boolean {
  const names = pair.map((i) => models[i]);
  return undecided.some(({ model }) => names.includes(model));
}

function relationOf({ programs }: TableReport, a: number, b: number): Relation {
  const shows = (more: number, less: number) =>
    programs.find((one) => one.shows.some((way) => way.more === more && way.less === less))?.calls;
  return { more: shows(a, b), less: shows(b, a) };
}

/** Sets of models of which no program tells any two apart. */
export function equalModels(report: TableReport): readonly (readonly number[])[] {
  const sets: number[][] = [];
  for (const model of report.models.keys()) {
    const own = sets.find((set) => set.every((other) => cell(report, other, model) === '='));
    if (own === undefined) sets.push([model]);
    else own.push(model);
  }
  return sets;
}

function equalLines(report: TableReport): readonly string[] {
  const sets = equalModels(report).filter(({ length }) => length > 1);
  if (sets.length === 0) return [];
  const named = sets.map((set) => set.map((i) => report.models[i]).join(', '));
  return [
    '',
    'no program tells these apart',
    ...named.flatMap((names) => wrapSentence(names, WIDTH - 2, '  ').map((line) => `  ${line}`)),
  ];
}

/** What programs there were. */
function made({ models, pairs, sizes, seconds }: TableReport): readonly string[] {
  const operations = mergedNames(pairs.map((pair) => pair.operations));
  const everywhere = operations.filter((name) =>
    pairs.every((pair) => pair.operations.includes(name)),
  );
  const others = operations.filter((name) => !everywhere.includes(name));
  const marks = mergedNames(pairs.map((pair) => pair.marks));
  const tags = marks.map((tag) => `[${tag}]`);
  return [
    sizes.map(({ calls, programs }) => `${programs} of ${plural(calls, 'call')}`).join(', '),
    ...(everywhere.length === 0 ? [] : [`of ${everywhere.join(', ')}`]),
    ...others.map((name) => `${name}${where(name, models, pairs)}`),
    ...(marks.length === 0
      ? []
      : [`locations with ${tags.join(', ')} if one of two models looks at it`]),
    `${seconds.toFixed(1)} s`,
  ];
}

/** With which models an operation is there that not all pairs know. */
function where(name: string, models: readonly string[], pairs: readonly PairRecord[]): string {
  const having = pairs.filter(({ operations }) => operations.includes(name));
  const without = models.filter((_, i) => !having.some((pair) => pair.models.includes(i)));
  const left = pairs.filter((pair) => !pair.models.some((i) => without.includes(models[i])));
  if (left.length === having.length) return ` not with ${without.join(', ')}`;
  const always = models.filter((_, i) => having.every((pair) => pair.models.includes(i)));
  return always.length > 0 ? ` with ${always.join(', ')}` : ' in some pairs';
}

const mergedNames = (lists: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(lists.flat()),
];

/** A line for each program that tells models apart, and one about all pairs. */
export function tableReportJson(report: TableReport): string {
  const { models, pairs, programs, sizes, undecided, unfinished, interrupted, seconds } = report;
  const found = programs.map((one, i) => ({
    models,
    calls: one.calls,
    litmus: litmusOf(one, i),
    questions: one.questions.map(({ condition, allowed, forbidden, vacuous }, query) => ({
      query,
      question: `exists (${condition})`,
      allowed,
      forbidden,
      vacuous,
    })),
    smallest: one.shows.map(({ more, less }) => ({
      allowed: models[more],
      forbidden: models[less],
    })),
  }));
  const summary = {
    models,
    pairs: pairs.map(({ models: [a, b], operations, marks, programs: count }) => {
      const { more, less } = relationOf(report, a, b);
      return {
        models: [models[a], models[b]],
        relation: RELATIONS[cell(report, a, b)[0]],
        ...(more !== undefined && { firstMore: more }),
        ...(less !== undefined && { secondMore: less }),
        operations,
        locationTags: marks,
        programs: count,
      };
    }),
    differ: programs.length > 0,
    sizes: sizes.map(({ calls, programs: count, isWhole }) => ({
      calls,
      programs: count,
      complete: isWhole,
    })),
    undecided,
    ...(unfinished !== undefined && { unfinished }),
    interrupted,
    milliseconds: Math.round(seconds * 1000),
  };
  return [...found, summary].map((line) => `${jsonLine(line)}\n`).join('');
}

/** By the sign of a cell. */
const RELATIONS: Readonly<Record<string, string>> = {
  '=': 'equal',
  '<': 'less',
  '>': 'more',
  '≠': 'both',
  '?': 'unknown',
  '-': 'none',
};
