import fc from 'fast-check';

const HERE = { 1: ['x', 'y'], 2: ['z', 'w'] } as const;

/** A step of a thread on a node: annotated, or plain. */
function step(node: 1 | 2, annotated: boolean, at: number): fc.Arbitrary<string> {
  const there = node === 1 ? 2 : 1;
  const own = fc.constantFrom(...HERE[node]);
  const other = fc.constantFrom(...HERE[there]);
  const number = fc.constantFrom(1, 2);
  const read = own.map((l) => (annotated ? `r${at} := ldapr(${l})` : `r${at} := ${l}`));
  const write = fc
    .tuple(own, number)
    .map(([l, v]) => (annotated ? `stlr(${l}, ${v})` : `${l} := ${v}`));
  const atomic = fc
    .tuple(own, number)
    .map(([l, v]) =>
      annotated ? `dmb [sy]; r${at} := CAS [al] (${l}, 0, ${v})` : `r${at} := CAS(${l}, 0, ${v})`,
    );
  return fc.oneof(
    { weight: 4, arbitrary: read },
    { weight: 4, arbitrary: write },
    { weight: 1, arbitrary: atomic },
    { weight: 1, arbitrary: fc.constant(annotated ? 'dmb [sy]' : 'mfence') },
    { weight: 2, arbitrary: fc.tuple(other, number).map(([l, v]) => `${l}^${there} := ${v}`) },
    { weight: 2, arbitrary: fc.tuple(other, own).map(([l, m]) => `${l}^${there} := ${m}`) },
    { weight: 2, arbitrary: fc.tuple(own, other).map(([l, m]) => `${l} := ${m}^${there}`) },
    {
      weight: 2,
      arbitrary: fc.tuple(own, other).map(([l, m]) => `${l} := ${m}^${there}; poll(${there})`),
    },
  );
}

const thread = (node: 1 | 2, annotated: boolean): fc.Arbitrary<string> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => step(node, annotated, i))))
    .map((steps) => steps.join('; '));

/** Random programs of CPUs and NICs without dependencies: in the words of Arm that are as on x86, or plain. */
export const hostPrograms = (annotated: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      thread(1, annotated),
      fc
        .constantFrom<(1 | 2)[]>(1, 2)
        .chain((n) => thread(n as 1 | 2, annotated).map((body) => ({ n, body }))),
    )
    .map(
      ([first, { n, body }]) =>
        `RDMA t\nnode 1 { x = 0; y = 0 }\nnode 2 { z = 0; w = 0 }\n` +
        `thread T1 on 1 { ${first} }\nthread T2 on ${n} { ${body} }\n`,
    );

/** A step of a thread in Arm's words; `@` is a register on which it depends. */
function armStep(node: 1 | 2, at: number): fc.Arbitrary<string> {
  const there = node === 1 ? 2 : 1;
  const own = fc.constantFrom(...HERE[node]);
  const other = fc.constantFrom(...HERE[there]);
  const number = fc.constantFrom(...(at === 0 ? ['1', '2'] : ['1', '2', '@']));
  const atomic = fc.constantFrom('', ' [a] ', ' [l] ', ' [al] ');
  const barrier = fc.constantFrom('dmb [sy]', 'dmb [ld]', 'dmb [st]', 'dmb [ish][ld]', 'dsb [st]');
  const set = `r${at}`;
  const both = fc.tuple(own, number);
  const steps: fc.Arbitrary<string>[] = [
    own.map((l) => `${set} := ${l}`),
    both.map(([l, v]) => `${l} := ${v}`),
    fc.tuple(fc.constantFrom('ldar', 'ldapr'), own).map(([op, l]) => `${set} := ${op}(${l})`),
    both.map(([l, v]) => `stlr(${l}, ${v})`),
    fc.tuple(atomic, own).map(([a, l]) => `${set} := CAS${a}(${l}, 0, 1)`),
    fc.tuple(atomic, own).map(([a, l]) => `${set} := faa${a}(${l}, 1)`),
    fc.tuple(atomic, own).map(([a, l]) => `${set} := xchg${a}(${l}, 2)`),
    barrier,
    fc.tuple(other, number).map(([l, v]) => `${l}^${there} :=[inline] ${v}`),
    fc.tuple(other, fc.constantFrom(1, 2)).map(([l, v]) => `${l}^${there} := ${v}`),
    fc.tuple(own, other).map(([l, m]) => `${l} := ${m}^${there}; poll(${there})`),
    fc.tuple(other, own).map(([l, m]) => `${l}^${there} := ${m}`),
  ];
  if (at > 0) {
    steps.push(
      own.map((l) => `${set} := ldr(${l}, @)`),
      own.map((l) => `str(${l}, 1, @)`),
      own.map((l) => `if (@ = 1) { ${l} := 2 }`),
      own.map((l) => `if (@ = 1) { skip } ${set} := ${l}`),
      own.map((l) => `if (@ = 0) { skip } isb; ${set} := ${l}`),
    );
  }
  return fc.oneof(...steps);
}

const armThread = (node: 1 | 2): fc.Arbitrary<string> =>
  fc
    .integer({ min: 1, max: 4 })
    .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => armStep(node, i))))
    .map((steps) => {
      let last: string | undefined;
      const said = steps.flatMap((text) => {
        if (text.includes('@') && last === undefined) return [];
        const made = text.replaceAll('@', last ?? '');
        last = /^(?:.*[;}] )?(r\d) :=/.exec(made)?.[1] ?? last;
        return [made];
      });
      return said.join('; ').replaceAll('};', '}');
    });

/** Random programs with all operations of Arm, without loops: two threads, each on one of two nodes. */
export const armPrograms = (): fc.Arbitrary<string> =>
  fc
    .tuple(
      armThread(1),
      fc.constantFrom<(1 | 2)[]>(1, 2).chain((n) => armThread(n).map((body) => ({ n, body }))),
    )
    .map(
      ([first, { n, body }]) =>
        `RDMA t\nnode 1 { x = 0; y = 0 }\nnode 2 { z = 0; w = 0 }\n` +
        `thread T1 on 1 { ${first} }\nthread T2 on ${n} { ${body} }\n`,
    );
