/** The minimal tests of a model: text, JSON and files of `remora synthesise`. */
import type { MinimalTest } from '../analyses/synthesise/part.js';
import type { ModelPart } from '../analyses/synthesise/parts.js';
import type { ShareSynthesis } from '../analyses/synthesise/synthesise.js';
import { COLOURS } from './colours.js';
import { WIDTH, plural } from './explain-style.js';
import { jsonLine } from './json.js';

export interface SynthesisReport {
  readonly model: string;
  /** What programs were made of: operations with tags, and tags of locations. */
  readonly operations: readonly string[];
  readonly marks: readonly string[];
  /** The axioms of the model, and the entries of its tables. */
  readonly parts: readonly ModelPart[];
  /** The most calls that were to be tried. */
  readonly calls: number;
  readonly groups: readonly ShareSynthesis[];
  readonly interrupted: boolean;
  readonly seconds: number;
}

/** A test with the name that its file has. */
interface NamedTest extends MinimalTest {
  readonly calls: number;
  readonly file: string;
}

/** A file in the folder of the tests. */
export interface SynthesisFile {
  readonly kind: 'litmus' | 'markdown';
  readonly path: string;
  readonly text: string;
}

export function synthesisText(report: SynthesisReport): string {
  const tests = namedTests(report);
  const lines = [
    `${COLOURS.bold(report.model)}: ${countLine(report, tests)}`,
    ...(['axiom', 'entry'] as const).flatMap((kind) => partLines(report, tests, kind)),
    ...openLines(report),
    '',
    programsLine(report),
    ...(report.interrupted ? [COLOURS.red('interrupted')] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Was each program decided that was to be? */
const isWhole = ({ groups, interrupted }: SynthesisReport): boolean =>
  !interrupted &&
  groups.every(({ open, unfinished }) => open.length === 0 && unfinished === undefined);

function countLine(report: SynthesisReport, tests: readonly NamedTest[]): string {
  const count = `${plural(tests.length, 'minimal test')} of up to ${plural(report.calls, 'call')}`;
  return isWhole(report) ? count : `${count}, and perhaps more: not all programs were decided`;
}

const HEADS = { axiom: 'axioms', entry: 'entries of tables' } as const;

/** How many tests are named at a part. */
const EXAMPLES = 3;

function partLines(
  report: SynthesisReport,
  tests: readonly NamedTest[],
  kind: ModelPart['kind'],
): readonly string[] {
  const own = report.parts
    .filter((part) => part.kind === kind)
    .map((part) => ({ part, needing: testsAbout(tests, part) }));
  const shown = own.filter(({ needing }) => needing.length > 0);
  const none = own.filter(({ needing }) => needing.length === 0);
  const among = isWhole(report) ? '' : ' that was made';
  const width = Math.max(0, ...shown.map(({ part }) => part.name.length));
  return [
    '',
    COLOURS.bold(`${HEADS[kind]}, and the tests that need each`),
    ...shown.map(({ part, needing }) => {
      const more = needing.length > EXAMPLES ? ', …' : '';
      const some = needing.slice(0, EXAMPLES).map(({ file }) => file);
      return `  ${part.name.padEnd(width)}  ${String(needing.length).padStart(3)}  ${some.join(', ')}${more}`;
    }),
    ...(none.length === 0
      ? []
      : [`  no test${among} needs`, ...wrapped(none.map(({ part }) => part.name))]),
  ];
}

/** Names one behind the other, as many on a line as there is room for. */
function wrapped(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const [i, name] of names.entries()) {
    const text = i < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + text.length > WIDTH) lines.push(`    ${text}`);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}

const testsAbout = (tests: readonly NamedTest[], { kind, name }: ModelPart): readonly NamedTest[] =>
  tests.filter(({ about }) => about.some((one) => one.kind === kind && one.name === name));

function openLines({ groups }: SynthesisReport): readonly string[] {
  const open = groups.flatMap((group) => group.open);
  const unfinished = groups.flatMap((group) => group.unfinished ?? []).slice(0, 1);
  return [
    ...(open.length === 0 ? [] : ['', COLOURS.red(`${plural(open.length, 'program')} undecided`)]),
    ...unfinished.map((why) => COLOURS.red(`not all were tried: ${why}`)),
  ];
}

function programsLine({ groups, operations, marks, calls, seconds }: SynthesisReport): string {
  const counts = Array.from({ length: calls }, (_, i) => {
    const own = groups.filter((group) => group.calls === i + 1);
    const programs = own.reduce((sum, group) => sum + group.programs, 0);
    const tests = own.reduce((sum, group) => sum + group.tests.length, 0);
    return `${tests} of ${programs} programs of ${plural(i + 1, 'call')}`;
  });
  const made = [`of ${operations.join(', ')}`, ...marks.map((tag) => `locations with [${tag}]`)];
  return `tests: ${counts.join(', ')}; ${made.join(', ')}; ${seconds.toFixed(1)} s`;
}

/** Tests with names of their own: of several with one name, the second has `-2` behind it. */
function namedTests({ groups }: SynthesisReport): readonly NamedTest[] {
  const counts = new Map<string, number>();
  return groups.flatMap(({ calls, tests }) =>
    tests.map((test) => {
      const nth = (counts.get(test.name) ?? 0) + 1;
      counts.set(test.name, nth);
      return { ...test, calls, file: nth === 1 ? test.name : `${test.name}-${nth}` };
    }),
  );
}

const pathOf = ({ calls, file }: NamedTest): string => `${calls}-calls/${file}.litmus`;

/** The tests as litmus files, and a page about them. */
export function synthesisFiles(report: SynthesisReport): readonly SynthesisFile[] {
  const tests = namedTests(report);
  return [
    { kind: 'markdown', path: 'README.md', text: pageOf(report, tests) },
    ...tests.map((test): SynthesisFile => ({
      kind: 'litmus',
      path: pathOf(test),
      text: litmusOf(test, report.model),
    })),
  ];
}

const litmusOf = ({ file, program, condition, about }: NamedTest, model: string): string =>
  [
    `RDMA ${file}`,
    ...about.map(({ kind, name }) => `# needs the ${kind} ${name}`),
    '',
    program.trimEnd(),
    '',
    `exists (${condition})`,
    `  expect forbidden under ${model}`,
    '',
  ].join('\n');

function pageOf(report: SynthesisReport, tests: readonly NamedTest[]): string {
  const { model, parts } = report;
  const link = (test: NamedTest): string => `[${test.file}](${encodeURI(pathOf(test))})`;
  const table = (kind: ModelPart['kind']): readonly string[] => [
    `## ${kind === 'axiom' ? 'Axioms' : 'Entries of tables'}`,
    '',
    `| ${kind} | in | tests that need it | the first |`,
    '| --- | --- | --- | --- |',
    ...parts
      .filter((part) => part.kind === kind)
      .map((part) => {
        const own = testsAbout(tests, part);
        const first = own.slice(0, EXAMPLES).map(link).join(', ');
        return `| \`${cell(part.name)}\` | ${part.tables.join(', ')} | ${own.length} | ${first} |`;
      }),
    '',
  ];
  const lines = [
    `# Minimal tests of ${model}`,
    '',
    `Each outcome is forbidden, and allowed if anything in its program is weaker: ${countLine(report, tests)}.`,
    '',
    ...table('axiom'),
    ...table('entry'),
    '## Tests',
    '',
    '| test | threads | forbidden |',
    '| --- | --- | --- |',
    ...tests.map((test) => {
      const threads = [...test.program.matchAll(/^thread \w+ on (\w+) \{ (.*) \}$/gm)].map(
        ([, node, body]) => `\`${node}: ${cell(body)}\``,
      );
      return `| ${link(test)} | ${threads.join(' ')} | \`${cell(test.condition)}\` |`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** A line for each test, and one about all programs. */
export function synthesisJson(report: SynthesisReport): string {
  const { model, groups, operations, marks, parts, interrupted, seconds } = report;
  const tests = namedTests(report).map((test) => ({
    ...{ model, calls: test.calls, name: test.file },
    ...{ condition: test.condition, about: test.about, litmus: litmusOf(test, model) },
  }));
  const summary = {
    ...{ model, operations, locationTags: marks, parts, tests: tests.length },
    programs: groups.reduce((sum, group) => sum + group.programs, 0),
    undecided: groups.flatMap(({ open }) => open.map(({ litmus }) => ({ litmus }))),
    interrupted,
    milliseconds: Math.round(seconds * 1000),
  };
  return [...tests, summary].map((line) => `${jsonLine(line)}\n`).join('');
}
