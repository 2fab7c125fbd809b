import { describe, expect, test } from 'vitest';
import { isas } from '../../src/node/isas.js';
import { setIsas } from '../../src/parse/herd-litmus.js';
import { cat, verdicts } from '../support/checker.js';

setIsas(isas);

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
