import * as core from '../src/core.js';
import type { CPart } from './c-part.js';
import type { Decider } from './decided.js';
import { decided } from './decided.js';
import type { Asked as Explaining } from './explained.js';
import { InC } from './in-c.js';
import { C, LITMUS, isCText, isLitmusText, nameOf } from './recognised.js';
import type {
  AboutInstruction,
  Asked,
  AskedModel,
  Longer,
  Mistake,
  Part,
  Question,
  ShownVerdict,
  Texts,
} from './question.js';
import { shownName } from './question.js';

/** Seconds for what an engine watches itself: for less than the page waits, so that what was found by then is told. */
const SECONDS = 10;

/** Answers questions with the model files that it is given. */
export class PlaygroundEngine {
  private readonly texts: Record<string, string>;
  private readonly files: core.ModelFiles;
  private client: core.ReadContext['client'] | undefined;
  /** As on the command line, but that nobody is asked where the search gives up. */
  private readonly search: Decider = {
    engine: 'auto',
    pool: core.inProcess({ solver: async () => undefined, timeLimit: SECONDS }),
  };
  private readonly z3: Decider;

  /**
   * @param loadZ3 is called when Z3 is first needed, which is after it was asked for
   * @param loadC is called when a program is C
   */
  constructor(
    texts: Texts,
    loadZ3: NonNullable<Parameters<typeof core.inProcess>[0]>['solver'],
    private readonly loadC: () => Promise<CPart>,
  ) {
    this.z3 = { engine: 'smt', pool: core.inProcess({ solver: loadZ3 }) };
    this.texts = { ...texts };
    this.files = filesOf(this.texts);
  }

  /** Everything about a question, part by part. Each part takes the time that it takes: whoever asks may stop in between, or end the thread. */
  async *ask({ question, focus, asksZ3, longer }: Asked): AsyncGenerator<Part> {
    const fabrics = question.onFabrics === true ? await import('./fabrics.js') : undefined;
    const asked = fabrics?.modelsOnFabrics(question) ?? question.models;
    const c = isCText(question.litmus) ? await this.startC() : undefined;
    const litmus = c?.withHead({ path: C, text: question.litmus });
    if (litmus !== undefined) yield { kind: 'headed', text: litmus };
    const text = litmus ?? question.litmus;
    const gaps = c?.gaps({ path: C, text }) ?? [];
    if (gaps.length > 0) {
      yield { kind: 'gaps', gaps };
      return;
    }
    await this.startReaders({ ...question, litmus: text });
    const read = this.read({ ...question, litmus: text, models: asked });
    if ('mistakes' in read) {
      yield { kind: 'mistakes', mistakes: read.mistakes };
      return;
    }
    const { test, source, models } = read;
    const by = asksZ3 ? this.z3 : this.search;
    const inC =
      c &&
      new InC(
        c,
        read.source,
        (other) => this.read({ ...question, litmus: other, models: asked }),
        by,
      );
    if (fabrics !== undefined) {
      const names = asked.map(({ name }) => name);
      yield* fabrics.askFabrics({ ...read, names }, by, inC);
      return;
    }
    const model = models[Math.min(focus.model, models.length - 1)];
    const query = Math.min(focus.query, test.queries.length - 1);
    const at = { model: models.indexOf(model), query };
    const told = { source, model, focus: at, test: inC?.withLines(test) ?? test };
    if (longer !== undefined) {
      yield await this.longer(longer, told, by, inC);
      return;
    }
    const verdicts = await this.verdicts(read, by);
    yield verdicts;
    // What is undecided has no reason but the one that is beside it.
    const isOpen = query < 0 || verdicts.queries[query].verdicts[at.model].verdict === 'unknown';
    if (!isOpen) yield await (await import('./explained.js')).explained(told, by);
  }

  private async longer(
    longer: Longer,
    asked: Explaining,
    by: Decider,
    inC: InC | undefined,
  ): Promise<Part> {
    if (longer.kind === 'states') return this.states(asked, by);
    // One script for all of it: what they have in common would be in many small ones.
    const part = await import('./longer.js');
    switch (longer.kind) {
      case 'fix':
        return part.fixed(asked, by, inC);
      case 'another':
        return part.anotherOf(longer, asked, by);
      case 'reads':
        return part.readsOf(asked, by);
      case 'changed':
        return part.changedOf(longer, asked, by);
      case 'beside': {
        const { model, program } = longer;
        const litmus = program?.litmus ?? asked.source.text;
        if (isCText(litmus)) await this.startC();
        const other = { litmus, models: [model] };
        await this.startReaders(other);
        const read = this.read(other);
        return part.besides(asked, program?.name, read, by);
      }
    }
  }

  /** What the instruction at a place does. Of a text that cannot be read, nothing is known. */
  async about(question: Question, at: number): Promise<AboutInstruction | undefined> {
    const text = question.litmus;
    if (isCText(text)) return undefined;
    await this.startReaders(question);
    const read = this.read(question);
    if ('mistakes' in read) return undefined;
    const { callAt } = await import('../src/editor/call-at.js');
    const call = callAt(read.test.program, read.source.path, at);
    return call && { text: call.text, start: call.span.start, end: call.span.end };
  }

  /** Loads what reads the text, as far as not all texts need it. */
  private async startReaders({ litmus: text, models }: Question): Promise<void> {
    if (models.some((model) => model.text !== undefined) && !this.files.exists(HERD))
      Object.assign(this.texts, await load('herd.json'));
    if (/\buses\b/.test(text) && this.client === undefined) {
      Object.assign(this.texts, await load('libraries.json'));
      const { clientReader } = await import('./clients-part.js');
      this.client = clientReader(this.files);
    }
    if (isLitmusText(text) || isCText(text)) return;
    const { herdReader } = await import('./herd-part.js');
    core.setHerdReader(herdReader(await load('isas.json')));
  }

  private async startC(): Promise<CPart> {
    const c = await this.loadC();
    core.setCReader(c.read);
    return c;
  }

  private read(question: Question): Read | { readonly mistakes: readonly Mistake[] } {
    const loaded = question.models.map((model) => this.load(model));
    const wrong = loaded.flatMap(({ model, sources }) =>
      model.ok ? [] : model.errors.map((error) => mistake(error, sources, 'model')),
    );
    if (wrong.length > 0) return { mistakes: wrong };
    const models = loaded.flatMap(({ model }) => (model.ok ? [model.value] : []));
    const sets = [...models.map(({ instructions }) => instructions), this.instructions()];
    const source = { path: nameOf(question.litmus), text: question.litmus };
    const { test, sources } = core.readTestOrClient(source, {
      instructions: core.instructionUnion(sets.map(core.interned)),
      models: [
        ...new Set([...core.expectedNames(this.files), ...question.models.map(({ name }) => name)]),
      ],
      client: this.client ?? noReader,
    });
    if (!test.ok) return { mistakes: test.errors.map((e) => mistake(e, sources, 'litmus')) };
    const warnings = (test.value.warnings ?? []).map((w) => mistake(w, sources, 'litmus'));
    return { test: test.value, source, models: test.value.models ?? models, warnings };
  }

  /** A text of the reader's own goes by another name than the file that comes with Remora, and lies in no folder of it. */
  private load(model: AskedModel): core.LoadedModel {
    if (model.text === undefined) return core.loadModelNamed(model.name, this.files);
    const file = `${PATHS.basename(shownName(model, this.texts))}.cat`;
    return core.deciding(core.parseModel(model.text, file, this.files));
  }

  private instructions(): core.Model['instructions'] {
    const path = 'models/rdma.cat';
    const { model } = core.parseModel(this.texts[path], path, this.files);
    if (!model.ok) throw new Error(model.errors[0].message);
    return model.value.instructions;
  }

  private async verdicts(
    { test, source, models, warnings }: Read,
    by: Decider,
  ): Promise<Extract<Part, { kind: 'verdicts' }>> {
    const rows: (readonly ShownVerdict[])[] = [];
    for (const model of models) {
      const { answers, untranslatable: reason } = await decided(test, source, model, by);
      rows.push(
        test.queries.map((_, query) =>
          reason === undefined
            ? shownVerdict(
                answers.find((answer) => answer.query === query),
                model,
              )
            : { verdict: 'untranslatable', reason },
        ),
      );
    }
    return {
      kind: 'verdicts',
      name: test.name,
      ...(test.question !== undefined && { asks: test.question }),
      models: models.map(({ name }) => name),
      queries: test.queries.map((query, i) => ({
        text: core.showQuery(query),
        ...(query.label !== undefined && { label: query.label }),
        verdicts: rows.map((row) => row[i]),
      })),
      warnings,
      open: rows.flat().some(({ reason }) => reason === core.GAVE_UP),
      // Programs that are asked about runs alone go round for ever.
      ends: test.queries.length === 0 || test.queries.some(core.isStateQuery),
    };
  }

  private async states({ test, model }: Explaining, { engine, pool }: Decider): Promise<Part> {
    const prepared = core.prepare(test.program, model, engine);
    const head = { kind: 'states', model: model.name, open: false } as const;
    if (!prepared.ok) return { ...head, states: [], incomplete: prepared.errors[0].message };
    const asked = { ...test, program: prepared.value.program };
    const { states, incomplete } = await pool.outcomes({
      kind: 'outcomes',
      counted: false,
      engine,
      models: [model],
      test: asked,
      subjects: core.observedSubjects(asked),
    });
    const shown = states.map((state) => core.showState(state));
    if (incomplete === undefined) return { ...head, states: shown };
    return { ...head, states: shown, incomplete, open: incomplete === core.GAVE_UP };
  }
}

/** What models that are written for herd7 include. Only the reader's own may be. */
const HERD = 'models/herd.cat';

/** Loads texts that lie beside the page. */
const load = async (name: string): Promise<Texts> => (await fetch(name)).json() as Promise<Texts>;

const noReader = (): never => {
  throw new Error('a client is read before its reader is there');
};

/** Queries about runs have no answer under a model without a machine: one of the reader's own, say. */
function shownVerdict(
  answer: Awaited<ReturnType<core.Pool['decide']>>[number][number] | undefined,
  { name }: core.Model,
): ShownVerdict {
  if (answer === undefined) {
    return { verdict: 'no answer', reason: `${name} has no machine` };
  }
  const { verdict, state, reason, upTo } = answer;
  return {
    verdict,
    ...(state && { state: core.showState(state) }),
    ...(reason !== undefined && { reason }),
    ...(upTo !== undefined && { upTo }),
  };
}

export interface Read {
  readonly test: core.Test;
  readonly source: core.SourceFile;
  readonly models: readonly core.Model[];
  readonly warnings: readonly Mistake[];
}

function mistake(
  error: core.Diagnostic,
  sources: Parameters<typeof core.renderDiagnostic>[1],
  kind: NonNullable<Mistake['in']>,
): Mistake {
  const { file, start, end } = error.span;
  const isOwn = kind === 'litmus' ? [LITMUS, C].includes(file) : !file.startsWith('models/');
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
    names: () => [...named('models/'), ...named('models/fabrics/')].sort(),
    cpus: () => named('models/cpu/'),
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
