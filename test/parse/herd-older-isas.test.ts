import { describe, expect, test } from 'vitest';
import { cat, verdicts } from '../support/checker.js';

/** X86_64, MIPS, 32-bit Arm and LISA as herd7's litmus tests have them: registers with signs before them, and some that have no name. */

/** Columns of instructions, one after the other with `;`, as a test. */
function table(language: string, init: string, threads: readonly string[], asked: string): string {
  const columns = threads.map((thread, i) => [`P${i}`, ...thread.split('; ')]);
  const length = Math.max(...columns.map((lines) => lines.length));
  const rows = Array.from({ length }, (_, row) =>
    columns.map((lines) => lines[row] ?? '').join(' | '),
  );
  return `${language} t\n{ ${init} }\n${rows.map((row) => ` ${row} ;\n`).join('')}exists (${asked})\n`;
}

describe('X86_64', () => {
  const x86 = (threads: readonly string[], asked: string): readonly string[] =>
    verdicts(table('X86_64', '0:rbx=x; 1:rbx=y;', threads, asked), 'x86-tso');

  // The Intel manual, volume 3A, 9.2.3: reads pass writes, and an atomic or mfence keeps them from it.
  test.each([
    ['movl $1,(x); movl (y),%eax', 'movl $1,(y); movl (x),%eax', 'allowed'],
    ['movq $1,(x); mfence; movq (y),%rax', 'movq $1,(y); mfence; movq (x),%rax', 'forbidden'],
    ['mov $1,%ecx; xchg %ecx,(x); mov (y),%eax', 'movl $1,(y); mfence; mov (x),%eax', 'forbidden'],
    ['movl $1,(%rbx); movl (y),%eax', 'movl $1,(%rbx); mfence; movl (x),%eax', 'allowed'],
    ['movl $1,(%rbx); mfence; movl (y),%eax', 'movl $1,(%rbx); mfence; movl (x),%eax', 'forbidden'],
  ])('store buffers: %s | %s', (first, second, verdict) => {
    expect(x86([first, second], '0:rax=0 /\\ 1:eax=0')).toEqual([verdict]);
  });

  test.each([
    ['movl $1,%eax; lock xaddl %eax,(x)', 'x=2 /\\ 0:rax=1 /\\ 1:rax=0', 'allowed'],
    ['movl $1,%eax; lock xaddl %eax,(x)', 'x=1', 'forbidden'],
    ['movl $1,%ecx; lock cmpxchgl %ecx,(x)', '0:RAX=0 /\\ 1:rax=0', 'forbidden'],
    ['movl $1,%ecx; lock cmpxchgl %ecx,(x)', '0:rax=0 /\\ 1:rax=1 /\\ x=1', 'allowed'],
    ['movl (x),%eax; cmpl $1,%eax; je L; movl $1,(x); L: nop', '0:eax=1 /\\ 1:eax=1', 'forbidden'],
    ['movl (x),%eax; cmpl $1,%eax; je L; movl $1,(x); L: nop', '0:eax=0 /\\ 1:eax=1', 'allowed'],
  ])('both do %s: %s', (thread, asked, verdict) => {
    expect(x86([thread, thread], asked)).toEqual([verdict]);
  });
});

/** Reads stay before what comes behind them, and `sync` orders all: herd7's word for its own model is PSO. */
const MIPS = cat(`include "herd.cat"
acyclic po-loc | rf | fr | co as uniproc
empty rmw & (fre;coe) as atomic
acyclic po & (R * M) | fencerel(SYNC) | rfe | fr | co as pso
`);

describe('MIPS', () => {
  test.each([
    ['sync', 'nop', 'forbidden'],
    ['nop', 'nop', 'allowed'],
    ['nop', 'sync', 'allowed'],
  ])('message passing with %s and %s', (between, behind, verdict) => {
    const threads = [
      `ori $2,$0,1; sw $2,0(%x); ${between}; sw $2,0(%y)`,
      `lw $v0,0(%y); ${behind}; lw $3,0(%x)`,
    ];
    const asked = '1:$2=1 /\\ 1:v1=0';
    expect(verdicts(table('MIPS', '%x=x; uint64_t %y=y;', threads, asked), MIPS)).toEqual([
      verdict,
    ]);
  });

  test.each([
    ['x=1 /\\ 0:t0=1 /\\ 1:t0=1', 'forbidden'],
    ['x=2 /\\ 0:t0=1 /\\ 1:t0=1', 'allowed'],
    ['x=1 /\\ 0:t0=1 /\\ 1:t0=0', 'allowed'],
  ])('two increments by ll and sc, which is 1 where it succeeds: %s', (asked, verdict) => {
    const add = 'll $a0,0($a1); addiu $t0,$a0,1; sc $t0,0($a1)';
    const text = table('MIPS', '0:$5=x; 1:a1=x;', [add, add], asked);
    expect(verdicts(text, MIPS)).toEqual([verdict]);
  });

  test('numbers of 16 bits are not read where they would be negative', () => {
    const text = table('MIPS', '', ['addiu $2,$2,0x8000'], '0:$2=0');
    expect(() => verdicts(text, MIPS)).toThrow('this instruction is not known');
    const small = table('MIPS', '', ['addiu $2,$2,0x7fff'], '0:$2=0x7FFF');
    expect(verdicts(small, MIPS)).toEqual(['allowed']);
  });
});

/** Herding Cats, Fig. 18 without po-loc (Alglave, Maranget and Tautschnig, TOPLAS 2014, Table VII: "Proposed ARM"). */
const ARM = cat(`include "herd.cat"
let dp = addr | data
let rdw = po-loc & (fre;rfe)
let detour = po-loc & (coe;rfe)
let rec ii = dp | rdw | rfi | ci | ic;ci | ii;ii
and ic = ii | cc | ic;cc | ii;ic
and ci = ctrlcfence(ctrl, ISB) | detour | ci;ii | cc;ci
and cc = dp | ctrl | addr;po | ci | ci;ic | cc;cc
let ppo = (ii & (R * R)) | (ic & (R * W))
let fences = fencerel(DMB.SY | DMB.ISH | DSB.SY) | fencerel(DMB.ST) & (W * W)
let hb = ppo | fences | rfe
let base = (fences | rfe;fences);hb*
let prop = (base & (W * W)) | ((rf | fr | co) & ext)*;base*;fences;hb*
acyclic po-loc | rf | fr | co as sc-per-location
acyclic hb as no-thin-air
irreflexive fre;prop;hb* as observation
acyclic co | prop as propagation
empty rmw & (fre;coe) as atomic
`);

describe('ARM', () => {
  const arm = (threads: readonly string[], asked: string): readonly string[] =>
    verdicts(table('ARM', '%x=x; %y=y;', threads, asked), ARM);

  test.each([
    ['DMB', 'DMB', 'forbidden'],
    ['DMB ISH', 'DMB SY', 'forbidden'],
    ['DMB ST', 'DSB', 'forbidden'],
    ['DMB', 'DMB ST', 'allowed'],
    ['DMB', 'NOP', 'allowed'],
    ['DMB', 'CMP R0,#0; BNE L; L: NOP', 'allowed'],
    ['DMB', 'CMP R0,#0; BNE L; L: ISB', 'forbidden'],
    ['NOP', 'DMB', 'allowed'],
  ])('message passing with %s and %s', (between, behind, verdict) => {
    const threads = [
      `MOV R1,#1; STR R1,[%x]; ${between}; STR R1,[%y]`,
      `LDR R0,[%y]; ${behind}; LDR R2,[%x]`,
    ];
    expect(arm(threads, '1:R0=1 /\\ 1:R2=0')).toEqual([verdict]);
  });

  test.each([
    ['EOR R1,R0,R0; LDR R2,[R1,%x]', 'forbidden'],
    ['EOR R1,R0,R0; ADD R3,R1,%x; LDR R2,[R3]', 'forbidden'],
  ])('message passing to an address that depends on the read: %s', (behind, verdict) => {
    const threads = ['MOV R1,#1; STR R1,[%x]; DMB; STR R1,[%y]', `LDR R0,[%y]; ${behind}`];
    expect(arm(threads, '1:R0=1 /\\ 1:R2=0')).toEqual([verdict]);
  });

  test.each([
    ['x=1 /\\ 0:R3=0 /\\ 1:R3=0', 'forbidden'],
    ['x=2 /\\ 0:R3=0 /\\ 1:R3=0', 'allowed'],
  ])('two increments by LDREX and STREX: %s', (asked, verdict) => {
    const add = 'LDREX R0,[%x]; ADD R1,R0,#1; STREX R3,R1,[%x]';
    expect(arm([add, add], asked)).toEqual([verdict]);
  });
});

test('a register without a name holds an address of each thread that has it', () => {
  const text = table('ARM', '%x=x;', ['MOV R0,%x'], '0:R0=0');
  expect(() => verdicts(text, ARM)).toThrow('_x holds an address, and no number');
  const memory = table('ARM', '_x=x;', ['MOV R0,#1'], '0:R0=0');
  expect(() => verdicts(memory, ARM)).toThrow('this first value is not read');
});

/** Tags that accesses have for what they order: as the models of Linux have them (Alglave and others, ASPLOS 2018, Figures 3 and 8). */
const TAGS = cat(`include "herd.cat"
enum Accesses = 'ONCE || 'ACQUIRE || 'RELEASE
enum Barriers = 'wmb || 'rmb || 'MB
let order = [W];fencerel(Wmb);[W] | [R];fencerel(Rmb);[R] | fencerel(MB & Fence)
let order = order | [ACQUIRE];po | po;[RELEASE] | addr | ctrl;[W]
acyclic po-loc | rf | co | fr as coherence
empty rmw & (fre;coe) as atomic
acyclic order | rfe | fr | co as happens-before
`);

describe('LISA', () => {
  const lisa = (threads: readonly string[], asked: string, init = '', model = TAGS) =>
    verdicts(table('LISA', `x=0; y=0; ${init}`, threads, asked), model);

  test.each([
    ['f[wmb]', 'w[once] y 1', 'r[once] r1 y; f[rmb]; r[once] r2 x', 'forbidden'],
    ['f[rmb]', 'w[once] y 1', 'r[once] r1 y; f[rmb]; r[once] r2 x', 'allowed'],
    ['mov r0 1', 'w[release] y r0', 'r[acquire] r1 y; r[] r2 x', 'forbidden'],
    ['mov r0 1', 'w[release] y r0', 'r[once] r1 y; r[once] r2 x', 'allowed'],
    ['f[mb]', 'w[] y 1', 'r[] r1 y; mov r3 (xor r1 r1); r[] r2 x+r3', 'forbidden'],
    ['f[mb]', 'w[] y 1', 'r[] r1 y; mov r3 (xor r1 r1); r[] r2 r9+r3', 'forbidden'],
    ['f[mb]', 'w y 1', 'r r1 y; b r1 L; L: r r2 x', 'allowed'],
  ])('message passing: %s; %s | %s', (fence, flag, reads, verdict) => {
    const threads = [`w[once] x 1; ${fence}; ${flag}`, reads];
    expect(lisa(threads, '1:r1=1 /\\ 1:r2=0', '1:r9=x;')).toEqual([verdict]);
  });

  // Where both read the other's write, the branch is one of control.
  test.each([
    ['b[] r1 L; w[once] y 1; L: mov r2 0', 'forbidden'],
    ['w[once] y 1', 'allowed'],
  ])('load buffers: %s', (behind, verdict) => {
    const threads = [`r[once] r1 x; mov r1 (eq r1 0); ${behind}`, 'r[acquire] r3 y; w[once] x r3'];
    expect(lisa(threads, '0:r1=0 /\\ 1:r3=1')).toEqual([verdict]);
  });

  test.each([
    ['rmw[once] r1 (add r1 1) x', 'x=1', 'forbidden'],
    ['rmw[] r1 (add r1 1) x', 'x=2 /\\ 0:r1=1 /\\ 1:r1=0', 'allowed'],
    ['rmw[once] r1 5 x', '0:r1=0 /\\ 1:r1=0', 'forbidden'],
    ['rmw[] r1 5 x', '0:r1=5 /\\ 1:r1=0', 'allowed'],
  ])('two do %s: %s', (atomic, asked, verdict) => {
    expect(lisa([atomic, atomic], asked)).toEqual([verdict]);
  });

  test('the address of a place is no register', () => {
    expect(() => lisa(['mov r1 x'], '0:r1=0')).toThrow('this instruction is not known');
  });
});
