// Growing programs: each family is a litmus test for every k.
import { mix } from './mix.js';

const join = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const all = (n: number, text: (i: number) => string): string => conjunction(range(n).map(text));

/** Long ones in parentheses: conditions may be nested 1000 deep, and `a /\ b /\ …` is nested to the left. */
function conjunction(parts: readonly string[]): string {
  const half = parts.length / 2;
  return parts.length <= 512
    ? parts.join(' /\\ ')
    : `(${conjunction(parts.slice(0, half))}) /\\ (${conjunction(parts.slice(half))})`;
}

/** Rings of puts: each thread puts to the next node, polls, and reads what was put to it. */
function sbring(k: number): string {
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
function sbringget(k: number): string {
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
function mpchain(k: number): string {
  const node = (i: number): number => i + 1;
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
    `exists (${all(k - 1, (i) => `a${i + 1} = 1`)} /\\ b = 0)`,
  ]);
}

/** Gets, then puts, on one queue pair. */
function getsputs(n: number): string {
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
function putrace(k: number): string {
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

/**
 * Two writers, and k readers by turns in either order, each by a get that is polled before the next.
 * The outcome that each reader misses the second write needs both orders of the writes. So it is
 * forbidden, but no single reader shows why.
 */
function iriw(k: number): string {
  const get = (name: string, i: number, location: string, node: number): string =>
    `${name}${i} := ${location}^${node}; poll(${node})`;
  const reader = (i: number): string =>
    i % 2 === 0
      ? `${get('a', i, 'x', 1)}; ${get('b', i, 'y', 2)}`
      : `${get('a', i, 'y', 2)}; ${get('b', i, 'x', 1)}`;
  return join([
    `RDMA iriw-${k}`,
    'node 1 { x = 0 }',
    'node 2 { y = 0 }',
    'node 3 {}',
    'thread X on 1 { x := 1 }',
    'thread Y on 2 { y := 1 }',
    ...range(k).map((i) => `thread T${i} on 3 { ${reader(i)} }`),
    `exists (${all(k, (i) => `a${i} = 1 /\\ b${i} = 0`)})`,
  ]);
}

/** A thread puts data and then a flag. Another waits for the flag, looks at it up to k times, and counts how often. */
function waitflag(k: number): string {
  return join([
    `RDMA waitflag-${k}`,
    'node 1 {}',
    'node 2 { data = 0; flag = 0 }',
    'thread T1 on 1 { data^2 := 1; flag^2 := 1 }',
    `thread T2 on 2 { n := 0; while (flag = 0) bound ${k} { n := n + 1 } a := data }`,
    'exists (a = 0)',
  ]);
}

/**
 * k messages through a ring of two slots: the producer puts a message and the head, the consumer puts the tail
 * when it has read. Threads wait by `assume`, so that no verdict depends on a bound. The question: is
 * some message lost or stale?
 */
function ringbuffer(k: number): string {
  const SLOTS = 2;
  const slot = (i: number): string => `s${i % SLOTS}`;
  const produce = (i: number): readonly string[] => [
    ...(i > SLOTS ? [`assume(tail >= ${i - SLOTS})`] : []),
    `${slot(i)}^2 := ${i}`,
    `head^2 := ${i}`,
  ];
  const consume = (i: number): readonly string[] => [
    `assume(head >= ${i})`,
    `a${i} := ${slot(i)}`,
    `tail^1 := ${i}`,
  ];
  const messages = range(k).map((i) => i + 1);
  return join([
    `RDMA ringbuffer-${k}`,
    'node 1 { tail = 0 }',
    `node 2 { head = 0; ${range(SLOTS)
      .map((i) => `s${i} = 0`)
      .join('; ')} }`,
    `thread T1 on 1 { ${messages.flatMap(produce).join('; ')} }`,
    `thread T2 on 2 { ${messages.flatMap(consume).join('; ')} }`,
    `exists (${messages.map((i) => `a${i} != ${i}`).join(' \\/ ')})`,
  ]);
}

/**
 * Two threads take a lock with CAS, trying up to k times, count, and release it. The question: may both have read the
 * count before the other wrote it? They count their tries, as otherwise one would stand for all.
 */
function spin(k: number): string {
  const body = (r: string, n: string, a: string): string =>
    `${r} := 1; ${n} := 0; while (${r} != 0) bound ${k} { ${r} := CAS(lock, 0, 1); ${n} := ${n} + 1 } ` +
    `${a} := count; count := ${a} + 1; lock := 0`;
  return join([
    `RDMA spin-${k}`,
    'node 1 { lock = 0; count = 0 }',
    `thread T1 on 1 { ${body('r', 'n', 'a')} }`,
    `thread T2 on 1 { ${body('s', 'm', 'b')} }`,
    'exists (a = b)',
  ]);
}

/** Two threads with a queue pair of both: each posts gets, polls as often, and reads what its last get brought. */
function sharedgets(k: number): string {
  const body = (to: string, from: string): string =>
    [
      ...range(k).map((i) => `${to}${i} := ${from}${i}^2.s`),
      ...range(k).map(() => 'poll(2.s)'),
    ].join('; ');
  return join([
    `RDMA sharedgets-${k}`,
    'node 1 {}',
    `node 2 { ${range(k)
      .map((i) => `x${i} = 1; y${i} = 1`)
      .join('; ')} }`,
    'qp s : T1, T2 -> 2',
    `thread T1 on 1 { ${body('a', 'x')}; r := a${k - 1} }`,
    `thread T2 on 1 { ${body('b', 'y')}; q := b${k - 1} }`,
    'exists (r = 0 /\\ q = 0)',
  ]);
}

/** A put, and messages; the other thread posts as many receives, takes their completions, and reads what was put. */
function messages(k: number): string {
  const each = (text: (i: number) => string): string => range(k).map(text).join('; ');
  return join([
    `RDMA messages-${k}`,
    'node 1 {}',
    `node 2 { x = 0; ${each((i) => `b${i} = 0`)} }`,
    `thread T1 on 1 { x^2 := 1; ${each((i) => `send(2, ${i + 1})`)} }`,
    `thread T2 on 2 { ${each((i) => `b${i} := recv(1)`)}; ${each(() => 'pollr(1)')}; s := x }`,
    'exists (s = 0)',
  ]);
}

/** By name; each gives the text of a litmus test with one query, for every size from 2 on. */
export const FAMILIES: Readonly<Record<string, (k: number) => string>> = {
  sbring,
  sbringget,
  mpchain,
  getsputs,
  putrace,
  iriw,
  waitflag,
  ringbuffer,
  spin,
  sharedgets,
  messages,
  mix3: (k) => mix(3, k),
  mix4: (k) => mix(4, k),
};
