import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import vm from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import type { askWhy } from '../../src/analyses/ask/explain.js';
import type * as Verdicts from '../../src/core.js';
import type { explanationText } from '../../src/report/explain.js';
import type { drawSvg } from '../../src/report/picture/index.js';
import { ROOT } from '../support/run.js';

/** The core, explanations and pictures in a context that has what every browser has, and nothing of Node. */

const MODELS = Object.fromEntries(
  readdirSync(join(ROOT, 'models'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.cat'))
    .map((file) => [`models/${file}`, readFileSync(join(ROOT, 'models', file), 'utf8')]),
);

const SB = readFileSync(join(ROOT, 'corpus/tso/SB-flush.litmus'), 'utf8');

type Core = typeof Verdicts & {
  readonly askWhy: typeof askWhy;
  readonly explanationText: typeof explanationText;
  readonly drawSvg: typeof drawSvg;
};

let core: Core;
let files: Verdicts.ModelFiles;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './core.js';
        export { askWhy } from './analyses/ask/explain.js';
        export { explanationText } from './report/explain.js';
        export { drawSvg } from './report/picture/index.js';`,
      resolveDir: join(ROOT, 'src'),
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'remora',
  });
  const { text } = outputFiles[0];
  expect(text).not.toMatch(/require\(["']node:|from ["']node:/);
  // A context has the language, but not what browsers add to it.
  const context = vm.createContext({ performance, TextDecoder, TextEncoder });
  vm.runInContext(text, context);
  for (const name of ['process', 'require', 'Buffer', 'module']) {
    expect(vm.runInContext(`typeof ${name}`, context)).toBe('undefined');
  }
  core = vm.runInContext('remora', context) as Core;
  files = {
    paths: posix,
    folder: 'models',
    names: () =>
      readdirSync(join(ROOT, 'models')).flatMap((file) =>
        file.endsWith('.cat') ? [file.slice(0, -'.cat'.length)] : [],
      ),
    exists: (path) => path in MODELS,
    read: (path) => ({ ok: true, value: { path, text: MODELS[path] } }),
  };
});

function load(name: string): Verdicts.Model {
  const { model } = core.loadModelNamed(name, files);
  if (!model.ok) throw new Error(model.errors[0].message);
  return model.value;
}

function read(text: string): Verdicts.Test {
  const found = core.readTest(
    { path: 'input.litmus', text },
    load('rdma-tso').instructions,
    files.names(),
  );
  if (!found.ok) throw new Error(found.errors[0].message);
  return found.value;
}

describe('from texts, without Node and without Z3', () => {
  test.each(['auto', 'search', 'enumerate', 'operational'] as const)(
    'verdicts, by the engine %s',
    async (engine) => {
      const subject = read(SB);
      const models = ['rdma-tso', 'rdma-tso-nopcie'].map(load);
      const answers = await core.inProcess().decide({
        kind: 'decide',
        engine,
        models,
        tests: models.map((model) => {
          const prepared = core.prepare(subject.program, model, engine);
          if (!prepared.ok) throw new Error(prepared.errors[0].message);
          return { ...subject, program: prepared.value.program };
        }),
        queries: [0],
      });
      // As the TSO paper has it.
      expect(answers.map(([{ verdict }]) => verdict)).toEqual(['forbidden', 'allowed']);
    },
  );

  test('all final states', async () => {
    const subject = read(SB);
    const { states, incomplete } = await core.inProcess().outcomes({
      kind: 'outcomes',
      counted: false,
      engine: 'search',
      models: [load('rdma-tso')],
      test: subject,
      subjects: core.observedSubjects(subject),
    });
    expect(incomplete).toBeUndefined();
    expect(JSON.parse(JSON.stringify(states))).toEqual([
      { a: 0, b: 1 },
      { a: 1, b: 0 },
      { a: 1, b: 1 },
    ]);
  });

  test('an explanation, in words and drawn', async () => {
    const found = await core.askWhy(core.inProcess(), read(SB), [load('rdma-tso-nopcie')], 0, {
      engine: 'search',
    });
    if (!found.ok) throw new Error(found.errors[0].message);
    const { admitted, verdict } = found.value.models[0];
    expect(verdict).toBe('allowed');
    expect(core.explanationText(found.value)).toContain('SB-flush');
    expect(core.drawSvg(admitted!.graph)).toMatch(/^<svg[^]*<\/svg>\n?$/);
  });

  test('a mistake has its place', () => {
    const wrong = core.readTest(
      { path: 'input.litmus', text: 'RDMA t\nnod 1 { }' },
      load('rdma-tso').instructions,
      [],
    );
    if (wrong.ok) throw new Error('it was read');
    expect(core.renderDiagnostic(wrong.errors[0], new Map())).toMatch(/^input\.litmus: /);
  });

  test('an engine that needs Z3 says that there is none', async () => {
    const ask = core.askWhy(core.inProcess(), read(SB), [load('rdma-tso')], 0, { engine: 'smt' });
    await expect(ask).rejects.toThrow('there is no solver here');
  });
});
