import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isas } from '../../src/node/isas.js';
import { parseLitmus } from '../../src/node/tests.js';
import { herdReader } from '../../src/parse/herd-litmus.js';
import { setHerdReader } from '../../src/parse/litmus.js';
import { cat, verdicts } from '../support/checker.js';
import { cases } from '../support/random.js';

setHerdReader(herdReader(isas));

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

/** RC11, after Lahav, Vafeiadis, Kang, Hur and Dreyer (PLDI 2017). */
const RC11 = cat(`include "herd.cat"
let atomics = RLX | ACQ | REL | ACQ_REL | SC
let acq = ACQ | ACQ_REL | SC
let rel = REL | ACQ_REL | SC
let rb = (rf^-1;co) \\ id
let eco = (rf | co | rb)+
let rs = [W];(po & loc)?;[W & atomics];(rf;[AMO])*
let sw = [rel];([F];po)?;rs;rf;[R & atomics];(po;[F])?;[acq]
let hb = (po | sw | IW * (_ \\ IW))+
let scb = po | (po \\ loc);hb;(po \\ loc) | (hb & loc) | co | rb
let psc-base = ([SC] | [F & SC];hb?);scb;([SC] | hb?;[F & SC])
let psc-fence = [F & SC];(hb | hb;eco;hb);[F & SC]
irreflexive hb;eco? as coherence
empty [AMO];(rb;co) & id as atomicity
acyclic psc-base | psc-fence as SC
acyclic po | rf as no-thin-air
`);

describe('C11', () => {
  const c11 = (functions: readonly string[], asked: string): string => {
    const bodies = functions.map((body) =>
      body
        .replaceAll(/\b([a-z])\.(\w+)\((\d)\)/g, 'atomic_store_explicit($1, $3, memory_order_$2)')
        .replaceAll(/\b([a-z])\.(\w+)\(\)/g, 'atomic_load_explicit($1, memory_order_$2)')
        .replaceAll(/\bfence\.(\w+)/g, 'atomic_thread_fence(memory_order_$1)'),
    );
    const threads = bodies.map((body, i) => `P${i}(atomic_int *x, atomic_int *y) { ${body} }\n`);
    return `C t\n{ [x] = 0; [y] = 0; }\n${threads.join('')}exists (${asked})\n`;
  };

  test.each([
    ['x.relaxed(1); y.relaxed(1);', 'int r0 = y.relaxed(); int r1 = x.relaxed();', 'allowed'],
    ['x.relaxed(1); y.release(1);', 'int r0 = y.acquire(); int r1 = x.relaxed();', 'forbidden'],
    ['x.relaxed(1); y.release(1);', 'int r0 = y.relaxed(); int r1 = x.relaxed();', 'allowed'],
    [
      'x.relaxed(1); fence.release; y.relaxed(1);',
      'int r0 = y.relaxed(); fence.acquire; int r1 = x.relaxed();',
      'forbidden',
    ],
    [
      'x.relaxed(1); fence.acquire; y.relaxed(1);',
      'int r0 = y.relaxed(); fence.acquire; int r1 = x.relaxed();',
      'allowed',
    ],
  ])('message passing: %s | %s', (writes, reads, verdict) => {
    expect(verdicts(c11([writes, reads], '1:r0=1 /\\ 1:r1=0'), RC11)).toEqual([verdict]);
  });

  test.each([
    ['seq_cst', 'seq_cst', '', 'forbidden'],
    ['release', 'acquire', '', 'allowed'],
    ['relaxed', 'relaxed', 'fence.seq_cst;', 'forbidden'],
    ['relaxed', 'relaxed', 'fence.acq_rel;', 'allowed'],
  ])('store buffers: %s, %s %s', (store, load, fence, verdict) => {
    const threads = ['x y', 'y x'].map((pair) => {
      const [own, other] = pair.split(' ');
      return `${own}.${store}(1); ${fence} int r0 = ${other}.${load}();`;
    });
    expect(verdicts(c11(threads, '0:r0=0 /\\ 1:r0=0'), RC11)).toEqual([verdict]);
  });

  test.each([
    ['acquire', 'allowed'],
    ['seq_cst', 'forbidden'],
  ])('readers of independent writes: %s', (order, verdict) => {
    const threads = [
      'x.seq_cst(1);',
      `int r0 = x.${order}(); int r1 = y.${order}();`,
      'y.seq_cst(1);',
      `int r0 = y.${order}(); int r1 = x.${order}();`,
    ];
    const asked = '1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0';
    expect(verdicts(c11(threads, asked), RC11)).toEqual([verdict]);
  });

  test('an atomic goes on a release sequence, a write of another thread does not', () => {
    const through = (write: string): readonly string[] =>
      verdicts(
        c11(
          ['x.relaxed(1); y.release(1);', write, 'int r0 = y.acquire(); int r1 = x.relaxed();'],
          '2:r0=2 /\\ 2:r1=0 /\\ 1:r0=1',
        ),
        RC11,
      );
    const add = 'int r0 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);';
    expect(through(add)).toEqual(['forbidden']);
    expect(through('int r0 = y.relaxed(); y.relaxed(2);')).toEqual(['allowed']);
  });
});

test('tags of older models of the kernel are not those of operations', () => {
  expect(() => cat(`include "herd.cat" enum Accesses = 'once || 'wmb acyclic po`)).toThrow(
    "operations have this tag as 'ONCE",
  );
});

test('tests with mistakes have messages in their text, and no other end', () => {
  const texts = [
    riscv('fence rw,w; bne x1,x0,L; sc.w x9,x1,0(x6); L: nop', 'lr.w x5,(x6)', 'not (0:x9=0)'),
    'C t\n{ y=x; }\nP0(int *x, int *y) { int *r0 = READ_ONCE(*y); if (*r0 == 1) { xchg(x, 2); } }\nexists (0:r0=x)\n',
  ];
  const broken = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(6), fc.constantFrom(...'(){};*&|,=:0 ', ''))
    .map(([text, at, length, put]) => {
      const from = at % text.length;
      return text.slice(0, from) + put + text.slice(from + length);
    });
  const property = fc.property(broken, (text) => {
    const read = parseLitmus(text, 'my.litmus', [KERNEL]);
    if (read.ok) return;
    for (const { span } of read.errors) {
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(span.end).toBeLessThanOrEqual(text.length + 1);
    }
  });
  fc.assert(property, { numRuns: cases(5000, 150) });
});

test('under a model that has not the operations of a test, it is said which models have', () => {
  const text = riscv('fence rw,rw', 'nop', 'x=0');
  expect(() => verdicts(text, 'x86-tso')).toThrow(
    `unknown instruction 'fence'
5 |  fence rw,rw | nop ;
  |  ^^^^^^^^^^^  models that are written for herd7 have all operations of its tests`,
  );
});

/**
 * The kernel's model without plain accesses, after Alglave, Maranget, McKenney, Parri and Stern (ASPLOS 2018, Figures 3 to 12), in the tags of the
 * kernel's own.
 */
const KERNEL = cat(`include "herd.cat"
enum Accesses = 'ONCE || 'RELEASE || 'ACQUIRE || 'NORETURN || 'MB
enum Barriers = 'wmb || 'rmb || 'rcu-lock || 'rcu-unlock || 'sync-rcu || 'before-atomic || 'after-atomic
let inside =
  let rec first = Rcu-lock \\ domain(matched)
  and last = Rcu-unlock \\ range(matched)
  and open = first | last
  and between = [open];po;[open]
  and matched = matched | (([first];po;[last]) \\ (between;between))
  in matched
let rmw = rmw | same & (LKR * LKW)
let Mb = Fence & MB
let acq-po = [ACQUIRE & R | LKR];po;[M]
let po-rel = [M];po;[RELEASE & W | UL]
let rmb = [R];fencerel(Rmb);[R]
let wmb = [W];fencerel(Wmb);[W]
let atomic-mb = [M];po;[MB & R & range(id & (rmw;rmw^-1))] | [MB & W & range(rmw)];po;[M]
  | [M];fencerel(Before-atomic);[RMW];po? | po?;[RMW];fencerel(After-atomic);[M]
let mb = fencerel(Mb) | atomic-mb
let gp = po;[Sync-rcu];po?
let strong = mb | gp
let fence = strong | po-rel | acq-po | wmb | rmb
let dep = addr | data
let ppo = (dep | ctrl);[W] | addr;[R] | dep;rfi | (fence & int) | ((co | fr) & int)
let cumul = rfe?;(strong | po-rel) | wmb
let prop = ((co | fr) & ext)?;cumul*;rfe?
let hb = ppo | rfe | ((prop \\ id) & int)
acyclic po-loc | rf | co | fr as coherence
empty rmw & (fre;coe) as atomic
acyclic hb as happens-before
let pb = prop;strong;hb*
acyclic pb as propagation
let link = po?;hb*;pb*;prop;po
let grace = [Sync-rcu]
let back = inside^-1
let rec order = grace | grace;link;back | back;link;grace
  | grace;link;order;link;back | back;link;order;link;grace | order;link;order
irreflexive prop;po;order;po?;hb*;pb* as rcu
`);

describe('C of the kernel', () => {
  const kernel = (functions: readonly string[], asked: string, init = ''): string =>
    `C t\n{ ${init} }\n${functions.map((body, i) => `P${i}(int *x, int *y, int *z) { ${body} }\n`).join('')}exists (${asked})\n`;
  const ONE = 'WRITE_ONCE(*x, 1);';
  const TWO = 'WRITE_ONCE(*y, 1);';

  test.each([
    [ONE + TWO, 'int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x);', 'allowed'],
    [
      `${ONE} smp_wmb(); ${TWO}`,
      'int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [`${ONE} smp_wmb(); ${TWO}`, 'int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x);', 'allowed'],
    [
      `${ONE} smp_store_release(y, 1);`,
      'int r0 = smp_load_acquire(y); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [
      `${ONE} smp_mb(); ${TWO}`,
      'int r0 = READ_ONCE(*y); int r1; if (r0) r1 = READ_ONCE(*x);',
      'allowed',
    ],
    [
      `${ONE} xchg(y, 1);`,
      'int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [
      `${ONE} xchg_relaxed(y, 1);`,
      'int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'allowed',
    ],
    [
      `${ONE} smp_mb__before_atomic(); atomic_inc(y);`,
      'int r0 = atomic_read(y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'forbidden',
    ],
    [
      `${ONE} atomic_inc(y);`,
      'int r0 = atomic_read(y); smp_rmb(); int r1 = READ_ONCE(*x);',
      'allowed',
    ],
  ])('message passing: %s | %s', (writes, reads, verdict) => {
    expect(verdicts(kernel([writes, reads], '1:r0=1 /\\ 1:r1=0'), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['rcu_dereference(*y)', 'forbidden'],
    ['READ_ONCE(*y)', 'forbidden'],
  ])('a pointer that is published: %s', (load, verdict) => {
    const threads = [
      `${ONE} rcu_assign_pointer(*y, x);`,
      `int *r0; int r1; r0 = ${load}; r1 = READ_ONCE(*r0);`,
    ];
    expect(verdicts(kernel(threads, '1:r0=x /\\ 1:r1=0', 'y=z;'), KERNEL)).toEqual([verdict]);
    expect(verdicts(kernel(threads, '1:r0=z /\\ 1:r1=0', 'y=z;'), KERNEL)).toEqual(['allowed']);
  });

  // What is behind an if does not depend on it.
  test.each([
    [`if (r0) { ${TWO} }`, 'forbidden'],
    [`if (r0) { ${TWO} } else { WRITE_ONCE(*y, 2); }`, 'forbidden'],
    [`if (r0) { WRITE_ONCE(*z, 1); } ${TWO}`, 'allowed'],
    [`WRITE_ONCE(*y, r0);`, 'forbidden'],
  ])('load buffers: %s', (behind, verdict) => {
    const threads = [
      `int r0; r0 = READ_ONCE(*x); ${behind}`,
      `int r0 = READ_ONCE(*y); smp_mb(); ${ONE}`,
    ];
    expect(verdicts(kernel(threads, '0:r0=1 /\\ 1:r0=1'), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['a section', 'rcu_read_lock();', 'rcu_read_unlock();', '', 'forbidden'],
    ['no section', '', '', '', 'allowed'],
    [
      'one inside of another',
      'rcu_read_lock(); rcu_read_lock();',
      'rcu_read_unlock();',
      'rcu_read_unlock();',
      'forbidden',
    ],
    [
      'one in front of another, inside of a third',
      'rcu_read_lock(); rcu_read_lock(); rcu_read_unlock();',
      'rcu_read_unlock();',
      'rcu_read_lock(); rcu_read_unlock();',
      'forbidden',
    ],
  ])('a grace period and %s', (_, begin, end, between, verdict) => {
    const threads = [
      `${begin} int r0 = READ_ONCE(*x); ${between} int r1 = READ_ONCE(*y); ${end}`,
      `${TWO} synchronize_rcu(); ${ONE}`,
    ];
    expect(verdicts(kernel(threads, '0:r0=1 /\\ 0:r1=0'), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['x=1', 'forbidden'],
    ['x=2', 'allowed'],
  ])('increments under a lock: %s', (asked, verdict) => {
    const add = 'spin_lock(z); int r0 = READ_ONCE(*x); WRITE_ONCE(*x, r0 + 1); spin_unlock(z);';
    expect(verdicts(kernel([add, add], asked), KERNEL)).toEqual([verdict]);
  });

  test.each([
    ['(READ_ONCE(*x) - 3) & 4', 'x=0 /\\ 0:r0=4'],
    ['(READ_ONCE(*x) - 3) & 2', 'x=0 /\\ 0:r0=0'],
    ['(READ_ONCE(*x) + 6) & 2', 'x=0 /\\ 0:r0=2'],
    ['atomic_add_return(2, x)', 'x=2 /\\ 0:r0=2'],
    ['atomic_fetch_sub(2, x)', 'x=-2 /\\ 0:r0=0'],
    ['atomic_dec_and_test(x)', 'x=-1 /\\ 0:r0=0'],
    ['cmpxchg(x, 0, 3)', 'x=3 /\\ 0:r0=0'],
    ['cmpxchg(x, 1, 3)', 'x=0 /\\ 0:r0=0'],
    ['atomic_add_unless(x, 2, 0)', 'x=0 /\\ 0:r0=0'],
    ['atomic_add_unless(x, 2, 1)', 'x=2 /\\ 0:r0=1'],
  ])('what %s gives', (call, asked) => {
    const text = kernel([`int r0; r0 = ${call};`], asked).replace('exists', 'forall');
    expect(verdicts(text, KERNEL)).toEqual(['holds']);
  });

  test.each([
    ['while (1) { }', 'while', '`while` is not read'],
    ['int r0 = spin_trylock(x);', 'spin_trylock(x)', 'this call is not known'],
    ['int r0 = READ_ONCE(x);', 'READ_ONCE(x)', 'this call is not known'],
    ['int r0 = READ_ONCE(*x) & 3;', 'READ_ONCE(*x) & 3', '`&` is not read here'],
    ['int *r0; WRITE_ONCE(*r0, 1);', 'r0', 'which address this is is not known'],
    ['int r0 = *x + *y;', '*x + *y', 'which of both is read first is not said'],
    ['int r0; if (r0 && *x) r0 = 1;', 'r0 && *x', 'which of both is read first is not said'],
    ['x = 1;', 'x', 'x is a parameter, and stays what it is'],
  ])('what is refused: %s', (body, at, message) => {
    const text = kernel([body], 'x=0');
    const { errors } = parseLitmus(text, 'my.litmus', [KERNEL]) as {
      errors: readonly { message: string; span: { start: number; end: number } }[];
    };
    const [{ span, message: said }] = errors;
    expect([text.slice(span.start, span.end), said]).toEqual([at, message]);
  });
});
