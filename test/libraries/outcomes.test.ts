import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import { inlineTexts, shippedSource } from '../support/implementations.js';
import { outcomesOf, statesOfClient } from '../support/inlined-states.js';
import { valueOf } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

/** What inlined clients do: compared with a queue and a memory where these know, and with the specification. */

const read = (text: string): LitmusFile =>
  valueOf(whole(parseLitmusFile({ path: 'case.litmus', text })));

function inlined(text: string, names: readonly string[], settings = {}): LitmusFile {
  const client = { path: 'case.litmus', text };
  return valueOf(inlineTexts(client, names.map(shippedSource), settings));
}

type Message = readonly number[];
const written = (message: Message): string =>
  message.length === 1 ? String(message[0]) : `<${message.join(', ')}>`;

describe('one thread that is writer and reader', () => {
  const words = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 });
  const message = fc.record({ words, isStored: fc.boolean() });
  const steps = fc.array(fc.option(message, { nil: undefined, freq: 2 }), {
    minLength: 1,
    maxLength: 5,
  });

  /**
   * Calls, and what they return if a ring of some size is a queue. Without a message, a call receives. A message that is stored
   * is submitted from a register: there, nothing is known of its length.
   */
  function queue(
    size: number,
    calls: readonly ({ words: Message; isStored: boolean } | undefined)[],
  ) {
    const lines: string[] = [];
    const results: string[] = [];
    let waiting: Message[] = [];
    for (const [i, call] of calls.entries()) {
      if (call === undefined) {
        lines.push(`r${i} := rbl.receive(x)`);
        const [first, ...rest] = waiting;
        waiting = rest;
        results.push(`r${i}=${first === undefined ? 'none' : written(first)}`);
        continue;
      }
      const text = written(call.words);
      if (call.isStored) lines.push(`m := ${text}`);
      lines.push(`r${i} := rbl.submit(x, ${call.isStored ? 'm' : text})`);
      const room = size - waiting.reduce((sum, one) => sum + one.length + 1, 0);
      const fits = call.words.length + 1 <= room;
      if (fits) waiting = [...waiting, call.words];
      results.push(`r${i}=${Number(fits)}`);
    }
    return { lines, results: results.join(' ') };
  }

  test('gets the messages of a ring in order, as far as there is room', () => {
    let full = 0;
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), steps, fc.boolean(), (size, calls, down) => {
        const { lines, results } = queue(size, calls);
        if (/=0/.test(results)) full += 1;
        const names = calls.map((_, i) => `r${i}`).join('; ');
        const text = `RDMA t uses rbl
          node 1 {} node 2 {}
          rbl x (writer T; reader T)
          thread T on 1 { ${lines.join('; ')} }
          locations [${names}]`;
        const file = inlined(text, down ? ['loco-rbl', 'loco-sv'] : ['loco-rbl'], { S: size });
        expect(statesOfClient(file)).toEqual([results]);
      }),
      { numRuns: cases(25), seed: 1 },
    );
    expect(full).toBeGreaterThan(few(5));
  });

  test('reads the words that it has written together', () => {
    fc.assert(
      fc.property(words, words, (first, second) => {
        const size = first.length;
        const again = Array.from({ length: size }, (_, i) => second[i] ?? 0);
        const text = `RDMA t uses msw node 1 {}
          msw x, y on 1 of ${size} words
          thread T on 1 { a := msw.tryread(x); msw.write(x, ${written(first)}); b := msw.tryread(x);
            msw.write(y, b); msw.write(x, ${written(again)}); c := msw.tryread(x); d := msw.tryread(y) }
          locations [a; b; c; d]`;
        const zeros = first.map(() => 0);
        const [a, b, c] = [zeros, first, again].map(written);
        expect(statesOfClient(inlined(text, ['loco-msw']))).toEqual([
          `a=${a} b=${b} c=${c} d=${b}`,
        ]);
      }),
      { numRuns: cases(10), seed: 1 },
    );
  });
});

describe('the barrier', () => {
  const FENCED = `RDMA t uses bal, sv
    node 1 {} node 2 {}
    sv x, y
    bal z (party T1, T2)
    thread T1 on 1 { sv.write(x, 1); sv.bcast(x, d, {2}); bal.bar(z); a := sv.read(y) }
    thread T2 on 2 { sv.write(y, 1); sv.bcast(y, d, {1}); bal.bar(z); b := sv.read(x) }
    locations [a; b]`;

  test.each([[[]], [['loco-bal']], [['loco-bal', 'loco-sv']], [['loco-bal-all', 'loco-sv']]])(
    'with %j: both have arrived (LOCO paper, Fig. 6), and no bound is needed',
    (names: readonly string[]) => {
      const answer = outcomesOf(inlined(FENCED, names));
      expect(answer.states).toEqual([{ a: 1, b: 1 }]);
      expect(answer.upTo).toBeUndefined();
    },
  );

  test('hangs where one thread does not come', () => {
    const text = FENCED.replace('bal.bar(z); b', 'b');
    expect(statesOfClient(inlined(text, ['loco-bal']))).toEqual([]);
    expect(statesOfClient(read(text))).toEqual([]);
  });
});

test('what a message of a length that nobody submits becomes', () => {
  // Without the length, a reader takes the initial 0 for it.
  const broken = shippedSource('loco-rbl').text.replace('sv.write(cell[h % S], len(m));', '');
  const client = {
    path: 'case.litmus',
    text: `RDMA t uses rbl node 1 {} rbl x (writer T; reader T)
      thread T on 1 { a := rbl.submit(x, 0); b := rbl.receive(x) } locations [b]`,
  };
  const file = valueOf(inlineTexts(client, [{ path: 'broken.impl', text: broken }]));
  expect(statesOfClient(file)).toEqual(['b=<>']);
});
