import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { openSession } from '../../src/check/session.js';
import { structureFor } from '../../src/check/structure.js';
import { cyclesFor } from '../../src/encode/acyclicity/choice.js';
import { computeBounds } from '../../src/encode/bounds/bounds.js';
import { encode } from '../../src/encode/encode.js';
import { stateQuery } from '../../src/program/program.js';
import { modelOver } from '../../src/program/events/narrow.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import { litmus, modelOf } from '../support/checker.js';

/** What docs/engines.md says of its examples. */

const document = readFileSync('docs/engines.md', 'utf8');

test('the clauses and edges of the example, and how it ends', () => {
  const text = /```\n(RDMA MP\n[^`]*)```/.exec(document)![1];
  const example = litmus(text);
  const { program } = example;
  const model = modelOf('rdma-tso');
  const structure = structureFor(program, model) as EventStructure;
  const needed = modelOver(structure, model);
  const result = computeBounds(structure, needed);
  if (!result.ok) throw new Error(result.reason);
  const search = new ClauseSearch(Infinity);
  const clauses: string[] = [];
  const edges: (readonly [number, number, number?])[] = [];
  const { condition, formula } = encode(
    structure,
    result.bounds,
    needed,
    (clause) => {
      clauses.push(clause.map((lit) => (lit < 0 ? `¬${-lit}` : `${lit}`)).join(' ∨ '));
      search.addClause(clause);
    },
    cyclesFor('difference', (...less) => {
      edges.push(less);
      search.addLess(...less);
    }),
  );
  const asked = formula.assumption(condition(stateQuery(example, 0).condition));

  const said = /^1 ∨ 2 .*$/m.exec(document)![0].split(/ {2,}/);
  expect(clauses.map(sorted).sort()).toEqual(said.map(sorted).sort());
  // Nodes as the encoding numbers them; the state in the middle of `[Inst];ib` at B is one with B in the document.
  const name = ['P', 'Q', 'A', 'B', 'B', 'y0', 'x0'];
  const drawn = edges.map(([a, b, lit]) => `${name[a]} → ${name[b]} ${lit ?? 'sure'}`);
  const told = [...document.matchAll(/^(?:edges)? +(\w+ → \w+) .*?(sure|literal \d)/gm)];
  expect(new Set(drawn.filter((edge) => !edge.startsWith('B → B')))).toEqual(
    new Set(told.map(([, edge, when]) => `${edge} ${when.replace('literal ', '')}`)),
  );
  expect(search.check([asked])).toEqual({ kind: 'unsat', core: [5] });
});

const sorted = (clause: string): string => clause.split(' ∨ ').sort().join(' ∨ ');

test('what literals rule out saves conflicts on a ring buffer', () => {
  const ring = litmus(FAMILIES.ringbuffer(16));
  const conflicts = [undefined, Infinity].map((hard) => {
    const search = new ClauseSearch(Infinity, hard);
    const session = openSession(ring.program, modelOf('rdma-tso'), () => search, {
      acyclicity: 'difference',
    });
    if ('reason' in session) throw new Error(session.reason);
    expect(session.find(session.encoding.condition(stateQuery(ring, 0).condition)).kind).toBe(
      'none',
    );
    return search.conflicts;
  });
  expect(conflicts[0]).toBeLessThan(conflicts[1] / 5);
});
