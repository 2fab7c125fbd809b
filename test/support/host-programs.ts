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
