// What docs/differences.md has: tables of `remora distinguish` about the models that come with Remora.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const PAGE = 'docs/differences.md';
export const PICTURE = 'docs/differences.svg';

const MODELS: readonly string[] = [
  ...['corerma', 'rdma-inline', 'rdma-manpage', 'rdma-nics', 'rdma-nics-cpuflush', 'rdma-ooo-rw'],
  ...['rdma-ro', 'rdma-ro-atomic', 'rdma-ro-either', 'rdma-ro-manpage', 'rdma-ro-recvown'],
  ...['rdma-ro-tagged', 'rdma-sc', 'rdma-sc-no-ib', 'rdma-srd', 'rdma-tso', 'rdma-tso-4.4'],
  ...['rdma-tso-failwrite', 'rdma-tso-getfirst', 'rdma-tso-glob', 'rdma-tso-late'],
  ...['rdma-tso-loclock', 'rdma-tso-no-nfo', 'rdma-tso-nopcie', 'rdma-tso-out', 'rdma-tso-rec'],
  ...['rdma-unordered', 'rdma-wait'],
];

/** A table of the page. */
export interface Topic {
  /** The names of its programs begin so. */
  readonly name: string;
  readonly title: string;
  readonly says: string;
  readonly models: readonly string[];
  readonly options: readonly string[];
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'rdma',
    title: 'Puts, gets and polls',
    says: `All models of RDMA, and all programs of up to three calls that read, write, put, get, poll and have fences, without tags.
\`rdma-wait\` has waits in the place of polls, and is compared without them: so it is not in the order. Models that are equal here may differ in larger programs, or in those of the tables below: \`remora distinguish rdma-tso rdma-tso-nopcie --calls 4\` shows, in some seconds, what becomes possible where a get pushes no put.`,
    models: MODELS,
    options: [
      ...['--operations', 'read,write,put,get,poll,rfence,mfence'],
      ...['--no-tags', '--calls', '3'],
    ],
  },
  {
    name: 'atomics',
    title: 'Remote atomics',
    says: 'The models of what a NIC does for remote atomics ([atomics.md](atomics.md)), and all programs of up to three calls that are atomic, on a NIC or a CPU, read, write and get.',
    models: [
      ...['rdma-tso', 'rdma-tso-failwrite', 'rdma-tso-getfirst', 'rdma-tso-glob'],
      ...['rdma-tso-late', 'rdma-tso-loclock', 'rdma-tso-out'],
    ],
    options: ['--operations', 'read,write,faa,get,rcas,rfaa', '--no-tags', '--calls', '3'],
  },
  {
    name: 'cpu',
    title: 'CPUs',
    says: 'What the models say of one machine: all programs of up to four calls that read, write, compare and swap, and have fences.',
    models: ['sc', 'x86-tso', 'x86-tso-textbook', 'corerma', 'rdma-sc', 'rdma-tso'],
    options: ['--operations', 'read,write,CAS,mfence', '--calls', '4'],
  },
  {
    name: 'tags',
    title: 'Tags of locations',
    says: 'The models that look at tags of locations ([fabrics.md](fabrics.md)), beside `rdma-tso`, and all programs of two calls that put and get, with each tag.',
    models: [
      ...['rdma-tso', 'rdma-ro', 'rdma-ro-atomic', 'rdma-ro-either', 'rdma-ro-tagged'],
      ...['rdma-unordered', 'rdma-nics', 'rdma-nics-cpuflush'],
    ],
    options: ['--operations', 'put,get'],
  },
];

/** A line of `remora distinguish --json` about a program, and the last line. */
interface ProgramLine {
  readonly calls: number;
  readonly litmus: string;
  readonly smallest: readonly { readonly allowed: string; readonly forbidden: string }[];
}

interface LastLine {
  readonly pairs: readonly {
    readonly models: readonly [string, string];
    readonly relation: string;
    readonly operations: readonly string[];
  }[];
  readonly sizes: readonly {
    readonly calls: number;
    readonly programs: number;
    readonly complete: boolean;
  }[];
  readonly undecided: readonly unknown[];
}

export interface Differences {
  readonly programs: readonly ProgramLine[];
  readonly last: LastLine;
}

const commandOf = ({ models, options }: Topic): readonly string[] => [
  'distinguish',
  ...models,
  ...options,
];

/** Asks Remora about all pairs. */
export function differencesOf(topic: Topic): Differences {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/cli/main.cjs', ...commandOf(topic), '--json'],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const lines = stdout.trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '') as LastLine;
  if (last.undecided.length > 0 || !last.sizes.every(({ complete }) => complete))
    throw new Error(`remora distinguish: not everything was decided: ${stderr}`);
  return { programs: lines.slice(0, -1).map((line) => JSON.parse(line) as ProgramLine), last };
}

/** Does a model allow no more than another, as far as was tried? */
type IsAtMost = (less: string, more: string) => boolean;

function orderOf({ pairs }: LastLine): IsAtMost {
  const known = new Map<string, boolean>();
  for (const { models, relation } of pairs) {
    const [a, b] = models;
    if (!['equal', 'less', 'more', 'both'].includes(relation))
      throw new Error(`${a} and ${b}: ${relation}`);
    known.set(`${a} ${b}`, relation === 'equal' || relation === 'less');
    known.set(`${b} ${a}`, relation === 'equal' || relation === 'more');
  }
  return (less, more) => less === more || known.get(`${less} ${more}`) === true;
}

/** Models that lack an operation: they are compared on fewer programs with most others, so that what is known of them is no order. */
function lacking(models: readonly string[], { pairs }: LastLine): ReadonlySet<string> {
  const most = Math.max(...pairs.map(({ operations }) => operations.length));
  const isLacking = (model: string): boolean => {
    const own = pairs.filter((pair) => pair.models.includes(model));
    return own.filter(({ operations }) => operations.length < most).length > own.length / 2;
  };
  return new Set(models.filter(isLacking));
}

/** Models that are equal are one, but for those that were compared on fewer programs. These are last, and in no order. */
export function orderOfModels(
  all: readonly string[],
  last: LastLine,
): {
  readonly classes: readonly (readonly string[])[];
  readonly edges: readonly (readonly [number, number])[];
} {
  const isAtMost = orderOf(last);
  const apart = lacking(all, last);
  const models = all.filter((model) => !apart.has(model));
  for (const a of models)
    for (const b of models)
      for (const c of models)
        if (isAtMost(a, b) && isAtMost(b, c) && !isAtMost(a, c))
          throw new Error(`no order: ${a}, ${b}, ${c}`);
  const classes: string[][] = [];
  for (const model of models) {
    const own = classes.find(([first]) => isAtMost(first, model) && isAtMost(model, first));
    if (own === undefined) classes.push([model]);
    else own.push(model);
  }
  const below = (a: number, b: number): boolean =>
    a !== b && isAtMost(classes[a][0], classes[b][0]);
  const ordered = [...classes.keys()];
  const edges = ordered.flatMap((a) =>
    ordered
      .filter((b) => below(a, b) && !ordered.some((c) => below(a, c) && below(c, b)))
      .map((b) => [a, b] as const),
  );
  return { classes: [...classes, ...[...apart].map((model) => [model])], edges };
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The section of a table. */
export function sectionOf(topic: Topic, { programs, last }: Differences): readonly string[] {
  const { name, title, says, models } = topic;
  const { classes, edges } = orderOfModels(models, last);
  const number = (more: string, less: string): number =>
    programs.findIndex(({ smallest }) =>
      smallest.some((one) => one.allowed === more && one.forbidden === less),
    ) + 1;
  const cell = (a: string, b: string): string => {
    const [more, less] = [number(a, b), number(b, a)];
    if (more > 0 && less > 0) return more === less ? `≠ ${more}` : `≠ ${more}, ${less}`;
    if (more === 0 && less === 0) return '=';
    return more > 0 ? `> ${more}` : `< ${less}`;
  };
  const heads = classes.map((_, i) => String.fromCharCode(65 + i));
  const sizes = last.sizes.filter((one) => one.programs > 0);
  const counted = sizes.map((one) => `${one.programs.toLocaleString('en')} of ${one.calls} calls`);
  return [
    `## ${title}`,
    '',
    says,
    '',
    '```sh',
    `remora ${commandOf(topic).join(' ')}`,
    '```',
    '',
    `Programs: ${counted.join(', ')}.`,
    '',
    ...classes.map(
      (own, i) =>
        `- **${heads[i]}**: ${own.map((model) => `\`${model}\``).join(', ')}${own.length > 1 ? ', which no program tells apart' : ''}`,
    ),
    '',
    row(['', ...heads]),
    row(['', ...heads].map(() => '---')),
    ...classes.map(([a], i) =>
      row([`**${heads[i]}**`, ...classes.map(([b]) => (a === b ? '·' : cell(a, b)))]),
    ),
    '',
    `Those that allow less come first: ${edges.map(([a, b]) => `${heads[a]} < ${heads[b]}`).join(', ')}.`,
    '',
    ...programs.flatMap(({ litmus }, i) => [
      '```litmus',
      litmus.replace(/^RDMA .*/, `RDMA ${name}-${i + 1}`).trimEnd(),
      '```',
      '',
    ]),
  ];
}

const HEAD = `# Differences between models

The models that come with Remora in pairs: the smallest programs that tell them apart, and which of them allow more. \`npm run golden\` makes this page with
[\`remora distinguish\`](distinguish.md#many-models), in a few minutes; so it stays true.

In a table, \`<\` is: the model of the row allows less than that of the column, in all programs that were tried, and the program with the number shows that it is less. \`>\` is: it allows
more. \`=\` is: on the programs that both know, they allow the same. \`≠\` is: each allows what the other forbids; the first number is that of a program in which the model of the row allows more. Of the programs that show a difference, the smallest is taken: the one with the fewest calls, then threads, nodes, queue
pairs and locations. Its expectations are what all models of the table say that know the program; one under which it has no execution has no verdict.

![The order of the models of the first table: below are those that allow less](differences.svg)
`;

export const differencesPage = (found: readonly Differences[]): string =>
  `${[...HEAD.split('\n'), ...TOPICS.flatMap((topic, i) => sectionOf(topic, found[i]))].join('\n').trimEnd()}\n`;

/** The order of the first table for Graphviz. */
export function differencesDot({ last }: Differences): string {
  const { classes, edges } = orderOfModels(TOPICS[0].models, last);
  const letter = (i: number): string => String.fromCharCode(65 + i);
  const label = (own: readonly string[]): string =>
    own
      .map((model, i) => `${model}${i % 2 === 1 ? '\\n' : '  '}`)
      .join('')
      .trimEnd();
  return [
    'digraph differences {',
    '  graph [rankdir=BT, bgcolor="transparent"]',
    '  node [shape=box, style="rounded,filled", fillcolor="#f4f4f4", fontname="sans-serif", fontsize=11]',
    '  edge [color="#555555"]',
    ...classes.flatMap((own, i) =>
      edges.some((edge) => edge.includes(i)) ? [`  ${letter(i)} [label="${label(own)}"]`] : [],
    ),
    ...edges.map(([a, b]) => `  ${letter(a)} -> ${letter(b)}`),
    '}',
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeDifferences();

/** Writes the page and its picture, which Graphviz draws. */
export function writeDifferences(): void {
  const found = TOPICS.map(differencesOf);
  writeFileSync(PAGE, differencesPage(found));
  const svg = execFileSync('dot', ['-Tsvg'], { input: differencesDot(found[0]), encoding: 'utf8' });
  writeFileSync(PICTURE, svg.replace(/<!-- Generated by[^]*?-->\n/, ''));
}
