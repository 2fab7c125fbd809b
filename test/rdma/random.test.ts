import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Model } from '../../src/model/term.js';
import { defaultInstructions } from '../../src/node/models.js';
import { parseLitmus } from '../../src/node/tests.js';
import type { Program } from '../../src/program/program.js';
import type { RdmaInstruction } from '../../src/rdma/instructions.js';
import { viewed, viewsOf } from '../../src/rdma/instructions.js';
import type { UpdateKind } from '../../src/rdma/update.js';
import { operandsOfUpdate } from '../../src/rdma/update.js';
import { declaredPrograms, themesOf } from '../../src/rdma/random/declared.js';
import type { Theme } from '../../src/rdma/random/layout.js';
import { inBlocks, inColumns, programs } from '../../src/rdma/random/programs.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';
import { vocabularyOf } from '../../src/rdma/random/vocabulary.js';
import { countInstructions, printProgram } from '../../src/program/print.js';
import { keep, keepable } from '../../src/analyses/shrink/keep.js';
import { cat, modelOf } from '../support/checker.js';

/** The random programs that `agree` draws, and what shrinking makes of them. */

const EVERYTHING: ProgramShape = { everything: true, instructions: 5 };

function read(text: string, models: readonly Model[] = []): Program {
  const parsed = parseLitmus(text, 'input.litmus', models);
  if (!parsed.ok) throw new Error(`${parsed.errors[0].message}\n${text}`);
  return parsed.value.program;
}

const sampled = fc
  .sample(programs(EVERYTHING), { seed: 3, numRuns: 1000 })
  .map((source) => read(inBlocks(source)));

const all = (program: Program): readonly RdmaInstruction[] =>
  program.threads.flatMap((t) => [...viewsOf(t.body)]);

/** Everything but the places in the text. */
const bare = (program: Program): unknown =>
  JSON.parse(
    JSON.stringify(program, (key, value: unknown) => (key === 'span' ? undefined : value)),
  );

describe('a thousand programs', () => {
  test('every instruction occurs, with polls, with waits and with both', () => {
    const kinds = new Set(sampled.flatMap((p) => all(p).map((i) => i.kind)));
    expect([...kinds].sort()).toEqual(
      'assign assume cas choose get if loop mfence poll put rfence wait'.split(' '),
    );
    const completions = new Set(
      sampled.map((p) => {
        const has = (kind: RdmaInstruction['kind']) => all(p).some((i) => i.kind === kind);
        return `${has('poll') ? 'polls ' : ''}${has('wait') ? 'waits' : ''}`;
      }),
    );
    expect([...completions].sort()).toEqual(['', 'polls ', 'polls waits', 'waits']);
  });

  test.each<[string, (i: RdmaInstruction, p: Program) => boolean]>([
    ['a loop with a condition', (i) => i.kind === 'loop' && i.condition !== undefined],
    ['a loop without', (i) => i.kind === 'loop' && i.condition === undefined],
    ['a CAS into memory', (i) => i.kind === 'cas' && i.target.kind === 'location'],
    ['a CAS with registers', (i) => i.kind === 'cas' && i.expected.kind === 'register'],
    ['a put of a constant', (i, p) => i.kind === 'put' && p.locations[i.from].hidden === true],
    [
      'a put of private memory',
      (i, p) => i.kind === 'put' && p.locations[i.from].owner !== undefined,
    ],
    ['a get into it', (i, p) => i.kind === 'get' && p.locations[i.to].owner !== undefined],
    ['an operation with an identifier', (i) => i.kind === 'get' && i.work !== undefined],
    ['one without', (i) => i.kind === 'put' && i.work === undefined],
    [
      'branches inside branches',
      (i) => i.kind === 'if' && i.then.some((j) => j.kind === 'choose' || j.kind === 'if'),
    ],
  ])('there is %s', (_, is) => {
    expect(sampled.filter((p) => all(p).some((i) => is(i, p))).length).toBeGreaterThan(3);
  });

  test('several polls of one thread; two and three nodes; one to three threads', () => {
    const polls = sampled.map((p) =>
      Math.max(...p.threads.map((t) => t.body.filter((i) => viewed(i).kind === 'poll').length)),
    );
    expect(polls.filter((n) => n > 1).length).toBeGreaterThan(10);
    expect(new Set(sampled.map((p) => p.nodes.length))).toEqual(new Set([2, 3]));
    expect(new Set(sampled.map((p) => p.threads.length))).toEqual(new Set([1, 2, 3]));
  });

  test('at most five instructions a thread, but for what sets its names at the start', () => {
    const isStart = (i: RdmaInstruction): boolean =>
      i.kind === 'assign' && i.value.kind === 'int' && i.value.value === 0;
    const sizes = sampled.flatMap((p) =>
      p.threads.map((t) => {
        const rest = t.body.slice(t.body.findIndex((i) => !isStart(viewed(i))));
        return countInstructions({ ...p, threads: [{ ...t, body: rest }] });
      }),
    );
    expect(Math.max(...sizes)).toBe(5);
  });
});

describe('queue pairs with names, and loop-back', () => {
  const shape: ProgramShape = { ...EVERYTHING, queuePairs: true, loopBack: true };
  const drawn = fc
    .sample(programs(shape), { seed: 3, numRuns: 200 })
    .map((source) => read(inBlocks(source)));

  test.each<[string, (i: RdmaInstruction, node: string) => boolean]>([
    ['a get on a queue pair with a name', (i) => i.kind === 'get' && i.queuePair !== undefined],
    ['a poll of one', (i) => i.kind === 'poll' && i.queuePair !== undefined],
    ['a remote fence on one', (i) => i.kind === 'rfence' && i.queuePair !== undefined],
    ['a put on one without', (i) => i.kind === 'put' && i.queuePair === undefined],
    ['a put to the own node', (i, node) => i.kind === 'put' && i.node === node],
    ['a get from another one', (i, node) => i.kind === 'get' && i.node !== node],
  ])('there is %s', (_, is) => {
    const there = drawn.filter((p) =>
      p.threads.some((t) => [...viewsOf(t.body)].some((i) => is(i, t.node))),
    );
    expect(there.length).toBeGreaterThan(3);
  });
});

describe('atomics', () => {
  const drawn = fc
    .sample(programs({ ...EVERYTHING, atomics: true }), { seed: 3, numRuns: 200 })
    .map((source) => read(inBlocks(source)));

  type Is = (i: RdmaInstruction, p: Program) => boolean;
  const remote = (i: RdmaInstruction, kind: UpdateKind) =>
    i.kind === 'remote-atomic' && i.update.kind === kind
      ? { ...i, operand: operandsOfUpdate(i.update)[0].kind }
      : undefined;

  test.each<[string, Is]>([
    ...(['cas', 'faa', 'xchg'] as const).flatMap((kind): [string, Is][] => [
      [`a remote ${kind} with a number`, (i) => remote(i, kind)?.operand === 'int'],
      [`a remote ${kind} with a register`, (i) => remote(i, kind)?.operand === 'register'],
      [`a remote ${kind} with an identifier`, (i) => remote(i, kind)?.work !== undefined],
      [
        `a remote ${kind} into private memory`,
        (i, p) => p.locations[remote(i, kind)?.into ?? 0].owner === 0,
      ],
    ]),
    ['faa into a register', (i) => i.kind === 'faa' && i.target.kind === 'register'],
    ['xchg into memory', (i) => i.kind === 'xchg' && i.target.kind === 'location'],
  ])('there is %s', (_, is) => {
    expect(drawn.filter((p) => all(p).some((i) => is(i, p))).length).toBeGreaterThan(3);
  });
});

describe('what models declare', () => {
  const PUSH = `include "rdma-tso.cat" operation push(peer q) on q : PW ; nrR ; nlW ; nC`;
  const models = (...list: readonly string[]) =>
    list.map((name) => (name.includes('"') ? cat(name) : modelOf(name)));
  const themesUnder = (...list: readonly string[]) =>
    themesOf(vocabularyOf(models(...list), defaultInstructions()));

  test('is drawn where all models have it', () => {
    const all = ['tags', 'messages', 'shared', 'completions', 'places', 'words'];
    expect(themesUnder('rdma-tso')).toEqual(all);
    expect(themesUnder('rdma-nics', PUSH)).toEqual(all);
    expect(themesUnder(PUSH)).toEqual([...all, 'new']);
    expect(themesUnder('rdma-tso', 'rdma-srd')).toEqual(all.filter((one) => one !== 'messages'));
    // Its polls are not counted: waits are translated, and a completion queue has none.
    expect(themesUnder('rdma-wait')).toEqual(all.filter((one) => one !== 'completions'));
  });

  const drawn = (theme: Theme, model: string) => {
    const of = models(model);
    const vocabulary = vocabularyOf(of, defaultInstructions());
    return fc
      .sample(declaredPrograms(vocabulary, theme), {
        seed: 3,
        numRuns: theme === 'tags' ? 1000 : 300,
      })
      .map((source) => read(inBlocks(source), of));
  };

  test.each<[Theme, string, RegExp]>([
    ['tags', 'rdma-tso', /y\^2 :=\[unsignalled\] /],
    ['tags', 'rdma-tso', /\[inline\]\[unsignalled\]/],
    ['tags', 'rdma-tso', /rfaa \[unsignalled\]/],
    ['messages', 'rdma-tso', /send\(2, [^]*recv\(1\)/],
    ['messages', 'rdma-tso', /send \[inline\] \(2\.m, [^]*recv\(1\.m\)/],
    ['messages', 'rdma-tso', /:=\[imm\] /],
    ['messages', 'rdma-tso', /recv\(1\).*pollr\(1\)/],
    ['shared', 'rdma-tso', /qp s : T1, T2 -> 2[^]*poll\(2\.s\)/],
    ['completions', 'rdma-tso', /cq c \{ a, b \}[^]*poll\(c\)/],
    ['places', 'rdma-nics', /\[gpu\][^]*qp q1 : T1 -> 2 \[nearA\]/],
    ['places', 'rdma-unordered', /= 0 \[strict\]/],
    ['places', 'rdma-tso', /\[fallible\][^]*:= poll\(2\.q1\)/],
    ['words', 'rdma-tso', /\[\w, \w\]\^2 := \[/],
    ['words', 'rdma-tso', /\[\w, \w, \w\] := \[\w, \w, \w\]\^2/],
    ['new', PUSH, /push\(2\).*poll\(2\)/],
  ])('%s of %s: %s', (theme, model, found) => {
    const there = drawn(theme, model).filter((p) => found.test(printProgram(p)));
    expect(there.length).toBeGreaterThan(1);
  });

  test('is printed as it is meant', () => {
    for (const theme of themesUnder('rdma-tso')) {
      for (const program of drawn(theme, 'rdma-tso')) {
        const text = `RDMA t\n${printProgram(program)}`;
        expect(printProgram(read(text))).toBe(printProgram(program));
      }
    }
  });

  test('stays valid, whatever shrinking makes of it', () => {
    const vocabulary = vocabularyOf(models('rdma-tso'), defaultInstructions());
    let tried = 0;
    for (const theme of themesOf(vocabulary)) {
      const property = fc.property(declaredPrograms(vocabulary, theme), (source) => {
        read(inBlocks(source));
        tried += 1;
        return source.threads.flatMap((t) => t.body).length < 2;
      });
      for (let seed = 1; seed <= 5; seed++) fc.check(property, { seed });
    }
    expect(tried).toBeGreaterThan(100);
  });
});

test('columns mean what blocks mean', () => {
  for (const source of fc.sample(programs(EVERYTHING), { seed: 4, numRuns: 100 })) {
    expect(bare(read(inColumns(source)))).toEqual(bare(read(inBlocks(source))));
  }
});

test('whatever shrinking makes of them, programs resolve', () => {
  let tried = 0;
  const property = fc.property(programs({ ...EVERYTHING, atomics: true }), (source) => {
    read(inBlocks(source));
    tried += 1;
    // A failure that only goes away when hardly anything is left: the path down is long.
    return source.threads.flatMap((t) => t.body).length < 2;
  });
  for (let seed = 1; seed <= 20; seed++) fc.check(property, { seed });
  expect(tried).toBeGreaterThan(100);
});

test('what is printed is the same program', () => {
  for (const program of sampled) {
    const text = `RDMA t\n${printProgram(program)}`;
    expect(bare(read(text))).toEqual(bare(program));
    expect(printProgram(read(text))).toBe(printProgram(program));
  }
});

test('tags are printed where they can be read again, also with a work identifier', () => {
  const text =
    'RDMA t\nnode 1 { x = 0 }\nnode 2 { y = 0 }\n' +
    'thread T on 1 { r := 1; y^2 :=[inline] r; y^2 :=^d put [inline] (r + 1); wait(d) }\n';
  const printed = printProgram(read(text));
  expect(bare(read(`RDMA t\n${printed}`))).toEqual(bare(read(text)));
  expect(printed).toContain('y^2 :=[inline] r');
  expect(printed).toContain('y^2 :=^d put [inline] (r + 1)');
});

test('expressions, bounds and empty bodies are printed as they are meant', () => {
  const text =
    'RDMA t\nbound 2\nnode 1 { x = -1; y = 0 }\nnode n {}\n' +
    'thread T on 1 { a := -(x - (y - 1)) * 2; b := !(a = 1) && -a < 3 || a; b := - -1; loop {} }\n';
  const program = read(text);
  expect(bare(read(`RDMA t\n${printProgram(program)}`))).toEqual(bare(program));
});

test('to keep all is to keep the program; to keep less is not', () => {
  for (const program of sampled.slice(0, 300)) {
    const everything = Array.from({ length: keepable(program) }, () => true);
    expect(keep(program, everything)).toEqual(program);
    everything.forEach((_, at) => {
      const rest = everything.map((k, i) => k && i !== at);
      const less = keep(program, rest);
      expect(countInstructions(less)).toBeLessThanOrEqual(countInstructions(program));
      expect(printProgram(less)).not.toBe(printProgram(program));
    });
  }
});
