import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import { inProcess } from '../../src/analyses/in-process.js';
import { candidatesOf } from '../../src/analyses/tidy/candidates.js';
import { seenIn } from '../../src/analyses/tidy/seen.js';
import { tidy } from '../../src/analyses/tidy/tidy.js';
import { programWithout } from '../../src/analyses/tidy/trial.js';
import type { Engine } from '../../src/rdma/engines.js';
import { prepare } from '../../src/rdma/prepare.js';
import type { Model } from '../../src/model/term.js';
import type { Program, Subject, Test } from '../../src/program/program.js';
import { observedSubjects, subjectName } from '../../src/program/subjects.js';
import { declaredPrograms, themesOf } from '../../src/rdma/random/declared.js';
import { vocabularyOf } from '../../src/rdma/random/vocabulary.js';
import { defaultInstructions } from '../../src/node/models.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { modelOf, newSolver } from '../support/checker.js';
import { cases, few } from '../support/random.js';

/** What is said of random programs, found again in another way: by executions one by one, and by the machine of the model. */

const pool = inProcess({ solver: async () => newSolver, timeLimit: 5 });

/** The final states, or undefined if the engine does not tell all. */
async function statesBy(
  engine: Engine,
  test: Test,
  program: Program,
  model: Model,
  subjects: readonly Subject[],
): Promise<ReadonlySet<string> | undefined> {
  const prepared = prepare(program, model, engine);
  if (!prepared.ok) return undefined;
  const found = await pool.outcomes({
    ...{ kind: 'outcomes', counted: false, engine, models: [model], subjects, limit: 20_000 },
    test: { ...test, program: prepared.value.program },
  });
  const isAll = found.incomplete === undefined && found.upTo === undefined;
  return isAll ? new Set(found.states.map((s) => Object.values(s).join())) : undefined;
}

/** Two threads with accesses that are in an order only if something between them sees to it. */
const racing: fc.Arbitrary<string> = fc
  .tuple(
    thread(1, [
      ['y^2 := b', 'b := 2'],
      ['$ := x^2', 'y^2 := 1'],
      ['x^2 := 1', '$ := y^2'],
      ['b := 2', '$ := x^2'],
    ]),
    thread(2, [
      ['$ := y', 'x := 2'],
      ['x := 2', '$ := y'],
      ['$ := b^1', '$ := x'],
      ['b^1 := x', 'x := 2'],
    ]),
  )
  .map(
    ([one, two]) =>
      `RDMA t node 1 { b = 1 } node 2 { x = 0; y = 0 } thread T1 on 1 { ${one} } thread T2 on 2 { ${two} }`,
  );

/** One or two of these pairs, and what may order them. */
function thread(
  index: number,
  pairs: readonly (readonly [string, string])[],
): fc.Arbitrary<string> {
  const other = String(3 - index);
  const order = fc.constantFrom(`poll(${other})`, `poll(${other})`, `rfence(${other})`, 'mfence');
  const ordered = fc
    .tuple(fc.constantFrom(...pairs), fc.array(order, { minLength: 1, maxLength: 2 }))
    .map(([[first, last], orders]) => [first, ...orders, last]);
  return fc
    .array(ordered, { minLength: 1, maxLength: 2 })
    .map((parts) => body(parts.flat(), index));
}

/** The lines of a thread, each with a register of its own, without polls that have nothing to poll. */
function body(lines: readonly string[], thread: number): string {
  let open = 0;
  const enough = lines.filter((line) => {
    const isPoll = line.startsWith('poll');
    if (isPoll && open === 0) return false;
    open += isPoll ? -1 : line.includes('^') ? 1 : 0;
    return true;
  });
  return enough.map((line, i) => line.replace('$', `r${thread}${i}`)).join('; ');
}

/** A query about some of what there is, if not about all, so that reads are left that nobody uses. */
function asking(text: string, all: boolean): Test | undefined {
  const plain = parseLitmus(text);
  if (!plain.ok || all) return plain.ok ? plain.value : undefined;
  const named = observedSubjects(plain.value)
    .filter((_, i) => i % 2 === 0)
    .map((one) => `${subjectName(plain.value.program, one, true)} = 1`);
  const parsed = parseLitmus(`${text}\nexists (${named.join(' /\\ ') || 'true'})`);
  return parsed.ok ? parsed.value : undefined;
}

const MODELS = ['rdma-tso', 'rdma-ro', 'rdma-manpage'];

const anything = programs({ everything: true, threads: 2, instructions: 3, queuePairs: true }).map(
  inBlocks,
);

/** Messages, unsignalled work, shared queues, tags. */
const vocabulary = vocabularyOf(MODELS.map(modelOf), defaultInstructions());
const declared = fc
  .constantFrom(...themesOf(vocabulary))
  .chain((theme) => declaredPrograms(vocabulary, theme))
  .map(inBlocks);

const SECOND = ['enumerate', 'operational'] as const;

test('needless and needed as other engines have it', async () => {
  const counts = { needless: 0, needed: 0, reads: 0, together: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 3, arbitrary: racing },
        { weight: 1, arbitrary: anything },
        { weight: 1, arbitrary: declared },
      ),
      fc.constantFrom(...MODELS),
      fc.constantFrom(...SECOND),
      fc.boolean(),
      async (text, name, engine, all) => {
        const model = modelOf(name);
        const read = asking(text, all);
        if (read === undefined) return;
        const { subjects } = seenIn(read);
        const again = (program: Program) => statesBy(engine, read, program, model, subjects);
        const before = await again(read.program);
        if (before === undefined) return;
        const found = await tidy(pool, read, [model], { kept: 'outcomes', engine: 'search' });
        const candidates = candidatesOf(read);
        let tried = 0;
        for (const [i, { verdict, under, parts }] of found.judged.entries()) {
          // What is needless is many things.
          if (verdict === 'needless' && (tried += 1) > 2) continue;
          const after = await again(programWithout(read.program, [candidates[i]]));
          if (after === undefined || verdict === 'unknown') continue;
          counts[verdict] += 1;
          if (parts[0].text.includes(':=')) counts.reads += 1;
          if (verdict === 'needless') expect(after).toEqual(before);
          for (const one of under) {
            if (one.kind !== 'differs') continue;
            const state = Object.values(one.state!).join();
            expect([after.has(state), before.has(state)]).toEqual([
              one.isPossible,
              !one.isPossible!,
            ]);
          }
        }
        if (found.litmus === undefined) return;
        counts.together += 1;
        const left = parseLitmus(found.litmus);
        if (!left.ok) throw new Error(found.litmus);
        const rest = await statesBy(
          engine,
          left.value,
          left.value.program,
          model,
          seenIn(left.value).subjects,
        );
        if (rest !== undefined) expect(rest).toEqual(before);
      },
    ),
    { numRuns: cases(300), seed: 5 },
  );
  expect(counts.needless).toBeGreaterThanOrEqual(few(25));
  expect(counts.needed).toBeGreaterThanOrEqual(few(25));
  expect(counts.reads).toBeGreaterThanOrEqual(few(25));
});
