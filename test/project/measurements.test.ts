import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measurementsPage } from '../../scripts/measurements.js';
import { readResults } from '../../src/analyses/measured/read.js';
import { cardFabrics } from '../../src/node/card.js';
import { parseLitmus } from '../../src/node/tests.js';
import { remora } from '../support/run.js';

/** The results that people sent: they are read, are named in one way, and those of the weak card are of the fabric that it was. */

const FOLDER = 'measurements';
const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');

interface CardLine {
  readonly kind: string;
  readonly card: { readonly firmware: string };
  readonly files: readonly string[];
  readonly tests: number;
  readonly left: readonly string[];
  readonly refuted: readonly string[];
}

test.each(files)('%s is read, is small, and is named as the others', (name) => {
  expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*\.jsonl$/);
  const path = join(FOLDER, name);
  expect(statSync(path).size).toBeLessThan(2 ** 20);
  const found = readResults({ path, text: readFileSync(path, 'utf8') }, parseLitmus);
  expect(found.ok && found.value.tests.length).toBeGreaterThan(0);
});

test('the weak card showed nothing that the fabric forbids that it was', async () => {
  const { stdout, stderr } = await remora(['measured', FOLDER, '--json']);
  expect(stderr).toBe('');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CardLine);
  const weak = lines.filter(({ kind, card }) => kind === 'card' && /^weak /.test(card.firmware));
  expect(weak.map(({ files: [file] }) => file)).toEqual(
    files.filter((name) => name.startsWith('weak-card-')).map((name) => join(FOLDER, name)),
  );
  for (const { card, files: own, tests, left, refuted } of weak) {
    const [, fabric] = /^weak ([\w-]+)$/.exec(card.firmware)!;
    expect(cardFabrics()).toContain(fabric);
    expect(own).toEqual([join(FOLDER, `weak-card-${fabric}.jsonl`)]);
    expect(tests).toBeGreaterThan(0);
    expect(left).toContain(`rdma-${fabric}`);
    // And it is told from some other one.
    expect(refuted).toContain('rdma-manpage');
  }
});

test('the page of the site has each card, and what it can be', () => {
  const page = measurementsPage();
  for (const [i] of files.entries()) {
    expect(page).toContain(`\n**card ${i + 1}**: `);
    expect(page).toMatch(new RegExp(`^\\| card ${i + 1} \\| allowed and seen \\|`, 'm'));
  }
  expect(page).toContain('\nLeft: rdma-unordered, rdma-ooo-rw, rdma-srd. Refuted: ');
  expect(page).toContain('| ro-raw | seen, ');
  expect(page).not.toMatch(/\bundefined\b/);
});
