import { describe, expect, test } from 'vitest';
import { remora } from '../support/run.js';

/** Messages on the machines of model files: the call of a message has the events of the receive that it takes. */

const explored = (text: string, ...args: readonly string[]) =>
  remora(['explore', '-', ...args], {
    input: `RDMA t\nnode 1 { a = 0; b = 5 }\nnode 2 { x = 0; y = 0; z = 0 }\n${text}\n`,
  });

describe('explore', () => {
  test('a run in words', async () => {
    const { stdout } = await explored(
      `thread C on 1 { send(2, b); x^2 :=[imm] 2; poll(2) }
       thread S on 2 { y := recv(1); y := recv(1); pollr(1); r := y; pollr(1); s := x; assert(s = 0) }`,
    );
    const lines = stdout.split('\n').map((line) => line.trim());
    const at = (line: string): number => lines.indexOf(line);
    expect(at('S posts a receive')).toBeGreaterThan(0);
    expect(at('C->2 delivers a message')).toBeGreaterThan(at('S posts a receive'));
    expect(at('C->2 writes y := 5 to memory')).toBeGreaterThan(at('C->2 delivers a message'));
    expect(at('S takes the completion of a receive')).toBeGreaterThan(
      at('C->2 writes y := 5 to memory'),
    );
    expect(at('C->2 delivers an immediate')).toBeGreaterThan(at('C->2 delivers a message'));
    expect(at("S's assertion fails")).toBeGreaterThan(at('S reads x = 2'));
  });

  // Loops go round any number of times; a message waits for its receive.
  test.each([
    [
      'each receive is posted in time',
      'y := recv(1)',
      'pollr(1); y := recv(1); send(1, 1)',
      'holds',
    ],
    ['one receive alone', 'y := recv(1)', 'pollr(1); send(1, 1)', 'fails'],
    ['no receive', 'skip', 'pollr(1); send(1, 1)', 'fails'],
  ])('who waits for ever: %s', async (_, first, body, verdict) => {
    const { stdout } = await explored(
      `thread C on 1 { a := recv(2); i := 0; while (i < 3) { send(2, 1); pollr(2); a := recv(2); i := i + 1 } }
       thread S on 2 { ${first}; i := 0; while (i < 3) { ${body}; i := i + 1 } }
       deadlock`,
    );
    expect(stdout).toContain(`no deadlock\n    ${verdict}`);
  });

  test('two places: the machine chooses before the message arrives', async () => {
    const { code, stdout } = await explored(
      `thread C on 1 { send(2, 1); send(2, 2) }
       thread S on 2 { y := recv(1); z := recv(1); pollr(1); pollr(1); r := y; s := z; assert(r = 1 && s = 2) }
       deadlock`,
    );
    expect(code).toBe(3);
    expect(stdout).toContain('unknown: a message can take one of several receives');
    expect(stdout).toContain('assertions\n    holds');
  });

  test('a message that no receive is posted for keeps back what is behind it', async () => {
    const { stdout } = await explored(
      `thread C on 1 { send(2, 1); poll(2); at sent }
       thread S on 2 { r := x; if (r = 1) { y := recv(1) } }
       deadlock`,
    );
    expect(stdout).toContain('no deadlock\n    fails');
  });
});

test('several threads that send on one queue pair have no machine', async () => {
  const { code, stdout, stderr } = await explored(
    `qp s : C, D -> 2
     thread C on 1 { send(2.s, 1) }
     thread D on 1 { send(2.s, 2) }
     thread S on 2 { y := recv(1.s); y := recv(1.s) }
     deadlock`,
  );
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('several threads send on one queue pair');
  expect(stdout).not.toMatch(/holds|fails/);
});
