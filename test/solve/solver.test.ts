import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { solverCommand } from '../../src/node/command.js';
import { startProcess } from '../../src/node/process.js';
import { createResponseReader } from '../../src/solve/response.js';
import { clauseText, plainName, shownAnswer, valuesAnswered } from '../../src/solve/smtlib.js';
import { loadZ3 } from '../../src/node/z3.js';

/** Solvers as such: no models, no programs. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora solver-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that is a shell script; its path has a blank in it. */
function script(name: string, body: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('the Z3 that comes with Remora', () => {
  test('clauses, assumptions, values', async () => {
    const newSolver = await loadZ3();
    const solver = newSolver();
    solver.addClause([1, -2, 3]);
    solver.addClause([-1]);
    expect(solver.check([2, -3])).toEqual({ kind: 'unsat' });
    expect(() => solver.value(1)).toThrow('there is no solution');
    expect(solver.check([2])).toEqual({ kind: 'sat' });
    expect([1, 2, 3, 7].map((v) => solver.value(v))).toEqual([false, true, true, false]);
    solver.addClause([-3]);
    expect(solver.check([2])).toEqual({ kind: 'unsat' });
    expect(solver.check([])).toEqual({ kind: 'sat' });
    solver.addClause([]);
    expect(solver.check([])).toEqual({ kind: 'unsat' });
    solver.dispose();
    const next = newSolver();
    expect(next.check([1, -3])).toEqual({ kind: 'sat' });
    next.dispose();
  });
});

describe('command lines', () => {
  test('known solvers get the options that they need, unless some are given', () => {
    for (const [name, first, logic] of [
      ['z3', '-in', 'QF_FD'],
      ['cvc5', '--incremental', 'QF_UF'],
      ['yices-smt2', '--incremental', 'QF_UF'],
    ]) {
      const file = script(name, '');
      expect(solverCommand(name, `/nowhere:${folder}`).command).toMatchObject({
        name,
        file,
        logic,
      });
      expect(solverCommand(name, folder).command?.args[0]).toBe(first);
      expect(solverCommand(`${name} -x`, folder).command?.args).toEqual(['-x']);
    }
  });

  test('others get none, and quotes keep blanks', () => {
    const file = script('mine', '');
    const command = { name: 'mine', file, logic: 'QF_UF', resets: false };
    expect(solverCommand(`"${file}"`, '').command).toEqual({ ...command, args: [] });
    expect(solverCommand(` '${file}' -a 'b c' --d="e f" `, '').command).toEqual({
      ...command,
      args: ['-a', 'b c', '--d=e f'],
    });
  });

  test('nothing is handed to a shell', () => {
    const { args } = solverCommand('mine $HOME; ls *', folder).command!;
    expect(args).toEqual(['$HOME;', 'ls', '*']);
  });

  test.each([
    ['nope', '--solver nope: no such command'],
    ['./nope -in', '--solver ./nope: no such command'],
    ['/', '--solver /: no such command'],
    ['', '--solver : not a command'],
    ['z3 "-in', '--solver z3 "-in: not a command'],
  ])('%j is none', (text, problem) => {
    expect(solverCommand(text, folder)).toEqual({ problem });
  });
});

describe('answers', () => {
  const read = (...output: string[]) => {
    const reader = createResponseReader();
    return output.map((part) => reader.push(part));
  };

  test('are lines or lists, in any pieces', () => {
    expect(read('sat\n')).toEqual(['sat']);
    expect(read('', '\n un', 'sat', '\r\n')).toEqual([undefined, undefined, undefined, 'unsat']);
    expect(read('((v1 true)', '\n (v2 fal', 'se))\n')).toEqual([
      undefined,
      undefined,
      '((v1 true)\n (v2 false))',
    ]);
    expect(read('(error "a ) b', ' "" ( c")\n')).toEqual([undefined, '(error "a ) b "" ( c")']);
    expect(read('(|a)|)')).toEqual(['(|a)|)']);
  });

  test('do not hide what follows', () => {
    expect(read('sat\nunsat\n')).toEqual(['sat\nunsat']);
    expect(read('(a) sat')).toEqual(['(a) sat']);
  });

  test('come to an end', () => {
    expect(read('x'.repeat(1500), 'x'.repeat(1500))[1]).toHaveLength(3000);
  });

  test('with values are complete', () => {
    expect(valuesAnswered('((v1 true)\n (v2 false))', 2)).toEqual(new Uint8Array([0, 1, 0]));
    expect(valuesAnswered('((v1 true))', 2)).toBeUndefined();
    expect(valuesAnswered('((v1 maybe))', 1)).toBeUndefined();
  });

  test('that make no sense are shown', () => {
    expect(shownAnswer('mine', 'what?\nno')).toBe("mine answers 'what?'");
    expect(shownAnswer('mine', '(error "line 1 column 2: no\nmore")')).toBe(
      'mine reports: line 1 column 2: no',
    );
    expect(shownAnswer('mine', 'x'.repeat(200))).toBe(`mine answers '${'x'.repeat(80)}…'`);
  });
});

test('clauses as text', () => {
  const text = (...clause: number[]) => clauseText(clause, plainName);
  expect(text(1)).toBe('(assert v1)\n');
  expect(text(-1, 2)).toBe('(assert (or (not v1) v2))\n');
  expect(text()).toBe('(assert false)\n');
});

describe('processes', () => {
  const start = (name: string, body: string) =>
    startProcess(solverCommand(`'${script(name, body)}'`).command!);

  test('answer questions one after the other, large ones too', async () => {
    const solver = start('counts', 'while read -r line; do echo "${#line}"; done');
    for (const length of [3, 200_000, 5]) {
      const answer = await solver.ask(`${'x'.repeat(length)}\n`);
      expect(answer).toEqual({ ok: true, text: String(length) });
    }
    solver.kill();
  });

  test('say why they do not answer, and say it again', async () => {
    const solver = start('fails', 'echo "no licence" >&2; exit 7');
    const reason = 'fails ended with exit code 7: no licence';
    expect(await solver.ask('(check-sat)\n')).toEqual({ ok: false, reason });
    expect(await solver.ask('(check-sat)\n')).toEqual({ ok: false, reason });
    const killed = start('killed', 'kill -SEGV $$');
    expect(await killed.ask('x\n')).toEqual({ ok: false, reason: 'killed was ended by SIGSEGV' });
  });

  test('cannot be started if they are no programs', async () => {
    const file = join(folder, 'orphan');
    writeFileSync(file, '#!/nowhere/sh\n', { mode: 0o755 });
    const solver = startProcess(solverCommand(`'${file}'`).command!);
    expect(await solver.ask('x\n')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('orphan cannot be started') as string,
    });
    solver.kill();
  });

  test('that write without end are held up', async () => {
    const solver = start('floods', 'while true; do echo y; done');
    const first = await solver.ask('x\n');
    expect(first.ok && first.text.startsWith('y')).toBe(true);
    solver.kill();
    expect((await solver.ask('x\n')).ok).toBe(false);
  });
});
