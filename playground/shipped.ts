import type { Texts } from './question.js';
import type { Shipped } from './work.js';

/** What the build puts beside the page. */
export interface Data {
  readonly models: Texts;
  /** The names of models that can be asked. */
  readonly asked: readonly string[];
  /** Programs to begin with, by their paths in the corpus: engineers' questions first. They are loaded when they are chosen. */
  readonly programs: readonly string[];
  /** The bytes that loading Z3 takes. */
  readonly z3: number;
}

/** What programs are called: their paths without endings. */
export const nameOf = (path: string): string => path.replace(/\.\w+$/, '');

/** The texts that come with the page. */
export class ShippedTexts implements Shipped {
  private readonly paths: ReadonlyMap<string, string>;
  private readonly loaded = new Map<string, string>();

  constructor(private readonly data: Data) {
    this.paths = new Map(data.programs.map((path) => [nameOf(path), path]));
  }

  program(name: string): string | undefined {
    return this.loaded.get(name);
  }

  model(name: string): string | undefined {
    return this.data.models[`models/${name}.cat`];
  }

  /** Loads a program, unless it is there or none of the page's. */
  async load(name: string): Promise<void> {
    const path = this.paths.get(name);
    if (path === undefined || this.loaded.has(name)) return;
    const response = await fetch(`programs/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    this.loaded.set(name, await response.text());
  }
}
