import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIsa } from '../../src/parse/isa.js';
import { parseModel } from '../../src/node/models.js';
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

const ARM = `AArch64 MP+y
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X4=x; 1:W9=3; }
 P0            | P1                  ;
 MOV W0,#1     | LDR W0,[X1]         ;
 STR W0,[X1]   | EOR W2,W0,W0        ;
 DMB ISHST     | LDR W3,[X4,W2,SXTW] ;
 STLR W0,[X3]  | CBNZ W3,LC00        ;
 SWPAL W0,W5,[X3] | STR W9,[X4]      ;
 LDAPR W6,[X1] | LC00: ISB           ;
 ADD W6,W6,#1  | CBZ W0,LC01         ;
               | LC01:               ;
               | DSB SY              ;
exists (1:X0=1 /\\ 1:W3=0)
`;

test('AArch64: registers hold addresses, an index that is zero is a dependency, a jump passes over what is below', () => {
  expect(printTest(valueOf(parseLitmus(ARM)))).toBe(`RDMA MP+y

node 1 { x = 0; y = 0 }

thread P0 on 1 {
  X0 := 1;
  x := X0;
  dmb [ish][st];
  stlr(y, X0);
  X5 := xchg [al] (y, X0);
  X6 := ldapr(x);
  X6 := X6 + 1
}
thread P1 on 1 {
  X9 := 3;
  X0 := y;
  X2 := X0 - X0;
  X3 := ldr(x, X2);
  if (X3 = 0) { x := X9 };
  isb;
  if (X0 != 0) { skip };
  dsb [sy]
}

exists (1:X0=1 /\\ 1:W3=0)
`);
});

/** Arm's architecture (Arm ARM B2.3) in the names of herd7, without atomics. */
const HERD_ARM = valueOf(
  parseModel(`include "herd.cat"
let full = DMB.ISH | DMB.OSH | DMB.SY | DSB.ISH | DSB.OSH | DSB.SY
let loads = DMB.ISHLD | DMB.OSHLD | DMB.LD | DSB.ISHLD | DSB.OSHLD | DSB.LD
let stores = DMB.ISHST | DMB.OSHST | DMB.ST | DSB.ISHST | DSB.OSHST | DSB.ST
let bob = [M];po;[full];po;[M] | [R];po;[loads];po;[M] | [W];po;[stores];po;[W]
  | [A | Q];po;[M] | [M];po;[L] | [L];po;[A]
let dob = addr | data | ctrl;[W] | (ctrl | addr;po);[ISB];po;[M] | addr;po;[W]
acyclic po-loc | rf | co | fr as internal
acyclic rfe | coe | fre | dob | bob as external
`).model,
);

test.each([
  ['LDAR', 'STLR', false],
  ['LDAPR', 'STLR', false],
  ['LDR', 'STLR', true],
  ['LDAR', 'STR', true],
] as const)('message passing by %s and %s', (load, store, isAllowed) => {
  const text = `AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;
 MOV W0,#1 | ${load} W0,[X1] ;
 STR W0,[X1] | LDR W2,[X3] ;
 ${store} W0,[X3] | ;
exists (1:X0=1 /\\ 1:X2=0)\n`;
  for (const model of [modelOf('rdma-tso+arm'), HERD_ARM]) {
    const found = states(text, model);
    expect(found.some((one) => /X0=1 .*X2=0/.test(one))).toBe(isAllowed);
  }
});

/** Message passing with what is between the two accesses of each thread. */
const passing = (writes: string, reads: readonly string[]): string => {
  const rows = Math.max(3, 1 + reads.length);
  const left = ['MOV W0,#1', 'STR W0,[X1]', ...(writes === '' ? [] : [writes]), 'STR W0,[X3]'];
  const right = ['LDR W0,[X1]', ...reads];
  const table = Array.from(
    { length: Math.max(rows, left.length) },
    (_, i) => ` ${left[i] ?? ''} | ${right[i] ?? ''} ;`,
  );
  return `AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n${table.join('\n')}\nexists (1:X0=1 /\\ 1:X2=0)\n`;
};

// What orders two reads, behind two writes that are in order.
test.each([
  ['nothing', '', ['LDR W2,[X3]'], true],
  ['writes in order alone', 'DMB ST', ['LDR W2,[X3]'], true],
  ['reads in order alone', '', ['DMB LD', 'LDR W2,[X3]'], true],
  ['both', 'DMB ST', ['DMB LD', 'LDR W2,[X3]'], false],
  ['an address', 'DMB ST', ['EOR W4,W0,W0', 'LDR W2,[X3,W4,SXTW]'], false],
  ['a branch', 'DMB ST', ['CBNZ W0,L', 'L:', 'LDR W2,[X3]'], true],
  ['a branch and isb', 'DMB ST', ['CBNZ W0,L', 'L: ISB', 'LDR W2,[X3]'], false],
  ['an instruction barrier alone', 'DMB ST', ['ISB', 'LDR W2,[X3]'], true],
  ['barriers of one domain', 'DMB ISHST', ['DMB ISHLD', 'LDR W2,[X3]'], false],
  ['the other ones', 'DSB ST', ['DSB LD', 'LDR W2,[X3]'], false],
  ['full ones', 'DMB OSH', ['DSB SY', 'LDR W2,[X3]'], false],
] as const)('message passing with %s', (_, writes, reads, isAllowed) => {
  for (const model of [modelOf('rdma-tso+arm'), HERD_ARM]) {
    const found = states(passing(writes, reads), model);
    expect(found.some((one) => /X0=1 .*X2=0/.test(one))).toBe(isAllowed);
  }
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
    [
      'a jump of another instruction set',
      with_('JNE LC00'),
      'JNE LC00',
      'this instruction is not known',
      'known are MOV; ',
    ],
    [
      'an address in a register',
      with_('MOV [EAX],$1', '0:EAX=1;'),
      'EAX',
      'EAX is a register: an address in a register is not read',
      '',
    ],
    [
      'an address that is computed',
      with_('LDR W0,[X1,X2]', '0:X1=x;').replace('X86', 'AArch64'),
      'X2',
      'which address this is is not known: X2 may be other than zero',
      '',
    ],
    [
      'an address that nobody gave',
      with_('LDR W0,[X1]').replace('X86', 'AArch64'),
      'X1',
      'which address X1 holds is not known',
      '0:X1=x',
    ],
    [
      'an address as a number',
      with_('STR W1,[X1]', '0:X1=x;').replace('X86', 'AArch64'),
      'STR W1,[X1]',
      'X1 holds an address, and no number',
      '',
    ],
    [
      'a jump backward',
      with_('CBNZ W0,L').replace('X86', 'AArch64'),
      'L',
      'only jumps forward are read',
      '',
    ],
    [
      'a place as the first value of another',
      with_('NOP', 'x=y;'),
      'x=y',
      'this first value is not read',
      'x=1; 0:EAX=1; 0:X1=x',
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
