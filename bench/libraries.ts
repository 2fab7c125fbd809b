// Libraries: the paper's clients, against their specifications and with implementations in the place of all calls; all small
// clients of a barrier; and how barriers and ring buffers grow.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientFound, ClientGiven } from './libraries-run.js';
import { met, table } from './markdown.js';
import type { Spread } from './process.js';
import { ROOT, range, runScript, spread, timeCommand } from './process.js';

/** A published test without libraries, beside which a client is to take so many seconds more at most, from start. */
const PLAIN = { file: 'corpus/tso/MP3bis.litmus', more: 0.1 };

/** Seconds from start for a client with everything inlined. */
const INLINED = 3;

/** Seconds for all small clients of a barrier. */
const GENERATED = { args: ['refine', 'loco-bal', '--generate', '--calls', '2'], goal: 60 };

const FOLDER = 'corpus/loco';

const clients = (): readonly string[] =>
  readdirSync(join(ROOT, FOLDER))
    .filter((file) => /^uses /m.test(readFileSync(join(ROOT, FOLDER, file), 'utf8')))
    .sort();

/** The implementations of all libraries that a client uses, down to RDMA^WAIT. */
function implementationsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, FOLDER, file), 'utf8');
  const used = /^uses (.*)$/m.exec(text)![1].split(/,\s*/);
  const bal = used.includes('bal-all') ? 'loco-bal-all' : 'loco-bal';
  const of: Readonly<Partial<Record<string, string>>> = {
    rbl: 'loco-rbl',
    bal,
    sv: 'loco-sv',
    msw: 'loco-msw',
  };
  const top = used.flatMap((library) => of[library.split('-')[0]] ?? []);
  return [...new Set([...top, ...(top.length > 0 ? ['loco-sv'] : [])])];
}

/** A client inlined; what could not be measured has why. */
type Growth = { readonly what: string } & (ClientFound | { readonly end: string });

export interface LibraryTimes {
  readonly plain: Spread;
  readonly rows: readonly {
    readonly client: string;
    readonly specified: Spread;
    readonly inlined?: Spread;
  }[];
  readonly generated: Spread;
  readonly growth: readonly Growth[];
}

export function measureLibraries(runs: number): LibraryTimes {
  const seconds = (args: readonly string[]): Spread =>
    spread(range(runs).map(() => timeCommand(args)));
  const plain = seconds(['check', PLAIN.file]);
  const rows = clients().map((file) => {
    process.stderr.write(`${file}\n`);
    const path = join(FOLDER, file);
    const implementations = implementationsOf(file);
    const inlined = ['check', path, '--implementation', implementations.join()];
    return {
      client: file.replace('.litmus', ''),
      specified: seconds(['check', path]),
      inlined: implementations.length === 0 ? undefined : seconds(inlined),
    };
  });
  const generated = seconds(GENERATED.args);
  return { plain, rows, generated, growth: measureGrowth() };
}

const BARRIERS = [2, 3, 4, 6, 8];
const MESSAGES = [1, 2, 4, 8];

function measureGrowth(): readonly Growth[] {
  const barriers = BARRIERS.map((k) => ({
    what: `a barrier of ${k} threads`,
    ...sizeOf(barrier(k), ['loco-bal', 'loco-sv']),
  }));
  const rings = MESSAGES.map((k) => ({
    what: `a ring buffer, ${k} ${k === 1 ? 'message' : 'messages'}`,
    ...sizeOf(ring(k), ['loco-rbl', 'loco-sv']),
  }));
  return [...barriers, ...rings];
}

function sizeOf(text: string, implementations: readonly string[]) {
  const { objects, end } = runScript<ClientGiven, ClientFound>('libraries-run', {
    text,
    implementations,
  });
  process.stderr.write(`${JSON.stringify(objects[0] ?? end)}\n`);
  return objects[0] ?? { end: end ?? 'no answer' };
}

/** Each thread puts a value to the next node, passes the barrier, and reads what the one before it has put. */
function barrier(k: number): string {
  const all = range(k).map((i) => i + 1);
  const nodes = all.map((i) => `node ${i} { x${i} = 0 }`).join('\n');
  const threads = all
    .map(
      (i) =>
        `thread T${i} on ${i} { x${(i % k) + 1}^${(i % k) + 1} := 1; bal.bar(z); a${i} := x${i} }`,
    )
    .join('\n');
  return `RDMA barrier\nuses bal\n${nodes}\nbal z (party ${all.map((i) => `T${i}`).join(', ')})\n${threads}\n`;
}

/** One thread submits messages, and another one on another node receives as often. */
function ring(k: number): string {
  const all = range(k).map((i) => i + 1);
  const submits = all.map((i) => `a${i} := rbl.submit(x, ${i})`).join('; ');
  const receives = all.map((i) => `b${i} := rbl.receive(x)`).join('; ');
  return `RDMA ring\nuses rbl\nnode 1 {}\nnode 2 {}\nrbl x (writer T1; reader T2)\nthread T1 on 1 { ${submits} }\nthread T2 on 2 { ${receives} }\n`;
}

export function librariesLines({
  plain,
  rows,
  generated,
  growth,
}: LibraryTimes): readonly string[] {
  const more = (s: Spread): number => s.median - plain.median;
  const worst = Math.max(...rows.map(({ specified }) => more(specified)));
  const slowest = Math.max(...rows.map(({ inlined }) => inlined?.median ?? 0));
  const s = ({ median }: Spread): string => median.toFixed(2);
  return [
    `Whole commands, from start. \`check\` of a published test without libraries: ${s(plain)} s.`,
    '',
    ...table(
      ['', 'measured', 'goal', 'met'],
      [
        [
          'a client of the paper against its specification, more than that: the worst',
          `${worst.toFixed(2)} s`,
          `≤ ${PLAIN.more} s`,
          met(worst <= PLAIN.more),
        ],
        [
          'with all calls inlined: the slowest',
          `${slowest.toFixed(2)} s`,
          `< ${INLINED} s`,
          met(slowest < INLINED),
        ],
        [
          `\`remora ${GENERATED.args.join(' ')}\``,
          `${s(generated)} s`,
          `< ${GENERATED.goal} s`,
          met(generated.median < GENERATED.goal),
        ],
      ],
    ),
    '',
    ...table(
      ['client', 'specification, s', 'inlined, s'],
      rows.map(({ client, specified, inlined }) => [
        client,
        s(specified),
        inlined === undefined ? '' : s(inlined),
      ]),
    ),
    '',
    'Inlined down to RDMA^WAIT, in a new process: from text to the list of all outcomes.',
    '',
    ...table(
      ['', 'events', 'clauses + edges', 'outcomes', 'ms', 'MiB'],
      growth.map((g) => [
        g.what,
        ...('end' in g
          ? ['', '', g.end, '', '']
          : [
              String(g.events),
              `${g.clauses} + ${g.edges}`,
              g.incomplete ?? String(g.outcomes),
              g.milliseconds.toFixed(0),
              String(g.mebibytes),
            ]),
      ]),
    ),
  ];
}
