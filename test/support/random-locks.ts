import fc from 'fast-check';

/**
 * Random programs in which two threads go round for ever, with blocks, ghosts and assertions, and questions about their runs. Values are few, so
 * that all states can be explored.
 */

const statement = (depth: number): fc.Arbitrary<string> => {
  const plain = fc.constantFrom(
    ...['x := 0', 'x := 1', 'y := 0', 'y := 1', 'r := x', 'r := y', 'r := CAS(x, 0, 1)'],
    ...['ghost g := 0', 'ghost g := 1', 'ghost h := 0', 'ghost h := 1', 'r := 0', 'r := 1'],
    ...['critical c { skip }', 'critical c { x := 0 }', 'critical c { ghost g := 1 }'],
    ...['assert(r = 0)', 'mfence'],
  );
  if (depth === 0) return plain;
  const body = statements(depth - 1, 2);
  return fc.oneof(
    { weight: 5, arbitrary: plain },
    {
      weight: 2,
      arbitrary: fc.tuple(body, body).map(([a, b]) => `if (r = 0) { ${a} } else { ${b} }`),
    },
    { weight: 1, arbitrary: fc.tuple(body, body).map(([a, b]) => `choose { ${a} } or { ${b} }`) },
  );
};

const statements = (depth: number, most: number): fc.Arbitrary<string> =>
  fc.array(statement(depth), { minLength: 1, maxLength: most }).map((all) => all.join('; '));

const thread = (name: string, remote: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(statements(2, 4), statements(1, 2), fc.constantFrom('', ...remote), fc.boolean())
    .map(([body, first, far, fixed]) => {
      const block = fixed ? 'critical c { skip }' : 'if (r = 1) { critical c { x := 0 } }';
      const loop = [body, block, ...(far === '' ? [] : [far])].join('; ');
      return `thread ${name} on 1 { r := 0; ${first}; loop { at turn; ${loop} } }`;
    });

/** Of CPUs alone, or with remote operations. */
export const randomLocks = (remote: readonly string[] = []): fc.Arbitrary<string> =>
  fc.tuple(thread('T', remote), thread('U', remote)).map(
    (threads) => `RDMA lock
node 1 { x = 0; y = 0 }
node 2 { z = 0 }
ghost g = 0
ghost h = 0
${threads.join('\n')}
exclusive c of T, U
never (g = 1 /\\ h = 1)
never (x = 1 /\\ y = 1)
progress T:turn -> any c
progress any turn -> U:c
progress always -> any c
assertions
deadlock`,
  );
