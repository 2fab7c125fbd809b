import { describe, expect, test } from 'vitest';
import type { Model } from '../../src/model/term.js';
import { answers, cat, states, verdicts } from '../support/checker.js';

const CPU = 'RDMA t node 1 { x = 0; y = 0 }';
const SB = `${CPU} thread T on 1 { x := 1; a := y } thread U on 1 { y := 1; b := x }`;
const MP = `${CPU} thread T on 1 { x := 1; y := 1 } thread U on 1 { a := y; b := x }`;
const LB = `${CPU} thread T on 1 { a := x; y := 1 } thread U on 1 { b := y; x := 1 }`;
const rdma = (axioms: string): Model => cat(`include "rdma.cat" ${axioms}`);
const final = (program: string, axioms: string): readonly string[] =>
  states(`${program} exists (a = 0 /\\ b = 0)`, rdma(axioms));

describe('axioms', () => {
  const all = ['a=0 b=0', 'a=0 b=1', 'a=1 b=0', 'a=1 b=1'];

  test.each([
    ['no axiom', '', all],
    ['acyclic', 'acyclic po | rf | rb', ['a=0 b=1', 'a=1 b=0', 'a=1 b=1']],
    ['~acyclic', '~acyclic po | rf | rb', ['a=0 b=0']],
    ['irreflexive', 'irreflexive po ; rb ; po ; rb', ['a=0 b=1', 'a=1 b=0', 'a=1 b=1']],
    ['~irreflexive', '~irreflexive po ; rb ; po ; rb', ['a=0 b=0']],
    ['empty of a relation', 'empty rf & ext & ~(IW * _)', ['a=0 b=0']],
    ['~empty of a relation', '~empty rf & ext & ~(IW * _)', ['a=0 b=1', 'a=1 b=0', 'a=1 b=1']],
    ['empty of a set', 'empty lR & range([IW] ; rf)', ['a=1 b=1']],
    ['~empty of a set', '~empty lR & range([IW] ; rf)', ['a=0 b=0', 'a=0 b=1', 'a=1 b=0']],
    ['two axioms', '~empty rb empty rb ; po ; rb', ['a=0 b=1', 'a=1 b=0']],
  ])('%s', (_, axioms, expected) => {
    expect(final(SB, axioms)).toEqual(expected);
  });

  test('what no execution of a program can do', () => {
    expect(final(SB, 'empty rf')).toEqual([]);
    expect(final(SB, '~acyclic po')).toEqual([]);
  });

  test('what an event on a branch orders is ordered on that branch only', () => {
    const sb = `${CPU} thread T on 1 { x := 1; choose { c := 1; mfence } or { c := 0 } a := y }
      thread U on 1 { y := 1; mfence; b := x }
      exists (c = 1 /\\ a = 0 /\\ b = 0) exists (c = 0 /\\ a = 0 /\\ b = 0)`;
    const late = `${CPU} thread T on 1 { a := x; choose { c := 1; mfence } or { c := 0 } x := 1 }
      exists (c = 1 /\\ a = 1) exists (c = 0 /\\ a = 1)`;
    for (const order of [
      'po ; [F] ; po',
      '([F] ; po | po ; [F])+',
      'po & (po ; [F] ; po)',
      'po & ([F] ; po | po ; [F])+',
      'po & (_ * range([F] ; po))',
      'po & (domain(po ; [F]) * _)',
    ]) {
      const ordered = rdma(`acyclic rf & ext | rb | mo | ${order}`);
      expect([order, ...verdicts(sb, ordered)]).toEqual([order, 'forbidden', 'allowed']);
      const read = rdma(`acyclic rf | ${order}`);
      expect([order, ...verdicts(late, read)]).toEqual([order, 'forbidden', 'allowed']);
    }
  });

  test('flags forbid nothing, and are raised by the executions they are about', () => {
    const model = rdma('flag ~empty [lR] ; rb as overtaken flag empty [lR] ; rb as last');
    const flags = (condition: string) =>
      answers(`${SB} exists (${condition})`, model).flatMap((answer) => answer.flags);
    expect(flags('a = 0 /\\ b = 1')).toEqual(['overtaken']);
    expect(flags('a = 1 /\\ b = 1')).toEqual(['last']);
    expect(final(SB, 'flag ~empty _ as always')).toEqual(all);
  });
});

describe('closures and fixpoints', () => {
  test.each([
    ['under a difference', 'empty rb \\ (po | rf)+', MP, ['a=1 b=1']],
    ['~empty under a difference', '~empty rb \\ (po | rf)+', MP, ['a=0 b=0', 'a=0 b=1', 'a=1 b=0']],
    ['complement', 'empty rb & ~((po | rf)+)', LB, ['a=0 b=1', 'a=1 b=0', 'a=1 b=1']],
    ['negated complement', '~empty rb & ~((po | rf)+)', LB, ['a=0 b=0']],
    ['reflexive', 'empty rb \\ (po | rf)*', MP, ['a=1 b=1']],
    [
      'of a union with its inverse',
      'empty (lR * lR) \\ (rf | rf^-1)*',
      `${CPU} thread T on 1 { x := 1; a := x; b := x }`,
      ['a=0 b=0', 'a=1 b=1'],
    ],
    ['in a sequence', 'irreflexive (po | rf)+ ; rb', MP, ['a=0 b=0', 'a=0 b=1', 'a=1 b=1']],
    ['in a negated sequence', '~irreflexive (po | rf)+ ; rb', MP, ['a=1 b=0']],
  ])('a closure %s', (_, axioms, program, expected) => {
    expect(final(program, axioms)).toEqual(expected);
  });

  test.each([
    ['acyclic', 'acyclic r | rb'],
    ['~acyclic', '~acyclic r | rb'],
    ['a difference', 'empty rb \\ r'],
    ['a negated difference', '~empty rb \\ r'],
    ['both', 'empty rb \\ (r | r^-1) irreflexive r'],
    ['a complement', 'empty mo & ~r'],
    ['a set', '~empty R \\ range(r)'],
  ])('`let rec` is the least fixpoint under %s', (_, axioms) => {
    const closure = `let r = (po & loc | rf)+ ${axioms}`;
    const recursive = [
      `let rec r = po & loc | rf | r ; r ${axioms}`,
      `let rec r = po & loc | rf | (po & loc | rf) ; r ${axioms}`,
      `let rec r = po & loc | s | r ; s and s = rf | (r & s) | r ; (po & loc) ${axioms}`,
    ];
    for (const program of [
      SB,
      MP,
      LB,
      `${CPU} thread T on 1 { x := 1; a := x } thread U on 1 { x := 2; b := x }`,
    ]) {
      const expected = final(program, closure);
      for (const text of recursive) expect(final(program, text)).toEqual(expected);
    }
  });

  test('fixpoints of sets, forth and back', () => {
    // What an initial write reaches: the reads that read it, and what comes after them.
    const reached = 'let rec s = IW | range([s] ; (rf | po & sthd))';
    expect(final(MP, `${reached} empty lR \\ s`)).toEqual(['a=0 b=0', 'a=0 b=1']);
    expect(final(MP, `${reached} ~empty lR \\ s`)).toEqual(['a=1 b=0', 'a=1 b=1']);
  });
});
