import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inline } from '../../src/libraries/inline.js';
import { statementsOf } from '../../src/parse/statements.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { HANG, always, checkErrors } from '../support/fuzzing.js';
import { shipped, shippedSource } from '../support/implementations.js';
import { valueOf } from '../support/litmus.js';
import { mutants } from '../support/mutations.js';

/** Whatever an implementation and a client look like, there is a client of lower libraries, or mistakes with their places. */

const FOLDER = 'models/lib/impl';
const IMPLEMENTATIONS = readdirSync(FOLDER).map((name) =>
  readFileSync(`${FOLDER}/${name}`, 'utf8'),
);

const CLIENT = `RDMA all
uses bal, sv, rbl, msw
node 1 { p = 0 }
node 2 { q = 0 }
bal z (party T1, T2)
sv s, t
rbl x (writer T1; reader T1, T2)
msw m on 1 of 2 words
msw n on 2 of 2 words
thread T1 on 1 {
  bal.bar(z); sv.write(s, 1); sv.bcast(s, d, {1, 2}); sv.wait(d); sv.gf(nodes \\ {1});
  a := rbl.submit(x, <1, 2>); b := rbl.receive(x); c := rbl.submit(x, b);
  msw.write(m, <3, 4>); n^2 :=^d msw.put(m); msw.wait(d); q^2 := p
}
thread T2 on 2 {
  e := sv.read(t); if (e = 0) { bal.bar(z) } else { f := rbl.receive(x) }
  while (f = none) { f := rbl.receive(x) }
  g := msw.tryread(n); sv.gf({})
}
exists (a = true /\\ g = <3, 4>)
`;

const parsedImplementation = (text: string) => parseImplementation({ path: 'input.impl', text });

function checkInlined(file: LitmusFile, gone: readonly string[]): void {
  for (const { body } of file.threads) {
    for (const s of statementsOf(body)) {
      expect(['for', 'return']).not.toContain(s.kind);
      if (s.kind === 'call') expect(gone).not.toContain(s.library?.text);
    }
  }
  expect(file.objects.filter(({ library }) => gone.includes(library.text))).toEqual([]);
}

test('implementations with mistakes', { timeout: HANG }, () => {
  const client = valueOf(whole(parseLitmusFile({ path: 'input.litmus', text: CLIENT })));
  let inlined = 0;
  always(mutants(IMPLEMENTATIONS), 3000, (text) => {
    const sources = new Map([
      ['input.impl', { path: 'input.impl', text }],
      ['input.litmus', { path: 'input.litmus', text: CLIENT }],
    ]);
    const { value, errors } = parsedImplementation(text);
    if (value === undefined || errors.length > 0) return checkErrors(errors, sources);
    const result = inline(client, [value]);
    if (!result.ok) return checkErrors(result.errors, sources);
    inlined += 1;
    checkInlined(result.value, [value.implements.text]);
  });
  expect(inlined).toBeGreaterThan(100);
});

test('clients with mistakes', { timeout: HANG }, () => {
  const names = ['loco-bal', 'loco-msw', 'loco-rbl', 'loco-sv'];
  const implementations = names.map(shipped);
  const shippedSources = names.map(shippedSource);
  let inlined = 0;
  always(mutants([CLIENT]), 2000, (text) => {
    const source = { path: 'input.litmus', text };
    const parsed = whole(parseLitmusFile(source));
    if (!parsed.ok) return;
    const result = inline(parsed.value, implementations);
    const sources = new Map([source, ...shippedSources].map((one) => [one.path, one]));
    if (!result.ok) return checkErrors(result.errors, sources);
    inlined += 1;
    checkInlined(result.value, ['bal', 'sv', 'rbl', 'msw']);
  });
  expect(inlined).toBeGreaterThan(100);
});
