// Growing programs of CPUs alone, each as a litmus test of Remora and in the X86 syntax of herd7, which Dartagnan reads too.

const range = (n) => Array.from({ length: n }, (_, i) => i);

/** Steps of a thread: `['W', x]` writes 1 to a location, `['R', x]` reads it, `['F']` is a fence. */
const FAMILIES = {
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
      ...range(k - 2).map((i) => [
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

function ring(k, between) {
  const threads = range(k).map((i) => [['W', `x${i}`], ...between, ['R', `x${(i + 1) % k}`]]);
  return { threads, seen: () => 0 };
}

export const CPU_FAMILIES = Object.keys(FAMILIES);

/** A member of a family in both syntaxes. Threads read twice at most. */
export function cpuTest(family, k) {
  const { threads, seen } = FAMILIES[family](k);
  const name = `${family}-${k}`;
  const reads = threads.flatMap((steps, t) =>
    steps.filter(([kind]) => kind === 'R').map((_, nth) => ({ t, nth, value: seen(t, nth) })),
  );
  return { remora: inRemora(name, threads, reads), x86: inX86(name, threads, reads) };
}

function inRemora(name, threads, reads) {
  const locations = new Set(threads.flat().flatMap(([, x]) => (x === undefined ? [] : [x])));
  const body = (steps, t) => {
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

function inX86(name, threads, reads) {
  const columns = threads.map((steps) => {
    let nth = 0;
    return steps.map(([kind, x]) =>
      kind === 'W' ? `MOV [${x}],$1` : kind === 'R' ? `MOV ${REGISTERS[nth++]},[${x}]` : 'MFENCE',
    );
  });
  const rows = range(Math.max(...columns.map((c) => c.length)));
  const line = (cells) => `${cells.join(' | ')} ;`;
  return [
    `X86 ${name}`,
    '{ }',
    line(threads.map((_, t) => `P${t}`)),
    ...rows.map((row) => line(columns.map((c) => c[row] ?? ''))),
    `exists (${reads.map(({ t, nth, value }) => `${t}:${REGISTERS[nth]}=${value}`).join(' /\\ ')})`,
    '',
  ].join('\n');
}
