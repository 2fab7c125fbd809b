// Growing programs: each family is a litmus test for every k.

const join = (lines) => `${lines.join('\n')}\n`;
const range = (n) => Array.from({ length: n }, (_, i) => i);
const all = (n, text) => range(n).map(text).join(' /\\ ');

/** Rings of puts: each thread puts to the next node, polls, and reads what was put to it. */
function sbring(k) {
  return join([
    `RDMA sbring-${k}`,
    ...range(k).map((i) => `node ${i + 1} { x${i} = 0 }`),
    ...range(k).map((i) => {
      const next = (i + 1) % k;
      return `thread T${i} on ${i + 1} { x${next}^${next + 1} := 1; poll(${next + 1}); a${i} := x${i} }`;
    }),
    `exists (${all(k, (i) => `a${i} = 0`)})`,
  ]);
}

/** The same with a get from the next node, which makes the put arrive. */
function sbringget(k) {
  return join([
    `RDMA sbringget-${k}`,
    ...range(k).map((i) => `node ${i + 1} { x${i} = 0; z${i} = 0 }`),
    ...range(k).map((i) => {
      const next = (i + 1) % k;
      const node = next + 1;
      return (
        `thread T${i} on ${i + 1} { x${next}^${node} := 1; c${i} := z${next}^${node}; ` +
        `poll(${node}); poll(${node}); a${i} := x${i} }`
      );
    }),
    `exists (${all(k, (i) => `a${i} = 0`)})`,
  ]);
}

/** A message handed on from thread to thread by puts, and the data fetched at the end. */
function mpchain(k) {
  const node = (i) => i + 1;
  return join([
    `RDMA mpchain-${k}`,
    'node 1 { d = 0 }',
    ...range(k - 1).map((i) => `node ${i + 2} { y${i + 1} = 0 }`),
    `thread T0 on 1 { d := 1; y1^2 := 1 }`,
    ...range(k - 2).map(
      (j) =>
        `thread T${j + 1} on ${node(j + 1)} { a${j + 1} := y${j + 1}; y${j + 2}^${node(j + 2)} := 1 }`,
    ),
    `thread T${k - 1} on ${k} { a${k - 1} := y${k - 1}; b := d^1 }`,
    `exists (${range(k - 1)
      .map((i) => `a${i + 1} = 1`)
      .join(' /\\ ')} /\\ b = 0)`,
  ]);
}

/** Gets, then puts, on one queue pair. */
function getsputs(n) {
  const declared = range(n).map((i) => `y${i} = 0; z${i} = 0`);
  return join([
    `RDMA getsputs-${n}`,
    'node 1 {}',
    `node 2 { ${declared.join('; ')} }`,
    `thread T1 on 1 { ${[...range(n).map((i) => `a${i} := y${i}^2`), ...range(n).map((i) => `z${i}^2 := 1`)].join('; ')} }`,
    'thread T2 on 2 { b := z0; y0 := 1 }',
    'exists (b = 1 /\\ a0 = 1)',
  ]);
}

/** Threads that put two values each to one location. */
function putrace(k) {
  return join([
    `RDMA putrace-${k}`,
    ...range(k).map((i) => `node ${i + 1} {}`),
    `node ${k + 1} { x = 0 }`,
    ...range(k).map(
      (i) => `thread T${i} on ${i + 1} { x^${k + 1} := ${2 * i + 1}; x^${k + 1} := ${2 * i + 2} }`,
    ),
    'exists (x = 1)',
  ]);
}

export const FAMILIES = { sbring, sbringget, mpchain, getsputs, putrace };
