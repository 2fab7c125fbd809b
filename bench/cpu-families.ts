// Growing programs of CPUs alone, each as a litmus test of Remora and in the X86 syntax of herd7, which Dartagnan reads too.

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

/** A step of a thread: `['W', x]` writes 1 to a location, `['R', x]` reads it, `['F']` is a fence. */
type Step = readonly ['W' | 'R', string] | readonly ['F'];

type Threads = readonly (readonly Step[])[];

interface Member {
  readonly threads: Threads;
  /** The value that the n-th read of a thread is to see. */
  seen(thread: number, nth: number): number;
}

const FAMILIES: Readonly<Record<string, (k: number) => Member>> = {
  // Store buffering in a ring: each thread writes its own location and reads the next one.
  'sb-cpu': (k) => ring(k, []),
  'sb-cpu-fences': (k) => ring(k, [['F']]),
  // A message handed on from thread to thread, and the data read at the end.
  'mp-cpu': (k) => ({
    threads: [
      [
        ['W', 'd'],
        ['W', 'y1'],
      ],
      ...range(k - 2).map((i): readonly Step[] => [
        ['R', `y${i + 1}`],
        ['W', `y${i + 2}`],
      ]),
      [
        ['R', `y${k - 1}`],
        ['R', 'd'],
      ],
    ],
    seen: (thread, nth) => (thread === k - 1 && nth === 1 ? 0 : 1),
  }),
};

function ring(k: number, between: readonly Step[]): Member {
  const threads = range(k).map((i): readonly Step[] => [
    ['W', `x${i}`],
    ...between,
    ['R', `x${(i + 1) % k}`],
  ]);
  return { threads, seen: () => 0 };
}

export const CPU_FAMILIES: readonly string[] = Object.keys(FAMILIES);

/** A test in both syntaxes: of Remora, and in herd7's X86. */
export interface CpuTest {
  readonly remora: string;
  readonly x86: string;
}

/** The read of a thread, and the value that is asked for. */
interface Read {
  readonly t: number;
  readonly nth: number;
  readonly value: number;
}

/** A member of a family, for every size from 2 on. Threads read twice at most. */
export function cpuTest(family: string, k: number): CpuTest {
  const { threads, seen } = FAMILIES[family](k);
  const name = `${family}-${k}`;
  const reads = threads.flatMap((steps, t) =>
    steps.filter(([kind]) => kind === 'R').map((_, nth) => ({ t, nth, value: seen(t, nth) })),
  );
  return { remora: inRemora(name, threads, reads), x86: inX86(name, threads, reads) };
}

function inRemora(name: string, threads: Threads, reads: readonly Read[]): string {
  const locations = new Set(threads.flat().flatMap(([, x]) => (x === undefined ? [] : [x])));
  const body = (steps: readonly Step[], t: number): string => {
    let nth = 0;
    return steps
      .map(([kind, x]) =>
        kind === 'W' ? `${x} := 1` : kind === 'R' ? `r${t}n${nth++} := ${x}` : 'mfence',
      )
      .join('; ');
  };
  return [
    `RDMA ${name}`,
    `node 1 { ${[...locations].map((x) => `${x} = 0`).join('; ')} }`,
    ...threads.map((steps, t) => `thread P${t} on 1 { ${body(steps, t)} }`),
    `exists (${reads.map(({ t, nth, value }) => `r${t}n${nth} = ${value}`).join(' /\\ ')})`,
    '',
  ].join('\n');
}

const REGISTERS = ['EAX', 'EBX'];

function inX86(name: string, threads: Threads, reads: readonly Read[]): string {
  const columns = threads.map((steps) => {
    let nth = 0;
    return steps.map(([kind, x]) =>
      kind === 'W' ? `MOV [${x}],$1` : kind === 'R' ? `MOV ${REGISTERS[nth++]},[${x}]` : 'MFENCE',
    );
  });
  const rows = range(Math.max(...columns.map((c) => c.length)));
  const line = (cells: readonly string[]): string => `${cells.join(' | ')} ;`;
  return [
    `X86 ${name}`,
    '{ }',
    line(threads.map((_, t) => `P${t}`)),
    ...rows.map((row) => line(columns.map((c) => c[row] ?? ''))),
    `exists (${reads.map(({ t, nth, value }) => `${t}:${REGISTERS[nth]}=${value}`).join(' /\\ ')})`,
    '',
  ].join('\n');
}
