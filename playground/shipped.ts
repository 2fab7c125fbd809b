import type { Texts } from './question.js';
import type { Shipped } from './work.js';

/** What the build puts beside the page. */
export interface Data {
  readonly models: Texts;
  /** The names of models that can be asked. */
  readonly asked: readonly string[];
  /** Programs to begin with, by folder: engineers' questions first. */
  readonly programs: readonly {
    readonly folder: string;
    readonly name: string;
    /** C programs have none: they are loaded when they are chosen. */
    readonly text?: string;
  }[];
  /** The bytes that loading Z3 takes. */
  readonly z3: number;
}

export const nameOf = ({ folder, name }: Data['programs'][number]): string => `${folder}/${name}`;

/** The texts that come with the page. */
export class ShippedTexts implements Shipped {
  private readonly programs: ReadonlyMap<string, string | undefined>;
  private readonly loaded = new Map<string, string>();

  constructor(private readonly data: Data) {
    this.programs = new Map(data.programs.map((one) => [nameOf(one), one.text]));
  }

  program(name: string): string | undefined {
    return this.programs.get(name) ?? this.loaded.get(name);
  }

  model(name: string): string | undefined {
    return this.data.models[`models/${name}.cat`];
  }

  /** Whether the page has to load a program first. */
  isAway(name: string): boolean {
    return this.programs.has(name) && this.program(name) === undefined;
  }

  async load(name: string): Promise<void> {
    const response = await fetch(`c/${name}.c`);
    if (!response.ok) throw new Error(`${name}.c: ${response.status}`);
    this.loaded.set(name, await response.text());
  }
}
