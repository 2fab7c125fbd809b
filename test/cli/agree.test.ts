import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import { countInstructions } from '../../src/program/print.js';
import {
  ROOT,
  STACK_TRACE,
  remora,
  remoraProcess,
  unsealed,
  withoutTimes,
} from '../support/run.js';

/** `remora agree` as users run it. */

const folder = mkdtempSync(join(tmpdir(), 'remora-agree-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A model of one's own: RDMA^TSO with something replaced. */
function mutant(name: string, from: string, to: string): string {
  for (const file of ['instructions.cat', 'rdma.cat', 'rdma-tso-base.cat']) {
    copyFileSync(join(ROOT, 'models', file), join(folder, file));
  }
  const read = (file: string): string => readFileSync(join(ROOT, 'models', file), 'utf8');
  const text = ['rdma-tso-orders.cat', 'rdma-axioms.cat'].reduce(
    (all, file) => all.replace(`include "${file}"`, () => withoutTitle(read(file))),
    read('rdma-tso.cat'),
  );
  if (!text.includes(from)) throw new Error(`no '${from}' in rdma-tso.cat`);
  const path = join(folder, `${name}.cat`);
  writeFileSync(path, text.replace(from, to));
  return path;
}

const withoutTitle = (text: string): string => text.replace(/^".*"\n/, '');

const agree = (...args: string[]) => remora(['agree', ...args, '--jobs', '2']);

/** The litmus file at the end of the output. */
const litmusIn = (stdout: string): string => stdout.slice(stdout.search(/^RDMA /m));

/** What `outcomes` lists, without the first line. */
async function outcomes(file: string, model: string, ...args: string[]): Promise<string> {
  const { stdout } = await remora(['outcomes', file, '-m', model, '--all', ...args]);
  return stdout.split('\n').slice(1).join('\n');
}

describe('random programs', () => {
  test('the engines agree; two runs print the same', async () => {
    const args = ['--random', '12', '--seed', '1', '--limit', '2000'];
    const first = await agree(...args);
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^12 programs of \d+ to \d+ \(median \d+\) events$/m);
    expect(first.stdout).toMatch(
      /^ {2}rdma-tso by smt, enumerate, operational: agree on 1[0-2] programs with \d+ final states$/m,
    );
    expect(first.stdout).toMatch(/^no disagreement; \d+\.\d s$/m);
    const second = await remora(['agree', ...args, '--jobs', '1']);
    expect(withoutTimes(second.stdout)).toBe(withoutTimes(first.stdout));
    const other = await agree('--random', '12', '--seed', '2', '--limit', '2000');
    expect(withoutTimes(other.stdout)).not.toBe(withoutTimes(first.stdout));
  });

  test('a broken copy of a model is told from it, by a small program', async () => {
    const broken = mutant(
      'broken',
      'irreflexive ob as ob',
      'irreflexive ob as ob\nempty [CAS] as no-cas',
    );
    const file = join(folder, 'found.litmus');
    const { code, stdout, stderr } = await agree(
      ...['--random', '100', '--engine', 'smt', '--equivalent'],
      ...['-m', `${broken},rdma-tso`, '--out', file],
    );
    expect(stderr).toBe('');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^disagreement; /m);
    expect(stdout).toMatch(/^random program \d+ of seed 1, shrunk from \d+ instructions to 1 /m);
    const text = readFileSync(file, 'utf8');
    expect(litmusIn(stdout)).toBe(unsealed(text));
    const parsed = parseLitmus(text);
    expect(parsed.ok && countInstructions(parsed.value.program)).toBe(1);
    expect(text).toMatch(/^thread T\d on \d \{ \w+ := CAS\(\w+, -?\d, -?\d\) \}$/m);
    expect(await outcomes(file, broken)).not.toBe(await outcomes(file, 'rdma-tso'));
    const checked = await remora(['check', file, '-m', `${broken},rdma-tso`]);
    expect(checked.code).toBe(0);
    expect(checked.stdout).toMatch(/allowed/);
  });

  test('as one JSON object', async () => {
    const broken = mutant(
      'json',
      'irreflexive ob as ob',
      'irreflexive ob as ob\nempty [CAS] as no-cas',
    );
    const args = ['--random', '100', '--equivalent', '--engine', 'smt', '-m', `${broken},rdma-tso`];
    const { code, stdout } = await agree(...args, '--json');
    expect(code).toBe(1);
    const line = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(line)).toEqual(
      'format programs events comparisons leftOut agree disagreement milliseconds'.split(' '),
    );
    expect(line).toMatchObject({
      agree: false,
      comparisons: [{ models: ['json', 'rdma-tso'] }],
      disagreement: {
        instructions: 1,
        only: [{ states: [] }, { engine: 'smt', model: 'rdma-tso' }],
      },
    });
  });
});

describe('files', () => {
  test('a loop bound is taken over into the file', async () => {
    const file = join(folder, 'loop.litmus');
    writeFileSync(
      file,
      'RDMA l\nnode 1 { x = 0 }\nthread T1 on 1 { loop { x := x + 1 } a := CAS(x, 4, 0) }\n',
    );
    const broken = mutant(
      'loops',
      'irreflexive ob as ob',
      'irreflexive ob as ob\nempty [CAS] as no-cas',
    );
    const models = ['-m', `${broken},rdma-tso`, '--equivalent', '--engine', 'smt'];
    const { code, stdout } = await agree(file, ...models, '--bound', '4');
    expect(code).toBe(1);
    expect(litmusIn(stdout)).not.toContain('CAS(x, 4, 0)\n');
  });
});

describe('what does not work', () => {
  test('Ctrl-C ends it: as JSON it does not say that all agree', async () => {
    const args = ['agree', '--random', '5000', '--jobs', '1', '--json'];
    const signal = { name: 'SIGINT', after: 2000 } as const;
    const { code, stdout } = await remoraProcess(args, { signal });
    const line = JSON.parse(stdout) as { readonly programs: number };
    expect(line).toMatchObject({ interrupted: true, of: 5000 });
    expect(line.programs).toBeLessThan(5000);
    expect(line).not.toHaveProperty('agree');
    expect(code).toBe(130);
  });

  test('Ctrl-C ends it, with what was found so far', async () => {
    const { code, stdout, stderr } = await remoraProcess(
      ['agree', '--random', '5000', '--jobs', '1'],
      {
        signal: { name: 'SIGINT', after: 2000 },
      },
    );
    expect(stderr).not.toMatch(STACK_TRACE);
    const [programs] = /^\d+(?= programs?\b)/.exec(stdout) ?? [];
    expect(stdout).toMatch(
      new RegExp(
        `^interrupted after ${programs} of 5000 programs(; no disagreement among these)?; `,
        'm',
      ),
    );
    expect(stdout).not.toMatch(/^no disagreement/m);
    expect(code).toBe(130);
  });
});
