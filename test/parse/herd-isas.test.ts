import { describe, expect, test } from 'vitest';
import { cat, verdicts } from '../support/checker.js';

/**
 * Instruction sets of herd7's litmus tests under their architectures, as their manuals have them: patterns with something between the two
 * accesses of each thread, and whether the weak outcome is allowed.
 */

/** Columns of instructions, one after the other with `;`, as a test. */
function table(language: string, init: string, threads: readonly string[], asked: string): string {
  const columns = threads.map((thread, i) => [`P${i}`, ...thread.split('; ')]);
  const length = Math.max(...columns.map((lines) => lines.length));
  const rows = Array.from({ length }, (_, row) =>
    columns.map((lines) => lines[row] ?? '').join(' | '),
  );
  return `${language} t\n{ ${init} }\n${rows.map((row) => ` ${row} ;\n`).join('')}exists (${asked})\n`;
}

/** The preserved program order of RVWMO, rules 1 to 13 (The RISC-V Instruction Set Manual, volume I, chapter 17). */
const RVWMO = cat(`include "herd.cat"
let AMO-or-SC = AMO | exW
let acquire = aq & M
let release = rl & M
let RCsc = (aq | rl) & (AMO | exR | exW)
let ppo =
    [M];po-loc;[W]
  | ([R];(po-loc \\ (po-loc;[W];po-loc));[R]) \\ (rf^-1;rf)
  | [AMO-or-SC];rfi;[R]
  | [R];po;[pr & sr];po;[R] | [R];po;[pr & sw];po;[W] | [W];po;[pw & sr];po;[R] | [W];po;[pw & sw];po;[W]
  | [R];po;[tso];po;[M] | [W];po;[tso];po;[W]
  | [acquire];po;[M] | [M];po;[release] | [RCsc];po;[RCsc]
  | lxsx | [M];addr;[M] | [M];data;[W] | [M];ctrl;[W]
  | [M];(addr | data);[W];rfi;[R] | [M];addr;[M];po;[W]
acyclic co | rf | fr | po-loc as load-value
acyclic co | rfe | fr | ppo as global
empty lxsx & (fre;coe) as atomicity
`);

const ADDRESSES = '0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x;';
const riscv = (first: string, second: string, asked: string): string =>
  table('RISCV', ADDRESSES, [`li x1,1; ${first}`, `li x1,1; ${second}`], asked);

describe('RISC-V', () => {
  const passing = (writes: string, reads: string): string =>
    riscv(`sw x1,0(x6); ${writes}`, reads, '1:x5=1 /\\ 1:x7=0');

  test.each([
    ['fence w,w; sw x1,0(x8)', 'lw x5,0(x6); fence r,r; lw x7,0(x8)', 'forbidden'],
    ['fence w,w; sw x1,0(x8)', 'lw x5,0(x6); fence r,w; lw x7,0(x8)', 'allowed'],
    ['fence w,r; sw x1,0(x8)', 'lw x5,0(x6); fence r,r; lw x7,0(x8)', 'allowed'],
    ['fence w,w; sw x1,0(x8)', 'lw x5,0(x6); lw x7,0(x8)', 'allowed'],
    ['fence.tso; sw x1,0(x8)', 'lw x5,0(x6); fence.tso; lw x7,0(x8)', 'forbidden'],
    ['fence.i; sw x1,0(x8)', 'lw x5,0(x6); fence.i; lw x7,0(x8)', 'allowed'],
    ['amoswap.w.rl x0,x1,(x8)', 'amoor.w.aq x5,x0,(x6); lw x7,0(x8)', 'forbidden'],
    ['amoswap.w x0,x1,(x8)', 'amoor.w.aq x5,x0,(x6); lw x7,0(x8)', 'allowed'],
    ['amoswap.w.rl x0,x1,(x8)', 'amoor.w x5,x0,(x6); lw x7,0(x8)', 'allowed'],
    [
      'fence w,w; sw x1,0(x8)',
      'lw x5,0(x6); xor x9,x5,x5; add x10,x8,x9; lw x7,0(x10)',
      'forbidden',
    ],
    ['fence w,w; sw x1,0(x8)', 'lw x5,0(x6); xor x9,x5,x5; add x8,x9,x8; lw x7,0(x8)', 'forbidden'],
    ['fence w,w; sw x1,0(x8)', 'lw x5,0(x6); bne x5,x0,L; L: lw x7,0(x8)', 'allowed'],
  ])('message passing: %s | %s', (writes, reads, verdict) => {
    expect(verdicts(passing(writes, reads), RVWMO)).toEqual([verdict]);
  });

  test.each([
    ['fence w,r; lw x5,0(x8)', 'forbidden'],
    ['fence rw,rw; lw x5,0(x8)', 'forbidden'],
    ['fence.tso; lw x5,0(x8)', 'allowed'],
    ['fence r,rw; lw x5,0(x8)', 'allowed'],
  ])('store buffers: %s', (between, verdict) => {
    const own = `sw x1,0(x6); ${between}`;
    expect(verdicts(riscv(own, own, '0:x5=0 /\\ 1:x5=0'), RVWMO)).toEqual([verdict]);
  });

  test.each([
    ['sw x1,0(x8)', 'allowed'],
    ['xor x7,x5,x5; ori x7,x7,1; sw x7,0(x8)', 'forbidden'],
    ['bne x5,x0,L; L: sw x1,0(x8)', 'forbidden'],
    ['xor x9,x5,x5; add x10,x8,x9; sw x1,0(x10)', 'forbidden'],
    // What is made of the success of a store depends on the store.
    ['sc.w x9,x5,0(x6); addi x9,x9,1; sw x9,0(x8)', 'forbidden'],
    ['sc.w x9,x5,0(x6); sw x1,0(x8)', 'allowed'],
  ])('load buffers: %s', (behind, verdict) => {
    const load = behind.startsWith('sc') ? 'lr.w' : 'lw';
    const first = `${load} x5,0(x6); ${behind}`;
    const text = riscv(first, 'lw x5,0(x6); sw x5,0(x8)', '0:x5=1 /\\ 1:x5=1');
    expect(verdicts(text, RVWMO)).toEqual([verdict]);
  });

  test.each([
    ['both succeed, and one is lost', '0:x9=0 /\\ 1:x9=0 /\\ x=1', 'forbidden'],
    ['both succeed, one after the other', '0:x9=0 /\\ 1:x9=0 /\\ x=2', 'allowed'],
    ['one fails', '0:x9=0 /\\ 1:x9=1 /\\ x=1', 'allowed'],
    ['both fail', '0:x9=1 /\\ 1:x9=1 /\\ x=0', 'allowed'],
  ])('two increments by lr and sc: %s', (_, asked, verdict) => {
    const add = 'lr.w x5,(x6); addi x5,x5,1; sc.w x9,x5,(x6)';
    const text = table('RISCV', '0:x6=x; 1:x6=x;', [add, add], asked);
    expect(verdicts(text, RVWMO)).toEqual([verdict]);
  });

  test.each([
    ['sc.w x9,x1,0(x6)', 'forbidden'],
    ['lr.w x5,0(x6); sc.w x9,x1,0(x6)', 'allowed'],
    ['lr.w x5,0(x8); sc.w x9,x1,0(x6)', 'forbidden'],
    ['lr.w x5,0(x6); lr.w x5,0(x8); sc.w x9,x1,0(x6)', 'forbidden'],
  ])('a store succeeds behind its reservation alone: %s', (body, verdict) => {
    expect(verdicts(riscv(body, 'nop', '0:x9=0'), RVWMO)).toEqual([verdict]);
  });
});

/** Power, as Fig. 17, 18 and 25 of Herding Cats have it (Alglave, Maranget and Tautschnig, TOPLAS 2014). */
const POWER = cat(`include "herd.cat"
let ctrlisync = ctrlcfence(ctrl, ISYNC)
let dp = addr | data
let rec ii = dp | po-loc & (fre;rfe) | rfi | ci | ic;ci | ii;ii
and ic = ii | cc | ic;cc | ii;ic
and ci = ctrlisync | po-loc & (coe;rfe) | ci;ii | cc;ci
and cc = dp | po-loc | ctrl | addr;po | ci | ci;ic | cc;cc
let ppo = (ii & (R * R)) | (ic & (R * W))
let strong = fencerel(SYNC)
let light = (fencerel(LWSYNC) \\ (W * R)) | (fencerel(EIEIO) & (W * W))
let fences = strong | light
let hb = ppo | fences | rfe
let base = (fences | rfe;fences);hb*
let prop = (base & (W * W)) | ((rf | fr | co) & ext)*;base*;strong;hb*
acyclic po-loc | rf | fr | co as sc-per-location
acyclic hb as no-thin-air
irreflexive fre;prop;hb* as observation
acyclic co | prop as propagation
empty lxsx & (fre;coe) as atomicity
`);

describe('Power', () => {
  /** Threads over places in registers r10, r11 and r12; r1 is one. */
  const power = (threads: readonly string[], asked: string): string => {
    const at = threads.flatMap((_, i) => [
      `${i}:r10=x;`,
      `${i}:r11=y;`,
      `${i}:r12=z;`,
      `${i}:r1=1;`,
    ]);
    return table('PPC', at.join(' '), threads, asked);
  };
  const ADDR = 'xor r9,r2,r2; lwzx r3,r9,r10';
  const ISYNC = 'cmpw r2,r2; beq L; L: isync; lwz r3,0(r10)';

  test.each([
    ['nop', 'lwz r3,0(r10)', 'allowed'],
    ['lwsync', 'lwz r3,0(r10)', 'allowed'],
    ['nop', ADDR, 'allowed'],
    ['lwsync', ADDR, 'forbidden'],
    ['sync', ADDR, 'forbidden'],
    ['eieio', ADDR, 'forbidden'],
    ['isync', ADDR, 'allowed'],
    ['lwsync', 'lwsync; lwz r3,0(r10)', 'forbidden'],
    ['lwsync', 'isync; lwz r3,0(r10)', 'allowed'],
    ['lwsync', 'cmpw r2,r2; beq L; L: lwz r3,0(r10)', 'allowed'],
    ['lwsync', ISYNC, 'forbidden'],
    ['lwsync', 'xor r9,r2,r2; add r8,r9,r10; lwz r3,0(r8)', 'forbidden'],
  ])('message passing: %s | %s', (writes, reads, verdict) => {
    const threads = [`stw r1,0(r10); ${writes}; stw r1,0(r11)`, `lwz r2,0(r11); ${reads}`];
    expect(verdicts(power(threads, '1:r2=1 /\\ 1:r3=0'), POWER)).toEqual([verdict]);
  });

  test.each([
    ['sync', 'forbidden'],
    ['lwsync', 'allowed'],
    ['eieio', 'allowed'],
  ])('store buffers: %s', (fence, verdict) => {
    const threads = ['r10 r11', 'r11 r10'].map((pair) => {
      const [own, other] = pair.split(' ');
      return `stw r1,0(${own}); ${fence}; lwz r2,0(${other})`;
    });
    expect(verdicts(power(threads, '0:r2=0 /\\ 1:r2=0'), POWER)).toEqual([verdict]);
  });

  test.each([
    ['lwsync', 'allowed'],
    ['sync', 'forbidden'],
  ])('readers of independent writes: %s', (fence, verdict) => {
    const threads = [
      'stw r1,0(r10)',
      `lwz r2,0(r10); ${fence}; lwz r3,0(r11)`,
      'stw r1,0(r11)',
      `lwz r2,0(r11); ${fence}; lwz r3,0(r10)`,
    ];
    const asked = '1:r2=1 /\\ 1:r3=0 /\\ 3:r2=1 /\\ 3:r3=0';
    expect(verdicts(power(threads, asked), POWER)).toEqual([verdict]);
  });

  test('two increments by lwarx and stwcx. are not lost', () => {
    const add = 'lwarx r2,0,r10; add r3,r2,r1; stwcx. r3,0,r10; bne L; stw r1,0(';
    const threads = [`${add}r11); L:`, `${add}r12); L:`];
    const both = 'y=1 /\\ z=1 /\\ x=';
    expect(verdicts(power(threads, `${both}1`), POWER)).toEqual(['forbidden']);
    expect(verdicts(power(threads, `${both}2`), POWER)).toEqual(['allowed']);
  });
});

/** Arm ARM B2.3, in the names of herd7. */
const ARM = cat(`include "stdlib.cat"
let dmb = DMB.SY | DMB.ISH
let loads = DMB.LD | DMB.ISHLD
let bob = po;[dmb];po | [R];po;[loads];po | [A | Q];po | po;[L] | [L];po;[A]
let aob = rmw | [range(rmw)];rfi;[A | Q]
let bob = bob | [range([A];amo;[L])];po
let dob = addr | data | ctrl;[W] | (ctrl | addr;po);[ISB];po | addr;po;[W] | (addr | data);rfi
acyclic po-loc | rf | co | fr as internal
acyclic (rf | co | fr) & ext | aob | dob | bob as external
empty rmw & (fre;coe) as atomic
`);

describe('AArch64', () => {
  const arm = (threads: readonly string[], asked: string): string => {
    const at = threads.flatMap((_, i) => [`${i}:X10=x;`, `${i}:X11=y;`, `${i}:X12=z;`]);
    return table('AArch64', at.join(' '), threads, asked);
  };

  test.each([
    ['LDR W3,[X10]', 'allowed'],
    ['EOR W4,W2,W2; ADD X5,X10,W4,SXTW; LDR W3,[X5]', 'forbidden'],
    ['EOR W4,W2,W2; ADD X5,X10,W4,SXTW; LDAR W3,[X5]', 'forbidden'],
    ['EOR W4,W2,W2; ADD X5,X12,W4,SXTW; LDAR W6,[X5]; LDR W3,[X10]', 'forbidden'],
    ['EOR W4,W2,W2; ADD X5,X12,W4,SXTW; LDR W6,[X5]; LDR W3,[X10]', 'allowed'],
    ['CMP W2,#0; B.EQ L; L: LDR W3,[X10]', 'allowed'],
    ['CMP W2,#0; B.EQ L; L: ISB; LDR W3,[X10]', 'forbidden'],
  ])('message passing to %s', (reads, verdict) => {
    const threads = ['MOV W1,#1; STR W1,[X10]; STLR W1,[X11]', `LDR W2,[X11]; ${reads}`];
    expect(verdicts(arm(threads, '1:X2=1 /\\ 1:X3=0'), ARM)).toEqual([verdict]);
  });

  // An atomic orders what its letters say, and nothing else.
  test.each([
    ['STLR W1,[X11]', 'LDADD W9,W2,[X11]; LDR W3,[X10]', 'allowed'],
    ['STLR W1,[X11]', 'LDADDL W9,W2,[X11]; LDR W3,[X10]', 'allowed'],
    ['STLR W1,[X11]', 'LDADDA W9,W2,[X11]; LDR W3,[X10]', 'forbidden'],
    ['SWP W1,W4,[X11]', 'LDAR W2,[X11]; LDR W3,[X10]', 'allowed'],
    ['SWPA W1,W4,[X11]', 'LDAR W2,[X11]; LDR W3,[X10]', 'allowed'],
    ['SWPL W1,W4,[X11]', 'LDAR W2,[X11]; LDR W3,[X10]', 'forbidden'],
    ['CASAL W9,W1,[X11]', 'LDAR W2,[X11]; LDR W3,[X10]', 'forbidden'],
    ['CAS W9,W1,[X11]', 'LDAR W2,[X11]; LDR W3,[X10]', 'allowed'],
  ])('message passing by %s to %s', (write, reads, verdict) => {
    const threads = [`MOV W1,#1; MOV W9,#0; STR W1,[X10]; ${write}`, `MOV W9,#0; ${reads}`];
    expect(verdicts(arm(threads, '1:X2=1 /\\ 1:X3=0'), ARM)).toEqual([verdict]);
  });

  // A store that succeeds has nothing behind it but what is made of its value; an acquire orders.
  test.each([
    ['LDXR W2,[X10]', 'STXR W5,W1,[X10]', 'allowed'],
    ['LDAXR W2,[X10]', 'STXR W5,W1,[X10]', 'forbidden'],
    ['LDXR W2,[X10]', 'STLXR W5,W1,[X10]', 'allowed'],
  ])('load buffers: %s and %s', (load, store, verdict) => {
    const own = `MOV W1,#1; ${load}; ${store}; MOV W6,#1; STR W6,[X11]`;
    const threads = [own, 'LDR W2,[X11]; STR W2,[X10]'];
    expect(verdicts(arm(threads, '0:X5=0 /\\ 0:X2=1 /\\ 1:X2=1'), ARM)).toEqual([verdict]);
  });

  test.each([
    ['x=1 /\\ 0:X7=0 /\\ 1:X7=0', 'forbidden'],
    ['x=2 /\\ 0:X7=0 /\\ 1:X7=0', 'allowed'],
    ['x=1 /\\ 0:X7=0 /\\ 1:X7=9', 'allowed'],
    ['x=2 /\\ 0:X7=0 /\\ 1:X7=9', 'forbidden'],
  ])('increments, with jumps that cross: %s', (asked, verdict) => {
    const add =
      'LDXR W2,[X10]; ADD W3,W2,#1; STXR W5,W3,[X10]; CBNZ W5,Fail; B Exit; Fail: MOV W7,#9; Exit: NOP';
    expect(verdicts(arm([add, add], asked), ARM)).toEqual([verdict]);
  });
});

test('under a model that has not the operations of a test, it is said which models have', () => {
  const text = riscv('fence rw,rw', 'nop', 'x=0');
  expect(() => verdicts(text, 'x86-tso')).toThrow(
    `unknown instruction 'fence'
5 |  fence rw,rw | nop ;
  |  ^^^^^^^^^^^  models that are written for herd7 have all operations of its tests`,
  );
});
