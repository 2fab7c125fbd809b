import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesIn } from '../../src/analyses/in-c/lines.js';
import { patchOf } from '../../src/analyses/in-c/patch.js';
import { Probe } from '../../src/analyses/in-c/probe.js';
import { sourceOf } from '../../src/c/edit/source.js';
import { decide } from '../../src/check/decide.js';
import { fix } from '../../src/analyses/repair/fix.js';
import { parseLitmus } from '../../src/index.js';
import { loadC } from '../../src/node/c.js';
import { readLitmus } from '../../src/node/tests.js';
import type { Result } from '../../src/parse/diagnostics/index.js';
import { ok, position } from '../../src/parse/diagnostics/index.js';
import { instructionsOf } from '../../src/program/instructions.js';
import type { Program, Test } from '../../src/program/program.js';
import { isStateQuery } from '../../src/program/program.js';
import { DEFAULT_COSTS } from '../../src/rdma/additions.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { search } from '../support/c-states.js';
import { testCases } from '../support/cases.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';
import { printC } from '../support/print-c.js';
import { QUICK, cases, few, some } from '../support/random.js';
import { ROOT } from '../support/run.js';

/** Fixes of C files as patches: they apply, and the file with them is read as the program with the additions. */

await loadC();

const read = (text: string): ReturnType<typeof readLitmus>['test'] =>
  readLitmus(text, 'case.c').test;

function programOf(text: string): Result<Program> {
  const one = read(text);
  return one.ok ? ok(one.value.program) : one;
}

/** The patch for a query of a file, and the verdict with it; undefined: nothing is to be added, or nothing that helps is known. */
function mended(text: string, of: Test, query: number, name: string) {
  const model = modelOf(name);
  const input = { test: adapted(of, model), query, costs: DEFAULT_COSTS };
  const deadline = performance.now() + 20_000;
  const found = fix(input, { models: [model], newSolver, acyclicity: 'elimination', deadline });
  if (found.kind !== 'additions' || found.repair.kind !== 'found') return undefined;
  const source = { path: 'case.c', text };
  const patch = patchOf(source, of.program, found.repair, programOf);
  if (patch.kind === 'none') return { patch };
  expect(applied(patch.diff, text)).toBe(patch.text);
  let verdict = '';
  const again = adapted(valueOf(read(patch.text)), model);
  decide(again, model, newSolver, { queries: [query] }, (one) => (verdict = one.verdict));
  return { patch, isRight: verdict === 'forbidden' || verdict === 'holds' };
}

/** A text with a unified diff, by the numbers in its hunks. */
function applied(diff: string, text: string): string {
  const old = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  const lines = diff.match(/[^\n]*\n/g)!.slice(2);
  for (let i = 0; i < lines.length;) {
    const [, from, count, start, size] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/m
      .exec(lines[i])!
      .map(Number);
    out.push(...old.slice(at, from - 1));
    expect(out.length).toBe(start - 1);
    at = from - 1;
    for (i += 1; i < lines.length && !lines[i].startsWith('@@'); i++) {
      const line = lines[i].slice(1);
      if (lines[i].startsWith('\\')) {
        out.push(out.pop()!.replace(/\n$/, ''));
        continue;
      }
      if (!lines[i].startsWith('+')) expect(line.trimEnd()).toBe(old[at++].trimEnd());
      if (!lines[i].startsWith('-')) out.push(line);
    }
    expect([at - from + 1, out.length - start + 1]).toEqual([count, size]);
  }
  return [...out, ...old.slice(at)].join('');
}

/** What the cases have in front: a head with those bindings whose names they have, and some words. */
function fileOf(query: string, code: string): string {
  const places = { raddr: 'data, flag', oaddr: 'other', qp: 'server', second: 'third' };
  const binds = Object.entries(places).flatMap(([name, to]) =>
    new RegExp(`\\b${name}\\b`).test(code) ? [`${name} => ${to}`] : [],
  );
  return `/* RDMA t
   node client { out = 1; got = 7 }
   node server { data = 0; flag = 0 }
   node third { other = 0 }

   thread f on client { ${binds.join('; ')} }
   thread g on server

   ${query}
*/
#include <infiniband/verbs.h>
uint64_t out = 1, got = 7, data, flag, other;
${code}
`;
}

testCases(join(import.meta.dirname, 'in-c'), (input) => {
  const [first, ...rest] = input.split('\n');
  const [, name, query] = /^(\S+): ?(.*)$/.exec(first)!;
  const code = rest.join('\n');
  const text = query === '' ? `${code}\n` : fileOf(query, code);
  const found = mended(text, valueOf(read(text)), 0, name);
  if (found === undefined) return 'no fix';
  if (found.patch.kind === 'none') return found.patch.reason;
  expect(found.isRight).toBe(true);
  const hunks = found.patch.diff.split('\n').slice(2);
  return [...(found.patch.more ? ['more than that'] : []), ...hunks]
    .filter((line) => !line.startsWith(' '))
    .join('\n');
});

test('lines end as those of the file', () => {
  const text = readFileSync(join(ROOT, 'corpus/c/read-then-use.c'), 'utf8').replaceAll(
    '\n',
    '\r\n',
  );
  const found = mended(text.trimEnd(), valueOf(read(text)), 0, 'rdma-tso')!;
  expect(found).toMatchObject({ patch: { kind: 'patch' }, isRight: true });
  expect('text' in found.patch && found.patch.text).not.toMatch(/[^\r]\n/);
});

const FILES = readdirSync(join(ROOT, 'corpus'), { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.c'),
);

/** What has a fix and no patch: a loop that drains a queue would have to wait; and what a poll of a shared queue finds is not known. */
const WITHOUT = ['c/completions/drain.c', 'c/functions/multi-rail.c'];

const TRIED = some(FILES).filter((_, i) => !QUICK || i % 3 === 0);

test.each(TRIED)('the patches for %s', (path) => {
  const text = readFileSync(join(ROOT, 'corpus', path), 'utf8');
  const of = valueOf(read(text));
  for (const [query, one] of of.queries.entries()) {
    if (!isStateQuery(one)) continue;
    for (const name of QUICK ? ['rdma-tso'] : ['rdma-tso', 'rdma-ro']) {
      const found = mended(text, of, query, name);
      const isOther = !text.includes('ibv_') && found?.patch.kind === 'none';
      if (found === undefined || WITHOUT.includes(path) || isOther) continue;
      expect(found).toMatchObject({ patch: { kind: 'patch' }, isRight: true });
    }
  }
});

test('random programs, printed as C', () => {
  let [patches, fixes] = [0, 0];
  const source = programs({ atomics: true, queuePairs: true, branches: true, instructions: 4 });
  fc.assert(
    fc.property(source, (drawn) => {
      const printed = printC(valueOf(parseLitmus(inBlocks(drawn), 'plain.litmus')).program);
      if (printed === undefined) return;
      const plain = read(printed);
      if (!plain.ok) return;
      const strong = search(plain.value, 'sc');
      const state = search(plain.value, 'rdma-tso').find((one) => !strong.includes(one));
      if (state === undefined || strong.length === 0) return;
      const asked = (JSON.parse(state) as [string, number][]).map(([n, v]) => `${n} == ${v}`);
      const text = printed.replace(/exists \(.*\)/, `exists (${asked.join(' && ')})`);
      const found = mended(text, valueOf(read(text)), 0, 'rdma-tso');
      if (found === undefined) return;
      fixes += 1;
      if (found.patch.kind === 'none') return;
      patches += 1;
      if (!found.patch.more) expect({ text, ...found }).toMatchObject({ isRight: true });
    }),
    { numRuns: cases(150), seed: 11 },
  );
  expect(patches).toBeGreaterThan(few(10));
  expect(patches).toBeGreaterThan(0.9 * fixes);
});

test.each(TRIED)('the lines of %s', (path) => {
  const text = readFileSync(join(ROOT, 'corpus', path), 'utf8');
  const source = { path: 'case.c', text };
  const { program } = valueOf(read(text));
  const file = sourceOf(source)!;
  const all = linesIn(new Probe(file, program, programOf));
  const textOf = (line: number): string => text.split('\n')[line - 1];
  for (const [t, { name, body }] of program.threads.entries()) {
    const { body: own } = file.functionOf.get(name)!;
    const [first, last] = [own.startIndex, own.endIndex].map((at) => position(text, at).line);
    for (const i of instructionsOf(body)) {
      const found = all[t].get(i);
      if (found === undefined) continue;
      const at = found.inner ?? found.line;
      expect(at).toBe(position(text, i.span.start).line);
      if (found.inner === undefined) continue;
      expect(first <= found.line && found.line <= last).toBe(true);
      expect(textOf(found.line)).toMatch(/\w\(/);
    }
  }
});
