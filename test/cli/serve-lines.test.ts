import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseServer } from '../../src/cli/serve/choice.js';
import type { FrameKind } from '../../src/cli/serve/frames.js';
import { createFrameReader, frame } from '../../src/cli/serve/frames.js';
import { createProver } from '../../src/cli/serve/proof.js';

/** What a command line says of servers, and what goes over a connection. */

describe('the server of a command line', () => {
  test.each([
    // Line, variable, what is left of the line, server.
    ['check a', undefined, 'check a', undefined],
    ['check a --server', undefined, 'check a', 'default'],
    ['--server check a', undefined, 'check a', 'default'],
    ['check --server=/s a', undefined, 'check a', '/s'],
    ['check a --server= ', undefined, 'check a', 'default'],
    ['check a', '1', 'check a', 'default'],
    ['check a', 'host:1', 'check a', 'host:1'],
    ['check a', '', 'check a', undefined],
    ['check a --server=/s', 'host:1', 'check a', '/s'],
    ['check a -- --server', undefined, 'check a -- --server', undefined],
    ['check a --servers', undefined, 'check a --servers', undefined],
    // An option of its own.
    ['distribute a --server 1', undefined, 'distribute a --server 1', undefined],
    ['distribute a --server=1', '1', 'distribute a --server=1', 'default'],
    ['--server=/s distribute a --server 1', undefined, 'distribute a --server 1', '/s'],
    ['check distribute --server', undefined, 'check distribute', 'default'],
    // What no server can do.
    ['serve --server', '1', 'serve', undefined],
    ['--server lsp --stdio', undefined, 'lsp --stdio', undefined],
    ['test a --watch --server', undefined, 'test a --watch', undefined],
    ['check /dev/fd/63 --server', undefined, 'check /dev/fd/63', undefined],
    ['check a -m sc,/dev/stdin --server', undefined, 'check a -m sc,/dev/stdin', undefined],
    ['check a --model=/proc/self/fd/0', '1', 'check a --model=/proc/self/fd/0', undefined],
  ])('remora %s, with REMORA_SERVER %s', (line, variable, words, server) => {
    const given = line.split(' ').filter((word) => word !== '');
    const choice = chooseServer(given, variable);
    expect([choice.words.join(' '), choice.server]).toEqual([words, server]);
  });
});

describe('frames', () => {
  const kinds: readonly FrameKind[] = ['request', 'stdout', 'wantsInput', 'end'];
  const some = fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), bytes: fc.uint8Array({ maxLength: 20 }) }),
    { maxLength: 5 },
  );

  test('are the same however they come in pieces', () => {
    fc.assert(
      fc.property(some, fc.array(fc.integer({ min: 1, max: 9 })), (sent, lengths) => {
        const reader = createFrameReader(20);
        let rest = Buffer.concat(sent.map(({ kind, bytes }) => frame(kind, bytes)));
        const heard = [...lengths, rest.length].flatMap((length) => {
          const piece = rest.subarray(0, length);
          rest = rest.subarray(length);
          return (reader.push(piece) ?? []).map(({ kind, bytes }) => [kind, [...bytes]]);
        });
        expect(heard).toEqual(sent.map(({ kind, bytes }) => [kind, [...bytes]]));
      }),
    );
  });

  test('have a length, of which the reader knows the largest', () => {
    expect(createFrameReader(3).push(frame('input', 'abc'))).toHaveLength(1);
    expect(createFrameReader(2).push(frame('input', 'abc'))).toBeUndefined();
    expect(createFrameReader(9).push(Buffer.from([99, 0, 0, 0, 0]))).toBeUndefined();
  });
});

describe('a proof', () => {
  const [server, client] = [createProver('a', 'server'), createProver('a', 'client')];

  test('is accepted by who has the token', () => {
    expect(server.accepts(client.challenge, client.answer(server.challenge))).toBe(true);
    expect(client.accepts(server.challenge, server.answer(client.challenge))).toBe(true);
  });

  test('is of the token, of this connection and of the other side', () => {
    const other = createProver('b', 'client');
    expect(server.accepts(other.challenge, other.answer(server.challenge))).toBe(false);
    // Of another connection.
    const former = createProver('a', 'server');
    expect(server.accepts(client.challenge, client.answer(former.challenge))).toBe(false);
    // What one has said oneself.
    expect(server.accepts(client.challenge, server.answer(client.challenge))).toBe(false);
    expect(server.accepts(Buffer.alloc(0), Buffer.alloc(0))).toBe(false);
  });
});
