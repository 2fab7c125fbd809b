import * as core from '../src/core.js';
import type { Focus, Mistake, Part, Question, ShownVerdict, Texts } from './question.js';

/** The names that messages give the page's texts. */
export const LITMUS = 'program.litmus';

/** Decides without Z3: there is none to load. */
const ENGINE = 'search';

/** Answers questions with the model files that it is given. */
export class PlaygroundEngine {
  private readonly files: core.ModelFiles;
  private readonly libraries: core.Libraries;
  private readonly pool = core.inProcess();

  constructor(private readonly texts: Texts) {
    this.files = filesOf(texts);
    this.libraries = new core.Libraries(this.files);
  }

  /** Loads what later questions may need, so that the page needs no network any more. */
  load(): Promise<void> {
    return core.loadAnalyses(['explain', 'fix', 'fix-runs']);
  }

  /** Everything about a question, part by part. Each part takes the time that it takes: whoever asks may stop in between, or end the thread. */
  async *ask(question: Question, focus: Focus): AsyncGenerator<Part> {
    const read = this.read(question);
    if ('mistakes' in read) {
      yield { kind: 'mistakes', mistakes: read.mistakes };
      return;
    }
    const { test, models, warnings } = read;
    const source = { path: LITMUS, text: question.litmus };
    yield await this.verdicts(test, models, warnings);
    const model = models[Math.min(focus.model, models.length - 1)];
    const query = Math.min(focus.query, test.queries.length - 1);
    yield await this.states(test, model);
    if (query < 0) return;
    const at = { model: models.indexOf(model), query };
    yield await this.explanation(test, model, at);
    if (test.models !== undefined) return;
    const fix = await core.askFix(this.pool, test, model, query, {
      costs: core.DEFAULT_COSTS,
      engine: ENGINE,
    });
    yield { kind: 'fix', focus: at, text: core.fixLines(fix, source).join('\n') };
  }

  private read(question: Question): Read | { readonly mistakes: readonly Mistake[] } {
    const loaded = question.models.map(({ name, text }) =>
      text === undefined
        ? core.loadModelNamed(name, this.files)
        : core.deciding(core.parseModel(text, `${name}.cat`, this.files)),
    );
    const wrong = loaded.flatMap(({ model, sources }) =>
      model.ok ? [] : model.errors.map((error) => mistake(error, sources, 'model')),
    );
    if (wrong.length > 0) return { mistakes: wrong };
    const models = loaded.flatMap(({ model }) => (model.ok ? [model.value] : []));
    const sets = [...models.map(({ instructions }) => instructions), this.instructions()];
    const { test, sources } = core.readTestOrClient(
      { path: LITMUS, text: question.litmus },
      {
        instructions: core.unionOf(sets.map(core.interned)),
        models: [...new Set([...this.files.names(), ...models.map(({ name }) => name)])],
        clients: { libraries: this.libraries },
      },
    );
    if (!test.ok) return { mistakes: test.errors.map((e) => mistake(e, sources, 'litmus')) };
    const warnings = (test.value.warnings ?? []).map((w) => mistake(w, sources, 'litmus'));
    return { test: test.value, models: test.value.models ?? models, warnings };
  }

  private instructions(): core.Model['instructions'] {
    const path = 'models/rdma.cat';
    const { model } = core.parseModel(this.texts[path], path, this.files);
    if (!model.ok) throw new Error(model.errors[0].message);
    return model.value.instructions;
  }

  private async verdicts(
    test: core.Test,
    models: readonly core.Model[],
    warnings: readonly Mistake[],
  ): Promise<Part> {
    const asked = test.queries.map((_, i) => i);
    const rows: (readonly ShownVerdict[])[] = [];
    for (const model of models) {
      const prepared = core.prepare(test.program, model, ENGINE);
      if (!prepared.ok) {
        const reason = prepared.errors.map(({ message }) => message).join('; ');
        rows.push(asked.map(() => ({ verdict: 'untranslatable', reason })));
        continue;
      }
      const tests = [{ ...test, program: prepared.value.program }];
      const job = {
        kind: 'decide',
        engine: ENGINE,
        models: [model],
        tests,
        queries: asked,
      } as const;
      const [answers] = await this.pool.decide(job);
      rows.push(
        answers.map(({ verdict, state, reason, upTo }) => ({
          verdict,
          ...(state && { state: core.showState(state) }),
          ...(reason !== undefined && { reason }),
          ...(upTo !== undefined && { upTo }),
        })),
      );
    }
    return {
      kind: 'verdicts',
      name: test.name,
      models: models.map(({ name }) => name),
      queries: test.queries.map((query, i) => ({
        text: core.showQuery(query),
        verdicts: rows.map((row) => row[i]),
      })),
      warnings,
    };
  }

  private async states(test: core.Test, model: core.Model): Promise<Part> {
    const prepared = core.prepare(test.program, model, ENGINE);
    const head = { kind: 'states', model: model.name } as const;
    if (!prepared.ok) return { ...head, states: [], incomplete: prepared.errors[0].message };
    const asked = { ...test, program: prepared.value.program };
    const { states, incomplete } = await this.pool.outcomes({
      kind: 'outcomes',
      counted: false,
      engine: ENGINE,
      models: [model],
      test: asked,
      subjects: core.observedSubjects(asked),
    });
    const shown = states.map((state) => core.showState(state));
    return { ...head, states: shown, ...(incomplete !== undefined && { incomplete }) };
  }

  private async explanation(test: core.Test, model: core.Model, focus: Focus): Promise<Part> {
    const found = await core.askWhy(this.pool, test, [model], focus.query, {
      engine: ENGINE,
      timelines: true,
    });
    if (!found.ok) return { kind: 'explanation', focus, text: found.errors[0].message };
    const [{ admitted, refuted, verdict }] = found.value.models;
    const shown = admitted ?? refuted?.ways?.shapes[0]?.way;
    const title = `${test.name}: ${found.value.question}: ${verdict}`;
    return {
      kind: 'explanation',
      focus,
      text: core.explanationText(found.value),
      ...(shown && { graph: core.drawSvg(shown.graph, { idPrefix: 'graph' }) }),
      ...(shown?.timeline && {
        timeline: core.drawTimelineSvg(shown.timeline, title, { idPrefix: 'timeline' }),
      }),
    };
  }
}

interface Read {
  readonly test: core.Test;
  readonly models: readonly core.Model[];
  readonly warnings: readonly Mistake[];
}

function mistake(
  error: core.Diagnostic,
  sources: Parameters<typeof core.renderDiagnostic>[1],
  kind: NonNullable<Mistake['in']>,
): Mistake {
  const { file, start, end } = error.span;
  const isOwn = kind === 'litmus' ? file === LITMUS : !file.startsWith('models/');
  const text = core.renderDiagnostic(error, sources);
  return { text, message: error.message, ...(isOwn && { in: kind, start, end }) };
}

/** Texts as files; paths have `/`. */
function filesOf(texts: Texts): core.ModelFiles {
  const named = (folder: string): readonly string[] =>
    Object.keys(texts)
      .filter((path) => path.startsWith(folder) && path.endsWith('.cat'))
      .map((path) => path.slice(folder.length, -'.cat'.length))
      .filter((name) => !name.includes('/'))
      .sort();
  const isLibrary = (name: string): boolean => /^library /m.test(texts[`models/lib/${name}.cat`]);
  return {
    paths: PATHS,
    folder: 'models',
    names: () => named('models/'),
    libraries: () => named('models/lib/').filter(isLibrary),
    exists: (path) => Object.hasOwn(texts, path),
    read: (path) =>
      Object.hasOwn(texts, path)
        ? { ok: true, value: { path, text: texts[path] } }
        : {
            ok: false,
            errors: [{ span: { file: path, start: 0, end: 0 }, message: 'there is no such file' }],
          },
  };
}

const PATHS: core.ModelFiles['paths'] = {
  basename: (path) => path.slice(path.lastIndexOf('/') + 1),
  dirname: (path) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'),
  join: (...parts) => PATHS.normalize(parts.filter((part) => part !== '').join('/')),
  normalize(path) {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
      else if (part !== '.' && part !== '') parts.push(part);
    }
    return parts.join('/') || '.';
  },
};
