import fc from 'fast-check';

/** Random clients of libraries, as text. Each of them is valid, also after shrinking. */

/** The libraries that clients are over: those of the first row beside each other, of each other row one at most. */
const LIBRARIES = [
  ['sv'],
  ['bal', 'bal-all'],
  ['rbl', 'rbl-weak', 'rbl-repaired'],
  ['msw'],
] as const;

type Used = readonly string[];

/** Where threads run, and which of them have which roles. */
interface Setting {
  readonly nodes: number;
  readonly threads: readonly string[];
  readonly uses: Used;
  /** Sets of threads as indices: the party of the barrier, the readers of the ring buffer. */
  readonly party: readonly number[];
  readonly writer: number;
  readonly readers: readonly number[];
  /** How often each thread of the party calls the barrier. */
  readonly rounds: number;
}

/** A call of a thread; `$` stands for a fresh register. */
type Line = string;

const uses = (file: string, library: string): boolean => file.split('-')[0] === library;
const has = ({ uses: all }: Setting, library: string): boolean =>
  all.some((file) => uses(file, library));

const settings: fc.Arbitrary<Setting> = fc
  .record({
    nodes: fc.constantFrom(1, 2, 2, 2, 3),
    threads: fc.constantFrom(1, 2, 2, 2, 3),
    taken: fc.tuple(...LIBRARIES.map((files) => fc.option(fc.constantFrom(...files)))),
    rounds: fc.constantFrom(1, 1, 2),
  })
  .chain(({ nodes, threads, taken, rounds }) => {
    const all = Array.from({ length: threads }, (_, i) => i);
    const some = fc.subarray(all, { minLength: 1 });
    const node = fc.integer({ min: 1, max: nodes }).map(String);
    return fc.record({
      nodes: fc.constant(nodes),
      threads: fc.array(node, { minLength: threads, maxLength: threads }),
      uses: fc.constant(taken.filter((file) => file !== null)),
      party: some,
      writer: fc.constantFrom(...all),
      readers: some,
      rounds: fc.constant(rounds),
    });
  });

const value = fc.constantFrom('1', '2');
const work = fc.constantFrom('d', 'd', 'e');

/** What a thread may do besides barriers. */
function lines(setting: Setting, thread: number): fc.Arbitrary<Line> {
  const here = setting.threads[thread];
  const nodes = Array.from({ length: setting.nodes }, (_, i) => String(i + 1));
  const others = nodes.filter((node) => node !== here);
  const set = fc.subarray(nodes).map((some) => `{${some.join(', ')}}`);
  const own = `p${here}`;
  const variable = fc.constantFrom('x', 'x', 'y');
  const sv = [
    fc.tuple(variable, value).map(([x, v]) => `sv.write(${x}, ${v})`),
    variable.map((x) => `$ := sv.read(${x})`),
    fc.tuple(variable, work, set).map(([x, d, to]) => `sv.bcast(${x}, ${d}, ${to})`),
    work.map((d) => `sv.wait(${d})`),
    set.map((to) => `sv.gf(${to})`),
  ];
  const message = fc.constantFrom('1', '<1, 2>');
  const ring = [
    ...(setting.writer === thread ? [message.map((m) => `$ := rbl.submit(q, ${m})`)] : []),
    ...(setting.readers.includes(thread) ? [fc.constant('$ := rbl.receive(q)')] : []),
  ];
  const tuple = fc.constantFrom('<1, 1>', '<1, 2>');
  // The first is on the first node, the second on the last one.
  const [first, last] = [here === '1', here === String(setting.nodes)];
  const words = [
    ...(first ? [tuple.map((v) => `msw.write(m, ${v})`), fc.constant('$ := msw.tryread(m)')] : []),
    ...(last ? [tuple.map((v) => `msw.write(k, ${v})`), fc.constant('$ := msw.tryread(k)')] : []),
    ...(first ? [work.map((d) => `k :=^${d} msw.put(m)`)] : []),
    ...(first ? [work.map((d) => `m :=^${d} msw.get(k)`)] : []),
    work.map((d) => `msw.wait(${d})`),
  ];
  const plain = [
    value.map((v) => `${own} := ${v}`),
    fc.constant(`$ := ${own}`),
    value.map((v) => `$ := CAS(${own}, 0, ${v})`),
    fc.constant('mfence'),
    fc.constant(`$ := faa(${own}, 1)`),
    ...others.flatMap((node) => [
      fc.tuple(work, fc.constantFrom('1', own)).map(([d, of]) => `p${node}^${node} :=^${d} ${of}`),
      work.map((d) => `${own} :=^${d} p${node}^${node}`),
      fc.constant(`rfence(${node})`),
      fc
        .tuple(work, fc.constantFrom('rfaa', 'rxchg'))
        .map(([d, name]) => `$ :=^${d} ${name}(p${node}^${node}, 1)`),
    ]),
    work.map((d) => `wait(${d})`),
  ];
  return fc.oneof(
    ...plain,
    ...(has(setting, 'sv') ? [...sv, ...sv] : []),
    ...(has(setting, 'rbl') ? [...ring, ...ring, ...ring] : []),
    ...(has(setting, 'msw') ? [...words, ...words] : []),
  );
}

/** A thread's calls, some of them behind a condition on what another one gave, with its barriers in between. */
function body(setting: Setting, thread: number, most: number): fc.Arbitrary<string> {
  const line = fc.record({ line: lines(setting, thread), guarded: fc.nat(9) });
  const rounds = has(setting, 'bal') && setting.party.includes(thread) ? setting.rounds : 0;
  return fc
    .record({
      made: fc.array(line, { minLength: 1, maxLength: most }),
      places: fc.array(fc.nat(most), { minLength: rounds, maxLength: rounds }),
    })
    .map(({ made, places }) => {
      let known: string | undefined;
      const written: string[] = made.map(({ line, guarded }, i) => {
        const register = `r${thread + 1}${'abcdefgh'[i]}`;
        const text = line.replace('$', register);
        if (guarded === 0 && known !== undefined) return `if (${known} = 1) { ${text} }`;
        if (text !== line) known = register;
        return text;
      });
      for (const place of places.toSorted((a, b) => b - a)) written.splice(place, 0, 'bal.bar(b)');
      return written.join('; ');
    });
}

const names = (threads: readonly number[]): string => threads.map((t) => `T${t + 1}`).join(', ');

/** A client whose threads make at most so many calls, besides those of barriers. */
export function clients(most: number): fc.Arbitrary<string> {
  return settings.chain((setting) => {
    const { nodes, threads, party, writer, readers } = setting;
    const files = setting.uses.length === 0 ? ['rl'] : setting.uses;
    const declared = Array.from({ length: nodes }, (_, i) => `node ${i + 1} { p${i + 1} = 0 }`);
    const objects = [
      ...(has(setting, 'sv') ? ['sv x, y'] : []),
      ...(has(setting, 'bal') ? [`bal b (party ${names(party)})`] : []),
      ...(has(setting, 'rbl')
        ? [`rbl q (writer ${names([writer])}; reader ${names(readers)})`]
        : []),
      ...(has(setting, 'msw') ? ['msw m on 1 of 2 words', `msw k on ${nodes} of 2 words`] : []),
    ];
    return fc
      .tuple(...threads.map((_, t) => body(setting, t, most)))
      .map((bodies) =>
        [
          'RDMA random',
          `uses ${files.join(', ')}`,
          ...declared,
          ...objects,
          ...bodies.map((text, t) => `thread T${t + 1} on ${threads[t]} { ${text} }`),
        ].join('\n'),
      );
  });
}
