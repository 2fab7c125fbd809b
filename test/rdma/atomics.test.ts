import { describe, expect, test } from 'vitest';
import { holds } from '../../src/check/witness/witness.js';
import { BEYOND_EXACT } from '../../src/program/arithmetic.js';
import type { Test } from '../../src/program/program.js';
import type { Hardware } from '../../src/rdma/machines/index.js';
import {
  OPERATIONAL_MODELS,
  describeRun,
  exploreOutcomes,
  findRun,
} from '../../src/rdma/machines/index.js';
import type { AtomicVariant } from '../../src/rdma/update.js';
import { litmus, one, two } from '../support/litmus.js';
import { stateQuery } from '../../src/program/program.js';

/** Atomics on the machines: what remote ones can show, with and without each variant, and what runs say of them. */

const hardwareOf = (model: string): Hardware => OPERATIONAL_MODELS.get(model)!;
const TSO = hardwareOf('rdma-tso');
const KINDS = ['simplified', 'six-buffers'] as const;
const VARIANTS: readonly AtomicVariant[] = ['late', 'loclock', 'getfirst', 'failwrite', 'out'];

/**
 * A test has its name, its nodes and its threads in one line, and its outcomes below. Behind an outcome is the verdict of
 * RDMA^TSO, then letters (A allowed, f forbidden) for SC, RDMA^SC, RDMA^TSO without PCIe, and with global atomics. A
 * variant that differs from RDMA^TSO is named.
 */
const TESTS = `
FAA-FAA   N1{} N2{x=0} N3{}   T1@1: a:=rfaa(x^2,1)   T2@3: b:=rfaa(x^2,1)
    a=0 b=0  forbidden f f f f
    x=1  forbidden f f f f
    a=1 b=0  allowed A A A A
FAA-FAA-one-thread   N1{} N2{x=0}   T1@1: a:=rfaa(x^2,1); b:=rfaa(x^2,1)
    a=0 b=1  allowed A A A A
    a=0 b=0  forbidden f f f f
    a=1 b=0  forbidden f f f f   out:A
FAA-put   N1{} N2{x=0} N3{}   T1@1: a:=rfaa(x^2,1)   T2@3: x^2:=5
    a=0 x=1  allowed f A A f
    a=0 x=5  allowed A A A A
    a=5 x=6  allowed A A A A
    a=5 x=5  forbidden f f f f
CAS-cpuCAS   N1{} N2{x=0}   T1@1: a:=rcas(x^2,0,1)   T2@2: b:=CAS(x,0,2)
    a=0 b=0  allowed f A A f
    a=0 b=0 x=2  forbidden f f f f
    a=2 b=0  allowed A A A A
    a=0 b=1  allowed A A A A
CAS-put-same-thread   N1{} N2{x=0}   T1@1: a:=rcas(x^2,0,1); x^2:=7
    a=7  forbidden f f f f   out:A
    x=1  forbidden f f f f
    a=0 x=7  allowed A A A A
T-RMW-RMW   N1{} N2{x=0}   T1@1: a:=rfaa(x^2,1)   T2@2: b:=CAS(x,0,4)
    a=0 b=0 x=1  allowed f A A f
    a=4 b=0 x=5  allowed A A A A
    a=0 b=0 x=5  forbidden f f f f
FAA-told   N1{f=0} N2{x=0}   T1@1: a:=rfaa(x^2,1); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  allowed f A A f   late:f
FAA-told-get   N1{f=0} N2{x=0,z=0}   T1@1: a:=rfaa(x^2,1); d:=z^2; poll(2); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  forbidden f f A f   out:A
FAA-told-FAA   N1{f=0} N2{x=0,z=0}   T1@1: a:=rfaa(x^2,1); d:=rfaa(z^2,0); poll(2); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  forbidden f f f f   out:A
FAA-told-other   N1{f=0} N2{x=0,y=0} N3{}   T1@1: a:=rfaa(x^2,1); poll(2); f:=1   T2@3: b:=f^1; poll(1); c:=rfaa(y^2,0); poll(2); d:=x^2
    b=1 d=0  forbidden f f f f   loclock:A
FAA-told-other-CAS-fails   N1{f=0} N2{x=0,y=0} N3{}   T1@1: a:=rfaa(x^2,1); poll(2); f:=1   T2@3: b:=f^1; poll(1); c:=rcas(y^2,7,8); poll(2); d:=x^2
    b=1 d=0  forbidden f f f f   loclock:A
FAA-flush   N1{f=0} N2{x=0,y=0}   T1@1: x^2:=1; a:=rfaa(y^2,0); poll(2); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  forbidden f f A f
CAS-fails-flush   N1{f=0} N2{x=0,y=0}   T1@1: x^2:=1; a:=rcas(y^2,7,8); poll(2); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  forbidden f f A f
FAA-flush-one-poll   N1{f=0} N2{x=0,y=0}   T1@1: x^2:=1; a:=rfaa(y^2,0); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  allowed f A A A
CAS-put-same   N1{} N2{x=0,y=0}   T1@1: a:=rcas(x^2,0,1); y^2:=1   T2@2: c:=y; d:=x
    c=1 d=0  forbidden f f f f   out:A
CAS-put-other-poll   N1{} N2{x=0} N3{y=0}   T1@1: a:=rcas(x^2,0,1); poll(2); y^3:=1   T2@3: c:=y; d:=x^2
    c=1 d=0  allowed f A A f   late:f
CAS-put-other-get   N1{} N2{x=0,z=0} N3{y=0}   T1@1: a:=rcas(x^2,0,1); e:=z^2; poll(2); poll(2); y^3:=1   T2@3: c:=y; d:=x^2
    c=1 d=0  forbidden f f A f   out:A
XCHG-XCHG   N1{} N2{x=0} N3{}   T1@1: a:=rxchg(x^2,1)   T2@3: b:=rxchg(x^2,2)
    a=0 b=0  forbidden f f f f
    a=0 b=1 x=1  forbidden f f f f
    a=0 b=1 x=2  allowed A A A A
    a=2 b=0 x=1  allowed A A A A
XCHG-FAA   N1{} N2{x=0} N3{}   T1@1: a:=rxchg(x^2,4)   T2@3: b:=rfaa(x^2,1)
    a=0 b=4 x=5  allowed A A A A
    a=1 b=0 x=4  allowed A A A A
    a=0 b=0  forbidden f f f f
XCHG-put   N1{} N2{x=0} N3{}   T1@1: a:=rxchg(x^2,1)   T2@3: x^2:=5
    a=0 x=1  allowed f A A f
    a=0 x=5  allowed A A A A
    a=5 x=1  allowed A A A A
    a=5 x=5  forbidden f f f f
XCHG-told   N1{f=0} N2{x=0}   T1@1: a:=rxchg(x^2,1); poll(2); f:=1   T2@2: b:=f^1; poll(1); c:=x
    b=1 c=0  allowed f A A f   late:f
get-FAA   N1{} N2{x=0}   T1@1: a:=x^2; b:=rfaa(x^2,1)
    a=1  allowed f A A A   getfirst:f
    a=0  allowed A A A A
FAA-get   N1{} N2{x=0}   T1@1: a:=rfaa(x^2,1); b:=x^2
    b=0  forbidden f f f f   out:A
FAA-FAA-order   N1{} N2{x=0,y=0}   T1@1: a:=rfaa(x^2,0); b:=rfaa(y^2,0)   T2@2: y:=1; x:=1
    a=1 b=0  forbidden f f f f   out:A
get-between   N1{} N2{x=0} N3{}   T1@1: x^2:=1; a:=x^2; b:=rfaa(x^2,2)   T2@3: x^2:=4
    a=4 b=1 x=3  forbidden f f f f
    a=4 b=4  allowed A A A A
    a=3 b=1  allowed f A A A   getfirst:f
    a=4 b=1 x=4  allowed f A A A   getfirst:f
put-FAA   N1{} N2{x=0}   T1@1: x^2:=1; a:=rfaa(x^2,1)
    a=0  forbidden f f f f
    a=1 x=2  allowed A A A A
get-CAS-fails   N1{} N2{x=0,y=0}   T1@1: a:=x^2; b:=rcas(y^2,7,8)   T2@2: y:=1; x:=1
    a=1 b=0  allowed f A A A   getfirst:f
CAS-fails-get   N1{} N2{x=0,y=0}   T1@1: a:=rcas(x^2,7,8); b:=y^2   T2@2: y:=1; x:=1
    a=1 b=0  forbidden f f f f   out:A
CAS-fails-put   N1{} N2{x=0,y=0}   T1@1: a:=rcas(x^2,7,8); y^2:=1   T2@2: c:=y; x:=c
    a=1 c=1  forbidden f f f f   out:A
FAA-put-source   N1{z=0} N2{x=0,y=0}   T1@1: a:=rfaa(x^2,0); y^2:=z   T2@1: z:=1; x^2:=1
    a=1 y=0  allowed f A A A
response-no-poll   N1{a=9} N2{x=0}   T1@1: a:=rcas(x^2,0,1); c:=a
    c=9  allowed f A A A
    c=0  allowed A A A A
response-put   N1{a=9} N2{x=0,y=0}   T1@1: a:=rfaa(x^2,1); y^2:=a
    y=9  allowed f A A A
SB-FAA   N1{y=0} N2{x=0}   T1@1: a:=rfaa(x^2,1); poll(2); b:=y   T2@2: c:=rfaa(y^1,1); poll(1); d:=x
    b=0 d=0  allowed f A A f   late:f
spin-eager-read   N1{} N2{l=1,d=0}   T1@1: a:=rcas(l^2,0,1); e:=d^2   T2@2: d:=1; l:=0
    a=0 e=0  forbidden f f f f   out:A
failed-CAS-keeps-release   N1{} N2{l=1}   T1@1: a:=rcas(l^2,0,2)   T2@2: l:=0
    a=1 l=1  forbidden f f f f   failwrite:A
    a=1 l=0  allowed A A A A
`;

/** A test, and for each outcome the machines with their verdicts. */
interface Case {
  readonly name: string;
  readonly test: Test;
  readonly outcomes: readonly (readonly [string, readonly (readonly [Hardware, boolean])[]])[];
}

function caseOf(text: string): Case {
  const [head, ...lines] = text.split('\n');
  const [, name, nodes, threads] = /^(\S+) +(N.*?) +(T1.*)$/.exec(head)!;
  const declared = nodes.replaceAll(/N(\d)\{(.*?)\}/g, 'node $1 { $2 }').replaceAll(',', '; ');
  const bodies = threads.replaceAll(/(T\d)@(\d): (.*?)(?= +T\d@|$)/g, 'thread $1 on $2 { $3 }');
  const outcomes = lines.map((line) => /^ +(.*?) +(allowed|forbidden) (.*)$/.exec(line)!.slice(1));
  const queries = outcomes.map(([state]) => `exists (${state.replaceAll(' ', ' /\\ ')})`);
  return {
    name,
    test: litmus(['RDMA', name, declared, bodies, ...queries].join(' ')),
    outcomes: outcomes.map(([state, main, others]) => [
      state,
      [[TSO, main === 'allowed'], ...otherVerdicts(main === 'allowed', others.split(/ +/))],
    ]),
  };
}

function otherVerdicts(main: boolean, given: readonly string[]): readonly [Hardware, boolean][] {
  const [, sc, noPcie, glob, ...differing] = given;
  const models = { 'rdma-sc': sc, 'rdma-tso-nopcie': noPcie, 'rdma-tso-glob': glob };
  return [
    ...Object.entries(models).map(([model, letter]): [Hardware, boolean] => [
      hardwareOf(model),
      letter === 'A',
    ]),
    ...VARIANTS.map((atomics): [Hardware, boolean] => {
      const own = differing.find((d) => d.startsWith(`${atomics}:`));
      return [{ ...TSO, atomics }, own === undefined ? main : own.endsWith('A')];
    }),
  ];
}

describe('what both kinds of queue pairs show', () => {
  const cases = TESTS.trim()
    .split(/\n(?=\S)/)
    .map(caseOf);

  test.each(cases)('$name', ({ test: { program, queries }, outcomes }) => {
    const wrong = outcomes.flatMap(([state, verdicts], index) =>
      verdicts.flatMap(([machine, allowed]) =>
        KINDS.flatMap((queuePairs) => {
          const hardware = { ...machine, queuePairs };
          const { condition } = stateQuery({ queries }, index);
          const found = findRun(program, hardware, (final) => holds(condition, final));
          const expected = allowed ? 'found' : 'none';
          return found.kind === expected ? [] : [{ state, hardware, found: found.kind }];
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('each variant is told from RDMA^TSO', () => {
    for (const variant of VARIANTS) expect(TESTS).toContain(` ${variant}:`);
  });
});

const statesOf = (text: string, hardware = TSO) => exploreOutcomes(litmus(text).program, hardware);

describe('atomics of the CPU', () => {
  test('faa adds, xchg replaces, and both give the old value', () => {
    const { states } = statesOf(one('a := faa(x, 3); b := xchg(x, a + 7); y := faa(x, b)'));
    expect(states).toEqual([{ x: 10, y: 7, z: 0, w: 0, a: 0, b: 3 }]);
  });

  test.each(['faa', 'xchg'])('%s is a fence', (name) => {
    const sb = (between: string) => `RDMA t node 1 { x = 0; y = 0; u = 0 }
      thread T on 1 { x := 1; ${between} a := y } thread U on 1 { y := 1; mfence; b := x }`;
    const relaxed = (text: string): boolean =>
      statesOf(text).states.some(({ a, b }) => a === 0 && b === 0);
    expect(relaxed(sb(''))).toBe(true);
    expect(relaxed(sb(`c := ${name}(u, 1);`))).toBe(false);
  });

  test('two of them lose nothing', () => {
    const add = (name: string) => `thread ${name} on 1 { a := faa(x, 1) }`;
    const { states } = statesOf(two(add('T') + add('U')));
    expect(new Set(states.map(({ x }) => x))).toEqual(new Set([2]));
  });
});

describe('remote atomics', () => {
  test('towards the own node take the unit of that node', () => {
    const text = `RDMA t node 1 { x = 0 } node 2 { y = 0 }
      thread T on 1 { a := rfaa(x^1, 1) } thread U on 2 { b := rfaa(x^1, 1) }`;
    for (const queuePairs of KINDS) {
      const { states } = statesOf(text, { ...TSO, queuePairs });
      expect(states.map(({ x, a, b }) => [x, a, b])).toEqual([
        [2, 0, 1],
        [2, 1, 0],
      ]);
    }
  });

  test('have operands that are computed when they are issued', () => {
    const { states } = statesOf(one('a := 1; y := rcas(z^2, a - 1, a + 4); a := 9; poll(2)'));
    expect(states).toEqual([{ x: 0, y: 0, z: 5, w: 0, a: 9 }]);
  });

  test.each(KINDS)('a sum that is not exact makes the list incomplete: %s', (queuePairs) => {
    const text = (by: string) =>
      `RDMA t node 1 { x = ${Number.MAX_SAFE_INTEGER} } node 2 { y = 0 } ${by}`;
    const near = text('thread T on 1 { a := faa(x, 1) }');
    const far = text('thread T on 2 { a := rfaa(x^1, 1) }');
    for (const given of [near, far]) {
      expect(statesOf(given, { ...TSO, queuePairs })).toMatchObject({
        states: [],
        incomplete: BEYOND_EXACT,
      });
    }
  });
});

describe('a run in words', () => {
  const THREADS = `thread T1 on 1 { a := rcas(z^2, 0, 1); poll(2); b := rcas(z^2, 0, 2); poll(2);
    c := rfaa(z^2, 5); poll(2); c := rxchg(z^2, 8); poll(2); d := xchg(x, 3); e := faa(x, 1) }`;
  const run = (hardware: Hardware) => {
    const found = findRun(litmus(two(THREADS)).program, hardware, () => true);
    if (found.kind !== 'found') throw new Error(found.kind);
    return found.run;
  };

  test('says who performs an atomic, what it reads, and what it writes', () => {
    for (const queuePairs of KINDS) {
      const given = run({ ...TSO, queuePairs });
      expect(describeRun(given).filter((line) => line.includes('performs'))).toEqual([
        "the NIC of node 2 performs T1's rcas(z): reads 0, writes 1",
        "the NIC of node 2 performs T1's rcas(z): reads 1, writes nothing",
        "the NIC of node 2 performs T1's rfaa(z): reads 1, writes 6",
        "the NIC of node 2 performs T1's rxchg(z): reads 6, writes 8",
      ]);
    }
  });

  test('shows requests, responses, and writes that keep a unit busy', () => {
    const lines = describeRun(run({ ...TSO, atomics: 'late' }));
    for (const line of [
      'T1 puts a := rcas(z^2, 0, 1) into its store buffer',
      '  T1->2 pipe: a := rcas(z^2, 0, 1)',
      '  T1->2 pipe: a := 0 (held)',
      '  T1->2 wbR: z := 1 (atomic)',
      'T1->2 writes z := 1 (atomic) to memory',
      'T1->2 returns a := 0 to wbL and notifies its completion',
      '  T1->2 pipe: c := rfaa(z^2, 5)',
      "T1's xchg finds x = 0 and writes 3 to memory",
      "T1's faa finds x = 3 and writes 4 to memory",
    ]) {
      expect(lines).toContain(line);
    }
  });
});
