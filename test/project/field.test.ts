import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fieldPage } from '../../scripts/field.js';
import type { Explanation } from '../../src/analyses/explain/explanation.js';
import { parseLitmus } from '../../src/index.js';
import { drawTimelineSvg } from '../../src/report/picture/index.js';
import { valueOf } from '../support/litmus.js';
import type { Run } from '../support/run.js';
import { remora as runRemora } from '../support/run.js';

/** The page of engineers' questions, as the site has it: it is complete, and says what the commands find out one by one. */

const remora = (...args: readonly string[]): Promise<Run> => runRemora(args);

const folder = mkdtempSync(join(tmpdir(), 'field-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('docs/field of the site', () => {
  const PICTURE = /^!\[(.*)\]\(field\/(.*)\)$/gm;
  const { text: illustrated, pictures } = fieldPage();
  const written = illustrated.replace(new RegExp(`${PICTURE.source}\n\n`, 'gm'), '');
  const tests = readdirSync('corpus/field')
    .filter((f) => f.endsWith('.litmus'))
    .map((f) => valueOf(parseLitmus(readFileSync(`corpus/field/${f}`, 'utf8'), f)));
  const section = (name: string): string => written.split(`\n### ${name}\n`)[1].split(/\n##/)[0];
  const models = ['rdma-tso', 'rdma-wait', 'rdma-tso-nopcie'];
  const told = ['explain', '--markdown', '--fix', '-m', models.join()];

  test('has every program, and every question once', () => {
    for (const { name, question } of tests) {
      expect(written.split(`\n### ${name}\n`)).toHaveLength(2);
      expect(written.split(question!)).toHaveLength(2);
    }
    expect(new Set(tests.map((t) => t.question)).size).toBe(12);
    expect(written.match(/^## /gm)).toHaveLength(12);
  });

  test('has all answers in a table in front, one row each', () => {
    const rows = written.split('\n## ')[0].match(/^\| \[.*$/gm)!;
    const answers = tests.flatMap(({ name, title, queries }) =>
      queries.map(({ label }) => `| [${name}](#${name}): ${title}; *${label}?* | **`),
    );
    expect(rows.map((row) => row.split('**')[0] + '**').sort()).toEqual(answers.sort());
  });

  test('has the timeline of every answer, as it is drawn now', async () => {
    const shown = [...illustrated.matchAll(PICTURE)];
    expect(shown).toHaveLength(tests.reduce((sum, { queries }) => sum + queries.length, 0));
    expect([...pictures.keys()].sort()).toEqual(shown.map(([, , name]) => name).sort());
    const all = ['explain', '--json', '--timeline', '-m', models.join(), 'corpus/field'];
    const told = (await remora(...all)).stdout.trim().split('\n');
    const drawn = new Map(
      told
        .map((line) => JSON.parse(line) as Explanation)
        .flatMap(({ test, question, models }) =>
          models.flatMap(({ model, verdict, admitted, refuted }) => {
            const timeline = admitted?.timeline ?? refuted?.ways?.shapes[0].way.timeline;
            const title = `${test} under ${model}: ${question}: ${verdict}`;
            return timeline === undefined ? [] : [[title, { timeline, title }] as const];
          }),
        ),
    );
    for (const [, title, name] of shown) {
      const { timeline } = drawn.get(title)!;
      expect(pictures.get(name), name).toBe(drawTimelineSvg(timeline, title));
    }
  });

  test('says of each answer whether it rests on the order of PCIe', async () => {
    const { stdout } = await remora(
      ...['check', '--json', '-m', 'rdma-tso,rdma-tso-nopcie', 'corpus/field'],
    );
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { test: string; index: number; verdict: string });
    const resting = tests.flatMap(({ name, queries }) =>
      queries.flatMap(({ text }, index) => {
        const those = records.filter((r) => r.test === name && r.index === index);
        return new Set(those.map((r) => r.verdict)).size > 1 ? [`${name}: ${text}`] : [];
      }),
    );
    const saying = tests.flatMap(({ name, queries }) => {
      const rows = written.split('\n').filter((row) => row.startsWith(`| [${name}]`));
      return queries.flatMap(({ text }, index) => {
        const [, after] = section(name).split(`**Can it end with \`${text}\``);
        const answer = after.split('**Can it end')[0];
        const says = answer.includes('This answer rests on what rdma-tso-nopcie (RDMA over TSO');
        expect(rows[index].includes('(otherwise under rdma-tso-nopcie)')).toBe(says);
        return says ? [`${name}: ${text}`] : [];
      });
    });
    expect(saying).toEqual(resting);
    expect(saying).toHaveLength(10);
  });

  test.each([
    ['sherman-split', true],
    ['put-signal-two-nodes', true],
    ['two-queue-pairs-poll', true],
    ['buffer-reuse', false],
    ['libfabric-read-read-flag-first', false],
  ])(
    '%s: whether its fix rests on it is tried on the program with the fix',
    async (name, rests) => {
      const path = `corpus/field/${name}.litmus`;
      const { stdout } = await remora('explain', '--fix', '--json', path);
      const { litmus } = JSON.parse(stdout).fixes[0].repair;
      const fixed = file(`fixed-${name}.litmus`, litmus);
      expect((await remora('check', fixed)).stdout).toContain('forbidden');
      const without = await remora('check', fixed, '-m', 'rdma-tso-nopcie');
      expect(without.stdout).toContain(rests ? 'allowed' : 'forbidden');
      const sentence =
        'The fix rests on what rdma-tso-nopcie (RDMA over TSO CPUs, without the PCIe guarantee) lacks: there it is not enough.';
      expect(section(name).includes(sentence)).toBe(rests);
    },
  );

  test('says of each program that a model cannot treat that it was not tried there', async () => {
    const { stdout } = await remora('check', '--json', '-m', 'rdma-tso-nopcie', 'corpus/field');
    const refused = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { test: string; verdict: string })
      .flatMap((record) => (record.verdict === 'untranslatable' ? [record.test] : []));
    expect(refused).toEqual(['buffer-reuse-wait', 'rpma-read-flushes-wait']);
    for (const { name } of tests) {
      const untried = refused.includes(name);
      const says =
        /^This answer was not tried under rdma-tso-nopcie \(.*\): wait\(\w+\) cannot be/m;
      expect(says.test(section(name))).toBe(untried);
      for (const row of written.split('\n').filter((line) => line.startsWith(`| [${name}]`))) {
        expect(row.includes('not tried under rdma-tso-nopcie')).toBe(untried);
      }
    }
  });

  test('a fix that another model cannot treat was not tried there', async () => {
    const path = file(
      'waits.litmus',
      `RDMA waits
       node 1 { a = 0; b = 0; c = 1 }
       node 2 { x = 0; y = 0 }
       thread T on 1 { y^2 :=^e c; x^2 :=^d c; wait(d); a := 1; r := b }
       thread U on 1 { b := 1; s := a }
       exists (r = 0 /\\ s = 0)`,
    );
    const { stdout, code } = await remora(...told, path);
    expect(code).toBe(0);
    expect(stdout).toContain('The smallest fix, verified:');
    expect(stdout).toContain('This answer was not tried under rdma-tso-nopcie');
    expect(stdout).toContain('The fix was not tried under rdma-tso-nopcie');
  });

  test.each(['sherman-split', 'ucx-get-put', 'buffer-reuse-wait', 'put-signal-two-nodes'])(
    '%s is what is found out',
    async (name) => {
      const { stdout } = await remora(...told, `corpus/field/${name}.litmus`);
      expect(section(name)).toContain(stdout.slice(stdout.indexOf('```')).trim());
    },
  );

  test('a part of the folder is told as the whole of it', async () => {
    const { stdout } = await remora(
      ...told,
      'corpus/field/ping-pong.litmus',
      'corpus/field/ping-pong-clear.litmus',
    );
    const [table, ...rest] = stdout.split('\n## ');
    for (const row of table.trim().split('\n')) expect(written).toContain(row);
    expect(rest).toHaveLength(1);
    expect(written).toContain(`\n## ${rest[0].split('\n### ping-pong-clear')[0]}`);
  });
});
