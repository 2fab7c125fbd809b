import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionGraph } from '../../src/analyses/explain/graph.js';
import type { Explanation, Step } from '../../src/analyses/explain/explanation.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora } from '../support/run.js';

/** Clients of libraries in every command, in a folder outside of the project. */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-libraries-'));
  cpSync(join(ROOT, 'test/files/clients'), at('clients'), { recursive: true });
  cpSync(join(ROOT, 'test/files/tests'), at('tests'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (file: string): string => join(folder, file);

async function run(...args: readonly string[]): Promise<Run> {
  const done = await remora(args, { cwd: folder });
  expect(done.stderr).not.toMatch(STACK_TRACE);
  expect(done.stdout + done.stderr).not.toMatch(/internal error|engine failed|undefined|9007199/);
  return done;
}

/** Runs a command that succeeds, and says nothing on standard error. */
async function good(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

/** Runs a command that ends with wrong input and prints nothing; gives what it says of that. */
async function refused(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout], args.join(' ')).toEqual([2, '']);
  return stderr;
}

const objects = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('verdicts', () => {
  const TOLD = [
    'Fig23 with rbl, bal',
    '  exists (a = true /\\ b = none)  "submitted, not received"',
    '    forbidden; as published',
    '  exists (a = true /\\ b = 1)',
    '    allowed: a = 1, b = 1; as published',
    '',
    '',
  ].join('\n');

  test.each(['auto', 'smt', 'search'])('check, by %s', async (engine) => {
    expect(await good('check', 'clients/fig23.litmus', '--engine', engine)).toBe(TOLD);
  });

  test('the enumeration comes to the same, and counts executions', async () => {
    const told = await good('check', 'clients/fig23.litmus', '--engine', 'enumerate');
    expect(told.replace(/; \d+ of \d+ executions satisfy it/g, '')).toBe(TOLD);
  });

  test('an expectation about another file of a library asks the client under that, too', async () => {
    const told = await good('check', 'clients/fig13.litmus');
    expect(told.split('\n').filter((line) => !line.startsWith('  exists'))).toEqual([
      'Fig13 with rbl, sv',
      '    forbidden; as published',
      '',
      'Fig13 with rbl-weak, sv',
      '    allowed: a = 1, b = 1, c = none, d = none; as published',
      '',
      '',
    ]);
  });

  test('--library puts a file in the place of one, by name or path, and asks nothing else', async () => {
    const own = readFileSync(join(ROOT, 'models/lib/rbl-weak.cat'), 'utf8');
    writeFileSync(at('own-weak.cat'), own);
    for (const name of ['rbl-weak', 'rbl-weak.cat', 'own-weak.cat']) {
      const told = await good('check', 'clients/fig13.litmus', '--library', name, '--json');
      expect(objects(told), name).toMatchObject([
        {
          model: `${name.replace('.cat', '')}, sv`,
          verdict: 'allowed',
          state: { a: 1, b: 1, c: null, d: null },
        },
      ]);
    }
  });

  test('an axiom of a library that rules everything out is named', async () => {
    expect(await good('check', 'clients/unmatched.litmus')).toContain(
      "vacuous: axiom 'bal.unmatched' of bal rules out every execution",
    );
  });

  test('test: clients have a table of their own, and a place in the Markdown of a corpus', async () => {
    const told = await good('test', 'clients', 'tests/mp.litmus');
    expect(told).toMatch(/^tests\/\nMP +a = 1 \/\\ b = 0 +○/m);
    expect(told).toMatch(/\ntest +outcome +libraries\n/);
    expect(told).toMatch(/\nFig13 .* ○\* +rbl, sv\n +●\* +rbl-weak, sv\n/);
    expect(told).toContain('7 tests, 18 verdicts');
    const page = await good('test', 'clients', '--markdown');
    expect(page).toContain('\n## Clients of libraries\n');
    expect(page).toContain('| Fig23 | `a = true /\\ b = none` | rbl, bal | **forbidden** |');
  });

  test('test --update writes what a client calls its libraries', async () => {
    const text = readFileSync(at('clients/fig23.litmus'), 'utf8');
    const claimed = text.replaceAll('expect', 'computed').replace(' forbidden ', ' allowed ');
    writeFileSync(at('claimed.litmus'), claimed);
    const { code } = await run('test', 'claimed.litmus', '--update');
    expect(code).toBe(0);
    expect(readFileSync(at('claimed.litmus'), 'utf8')).toBe(text.replaceAll('expect', 'computed'));
  });
});

describe('values that are no numbers', () => {
  test('outcomes: as programs write them, and as JSON has them', async () => {
    expect(await good('outcomes', 'clients/words.litmus')).toBe(
      [
        'words with msw: 3 final states',
        '  a = none   (3)',
        '  a = <0, 0>',
        '  a = <1, 1>   (2)',
        '  (1) satisfies a = <0, 1>',
        '  (2) satisfies a = <1, 1>',
        '  (3) satisfies a = none',
        '',
        '',
      ].join('\n'),
    );
    const [{ states }] = objects(await good('outcomes', 'clients/words.litmus', '--json'));
    expect(states).toEqual([{ a: null }, { a: [0, 0] }, { a: [1, 1] }]);
  });

  test("herd7's log, explanations and scripts", async () => {
    const log = await good('outcomes', 'clients/words.litmus', '--herd');
    expect(log).toContain('1:a=none;\n1:a=<0, 0>;\n1:a=<1, 1>;\n');
    expect(log).toContain('Condition exists (1:a=<0, 1>)');
    const why = await good('explain', 'clients/words.litmus', '--query', '2');
    expect(why).toContain('T2 msw.tryread(x) aCR: reads x = <1, 1>');
    const script = await good('export', '--smtlib', 'clients/words.litmus', '--query', '2');
    expect(script).toContain(':= <1, 1>');
  });

  test('results are read back as they were, and decided again where a library changes', async () => {
    const own = readFileSync(join(ROOT, 'models/lib/rbl.cat'), 'utf8');
    cpSync(at('clients/fig13.litmus'), at('store/fig13.litmus'), { recursive: true });
    cpSync(at('clients/words.litmus'), at('store/words.litmus'));
    writeFileSync(at('store/rbl.cat'), own);
    const args = ['check', 'store', '--json'];
    const first = objects(await good(...args, '--out', 'all.jsonl'));
    const again = objects(await good(...args, '--resume', 'all.jsonl'));
    // What is read back has the same times.
    expect(again).toEqual(first);
    expect(objects(await good('merge', 'all.jsonl', '--json'))).toEqual(first);
    const changed = own.replace('rf | fb', 'rf');
    expect(changed).not.toBe(own);
    writeFileSync(at('store/rbl.cat'), changed);
    const other = await run(...args, '--resume', 'all.jsonl');
    expect(objects(other.stdout).map((line) => line['verdict'])).toEqual([
      'allowed',
      'allowed',
      'forbidden',
      'allowed',
      'allowed',
    ]);
    expect(other.code).toBe(1);
  });

  test('merge reads clients by the library files that they had, wherever these are now', async () => {
    const own = readFileSync(join(ROOT, 'models/lib/rbl.cat'), 'utf8');
    cpSync(at('clients/fig13.litmus'), at('moved/fig13.litmus'), { recursive: true });
    writeFileSync(at('moved/mine.cat'), own.replace('library rbl', 'library mine'));
    const client = readFileSync(at('moved/fig13.litmus'), 'utf8');
    const renamed = client.replaceAll('rbl', 'mine').replace(/\n {2}expect allowed.*/, '');
    writeFileSync(at('moved/fig13.litmus'), renamed);
    const told = await good('check', 'moved', '--out', 'moved.jsonl');
    expect(told).toContain('Fig13 with mine, sv');
    rmSync(at('moved'), { recursive: true });
    expect(await good('merge', 'moved.jsonl')).toBe(told);
  });
});

describe('compare', () => {
  test('two files of one library on the clients that use it', async () => {
    const { code, stdout, stderr } = await run('compare', 'rbl', 'rbl-weak', 'clients');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Fig13 .* forbidden +allowed$/m);
    expect(stdout).toContain('1 of 3 verdicts differ between rbl and rbl-weak\n');
    expect(stderr).toBe(
      'not compared: clients/fig5.litmus and 3 more: none of their libraries is one that rbl and rbl-weak can both stand for\n',
    );
  });

  test('a library as a model of plain programs', async () => {
    expect(await good('compare', 'rl', 'rdma-wait', 'tests')).toContain('0 of 6 verdicts differ');
  });
});

describe('implementations', () => {
  test('--implementation puts them in the place of calls, and asks nothing else', async () => {
    const told = await good(
      'check',
      'clients/fig23.litmus',
      '--implementation',
      'loco-rbl,loco-bal',
    );
    expect(told).toMatch(/^Fig23 with loco-rbl, loco-bal\n.*\n {4}forbidden\n/);
    expect(told.match(/ with /g)).toHaveLength(1);
  });

  test('an expectation about one asks the client with it; all commands of verdicts tell both', async () => {
    const text = readFileSync(at('clients/fig23.litmus'), 'utf8');
    const line = '  expect allowed under rbl';
    const asked = text.replace(line, `  computed allowed under loco-rbl\n${line}`);
    expect(asked).not.toBe(text);
    writeFileSync(at('inlined.litmus'), asked);
    const args = ['check', 'inlined.litmus', '--json'];
    const first = objects(await good(...args, '--out', 'inlined.jsonl'));
    expect(first.map((line) => [line['model'], line['verdict'], line['authority']])).toEqual([
      ['rbl, bal', 'forbidden', 'published'],
      ['rbl, bal', 'allowed', 'published'],
      ['loco-rbl', 'forbidden', undefined],
      ['loco-rbl', 'allowed', 'computed'],
    ]);
    expect(objects(await good(...args, '--resume', 'inlined.jsonl'))).toEqual(first);
    expect(objects(await good('merge', 'inlined.jsonl', '--json'))).toEqual(first);
    expect(await good('test', 'inlined.litmus')).toMatch(/ ●\* +rbl, bal\n +● +loco-rbl\n/);
    const listed = await good('outcomes', 'inlined.litmus');
    expect(listed).toMatch(/Fig23 with rbl, bal: .*[^]*Fig23 with loco-rbl: /);
    const why = await good('explain', 'inlined.litmus', '--query', '2');
    expect(why).toContain('Fig23 with loco-rbl\n');
  });
});

describe('agree', () => {
  test('engines agree on each client under its own libraries', async () => {
    const files = ['fig5', 'words', 'unmatched', 'sometimes'].map(
      (name) => `clients/${name}.litmus`,
    );
    const told = await good(
      'agree',
      ...files,
      'tests/sb.litmus',
      '--engine',
      'smt,enumerate,search',
    );
    expect(told).toContain(
      '  sv by search, smt, enumerate: agree on 1 program with 3 final states\n',
    );
    // Two clients of the same library are of one group.
    expect(told).toMatch(/^ {2}bal by .*: agree on 2 programs with 1 final state$/m);
    expect(told).toMatch(/^ {2}rdma-tso by .*: agree on 1 program with 4 final states$/m);
    expect(told).toContain('no disagreement');
  });
});

describe('explain', () => {
  const told = async (file: string, query: number): Promise<Explanation> => {
    const line = await good('explain', `clients/${file}`, '--query', String(query), '--json');
    return JSON.parse(line) as Explanation;
  };
  const leaves = (steps: readonly Step[]): readonly Step[] =>
    steps.flatMap((step) => (step.via.length > 0 ? leaves(step.via) : [step]));
  const referencesOf = (graph: ExecutionGraph): ReadonlyMap<number, string | undefined> =>
    new Map(graph.events.map((e) => [e.id, e.reference]));

  test('Fig. 23: the cycle of App. D, by call and stamp', async () => {
    const { models } = await told('fig23.litmus', 1);
    const [{ way }] = models[0].refuted!.ways!.shapes;
    const references = referencesOf(way.graph);
    const steps = way.violation.steps.map(({ from, to, because }) => {
      const [{ text }] = because;
      return [references.get(from), text.split(':')[0], references.get(to)];
    });
    const [submit, fence] = ['T1 rbl.submit(x, 1) aNRW(2)', 'T1 bal.bar(z) aGF(2)'];
    const [exit, receive] = ['T2 bal.bar(z) aCR', 'T2 rbl.receive(x) aWT'];
    expect(steps).toEqual([
      [submit, 'ppo', fence],
      [fence, 'bal.so', exit],
      [exit, 'ppo', receive],
      [receive, 'fb', submit],
    ]);
    expect(leaves(way.violation.steps)).toHaveLength(5);
  });

  test('text: events by number, call and stamp; no marks; the order is that of all libraries', async () => {
    const why = await good('explain', 'clients/fig23.litmus');
    expect(why).toContain('Fig23 with rbl, bal\n');
    expect(why).toContain(' 2 aNRW(2) x[2]=1 ');
    expect(why).toContain('2 T1 rbl.submit(x, 1) aNRW(2) → 5 T1 bal.bar(z) aGF(2)\n');
    expect(why).toContain('in an order that agrees with ppo | ');
    expect(why).toContain('T2 rbl.receive(x) aCR: reads x[2] = 1\n');
    expect(why).not.toContain('party');
  });

  test('a thread that does not come is named where an axiom asks for it', async () => {
    const why = await good('explain', 'clients/sometimes.litmus', '--query', '1');
    expect(why).toContain('3 T1 bal.bar(z) aCR → T2 as party of z');
    expect(why.match(/party/g)?.length).toBeGreaterThan(0);
    const { models } = await told('sometimes.litmus', 1);
    const { graph } = models[0].refuted!.ways!.shapes[0].way;
    expect(graph.events.map(({ label }) => label)).toEqual([
      'init(x,0)',
      'aCW x=1',
      'aGF(1)',
      'aCR',
      'aCR x=0',
    ]);
    const ids = graph.events.map(({ id }) => id);
    expect(graph.edges.flatMap(({ from, to }) => [from, to]).every((id) => ids.includes(id))).toBe(
      true,
    );
  });

  test('what stands in the place of a call is told as the call', async () => {
    const options = ['--implementation', 'loco-rbl', '--query', '2', '--svg', 'inlined.svg'];
    const why = await good('explain', 'clients/fig23.litmus', ...options);
    expect(why).toMatch(/^ +1 aCR x\.head\[1\]=0 +rbl\.submit\(x, 1\) /m);
    // The call stands at its first event, and in each line of the order.
    const [table, order] = why.split('The events in an order');
    expect(table.match(/rbl\.submit/g)).toHaveLength(1);
    expect(order).toContain('T1 rbl.submit(x, 1) aNRW(2): writes x.head[2] = 2\n');
    // Two calls with something in their places, and two barriers.
    const svg = readFileSync(at('inlined.svg'), 'utf8');
    expect(svg.match(/id="[^"]*-c\d+"/g)).toHaveLength(4);
  });

  test('compares the verdicts of two compositions', async () => {
    const why = await good('explain', 'clients/fig13.litmus');
    expect(why).toContain('Fig13: rbl-weak, sv admits what rbl, sv rejects\n');
    expect(why).toContain('The execution that rbl-weak, sv admits, with rbl, sv:');
  });

  test('pictures: the events of a call stand in a box, and no line is drawn between them', async () => {
    const files = ['--svg', 'why.svg', '--dot', 'why.dot'];
    await good('explain', 'clients/fig23.litmus', '--query', '1', ...files);
    const svg = readFileSync(at('why.svg'), 'utf8');
    expect(svg.match(/id="[^"]*-c\d+"/g)).toHaveLength(3);
    expect(svg).not.toContain('party');
    const dot = readFileSync(at('why.dot'), 'utf8');
    expect(dot.match(/^ {2}c\d+ \[.*dashed/gm)).toHaveLength(3);
    // Of the nine events of the threads only three ends of calls lead to a next call; an arrow covers one.
    expect(dot.match(/^ {2}e\d+ -> e\d+ .*dir="none"/gm)).toHaveLength(1);
  });
});

describe('report', () => {
  test('verdicts on clients stand with their libraries', async () => {
    await good('report', 'clients/fig13.litmus', 'tests/sb.litmus', '--out', 'site');
    const index = readFileSync(at('site/index.html'), 'utf8');
    expect(index).toMatch(/data-client="yes"/);
    expect(index.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ')).toMatch(
      /forbidden \* , as published with rbl, sv ● allowed \* , as published with rbl-weak, sv/,
    );
  });
});

describe('what cannot be meant', () => {
  test('models do not decide clients: a notice', async () => {
    const { code, stdout, stderr } = await run('check', 'clients/fig5.litmus', '-m', 'sc,rdma-tso');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Fig5 with sv\n/);
    expect(stderr).toBe(
      'clients/fig5.litmus: decided by libraries, and not by sc, rdma-tso; --library puts other library files in their place\n',
    );
  });

  test.each([
    [['--library', 'rbl-waek'], "--library rbl-waek: no such library: did you mean 'rbl-weak'?\n"],
    [
      ['--library', 'bal-all'],
      '--library bal-all: none of these files is a client of a library that it could stand for\n',
    ],
  ])('%s', async (options, message) => {
    const { code, stderr } = await run('check', 'clients/fig13.litmus', ...options);
    expect([code, stderr]).toEqual([2, message]);
  });

  test('a mistake in a library file is shown there', async () => {
    writeFileSync(
      at('broken.cat'),
      'library rbl "Broken"\n\ninclude "ring.cat"\n\nlet so = rf | fa\n',
    );
    expect(await refused('check', 'clients/fig13.litmus', '--library', 'broken.cat')).toBe(
      [
        "broken.cat:5:15: unknown relation or set 'fa'",
        '5 | let so = rf | fa',
        '  |               ^^',
        '',
      ].join('\n'),
    );
  });

  const OTHERS = 'check, outcomes, explain and compare do\n';
  test.each([
    [['robust'], 'robust', 'it compares executions of instructions with those under SC'],
    [['explore'], 'explore', 'it runs machines, and there is none with libraries'],
    [
      ['distribute', '--server', '1'],
      'distribute',
      'it turns instructions of CPUs into remote ones',
    ],
    [['explain', '--fix'], 'explain --fix', 'it adds instructions of plain programs'],
    [
      ['export', '--promela'],
      'export --promela',
      'it is about robustness, and they have no such machine',
    ],
  ])('%s', async ([command, ...options], name, why) => {
    const told = await refused(command, 'clients/fig5.litmus', ...options);
    expect(told).toBe(
      `clients/fig5.litmus: ${name} does not take clients of libraries: ${why}; ${OTHERS}`,
    );
  });

  test('engines that are machines', async () => {
    const told = await refused('check', 'clients/fig5.litmus', '--engine', 'operational');
    expect(told).toMatch(/^sv: the operational engine has no machine for this model; /);
  });

  test('the table of robustness leaves clients out', async () => {
    const { code, stdout, stderr } = await run('robust', 'clients', 'tests/sb.litmus', '--table');
    expect(code).toBe(0);
    expect(stdout).toContain('| SB ');
    expect(stdout).not.toContain('Fig');
    expect(stderr).toContain('clients/fig5.litmus and 5 more: robust does not take clients');
  });
});

describe('remora instructions', () => {
  test('a library: its objects, who takes part, its operations with stamps and cells', async () => {
    expect(await good('instructions', 'rbl')).toBe(
      [
        'The library rbl: Ring buffers: one writer, many readers',
        '',
        'objects',
        '  rbl x (writer T; reader T, …)  a cell x[n] on every node, at first empty',
        '    writer                       the thread that takes part',
        '    reader                       threads that take part',
        '',
        'rbl.submit: a := rbl.submit(x, m)',
        '  only by threads that are its writer',
        '  or, as it happens, with the value 1:',
        '    aCW        writes m to x[here]  is a write by the CPU',
        '    beside it, for each node n in nodes(reader) \\ {here}:',
        "      aNRW(n)  writes m to x[n]     is the NIC's write at another node",
        '  or, as it happens, with the value 0:',
        '    aWT                             waits',
        '',
        'rbl.receive: a := rbl.receive(x)',
        '  only by threads that are its reader',
        '  or, as it happens, with the value m:',
        '    aCR  reads m from x[here]  is a read by the CPU',
        '  or, as it happens, with the value none:',
        '    aWT  is at x[here]         waits',
        '',
        'beside it: rl, RDMA with waits (remora instructions rl)',
        '',
        'initial writes are events init',
        '',
      ].join('\n'),
    );
  });

  test('the value of calls that go one way', async () => {
    expect(await good('instructions', 'acc')).toContain(
      [
        'acc.read: a := acc.read(x)',
        '  with the value sum(v):',
        '    for each node n in nodes:',
        "      aNRR(n)      reads v from x[n]  is the NIC's read at another node",
        '    beside it aWT                     waits',
        '',
      ].join('\n'),
    );
  });

  test('all that come with Remora, by name and by path', async () => {
    const names = ['acc', 'bal', 'bal-all', 'msw', 'rbl', 'rbl-repaired', 'rbl-weak', 'sv'];
    const told = await good('instructions', ...names);
    expect(told.match(/^The library /gm)).toHaveLength(names.length);
    const path = join(ROOT, 'models/lib/sv.cat');
    expect(await good('instructions', path)).toBe(await good('instructions', 'sv'));
  });
});
