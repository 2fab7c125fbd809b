import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { readsLeftOut } from '../../src/check/last-iteration.js';
import type { Verified } from '../../src/check/witness/verify.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Model } from '../../src/model/term.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import { modelFor } from '../../src/program/occasions.js';
import type { Source } from '../../src/rdma/random/programs.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { models } from '../support/cats.js';
import { SHIPPED, cat, litmus, modelOf } from '../support/checker.js';
import { cases, few } from '../support/random.js';

/** Loops that only read have their last iteration alone, under models that let reads be left out. */

const LIMIT = 20_000;

function executionsOf(structure: EventStructure, model: Model, limit: number): Verified[] {
  const found: Verified[] = [];
  const visit = (v: Verified): boolean => found.push(v) === limit;
  enumerateCandidates(structure, model, visit, { limit: LIMIT });
  return found;
}

describe('reads can be left out', () => {
  /** An execution with some of its events. */
  function restricted({ size, sets, relations }: Execution, model: Model, kept: number[]) {
    const at = new Map(kept.map((old, i) => [old, i]));
    const names = (kind: 'set' | 'rel') =>
      model.terms.flatMap((t) => (t.op === 'base' && t.kind === kind ? [t.name] : []));
    const set = (name: string) => {
      const members = kept.filter((old) => m.has(sets.get(name)!, old));
      return m.setOf(
        kept.length,
        members.map((old) => at.get(old)!),
      );
    };
    const relation = (name: string) => {
      const rel = m.emptyRel(kept.length);
      const pairs =
        name === 'id' ? kept.map((i) => [i, i] as const) : m.pairs(relations.get(name)!);
      for (const [a, b] of pairs) if (at.has(a) && at.has(b)) m.relate(rel, at.get(a)!, at.get(b)!);
      return rel;
    };
    expect(size).toBeGreaterThanOrEqual(kept.length);
    return {
      size: kept.length,
      sets: new Map(names('set').map((name) => [name, set(name)])),
      relations: new Map(names('rel').map((name) => [name, relation(name)])),
    };
  }

  /** What a model says of executions of a program, and of the same with some reads left out. */
  function* judgements(source: Source, model: Model, draw: () => boolean) {
    const { program } = litmus(inBlocks(source));
    for (const { events, execution, judgement } of executionsOf(unroll(program), model, 20)) {
      const kept = [...events.keys()].filter((i) => events[i].label !== 'lR' || draw());
      if (kept.length === events.length) continue;
      yield { before: judgement, after: evaluate(model, restricted(execution, model, kept)) };
    }
  }

  const source = programs({ threads: 2, instructions: 4 });

  test('of executions of all models that come with Remora', () => {
    const { program } = litmus(fc.sample(source, { numRuns: 1, seed: 31 }).map(inBlocks)[0]);
    for (const name of SHIPPED) {
      expect(readsLeftOut(modelFor(program, modelOf(name))), name).toContain('lR');
    }
    let judged = 0;
    fc.assert(
      fc.property(
        source,
        fc.constantFrom(...SHIPPED),
        fc.infiniteStream(fc.boolean()),
        (s, name, coins) => {
          for (const { after } of judgements(
            s,
            modelOf(name),
            () => coins.next().value as boolean,
          )) {
            expect(after.consistent).toBe(true);
            judged += 1;
          }
        },
      ),
      { numRuns: cases(100), seed: 31 },
    );
    expect(judged).toBeGreaterThan(few(100));
  });

  const rb = 'let rb = (rf^-1 ; mo) \\ id';
  test.each([
    'acyclic po | rf | mo',
    `${rb} acyclic po & loc | rf | rb | mo`,
    'irreflexive (po \\ (lW * lR) | rf)+ ; mo',
    'acyclic po \\ [lW] ; (rf & sthd) ; [lR]',
    'empty (po ; po) & rf',
    'acyclic ~(lW * lW) & mo',
    'acyclic po | ~(mo ; mo)',
    'empty ~(po ; mo)',
    'empty po \\ range(rf) * _',
    'empty po \\ domain(rf^-1) * _',
    'let rec r = po | r ; r acyclic r',
    '~empty [lW] ; po ; [P]',
    'flag ~empty mo & (lW * nrW) as f',
    'flag empty [W] ; po ; [nlW] as f',
    'empty po \\ (sqp ; sqp)',
    'empty po \\ (nfo+ | wid+)',
  ])('of executions of %s', (text) => {
    expect(readsLeftOut(cat(text))).toContain('lR');
  });

  test.each([
    'empty po \\ (po ; po)',
    'empty po \\ range(rf^-1) * _',
    'empty po \\ domain(rf) * _',
    'empty po \\ (po & loc)+',
    'empty po \\ ((po & loc)* ; mo)',
    'empty ~(po ; po)',
    'let rec r = po | r ; r empty mo \\ r',
    'let rec r = (po \\ (po ; po)) | (r ; r) empty r',
    '~empty lR',
    '~empty R',
    '~empty CPU',
    '~empty _',
    '~empty strict',
    '~empty ~W',
    '~empty R | W',
    '~empty domain(po ; rf^-1)',
    '~empty po',
    '~empty rf',
    '~acyclic po | rf',
    '~empty [lW] ; po',
    '~empty po ; [lW]',
    '~empty (lW * lR) & po',
    '~empty (lW * lW) & (po ; po)',
    '~empty mo?',
    '~empty mo ; po*',
    'flag empty lR as f',
    'flag ~empty [lR] ; po as f',
    'flag ~acyclic po | rf as f',
  ])('not of executions of %s', (text) => {
    expect(readsLeftOut(cat(text))).toEqual([]);
  });

  test('of a model with reads of its own', () => {
    const declared = (operation: string, guess = '') =>
      cat(`initial IW event IW event RD by cpu event WR by cpu event NOP by cpu
operation ld(own x) = v : ${operation}
operation st(own x, value e) : WR writes x := e
short own : ld
short own := value : st
${guess}
acyclic po | rf | mo`);
    expect(readsLeftOut(declared('RD reads x as v'))).toEqual(['RD']);
    expect(readsLeftOut(declared('NOP ; RD reads x as v'))).toEqual([]);
    expect(readsLeftOut(declared('RD reads x as v writes x := v'))).toEqual([]);
    expect(readsLeftOut(declared('RD reads x as v', 'guess g : total WR * WR'))).toEqual(['RD']);
    expect(readsLeftOut(declared('RD reads x as v', 'guess g : total RD * RD'))).toEqual([]);
    expect(readsLeftOut(declared('RD reads x as v', 'guess g : total po'))).toEqual([]);
  });

  test('of random models, where that is said of them', () => {
    const counts = { said: 0, kept: 0, lost: 0 };
    fc.assert(
      fc.property(
        source,
        models,
        fc.boolean(),
        fc.infiniteStream(fc.boolean()),
        (s, text, flagged, coins) => {
          const model = cat(
            flagged ? text.replace(/^(~?)(empty|acyclic) (.*)$/m, 'flag $1$2 $3 as f') : text,
          );
          const said = readsLeftOut(model).length > 0;
          counts.said += said ? 1 : 0;
          for (const { before, after } of judgements(
            s,
            model,
            () => coins.next().value as boolean,
          )) {
            const same =
              after.consistent &&
              after.flags.map((f) => f.name).join() === before.flags.map((f) => f.name).join();
            if (said) expect(same).toBe(true);
            counts[same ? 'kept' : 'lost'] += 1;
          }
        },
      ),
      { numRuns: 800, seed: 32 },
    );
    // It is said of many models. Under some others, reads do matter.
    expect(counts.said).toBeGreaterThan(100);
    expect(counts.kept).toBeGreaterThan(200);
    expect(counts.lost).toBeGreaterThan(10);
  });
});
