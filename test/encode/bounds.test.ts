import { modelFor } from '../../src/program/occasions.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { computeBounds } from '../../src/encode/bounds/bounds.js';
import type { Bound } from '../../src/encode/bounds/domain.js';
import { exclude } from '../../src/encode/bounds/exclude.js';
import type { Bounds } from '../../src/encode/bounds/bounds.js';
import { edgesOfProduct } from '../../src/encode/bounds/product.js';
import { derivedValueSets } from '../../src/encode/bounds/values.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { FIXED_RELATIONS } from '../../src/program/events/relations.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { INITIAL } from '../../src/program/events/structure.js';
import { unroll } from '../../src/program/events/unroll.js';
import { planAxioms } from '../../src/model/automaton.js';
import type { Model } from '../../src/model/term.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import { fixedRelations } from '../../src/program/events/fixed.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { models } from '../support/cats.js';
import { SHIPPED, cat, litmus, modelOf } from '../support/checker.js';
import { cases, few } from '../support/random.js';

/** What is known before anything is solved: whether it is true, and how much it is. */

function boundsOf(structure: EventStructure, model: Model): Bounds | undefined {
  const result = computeBounds(structure, model);
  return result.ok ? result.bounds : undefined;
}

/** Expects an execution to lie within the bounds. */
function expectWithin(
  structure: EventStructure,
  model: Model,
  bounds: Bounds,
  { events, execution, run }: Verified,
): void {
  const ids = events.map((e) => e.id);
  const concrete = evaluate(model, execution);
  const without = (a: m.BitRel, b: m.BitRel) => [...m.pairs(m.diffRel(a, b))];
  const outside: unknown[] = [];
  model.terms.forEach((term, id) => {
    // Variables of `let rec` have their meaning inside only.
    if (model.groups.some((g) => id >= g.start && id < g.end)) return;
    // A set is compared as its identity.
    const rel = term.kind === 'set' ? m.identity(concrete.set(id)) : concrete.rel(id);
    const [may, must] = (['may', 'must'] as const).map((side) =>
      m.restrict(
        term.kind === 'set' ? m.identity(bounds.terms.set(id)[side]) : bounds.terms.rel(id)[side],
        ids,
      ),
    );
    const [beyond, missing] = [without(rel, may), without(must, rel)];
    if (beyond.length + missing.length > 0) outside.push({ term, beyond, missing });
  });
  expect(outside).toEqual([]);
  structure.values.forEach((v, id) => {
    if (v.op !== 'read' || !run.executed(v.event)) return;
    expect(bounds.values[id]).toContain(run.value(id));
  });
}

/** Expects what an execution chooses to lie within narrower bounds. */
function expectNarrower(
  narrower: ReadonlyMap<string, Bound<m.BitRel>>,
  { events, execution }: Verified,
): void {
  const ids = events.map((e) => e.id);
  for (const [name, { may, must }] of narrower) {
    const chosen = execution.relations.get(name)!;
    const beyond = m.diffRel(chosen, m.restrict(may, ids));
    const missing = m.diffRel(m.restrict(must, ids), chosen);
    expect({ name, beyond: [...m.pairs(beyond)], missing: [...m.pairs(missing)] }).toEqual({
      name,
      beyond: [],
      missing: [],
    });
  }
}

describe('hold in every execution', () => {
  let narrowed = 0;
  const check = (program: string, model: Model): number => {
    const structure = unroll(litmus(program).program);
    const bounds = boundsOf(structure, model);
    if (bounds === undefined) return 0;
    const narrower = exclude(structure, model, bounds.base, bounds.terms);
    if (narrower.size > 0) narrowed += 1;
    let seen = 0;
    const visit = (verified: Verified): void => {
      expectWithin(structure, model, bounds, verified);
      expectNarrower(narrower, verified);
      seen += 1;
    };
    enumerateCandidates(structure, model, visit, { limit: 50 });
    return seen;
  };

  test.each([false, true])('under the models that are shipped (branches: %s)', (branches) => {
    let seen = 0;
    fc.assert(
      fc.property(programs({ branches, instructions: 3 }), (source) => {
        for (const name of SHIPPED) seen += check(inBlocks(source), modelOf(name));
      }),
      { numRuns: 5 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  test.each([false, true])('under random models (branches: %s)', (branches) => {
    let seen = 0;
    fc.assert(
      fc.property(programs({ branches, instructions: 3 }), models, (source, text) => {
        seen += check(inBlocks(source), cat(text));
      }),
      { numRuns: cases(60) },
    );
    expect(seen).toBeGreaterThan(few(100));
    expect(narrowed).toBeGreaterThan(50);
  });

  test('derived values are those of executions', () => {
    fc.assert(
      fc.property(programs({ branches: true, everything: true, instructions: 4 }), (source) => {
        const structure = unroll(litmus(inBlocks(source)).program);
        const model = modelOf('rdma-tso');
        const { may } = boundsOf(structure, model)!.base.relations.get('rf')!;
        const derived = derivedValueSets(structure, may);
        if (!derived.ok) return;
        const visit = ({ run }: Verified): void => {
          structure.values.forEach((v, id) => {
            if (v.op !== 'read' || !run.executed(v.event)) return;
            expect(derived.sets[id]).toContain(run.value(id));
          });
        };
        enumerateCandidates(structure, model, visit, { limit: 50 });
      }),
      { numRuns: cases(40) },
    );
  });
});

test('relations that events fix are those of their definitions', () => {
  fc.assert(
    fc.property(programs({ everything: true }), fc.nat(), (source, kept) => {
      const all = unroll(litmus(inBlocks(source)).program).events;
      const events = all.filter((e) => e.thread === INITIAL || (e.id + kept) % 5 !== 0);
      const relation = fixedRelations(events);
      for (const [name, test] of FIXED_RELATIONS) {
        const pairs = events.flatMap((a, i) =>
          events.flatMap((b, j) => (test(a, b) ? [[i, j] as const] : [])),
        );
        expect([...m.pairs(relation(name))]).toEqual(pairs);
      }
      expect(() => relation('rf')).toThrow("'rf'");
    }),
  );
});

describe('graphs of axioms', () => {
  const stepsIn = (text: string) => {
    const model = cat(text);
    const [{ automaton }] = planAxioms(model).acyclic;
    const name = (id: number): string => {
      const term = model.terms[id];
      return term.op === 'base' ? term.name : term.op;
    };
    return edgesOfProduct(automaton).map(({ from, to, terms, before, after }) =>
      [
        `${from}→${to}`,
        ...before.map((id) => `[${name(id)}]`),
        terms.map(name).join('|'),
        ...after.map((id) => `[${name(id)}]`),
      ].join(' '),
    );
  };

  test('have no states that are only gone through', () => {
    expect(stepsIn('acyclic [lW] ; rf ; [lR] | mo')).toEqual(['0→0 mo', '0→0 [lW] rf [lR]']);
    expect(stepsIn('acyclic [lW] ; [CAS] ; rf')).toEqual(['0→0 [lW] [CAS] rf']);
    expect(stepsIn('acyclic [lW] | po')).toEqual(['0→0 po', '0→0 [lW] ']);
    // Between two relations there is a state for what has gone one step.
    expect(stepsIn('acyclic rf ; mo')).toEqual(['0→1 rf', '1→0 mo']);
    expect(stepsIn('acyclic rf ; mo? ; [lW]')).toEqual(['0→2 rf', '2→0 mo [lW]', '2→0 [lW] ']);
  });

  test('have three nodes an event under RDMA^TSO: in ib, in ob, and between the parts of an atomic', () => {
    const body = 'x^2 := 1; a := rcas(x^2, 0, 1); poll(2); b := x^2; poll(2); rfence(2)';
    const text = `RDMA t node 1 {} node 2 { x = 0 } thread T on 1 { ${body} }`;
    const { program } = litmus(text);
    const [{ automaton }] = planAxioms(modelFor(program, modelOf('rdma-tso'))).acyclic;
    expect(new Set(edgesOfProduct(automaton).map((step) => step.from)).size).toBe(3);
  });

  test('are there as far as they have cycles', () => {
    const structure = unroll(litmus(FAMILIES.sbringget(4)).program);
    const { products } = boundsOf(structure, modelOf('rdma-tso'))!;
    const nodes = products.flatMap((p) => p.components.flatMap((c) => c.nodes));
    expect(nodes.length).toBeGreaterThan(0);
    for (const [event] of nodes) expect(structure.events[event].thread).not.toBe(INITIAL);
    const alone = unroll(litmus('RDMA t\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }').program);
    expect(boundsOf(alone, modelOf('rdma-tso'))!.products.flatMap((p) => p.components)).toEqual([]);
  });
});

test('what would close a cycle of sure steps is out', () => {
  const structure = unroll(litmus(FAMILIES.sbringget(4)).program);
  const open = (model: Model | undefined): number => {
    const result = computeBounds(structure, model);
    if (!result.ok) throw new Error(result.reason);
    const { may, must } = result.bounds.base.relations.get('nfo')!;
    return [...m.pairs(m.diffRel(may, must))].length;
  };
  expect(open(undefined)).toBe(16);
  expect(open(modelOf('rdma-tso'))).toBe(0);
});

describe('guesses in branches', () => {
  /** How many pairs a guess may have, and how many it must have. */
  const pairsOf = (body: string, guess: string): readonly number[] => {
    const text = `RDMA t node 1 { x = 0 } node 2 { y = 0 } thread T on 1 { ${body} }`;
    const { may, must } = computedFor(text).relations.get(guess)!;
    return [may, must].map((side) => [...m.pairs(side)].length);
  };
  const computedFor = (text: string) => {
    const result = computeBounds(unroll(litmus(text).program), undefined);
    if (!result.ok) throw new Error(result.reason);
    return result.bounds.base;
  };

  test('what exclude each other have no order', () => {
    expect(pairsOf('y^2 := x; a := y^2', 'nfo')).toEqual([4, 0]);
    expect(pairsOf('choose { y^2 := x } or { a := y^2 }', 'nfo')).toEqual([0, 0]);
  });

  test('what comes later is no partner of a poll', () => {
    expect(pairsOf('y^2 := x; poll(2)', 'pf')).toEqual([1, 1]);
    expect(pairsOf('choose { y^2 := x } or { skip } poll(2); y^2 := x', 'pf')).toEqual([1, 1]);
  });
});

describe('conditions and counters', () => {
  const NODES = 'RDMA t\nnode 1 { x = 0; y = 0 }\n';
  /** The lines of what is written, that the reads of a location may read from, under SC. */
  const sources = (threads: string, lastIteration = false): readonly (readonly number[])[] => {
    const structure = unroll(litmus(NODES + threads).program, 3, {
      leavable: lastIteration ? ['lR'] : [],
    });
    const { values, base } = boundsOf(structure, modelOf('sc'))!;
    const { may } = base.relations.get('rf')!;
    const { events, program } = structure;
    const ofX = events.filter((e) => e.reads && program.locations[e.location!].name === 'x');
    return ofX.map((r) => {
      const writes = events.filter((w) => m.related(may, w.id, r.id));
      return writes.flatMap((w) => values[w.value!]).sort();
    });
  };
  const WRITES = 'thread T on 1 { x := 1; x := 2; x := 3; y := 1 }\n';

  test('a read reads what its condition lets it read', () => {
    expect(sources(`${WRITES} thread U on 1 { a := x }`)).toEqual([[0, 1, 2, 3]]);
    expect(sources(`${WRITES} thread U on 1 { assume(x > 1) }`)).toEqual([[2, 3]]);
    expect(sources(`${WRITES} thread U on 1 { a := x; assume(!(a = 3) && a != 0) }`)).toEqual([
      [1, 2],
    ]);
    expect(sources(`${WRITES} thread U on 1 { while (x != 3) { skip } }`, true)).toEqual([[3]]);
  });

  test('what holds on some paths only says nothing of the others', () => {
    expect(sources(`${WRITES} thread U on 1 { if (y) { assume(x > 2) } }`)).toEqual([[3]]);
    expect(sources(`${WRITES} thread U on 1 { a := x; if (y) { assume(a > 2) } }`)).toEqual([
      [0, 1, 2, 3],
    ]);
    expect(
      sources(`${WRITES} thread U on 1 { choose { a := x } or { a := 5 } assume(a > 2) }`),
    ).toEqual([[0, 1, 2, 3]]);
  });

  test('a condition on two reads, or a division by what is read, says nothing', () => {
    expect(sources(`${WRITES} thread U on 1 { assume(x > 1 + y) }`)).toEqual([[0, 1, 2, 3]]);
    expect(sources(`${WRITES} thread U on 1 { a := x; assume(6 / a > 2) }`)).toEqual([[0, 1, 2]]);
  });

  test('what remains narrows what comes from it', () => {
    const threads =
      'thread T on 1 { x := 1; x := 2 } thread U on 1 { a := x; assume(a > 1); y := a } thread V on 1 { b := y }';
    const structure = unroll(litmus(NODES + threads).program);
    const { values } = boundsOf(structure, modelOf('sc'))!;
    expect(values[structure.registers[2][0]]).toEqual([0, 2]);
  });

  test('what is always copied from the same write is a constant', () => {
    expect(
      sources('thread T on 1 { x := 1; x := y } thread U on 1 { a := x; assume(a > 0) }'),
    ).toEqual([[1]]);
  });

  test('a counter goes as far as there are writes that count it', () => {
    const structure = unroll(litmus(FAMILIES.spin(6)).program);
    const { values } = boundsOf(structure, modelOf('rdma-tso'))!;
    const { registers } = structure.program.threads[0];
    expect(values[structure.registers[0][registers.indexOf('a')]]).toEqual([0, 1, 2]);
    const long = (n: number) => Array.from({ length: n }, () => 'x := x + 1').join('; ');
    const two = unroll(
      litmus(`${NODES} thread T on 1 { ${long(2)} } thread U on 1 { ${long(3)} }`).program,
    );
    const sets = boundsOf(two, modelOf('sc'))!.values;
    const reads = two.values.flatMap((value, id) => (value.op === 'read' ? sets[id] : []));
    expect(Math.max(...reads)).toBe(5);
  });
});
