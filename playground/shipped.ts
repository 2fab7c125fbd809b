import type { Texts } from './question.js';
import type { Shipped } from './work.js';
import { OF_LINK } from './work.js';

/** What the build puts beside the page, for it to begin with. */
export interface Data {
  readonly models: Texts;
  /** The names of models that can be asked. */
  readonly asked: readonly string[];
  /** The bytes that loading Z3 takes. */
  readonly z3: number;
}

/** A program to begin with: its path in the corpus without its ending, and what it is about. */
export type Example = readonly [name: string, about: string];

/** The texts that come with the page. Programs are loaded when they are chosen. */
export class ShippedTexts implements Shipped {
  private readonly loaded = new Map<string, string>();
  private listed: Promise<readonly Example[]> | undefined;

  constructor(private readonly data: Data) {}

  program(name: string): string | undefined {
    return this.loaded.get(name);
  }

  model(name: string): string | undefined {
    return this.data.models[`models/${name}.cat`];
  }

  /** Loads a program, unless it is there, or was brought by a link. */
  async load(name: string): Promise<void> {
    if (name === OF_LINK || this.loaded.has(name)) return;
    const response = await fetch(`programs/${name}.txt`);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    this.loaded.set(name, await response.text());
  }

  /** Loads the list of programs, once. */
  examples(): Promise<readonly Example[]> {
    const load = async (): Promise<readonly Example[]> => {
      try {
        return (await (await fetch('examples.json')).json()) as readonly Example[];
      } catch (error) {
        this.listed = undefined;
        throw error;
      }
    };
    return (this.listed ??= load());
  }
}
