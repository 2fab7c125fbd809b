/**
 * The text of a litmus test with one query, which the search gives up on from 8 values on.
 *
 * More threads than there are values, and each is to read another one: hard for any search by clauses. The search gives up on it after
 * some seconds; Z3 takes some more.
 */
export function pigeonholes(values: number): string {
  const threads = Array.from({ length: values + 2 }, (_, i) => i);
  const writes = threads.slice(0, values).map((i) => `x := ${i + 1}`);
  const different = threads.flatMap((i) => threads.slice(0, i).map((j) => `a${i} != a${j}`));
  const lines = [
    `RDMA pigeonholes-${values}`,
    'node 1 { x = 0 }',
    `thread W on 1 { ${writes.join('; ')} }`,
    ...threads.map((i) => `thread T${i} on 1 { a${i} := x }`),
    `exists (${different.join(' /\\ ')})`,
  ];
  return `${lines.join('\n')}\n`;
}
