import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkersAt, measureAgainst } from '../../bench/against.js';
import { CPU_FAMILIES, cpuTest } from '../../bench/cpu-families.js';
import { verdicts } from '../support/checker.js';

/** What the benchmark needs to put other checkers beside Remora. They are not on this machine: these are stand-ins. */

const folder = mkdtempSync(join(tmpdir(), 'remora-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Store buffers delay writes, fences empty them, and writes of a thread are seen in their order. */
const EXPECTED: Readonly<Record<string, string>> = {
  'sb-cpu': 'allowed',
  'sb-cpu-fences': 'forbidden',
  'mp-cpu': 'forbidden',
};

describe('programs of CPUs', () => {
  test.each(CPU_FAMILIES)('%s', (family) => {
    for (const k of [2, 3, 5]) {
      expect(verdicts(cpuTest(family, k).remora, 'x86-tso')).toEqual([EXPECTED[family]]);
    }
  });

  test("in herd7's syntax", () => {
    expect(cpuTest('sb-cpu-fences', 2).x86).toBe(`X86 sb-cpu-fences-2
{ }
P0 | P1 ;
MOV [x0],$1 | MOV [x1],$1 ;
MFENCE | MFENCE ;
MOV EAX,[x1] | MOV EAX,[x0] ;
exists (0:EAX=0 /\\ 1:EAX=0)
`);
    expect(cpuTest('mp-cpu', 3).x86).toBe(`X86 mp-cpu-3
{ }
P0 | P1 | P2 ;
MOV [d],$1 | MOV EAX,[y1] | MOV EAX,[y2] ;
MOV [y1],$1 | MOV [y2],$1 | MOV EBX,[d] ;
exists (1:EAX=1 /\\ 2:EAX=1 /\\ 2:EBX=0)
`);
  });
});

describe('other checkers', () => {
  test('answers are read from what they print', () => {
    const herd7 = program(
      'herd7',
      `case "$*" in *sb-cpu-2*) echo "Observation sb-cpu-2 Sometimes 1 3";; *) echo "Observation x Never 0 3";; esac`,
    );
    const found = measureAgainst(checkersAt({ herd7 }), 1, [2]);
    const said = found.map(({ family, answers }) => [
      family,
      ...answers.filter(({ ask }) => ask === 'one').map(({ name, verdict }) => [name, verdict]),
    ]);
    expect(said).toEqual(
      CPU_FAMILIES.map((family) => [
        family,
        ['remora', EXPECTED[family]],
        ['herd7', EXPECTED[family]],
      ]),
    );
  });

  test('one that says nothing ends its series with what it printed', () => {
    const herd7 = program('silent', 'echo "File x: syntax error" >&2');
    const [{ answers }] = measureAgainst(checkersAt({ herd7 }), 1, [2, 3]);
    const silent = answers.filter(({ name, ask }) => name === 'herd7' && ask === 'one');
    expect(silent).toEqual([
      { k: 2, name: 'herd7', ask: 'one', end: 'no answer: File x: syntax error' },
    ]);
  });

  test('a path where there is none', () => {
    const file = join(folder, 'plain.txt');
    writeFileSync(file, '');
    for (const herd7 of [join(folder, 'missing'), file, folder]) {
      const message = `--against-herd7: '${herd7}' is no program that can be started`;
      expect(() => checkersAt({ herd7 })).toThrow(message);
    }
    const jar = join('dartagnan', 'target', 'dartagnan.jar');
    const message = `--against-dartagnan: there is no ${jar} in '${folder}'`;
    expect(() => checkersAt({ dartagnan: folder })).toThrow(message);
  });

  test('Dartagnan by the folder that it was built in', () => {
    const home = join(folder, 'dat3m');
    for (const [path, name] of [
      [['dartagnan', 'target'], 'dartagnan.jar'],
      [['cat'], 'tso.cat'],
    ] as const) {
      mkdirSync(join(home, ...path), { recursive: true });
      writeFileSync(join(home, ...path, name), '');
    }
    expect(checkersAt({ dartagnan: home }).map(({ name }) => name)).toEqual([
      'remora',
      'remora',
      'dartagnan',
    ]);
  });
});
