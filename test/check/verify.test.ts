import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { pairs } from '../../src/model/relation/matrix.js';
import { memo } from '../../src/check/witness/memo.js';
import type { WitnessJudgement } from '../../src/check/witness/verify.js';
import { witnessVerifier, verifyWitness } from '../../src/check/witness/verify.js';
import type { Pair, Witness } from '../../src/check/witness/witness.js';
import { pairsIn } from '../../src/check/witness/witness.js';
import { varyingIn } from '../../src/model/instructions/chosen.js';
import { FIXED_NAMES } from '../../src/program/events/relations.js';
import { litmus, modelOf } from '../support/checker.js';

/** Witnesses are judged each by itself, whatever was judged before. */

const model = modelOf('rdma-tso');

function witnesses(structure: EventStructure): readonly Witness[] {
  const found: Witness[] = [];
  enumerateCandidates(structure, model, ({ witness }) => void found.push(witness), { limit: 60 });
  return found;
}

/** Mistakes that a witness can have, each at a place of its own. */
function damaged(witness: Witness, at: number): readonly Witness[] {
  const pick = <T>(list: readonly T[]): number => at % Math.max(1, list.length);
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => i !== pick(list));
  const turned = (list: readonly Pair[]): Pair[] =>
    list.map(([a, b], i) => (i === pick(list) ? [b, a] : [a, b]));
  const { choices, reads, rf, mo, guessed } = witness;
  const changed = (name: string, pairs: readonly Pair[]): Witness =>
    name in witness
      ? { ...witness, [name]: pairs }
      : { ...witness, guessed: { ...guessed, [name]: pairs } };
  return [
    { ...witness, choices: choices.map((c, i) => (i === pick(choices) ? 1 - c : c)) },
    { ...witness, reads: reads.map(([e, n], i) => [e, i === pick(reads) ? n + 1 : n] as const) },
    { ...witness, reads: without(reads) },
    ...['rf', 'mo', 'nfo'].flatMap((name) => {
      const pairs = pairsIn(witness, name);
      return [without(pairs), turned(pairs), [...pairs, ...pairs.slice(0, 1)]].map((wrong) =>
        changed(name, wrong),
      );
    }),
    { ...witness, rf: mo, mo: rf },
    changed('nfo', [...pairsIn(witness, 'nfo'), ...mo.slice(0, 1)]),
  ];
}

/** What an execution has under the model. */
const RELATIONS = [...FIXED_NAMES, ...varyingIn(model.instructions)];

/** What is said of a witness, for comparison. */
function said(verdict: WitnessJudgement): unknown {
  if ('wrong' in verdict) return verdict.wrong;
  const { events, execution, judgement } = verdict;
  return {
    events: events.map((e) => e.id),
    relations: RELATIONS.map((name) => [
      name,
      [...pairs(execution.relations.get(name)!)].join(' '),
    ]),
    axioms: judgement.axioms.map(({ axiom, holds }) => [axiom.name, holds]),
    flags: judgement.flags.map((f) => f.name),
  };
}

describe('a witness is judged', () => {
  test('alike by who has seen others and who has not', () => {
    let wrong = 0;
    let right = 0;
    fc.assert(
      fc.property(programs({ everything: true, instructions: 4 }), fc.nat(), (source, at) => {
        const structure = unroll(litmus(inBlocks(source)).program);
        const experienced = witnessVerifier(structure, model);
        for (const witness of witnesses(structure).slice(0, 6)) {
          for (const one of [witness, ...damaged(witness, at), witness]) {
            const expected = witnessVerifier(structure, model)(one);
            expect(said(experienced(one))).toEqual(said(expected));
            expect(said(verifyWitness(structure, model, one))).toEqual(said(expected));
            if ('wrong' in expected) wrong += 1;
            else right += 1;
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(Math.min(wrong, right)).toBeGreaterThan(100);
  });

  test('by the model that is asked about', () => {
    const text = 'RDMA t\nnode 1 { x = 0 }\nthread T on 1 { x := 1; a := x }';
    const structure = unroll(litmus(text).program);
    const [witness] = witnesses(structure);
    const axioms = (name: string): readonly string[] => {
      const verdict = verifyWitness(structure, modelOf(name), witness);
      if ('wrong' in verdict) throw new Error(verdict.wrong);
      return verdict.judgement.axioms.map(({ axiom }) => axiom.name);
    };
    const ofTso = ['messages', 'receives', 'failures', 'statuses', 'ib', 'ob'];
    expect(axioms('rdma-tso')).toEqual(ofTso);
    expect(axioms('sc')).not.toEqual(ofTso);
    expect(axioms('rdma-tso')).toEqual(ofTso);
  });
});

test('what is remembered is told apart by its key, and not remembered for ever', () => {
  let made = 0;
  const square = memo((n: number) => ((made += 1), n * n));
  expect([square('3', 3), square('3', 3), square('4', 4)]).toEqual([9, 9, 16]);
  expect(made).toBe(2);
  for (let n = 0; n < 20_000; n++) square(`${n}`, n);
  const before = made;
  expect(square('19999', 19_999)).toBe(19_999 ** 2);
  expect(made).toBe(before);
  square('3', 3);
  expect(made).toBe(before + 1);
});
