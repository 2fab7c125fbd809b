import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIsa } from '../../src/parse/isa.js';
import { parseLitmus } from '../../src/node/tests.js';
import { printTest } from '../../src/program/print.js';
import { valueOf } from '../support/litmus.js';
import { modelOf, states } from '../support/checker.js';
import { cases } from '../support/random.js';

/** Litmus tests of herd7 as the programs that they are. */

const MP = `X86 MP+x
"Rfe PodRR Fre PodWW"
Cycle=Rfe PodRR Fre PodWW
{ x=0; [y]=0; 1:ECX=7; int z; }
 P0          | P1                       ;
 MOV [x],$1  | mov EAX, [y]             ;
 (* a comment | with ; signs *)
 MOV [y],$-1 | MOV EBX,[x]              ;
 MFENCE      |                          ;
 MOV EDX,$2  | MOV [z],ECX              ;
 XCHG [y],EDX |                         ;
locations [x; 0:EDX;]
exists (1:EAX=1 /\\ 1:EBX=0 /\\ [x]=1 /\\ 0:ESI=0)
`;

test('X86: a test is what its lines are', () => {
  expect(printTest(valueOf(parseLitmus(MP)))).toBe(`RDMA MP+x
"Rfe PodRR Fre PodWW"

node 1 { x = 0; y = 0; z = 0 }

thread P0 on 1 {
  ESI := 0;
  x := 1;
  y := -1;
  mfence;
  EDX := 2;
  EDX := xchg(y, EDX)
}
thread P1 on 1 { ECX := 7; EAX := y; EBX := x; z := ECX }

locations [x; EDX]
exists (1:EAX=1 /\\ 1:EBX=0 /\\ x=1 /\\ 0:ESI=0)
`);
});

test.each([
  ['x86-tso', '0:EAX=0 1:EAX=0;0:EAX=0 1:EAX=1;0:EAX=1 1:EAX=0;0:EAX=1 1:EAX=1'],
  ['sc', '0:EAX=0 1:EAX=1;0:EAX=1 1:EAX=0;0:EAX=1 1:EAX=1'],
])('store buffers under %s', (model, expected) => {
  const text = `X86 SB
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
`;
  const found = states(text, modelOf(model)).map((one) => one.replace(/P(\d)/g, '$1'));
  expect(found.join(';')).toBe(expected);
});

/** An instruction in both languages, of two registers and two places. */
const instruction = fc
  .tuple(
    fc.constantFrom('write', 'copy', 'read', 'read', 'set', 'move', 'xchg', 'mfence'),
    fc.constantFrom('x', 'y'),
    fc.constantFrom(['EAX', 'EBX'], ['EBX', 'EAX']),
    fc.integer({ min: -1, max: 2 }),
  )
  .map(([kind, x, [r, s], n]): readonly [rdma: string, x86: string] => {
    switch (kind) {
      case 'write':
        return [`${x} := ${n}`, `MOV [${x}],$${n}`];
      case 'copy':
        return [`${x} := ${r}`, `MOV [${x}],${r}`];
      case 'read':
        return [`${r} := ${x}`, `MOV ${r},[${x}]`];
      case 'set':
        return [`${r} := ${n}`, `MOV ${r},$${n}`];
      case 'move':
        return [`${r} := ${s}`, `MOV ${r},${s}`];
      case 'xchg':
        return [`${r} := xchg(${x}, ${r})`, `XCHG [${x}],${r}`];
      default:
        return ['mfence', 'MFENCE'];
    }
  });

test('random programs are the same in both languages', () => {
  const threads = fc.array(fc.array(instruction, { minLength: 1, maxLength: 3 }), {
    minLength: 2,
    maxLength: 3,
  });
  const asked = (all: readonly unknown[]): string =>
    all.flatMap((_, i) => [`${i}:EAX=0`, `${i}:EBX=0`]).join(' /\\ ');
  const property = fc.property(threads, fc.constantFrom('x86-tso', 'sc'), (all, model) => {
    const question = `exists (x=0 /\\ y=0 /\\ ${asked(all)})\n`;
    const rdma = all.map(
      (list, i) =>
        `thread P${i} on 1 { EAX := 0; EBX := 0; ${list.map(([text]) => text).join('; ')} }\n`,
    );
    const rows = Array.from({ length: 3 }, (_, i) =>
      all.map((list) => list[i]?.[1] ?? '').join(' | '),
    );
    const head = all.map((_, i) => `P${i}`).join(' | ');
    const x86 = `X86 t\n{ x=0; y=0; }\n${[head, ...rows].map((row) => ` ${row} ;\n`).join('')}${question}`;
    const said = `RDMA t\nnode 1 { x = 0; y = 0 }\n${rdma.join('')}${question}`;
    expect(states(x86, modelOf(model))).toEqual(states(said, modelOf(model)));
  });
  fc.assert(property, { numRuns: cases(2000, 40) });
});

const with_ = (line: string, init = 'x=0;'): string =>
  `X86 t\n{ ${init} }\n P0 | P1 ;\n ${line} | NOP ;\nexists (x=1)\n`;

describe('mistakes have their place', () => {
  test.each([
    [
      'an instruction',
      with_('MOV [x],EAX,$1'),
      'MOV [x],EAX,$1',
      'this instruction is not known',
      'known are MOV [x],$n; ',
    ],
    [
      'a mnemonic',
      with_('JMP LC00'),
      'JMP LC00',
      'this instruction is not known',
      'known are MOV; ',
    ],
    ['a label', with_('LC00:'), 'LC00:', 'this instruction is not known', 'known are MOV; '],
    [
      'an address in a register',
      with_('MOV [EAX],$1', '0:EAX=1;'),
      'EAX',
      'EAX is a register: an address in a register is not read',
      '',
    ],
    [
      'an address as a first value',
      with_('NOP', '0:EAX=x;'),
      '0:EAX=x',
      'only numbers are read as first values',
      'x=1; 0:EAX=1',
    ],
    ['no thread', with_('NOP', '2:EAX=1;'), '2', 'there is no such thread', ''],
    ['too many columns', with_('NOP | NOP'), 'NOP', 'this column has no thread above it', ''],
    [
      'no heads',
      'X86 t\n{}\n NOP ;\nexists (x=1)\n',
      'NOP',
      'the names of threads are missing',
      'the first line is P0 | P1 ;',
    ],
    [
      'no first values',
      'X86 t\n P0 ;\nexists (x=1)\n',
      'X86 t',
      'what memory is at first is missing',
      '{ x=0; y=0; }',
    ],
    ['a name', with_('NOP').replace('x=1)', 'q=1)'), 'q', "unknown location or register 'q'", ''],
  ])('%s', (_, text, at, message, hint) => {
    const { ok, errors } = parseLitmus(text) as {
      ok: boolean;
      errors: readonly { message: string; hint?: string; span: { start: number; end: number } }[];
    };
    expect(ok).toBe(false);
    const [{ span, ...said }] = errors;
    expect([text.slice(span.start, span.end), said.message]).toEqual([
      at,
      expect.stringContaining(message),
    ]);
    expect(said.hint ?? '').toContain(hint);
  });
});

test('an instruction set with a line that is none says which', () => {
  const made = parseIsa({
    path: 'my.isa',
    text: 'languages MINE\nregister r\nLD r => r := 1\nwhat is this\n',
  });
  expect(made).toEqual({
    errors: [
      expect.objectContaining({
        message: 'this is no line of an instruction set',
        span: { file: 'my.isa', start: 41, end: 53 },
      }),
    ],
  });
});
