import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import { enumerate } from '../../src/check/decide.js';
import type { Program, Subject, Test } from '../../src/program/program.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { exploreFinals } from '../../src/rdma/explore/finals.js';
import { EXPLORED_MODELS } from '../../src/rdma/explore/hardware.js';
import { OPERATIONAL_MODELS, exploreOutcomes, unsupported } from '../../src/rdma/machines/index.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { adapt } from '../../src/rdma/translate.js';
import { adapted, modelOf, newSolver } from '../support/checker.js';
import { litmus } from '../support/litmus.js';

/** The exploration without bounds, compared with the machines that it is a fast form of, and under SC with the solver. */

const hasLoop = ({ threads }: Program): boolean =>
  threads.some(({ body }) => [...instructionsOf(body)].some((i) => i.kind === 'loop'));

const corpus: readonly Test[] = readdirSync('corpus', { recursive: true, encoding: 'utf8' })
  .filter((f) => f.endsWith('.litmus') && !f.startsWith('locks') && !f.startsWith('cells'))
  .sort()
  .flatMap((f) => {
    const parsed = parseLitmus(readFileSync(join('corpus', f), 'utf8'), f);
    if (!parsed.ok) throw new Error(`${f}: ${parsed.errors[0].message}`);
    const program = adapt(parsed.value.program, modelOf('rdma-tso'));
    return program.ok ? [{ ...parsed.value, program: program.value.program }] : [];
  });

const straight = corpus.filter((t) => !hasLoop(t.program) && unsupported(t.program).length === 0);
/** Where only atomics are performed in another way, programs without them are no different. */
const withAtomics = straight.filter((t) => t.file.startsWith('rmw'));

const random = (shape: Parameters<typeof programs>[0], numRuns: number): readonly Test[] =>
  fc.sample(programs(shape), { seed: 23, numRuns }).map((source) => litmus(inBlocks(source)));

/** More than these programs can fill. */
const ROOM = 16;

/** All subjects, and then only some, so that what is left out can be passed over. */
const selections = (program: Program): readonly (readonly Subject[])[] => {
  const all = allSubjects(program);
  return [all, all.filter((s) => s.kind === 'register'), all.filter((_, i) => i % 2 === 0)];
};

/** Whether the two could be compared: the machines may be too slow for a program. */
function expectSame(t: Test, model: string): boolean {
  const hardware = OPERATIONAL_MODELS.get(model)!;
  const all = allSubjects(t.program);
  const known = exploreOutcomes(t.program, hardware, { subjects: all });
  if (known.incomplete?.startsWith('state limit')) return false;
  for (const subjects of selections(t.program)) {
    const found = exploreFinals(t.program, hardware, subjects, ROOM);
    const { name } = t;
    expect({ name, reason: found.incomplete }).toEqual({ name, reason: known.incomplete });
    if (found.incomplete !== undefined) return true;
    const names = subjects.map((s) => subjectName(t.program, s));
    const states = known.states.map((state) => names.map((n) => state[n]).join());
    expect({
      name,
      states: found.states.map((state) => names.map((n) => state[n]).join()).sort(),
    }).toEqual({
      name,
      states: [...new Set(states)].sort(),
    });
    expect(found.full).toEqual([]);
  }
  return true;
}

describe.each([...OPERATIONAL_MODELS])(
  'final states under %s are those of the machine',
  (model, { atomics }) => {
    test('on programs of the corpus without loops', () => {
      const some = straight.filter((_, i) => i % 3 === 0);
      for (const t of atomics === undefined ? some : withAtomics) {
        expect(expectSame(t, model)).toBe(true);
      }
      expect(straight.length).toBeGreaterThan(100);
      expect(withAtomics.length).toBeGreaterThan(80);
    });

    test('on random programs', () => {
      const shape = { instructions: 4, threads: 2, atomics: true };
      const others = { ...shape, queuePairs: true, loopBack: true };
      const drawn = [
        ...random({ instructions: 3 }, 8),
        ...[...random(shape, 8), ...random(others, 8)].map((t) => adapted(t, modelOf(model))),
      ];
      expect(drawn.filter((t) => expectSame(t, model)).length).toBeGreaterThan(20);
    });
  },
);

test('final states under SC are those of the solver', () => {
  const hardware = EXPLORED_MODELS.get('sc')!;
  const some = straight.filter((_, i) => i % 5 === 0);
  const drawn = random({ instructions: 3, threads: 2, atomics: true }, 15);
  for (const t of [...some, ...drawn.map((d) => adapted(d, modelOf('sc')))]) {
    const subjects = allSubjects(t.program);
    const found = exploreFinals(t.program, hardware, subjects, ROOM);
    if (found.incomplete !== undefined) continue;
    const solved = enumerate(t, modelOf('sc'), newSolver, subjects);
    expect({ name: t.name, states: found.states }).toEqual({ name: t.name, states: solved.states });
  }
});
