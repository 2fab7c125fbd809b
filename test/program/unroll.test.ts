import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event, EventStructure } from '../../src/program/events/structure.js';
import { INITIAL } from '../../src/program/events/structure.js';
import { unroll, unrollWithin } from '../../src/program/events/unroll.js';
import type { Program } from '../../src/program/program.js';
import { litmus } from '../support/litmus.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';

const program = (text: string): Program => litmus(text).program;

const NODES = 'RDMA t node 1 { x = 0; y = 5 } node 2 { z = 0; w = 0 } node 3 { u = 0 }';
const body = (text: string): Program => program(`${NODES} thread T on 1 { ${text} }`);

/** A value as text: `R3` is what event 3 reads, `C0` a free choice. */
function valueText({ values }: EventStructure, id: number): string {
  const text = (i: number): string => {
    const value = values[i];
    switch (value.op) {
      case 'const':
        return String(value.value);
      case 'read':
        return `R${value.event}`;
      case 'choice':
        return `C${value.choice}`;
      case 'unary':
        return `${value.fn}${text(value.arg)}`;
      case 'binary':
        return `(${text(value.left)} ${value.fn} ${text(value.right)})`;
      case 'select':
        return `(${text(value.condition)} ? ${text(value.then)} : ${text(value.else)})`;
    }
  };
  return text(id);
}

const pathText = (s: EventStructure, path: Event['path']): string =>
  path.map((b) => `${b.taken ? '' : '!'}${valueText(s, b.condition)}`).join(' ');

/** Events of threads, as `2 lW x = R1 if C0`; the number is the event's. */
function eventTexts(s: EventStructure): string[] {
  return s.events
    .filter((e) => e.thread !== INITIAL)
    .map((e) =>
      [
        e.id,
        e.label,
        ...(e.location === undefined ? [] : [s.program.locations[e.location].name]),
        ...(e.node === undefined ? [] : [`node ${e.node}`]),
        ...(e.work === undefined ? [] : [`work ${e.work}`]),
        ...(e.value === undefined ? [] : [`= ${valueText(s, e.value)}`]),
        ...(e.path.length === 0 ? [] : [`if ${pathText(s, e.path)}`]),
      ].join(' '),
    );
}

const events = (text: string): string[] => eventTexts(unroll(body(text)));

describe('events of instructions', () => {
  test.each([
    ['x := 1', ['1 lW x = 1']],
    ['x := y', ['2 lR y', '3 lW x = R2']],
    ['a := y', ['1 lR y']],
    ['a := 7; x := a + 1', ['1 lW x = 8']],
    ['x := z^2', ['2 nrR z node 2', '3 nlW x node 2 = R2']],
    ['z^2 := x', ['2 nlR x node 2', '3 nrW z node 2 = R2']],
    ['x :=^d z^2', ['2 nrR z node 2 work d', '3 nlW x node 2 work d = R2']],
    ['z^2 :=^d x; wait(d)', ['2 nlR x node 2 work d', '3 nrW z node 2 work d = R2', '4 WT work d']],
    ['z^2 := x; poll(2)', ['2 nlR x node 2', '3 nrW z node 2 = R2', '4 P node 2']],
    ['rfence(3); mfence', ['0 nF node 3', '1 F']],
    ['skip', []],
    ['assume(x = 1)', ['1 lR x']],
  ])('%s', (text, expected) => {
    expect(events(text)).toEqual(expected);
  });

  test('a put of a constant reads a location that holds it', () => {
    const s = unroll(body('z^2 := 4; z^2 := 4; u^3 := 4'));
    expect(eventTexts(s)).toEqual([
      '3 nlR constant 4 node 2',
      '4 nrW z node 2 = R3',
      '5 nlR constant 4 node 2',
      '6 nrW z node 2 = R5',
      '7 nlR constant 4 node 3',
      '8 nrW u node 3 = R7',
    ]);
    expect(valueText(s, s.events[2].value!)).toBe('4');
  });

  test('an expression reads each of its locations once, from left to right, before all else', () => {
    expect(events('x := y * 2 + x - y')).toEqual([
      '2 lR y',
      '3 lR x',
      '4 lW x = (((R2 * 2) + R3) - R2)',
    ]);
    expect(events('a := x; b := (a = y) + x + y')).toEqual(['2 lR x', '3 lR y', '4 lR x']);
  });

  test('a compare-and-swap succeeds in one event, or fails after a fence', () => {
    const s = unroll(body('a := 3; y := CAS(x, a, a + 1)'));
    expect(eventTexts(s)).toEqual([
      '2 CAS x = 4 if C0',
      '3 F if !C0',
      '4 lR x if !C0',
      '5 lW y = (C0 ? 3 : R4)',
    ]);
    expect(
      s.constraints.map((c) => `${valueText(s, c.condition)} if ${pathText(s, c.path)}`),
    ).toEqual(['(R2 = 3) if C0', '(R4 != 3) if !C0']);
  });

  test('an assumption must hold on its path only', () => {
    const s = unroll(body('if (x = 1) { assume(y > 0) } assume(1); assume(x)'));
    expect(
      s.constraints.map((c) => `${valueText(s, c.condition)} if ${pathText(s, c.path)}`),
    ).toEqual(['(R3 > 0) if (R2 = 1)', 'R4 if ']);
  });

  test('one initial write for each location that is accessed, before all else', () => {
    const s = unroll(body('x := z^2; a := x'));
    const initial = s.events.filter((e) => e.thread === INITIAL);
    expect(
      initial.map((e) => `${e.id} ${e.label} ${s.program.locations[e.location!].name}`),
    ).toEqual(['0 lW x', '1 lW z']);
    expect(initial.map((e) => e.path)).toEqual([[], []]);
  });
});

describe('paths', () => {
  test('both branches of a condition, and registers after them', () => {
    const s = unroll(
      body('a := 1; b := 2; if (x = 1) { y := 1; a := 3 } else { a := 4; mfence } y := a + b'),
    );
    expect(eventTexts(s)).toEqual([
      '2 lR x',
      '3 lW y = 1 if (R2 = 1)',
      '4 F if !(R2 = 1)',
      '5 lW y = (((R2 = 1) ? 3 : 4) + 2)',
    ]);
    expect(s.registers[0].map((v) => valueText(s, v))).toEqual(['((R2 = 1) ? 3 : 4)', '2']);
  });

  test('a known condition leaves one branch', () => {
    expect(events('a := 2; if (a = 2) { x := 1 } else { x := 2 }')).toEqual(['1 lW x = 1']);
    expect(events('if (0) { x := 1 } else if (-1) { x := 2 }')).toEqual(['1 lW x = 2']);
  });

  test('nested branches', () => {
    expect(events('a := x; if (a) { if (a = 2) { y := 1 } else { y := 2 } }')).toEqual([
      '2 lR x',
      '3 lW y = 1 if R2 (R2 = 2)',
      '4 lW y = 2 if R2 !(R2 = 2)',
    ]);
  });

  test('a choice of three', () => {
    const s = unroll(body('choose { x := 1 } or { x := 2 } or { x := 3 }'));
    expect(eventTexts(s)).toEqual([
      '1 lW x = 1 if C0',
      '2 lW x = 2 if !C0 C1',
      '3 lW x = 3 if !C0 !C1',
    ]);
    expect(s.choices).toBe(2);
  });

  test('threads have their own', () => {
    const s = unroll(program(`${NODES} thread T on 1 { a := x } thread U on 1 { a := x }`));
    expect(s.events.map((e) => e.thread)).toEqual([INITIAL, 0, 1]);
    expect(s.registers.map(([a]) => valueText(s, a))).toEqual(['R1', 'R2']);
  });
});

describe('loops', () => {
  const cuts = (s: EventStructure): string[] =>
    s.cuts.map((c) => `${c.bound} if ${pathText(s, c.path)}`);

  test('a condition is read once more than the body runs', () => {
    const s = unroll(body('while (x = 0) bound 2 { y := 1 }'));
    expect(eventTexts(s)).toEqual([
      '2 lR x',
      '3 lW y = 1 if (R2 = 0)',
      '4 lR x if (R2 = 0)',
      '5 lW y = 1 if (R2 = 0) (R4 = 0)',
      '6 lR x if (R2 = 0) (R4 = 0)',
    ]);
    expect(cuts(s)).toEqual(['2 if (R2 = 0) (R4 = 0) (R6 = 0)']);
  });

  test('any number of times', () => {
    const s = unroll(body('loop bound 2 { mfence }'));
    expect(eventTexts(s)).toEqual(['0 F if C0', '1 F if C0 C1']);
    expect(cuts(s)).toEqual(['2 if C0 C1 C2']);
  });

  test('a loop that ends by itself is complete', () => {
    const s = unroll(body('a := 0; while (a < 3) { y := a; a := a + 1 }'), 3);
    expect(eventTexts(s)).toEqual(['1 lW y = 0', '2 lW y = 1', '3 lW y = 2']);
    expect(cuts(s)).toEqual([]);
  });

  test('a loop that the bound ends for sure is cut on every path', () => {
    const s = unroll(body('a := 0; while (a < 3) bound 2 { a := a + 1 }'));
    expect(s.cuts.map((c) => c.path.map((b) => valueText(s, b.condition)))).toEqual([['1']]);
  });

  test('its own bound comes first, then the one given, then the file’s, then 3', () => {
    const fences = (text: string, bound?: number) =>
      unroll(program(text), bound).events.filter((e) => e.label === 'F').length;
    const own = 'thread T on 1 { loop bound 1 { mfence } }';
    const bare = 'thread T on 1 { loop { mfence } }';
    expect(fences(`${NODES} bound 5 ${own}`, 4)).toBe(1);
    expect(fences(`${NODES} bound 5 ${bare}`, 4)).toBe(4);
    expect(fences(`${NODES} bound 5 ${bare}`)).toBe(5);
    expect(fences(`${NODES} ${bare}`)).toBe(3);
  });

  test('nested loops', () => {
    const s = unroll(body('loop bound 2 { loop bound 1 { mfence } }'));
    expect(eventTexts(s)).toEqual(['0 F if C0 C1', '1 F if C0 C3 C4']);
    expect(cuts(s)).toEqual(['1 if C0 C1 C2', '1 if C0 C3 C4 C5', '2 if C0 C3 C6']);
  });
});

test('division by what may be 0 is noted, with its path', () => {
  const s = unroll(body('if (x) { y := 6 / y % x } a := 8 / 2'));
  expect(s.divisions.map((d) => `${valueText(s, d.condition)} if ${pathText(s, d.path)}`)).toEqual([
    'R3 if R2',
    'R4 if R2',
  ]);
});

describe('random programs', () => {
  test('a limit is exact: within it nothing changes, and one less is too little', () => {
    fc.assert(
      fc.property(programs(), (source) => {
        const p = program(inBlocks(source));
        const whole = unroll(p);
        const { length } = whole.events;
        expect(unrollWithin(length, p)).toEqual(whole);
        expect(unrollWithin(length - 1, p)).toBeUndefined();
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  test('a limit also ends loops without events', () => {
    expect(unrollWithin(1000, body('loop bound 1000000000 { skip }'))).toBeUndefined();
    expect(
      unrollWithin(1000, body('a := 0; while (1) { a := a + 1 }'), 1_000_000_000),
    ).toBeUndefined();
    const nested = 'loop { loop { loop { x := 1 } } }';
    expect(unrollWithin(1000, body(nested), 1_000_000)).toBeUndefined();
  });

  test('threads come one after the other, and each event after what its path depends on', () => {
    fc.assert(
      fc.property(programs(), (source) => {
        const s = unroll(program(inBlocks(source)));
        const threads = s.events.map((e) => e.thread);
        expect(threads).toEqual([...threads].sort((a, b) => a - b));
        s.events.forEach((e, id) => {
          expect(e.id).toBe(id);
          for (const { condition } of e.path) {
            const read = s.values[condition];
            if (read.op === 'read') expect(read.event).toBeLessThan(id);
          }
        });
      }),
      { numRuns: 100, seed: 6 },
    );
  });
});
