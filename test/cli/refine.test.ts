import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { STACK_TRACE, remora, remoraProcess } from '../support/run.js';

/** `remora refine` as users run it. */

const folder = mkdtempSync(join(tmpdir(), 'remora-refine-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const escaped = (text: string): string => text.replace(/[()[\]{}.]/g, '\\$&');

const refine = (...args: string[]) => remora(['refine', ...args, '--jobs', '2']);

const loco = (...names: string[]) => names.map((name) => `corpus/loco/${name}.litmus`);

describe('clients', () => {
  test('the paper’s, against one implementation', async () => {
    const { code, stdout } = await refine('loco-rbl', ...loco('Fig13', 'Fig23'));
    expect(stdout.replace(/[\d.]+ s$/m, '… s')).toBe(`loco-rbl: rbl over sv
  Fig13  3 of 8 outcomes; refines
  Fig23  1 of 2 outcomes; refines
2 clients, 0 do not refine; … s
`);
    expect(code).toBe(0);
  });

  test('through all levels, down to RDMA^TSO', async () => {
    const all = ['loco-rbl', 'loco-bal', 'loco-sv', 'loco-wait'];
    const { code, stdout } = await refine(...all, ...loco('Fig23'));
    expect(stdout).toContain('loco-wait: rl over rdma-tso');
    expect(stdout).toContain('Fig23  1 of 2 outcomes; refines');
    expect(code).toBe(0);
  });

  test('plain files, where waits become polls', async () => {
    const { code, stdout } = await refine('loco-wait', ...loco('L3a', 'L4a'));
    expect(stdout).toMatch(/L3a\s+1 of 1 outcome; refines/);
    expect(stdout).toMatch(/L4a\s+4 of 4 outcomes; refines/);
    expect(code).toBe(0);
  });

  test('one that can tell: outcome, execution call by call, and the cycle', async () => {
    const { code, stdout } = await refine('loco-rbl', ...loco('ring-self'));
    expect(code).toBe(1);
    expect(stdout).toContain('a = 1, c = 1, e = none, b = 1, d = 1, f = none');
    expect(stdout).toContain('happens with loco-rbl, and is forbidden by rbl\n');
    expect(stdout).toContain('    Why rbl forbids the outcome:\n      No final state satisfies it');
    // The messages of section "What the paper gets wrong": read from the own store buffer, then nothing found.
    const calls = ['rbl.submit(x, 1)', 'rbl.receive(x)', 'rbl.receive(y)'];
    const places = calls.map((call) => stdout.indexOf(call));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(stdout).toMatch(/is broken by a cycle:(\n.*)*? rf\n(.*\n)*?.*ppo(.*\n)*?.*fb/);
  });

  test('it cannot tell the repaired library', async () => {
    const repaired = ['--library', 'rbl-repaired'];
    const { code, stdout } = await refine('loco-rbl', ...loco('ring-self'), ...repaired);
    expect(stdout).toContain('refines');
    expect(code).toBe(0);
  });

  test('parameters: a ring of two cells has room for one message', async () => {
    const { stdout } = await refine('loco-rbl', ...loco('Fig13'), '--set', 'S=2');
    expect(stdout).toContain('refines');
  });

  test('a smaller one that can tell is explained in its place', async () => {
    const large = file(
      'large.litmus',
      `RDMA large
uses sv, rbl
node 1 {} node 2 {} node 3 { y = 0 }
sv v
rbl x, z (writer T1; reader T1, T2)
thread T1 on 1 { sv.write(v, 7); if (0 = 0) { a := rbl.submit(x, 5) }; y^3 := 1; c := rbl.receive(x) }
thread T2 on 2 { b := sv.read(v); d := rbl.receive(x); sv.gf({1, 2, 3}) }
thread T3 on 3 { e := y }
`,
    );
    const broken = 'corpus/broken/rbl-head-first.impl';
    const { code, stdout } = await refine(broken, large);
    expect(code).toBe(1);
    const [own, smaller] = stdout.split('    A smaller client that fails, too:\n');
    expect(own).toMatch(/^ {2}large +does not refine\n.*\n.*is forbidden by sv, rbl\n\n$/m);
    // What is left: one message, whose end is received before it is there.
    expect(smaller).toContain(`
    uses rbl

    node 1 {}
    node 2 {}
    rbl x (writer T1; reader T2)

    thread T1 on 1 { a := rbl.submit(x, 1) }
    thread T2 on 2 { d := rbl.receive(x) }

    a = 1, d = <>
      happens with rbl-head-first, and is forbidden by rbl
`);
    expect(smaller).toContain('The execution of the implementation, call by call:');
    expect(stdout.match(/call by call/g)).toHaveLength(1);
    const { stdout: json } = await refine(broken, large, '--json');
    const told = JSON.parse(json) as Record<'outcome' | 'execution' | 'smaller', object>;
    expect(told).toMatchObject({ client: 'large', verdict: 'does not refine' });
    expect(told.execution).toBeDefined();
    expect(told.smaller).toMatchObject({
      client: 'large-smaller',
      outcome: [
        { thread: 'T1', name: 'a', value: 1 },
        { thread: 'T2', name: 'd', value: [] },
      ],
    });
    expect(Object.keys(told.smaller)).toEqual(
      expect.arrayContaining(['text', 'execution', 'forbidden']),
    );
  });

  test('as data', async () => {
    const { stdout } = await refine('loco-rbl', ...loco('ring-self'), '--json');
    const [result] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(result).toMatchObject({ kind: 'refinement', client: 'ring-self' });
    expect(result['verdict']).toBe('does not refine');
    expect(result['outcome']).toContainEqual({ thread: 'T1', name: 'e', value: null });
  });
});

describe('implementations that hang', () => {
  test('refine as the paper defines it, and are told', async () => {
    const hanging = file(
      'hanging.impl',
      `implementation hanging "waits for ever"
implements bal over sv
for object x { sv flag }
bar(x) { w := sv.read(flag); while (w = 0) { w := sv.read(flag) } }
`,
    );
    const { code, stdout } = await refine(hanging, ...loco('Fig6'));
    expect(stdout).toContain(
      'hangs: the libraries allow 1 outcome, the implementation has no execution',
    );
    expect(code).toBe(1);
  });

  test('where loops that write go on, nothing is known', async () => {
    const counting = file(
      'counting.impl',
      `implementation counting "counts for ever"
implements bal over sv
for object x { sv flag }
bar(x) { w := 0; while (w < 100) bound 3 { sv.write(flag, w); w := w + 1 } }
`,
    );
    const { code, stdout } = await refine(counting, ...loco('Fig6'));
    expect(stdout).toContain('unknown: the implementation: loops were unrolled 3 times');
    expect(code).toBe(3);
  });
});

describe('generated clients', () => {
  test('the barrier: none of two calls a thread can tell', async () => {
    const { code, stdout } = await refine('loco-bal', '--generate', '--calls', '2');
    expect(stdout).toContain('289 clients tried, all of up to 4 calls');
    expect(code).toBe(0);
  });

  test('the first that can tell is shown, and it is a smallest one', async () => {
    const broken = 'corpus/broken/bal-no-waiting.impl';
    const { code, stdout } = await refine(broken, '--generate', '--calls', '2');
    expect(code).toBe(1);
    expect(stdout).toContain('does not refine');
    // One thread is at the barrier alone. The client that failed first had a call of the other one, too.
    expect(stdout).toContain(`
    bal o1 (party T1, T2)

    thread T1 on 1 { bal.bar(o1) }
    thread T2 on 1 {}

    all threads come to their ends
      happens with bal-no-waiting, and is forbidden by bal
`);
    expect(stdout).toContain('all of up to 1 call');
  });
});

describe('reports of generated clients', () => {
  const GENERATED = ['--generate', '--calls', '1'];
  const CLIENT_1 = `
    RDMA client-1
    uses bal

    node 1 {}
    bal o1 (party T1)

    thread T1 on 1 { bal.bar(o1) }
`;
  const HANGING = 'bar(x) { w := sv.read(flag); while (w = 0) { w := sv.read(flag) } }';
  const COUNTING = 'bar(x) { w := 0; while (w < 100) bound 3 { sv.write(flag, w); w := w + 1 } }';
  const barrier = (name: string, body: string): string =>
    file(
      `${name}.impl`,
      `implementation ${name}\nimplements bal over sv\nfor object x { sv flag }\n${body}\n`,
    );

  test.each([
    ['that hang', barrier('waiting', HANGING), 'hangs: the libraries allow 1 outcome', '5 hang', 1],
    ['that are unknown', barrier('open', COUNTING), 'unknown: the impl', '9 unknown', 3],
  ])('the first of those %s is shown, and the others are counted', async (...args) => {
    const [, path, why, count, code] = args;
    const { code: ended, stdout } = await refine(path, ...GENERATED);
    expect(stdout).toMatch(new RegExp(`^  client-1  ${why}.*\n${escaped(CLIENT_1)}`, 'm'));
    expect(stdout).toContain(`    and ${parseInt(count, 10) - 1} more\n`);
    expect(stdout.match(/RDMA client/g)).toHaveLength(1);
    expect(stdout).toMatch(new RegExp(`0 do not refine, ${count}; `));
    expect(ended).toBe(code);
  });

  test('the text of a generated client is not under one that was named', async () => {
    const box = file(
      'box.litmus',
      `RDMA box
uses sv, bal
node 1 {} node 2 {}
sv x, y
bal z (party T1, T2)
thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); bal.bar(z); a := sv.read(y) }
thread T2 on 2 { sv.write(y, 1); sv.bcast(y, d, {1}); bal.bar(z); b := sv.read(x) }
`,
    );
    const broken = 'corpus/broken/bal-no-waiting.impl';
    const { stdout } = await refine(broken, box, ...GENERATED);
    const [named, generated] = stdout.split(/^ {2}client-\d+ /m);
    expect(named).not.toContain('RDMA client');
    expect(named).toContain('is forbidden by sv, bal\n');
    expect(generated).toContain('    RDMA client');
    expect(generated).toContain('is forbidden by bal\n');
    expect(stdout).toMatch(/^1 client named, \d+ clients tried, .*, 2 do not refine; /m);
  });
});

test('Ctrl-C: what was done until then, and how much that is', async () => {
  const args = ['refine', 'loco-sv', '--generate', '--jobs', '2'];
  const signal = { name: 'SIGINT', after: 5000 } as const;
  const { code, stdout } = await remoraProcess(args, { signal });
  const [, tried, complete] = /^(\d+) clients tried, all of up to (\d+) calls? /m.exec(stdout)!;
  expect(stdout).toMatch(
    /^loco-sv: .*\n\d+ clients tried, .*, 0 do not refine\ninterrupted after /,
  );
  expect(stdout).toContain(`interrupted after ${tried} of 10000 generated clients; `);
  expect(stdout).not.toContain('unknown');
  // There are 40 clients of one call, and more than 10000 of up to three.
  expect(Number(complete)).toBeLessThan(3);
  expect(code).toBe(130);
});

describe('mistakes', () => {
  const wrong = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await refine(...args);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    return stderr;
  };

  const NO_LIBRARY = file('wrong.cat', 'wrong');

  test.each([
    ['no implementation', loco('Fig6'), 'name an implementation'],
    ['no client', ['loco-bal'], 'name clients, or let them be generated with --generate'],
    ['a name that is spelt wrong', ['loco-ball', ...loco('Fig6')], "did you mean 'loco-bal'?"],
    ['no such file', ['loco-bal', 'nosuch.litmus'], 'nosuch.litmus: no such file'],
    ['no such implementation file', ['nosuch.impl', ...loco('Fig6')], 'nosuch.impl: no such file'],
    ['a parameter that there is not', ['loco-rbl', ...loco('Fig13'), '--set', 'T=2'], 'there is S'],
    ['a value that is no number', ['loco-rbl', ...loco('Fig13'), '--set', 'S=x'], 'such as S=2'],
    ['two of one library', ['loco-bal', 'loco-bal-all', ...loco('Fig6')], 'both implement bal'],
    [
      'no such library',
      ['loco-rbl', ...loco('Fig13'), '--library', 'rbl-repared'],
      "'rbl-repaired'?",
    ],
    [
      'no such library',
      ['loco-rbl', '--generate', '--library', 'nosuch'],
      'no such library: there are',
    ],
    [
      'a library file with a mistake',
      ['loco-bal', '--local', '--library', NO_LIBRARY],
      'wrong.cat:1:1: ',
    ],
    ['a plain file', ['loco-bal', 'corpus/tso/MP1.litmus'], 'it has no `uses`'],
  ])('%s', async (_, args, message) => {
    expect(await wrong(...args)).toContain(message);
  });

  test('an implementation of itself', async () => {
    const circular = file(
      'circular.impl',
      'implementation circular\nimplements bal over bal\nbar(x) { bal.bar(x) }\n',
    );
    expect(await wrong(circular, ...loco('Fig6'))).toContain('over bal itself');
  });

  test('a method is missing', async () => {
    const half = file(
      'half.impl',
      'implementation half\nimplements sv over rl\nwait(d) { wait(d) }\n',
    );
    expect(await wrong(half, ...loco('Fig5'))).toMatch(/half\.impl:\d+:\d+: .*(bcast|write)/);
  });
  // Clients that wait for what nobody makes are left out.
  test.each(['--generate', '--local'])('a library that no client can use: %s', async (mode) => {
    file(
      'idle.cat',
      'library idle "Waits"\ninclude "stamps.cat"\nobject x\noperation await(work d) : aWT\nlet so = 0\n',
    );
    const waiting = file(
      'idle.impl',
      'implementation waiting\nimplements idle over rl\nawait(d) { wait(d) }\n',
    );
    expect(await wrong(waiting, mode)).toContain(
      'there is no client of idle with at most 2 threads on 2 nodes, ',
    );
  });
});

describe('a library of another folder, named by --library', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'remora-library-'));
  afterAll(() => rmSync(elsewhere, { recursive: true }));
  const library = join(elsewhere, 'cellar.cat');
  writeFileSync(
    library,
    `library slot "A cell on each node"
include "stamps.cat"
object x : copied
operation put(object x, value m) : aCW writes x[here] := m
operation take(object x) = m : aCR reads x[here] as m
let so = rf | mo
`,
  );
  const implementation = file(
    'slots.impl',
    `implementation slots
implements slot over rl
for object x { node n { own[n] = 0 } }
put(x, m) { own[here] := m }
take(x) { return own[here] }
`,
  );
  // The file is called otherwise than its library.
  const client = file(
    'slots.litmus',
    'RDMA slots\nuses slot\nnode 1 {}\nslot x\nthread T on 1 { slot.put(x, 1); a := slot.take(x) }\n',
  );
  test.each([
    ['--generate', '--calls', '1', '--limit', '3'],
    ['--local', '--calls', '1', '--limit', '3'],
    [client],
  ])('%s', async (...how) => {
    const { stderr, stdout } = await refine(implementation, '--library', library, ...how);
    expect(stderr).toBe('');
    expect(stdout).toContain('slots: slot over rl');
  });
});
