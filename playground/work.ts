import type { AskedModel, Question } from './question.js';

/** What is chosen where a link brings the program. */
export const OF_LINK = '';

/** The texts that come with the page, by name. */
export interface Shipped {
  program(name: string): string | undefined;
  model(name: string): string | undefined;
}

/** What somebody has on the page, as data that a browser keeps. */
export interface Kept {
  /** The name of the program in the editor. */
  readonly chosen: string;
  /** Programs that are not as they were, by name, and the one that a link brought. */
  readonly programs: readonly Named[];
  /** Models that are not as they were. */
  readonly models: readonly Named[];
  /** The names of those that are asked. */
  readonly asked: readonly string[];
  /** Whether fabrics are asked in their place. */
  readonly onFabrics?: boolean;
}

/** A text and its name. */
type Named = readonly [name: string, text: string];

/** What somebody has on the page. No edit is lost by choosing something else: it is there when one comes back. */
export class Work {
  private chosen: string;
  private readonly programs: Map<string, string>;
  private readonly models: Map<string, string>;
  private names: readonly string[];
  /** Whether it is asked on which fabrics the program is safe. */
  onFabrics: boolean;

  constructor(
    private readonly shipped: Shipped,
    { chosen, programs, models, asked, onFabrics = false }: Kept,
  ) {
    this.onFabrics = onFabrics;
    this.chosen = chosen;
    this.programs = new Map(programs);
    this.models = new Map(models);
    this.names = asked;
  }

  /** What a link brings. */
  static ofLink(shipped: Shipped, { litmus, models, onFabrics }: Question): Work {
    const work = new Work(shipped, {
      chosen: OF_LINK,
      programs: [[OF_LINK, litmus]],
      models: [],
      asked: [...new Set(models.map(({ name }) => name))],
      onFabrics,
    });
    for (const { name, text } of models) if (text !== undefined) work.setModel(name, text);
    return work;
  }

  kept(): Kept {
    const { chosen, programs, models, names: asked, onFabrics } = this;
    return { chosen, programs: [...programs], models: [...models], asked, onFabrics };
  }

  question(): Question {
    return {
      litmus: this.litmus(),
      models: this.names.map((name) => this.askedModel(name)),
      ...(this.onFabrics && { onFabrics: true }),
    };
  }

  /** The name of the program in the editor. */
  get program(): string {
    return this.chosen;
  }

  /** Whether a link brought a program: then it is there to be chosen. */
  get hasLink(): boolean {
    return this.programs.has(OF_LINK);
  }

  choose(program: string): void {
    this.chosen = program;
  }

  /** The text of the program in the editor. */
  litmus(): string {
    return this.textOf(this.chosen);
  }

  /** The text of a program, as far as it is loaded. */
  textOf(program: string): string {
    return this.programs.get(program) ?? this.shipped.program(program) ?? '';
  }

  setLitmus(text: string): void {
    keepOther(this.programs, this.chosen, text, this.shipped.program(this.chosen));
  }

  /** Takes back the edits of the program in the editor. */
  resetLitmus(): void {
    if (this.chosen !== OF_LINK) this.programs.delete(this.chosen);
  }

  /** Whether a program that comes with the page is not as it was. */
  isEdited(program: string): boolean {
    return program !== OF_LINK && this.programs.has(program);
  }

  /** The names of the models that are asked. */
  get asked(): readonly string[] {
    return this.names;
  }

  ask(names: readonly string[]): void {
    this.names = names;
  }

  /** The names of the reader's own models: changed ones, and those of a link. */
  get ownModels(): readonly string[] {
    return [...this.models.keys()];
  }

  /** A model as it is asked: with its text, if it is the reader's own. */
  askedModel(name: string): AskedModel {
    const text = this.models.get(name);
    return text === undefined ? { name } : { name, text };
  }

  modelText(name: string): string {
    return this.models.get(name) ?? this.shipped.model(name) ?? '';
  }

  setModel(name: string, text: string): void {
    keepOther(this.models, name, text, this.shipped.model(name));
  }

  resetModel(name: string): void {
    if (this.shipped.model(name) !== undefined) this.models.delete(name);
  }
}

/** Keeps a text that is not as it was. */
function keepOther(
  texts: Map<string, string>,
  name: string,
  text: string,
  was: string | undefined,
): void {
  if (text === was) texts.delete(name);
  else texts.set(name, text);
}

/** Keeps it with the entry of the browser's history that is shown: a reload, and the way back to it, find it there. */
export function keep(work: Work): void {
  const key = keyOfEntry() ?? `work ${sessionStorage.length}`;
  if (keyOfEntry() === undefined) history.replaceState({ work: key }, '');
  sessionStorage.setItem(key, JSON.stringify(work.kept()));
}

/** What is kept with the entry that is shown. */
export function kept(): Kept | undefined {
  const key = keyOfEntry();
  const text = key === undefined ? null : sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Kept);
}

const keyOfEntry = (): string | undefined => (history.state as { work: string } | null)?.work;
