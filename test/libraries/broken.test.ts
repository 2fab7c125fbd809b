import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whole } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { BROKEN_CLIENTS, FOLDER } from '../support/broken.js';
import { inlineTexts, shippedSource } from '../support/implementations.js';
import { statesOfClient } from '../support/inlined-states.js';
import { valueOf } from '../support/litmus.js';

/**
 * Implementations with one mistake each: a client shows an outcome that the specification forbids. With the implementation that
 * the mistake was made in, it does not.
 */

/** The implementation that the mistakes were made in, where it is not one of LOCO's. */
const RIGHT: Readonly<Record<string, string>> = { acc: 'acc-gets', rw: 'rw-local' };

test('each has a client', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.impl'));
  expect(names).toEqual(Object.keys(BROKEN_CLIENTS).map((name) => `${name}.impl`));
});

const FLAGS = `uses bal-unfenced node 1 { x = 0; y = 0 } bal z (party T1, T2)
  thread T1 on 1 { x := 1; bal.bar(z); a := y } thread T2 on 1 { y := 1; bal.bar(z); b := x } locations [a; b]`;

test.each(['bal-no-waiting', 'bal-too-early'])(
  '%s is not even a barrier that fences nothing',
  (name) => {
    const client = { path: 'case.litmus', text: `RDMA t ${FLAGS}` };
    const states = (source: { path: string; text: string }): readonly string[] =>
      statesOfClient(valueOf(inlineTexts(client, [source])));
    const broken = { path: name, text: readFileSync(`${FOLDER}/${name}.impl`, 'utf8') };
    expect(statesOfClient(valueOf(whole(parseLitmusFile(client))))).toEqual(['a=1 b=1']);
    expect(states(shippedSource('loco-bal-unfenced'))).toEqual(['a=1 b=1']);
    expect(states(broken)).toContain('a=0 b=1');
  },
);

test.each(Object.entries(BROKEN_CLIENTS))('%s is refuted', (name, [body, outcome, S = 2]) => {
  const client = { path: 'case.litmus', text: `RDMA t ${body}` };
  const broken = { path: name, text: readFileSync(`${FOLDER}/${name}.impl`, 'utf8') };
  const library = name.split('-')[0];
  const right = shippedSource(RIGHT[library] ?? `loco-${library}`);
  const states = (source: typeof broken): readonly string[] =>
    statesOfClient(valueOf(inlineTexts(client, [source], { S })));
  const specified = statesOfClient(valueOf(whole(parseLitmusFile(client))));
  expect(specified).not.toContain(outcome);
  expect(specified).toEqual(expect.arrayContaining([...states(right)]));
  expect(states(broken)).toContain(outcome);
});
