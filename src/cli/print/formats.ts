/** The formats of reports: which there are, and which of them each command writes. */

/** A format, whatever is written in it. */
export interface Format {
  /** Can parts of a report be left out? If not, `--quiet` is refused. */
  readonly partial: boolean;
  /** Can a report follow another on standard output? If not, `--watch` is refused. */
  readonly repeatable: boolean;
  /** Does a report say itself what an interruption left undone? If not, standard error does. */
  readonly tellsInterruption: boolean;
}

const FORMATS = {
  text: { partial: true, repeatable: true, tellsInterruption: true },
  table: { partial: true, repeatable: true, tellsInterruption: true },
  json: { partial: true, repeatable: true, tellsInterruption: true },
  markdown: { partial: false, repeatable: false, tellsInterruption: false },
  junit: { partial: false, repeatable: false, tellsInterruption: false },
  sarif: { partial: false, repeatable: false, tellsInterruption: false },
  github: { partial: true, repeatable: false, tellsInterruption: false },
  herd: { partial: false, repeatable: false, tellsInterruption: false },
} as const satisfies { readonly [name: string]: Format };

export type FormatName = keyof typeof FORMATS;

export const formatNamed = (name: FormatName): Format => FORMATS[name];

/** The formats that each command writes its results in. The first is its default. */
const WRITTEN = {
  check: ['text', 'table', 'json', 'junit', 'sarif', 'github'],
  explore: ['text', 'json'],
  test: ['table', 'markdown', 'json', 'junit', 'sarif', 'github'],
  compare: ['table', 'json'],
  outcomes: ['text', 'json', 'herd'],
  explain: ['text', 'json', 'markdown'],
  robust: ['text', 'markdown', 'json'],
  agree: ['text', 'json'],
  instructions: ['text', 'json'],
  refine: ['text', 'json'],
} as const satisfies { readonly [command: string]: readonly FormatName[] };

/** A command that reports results. */
export type Reporting = keyof typeof WRITTEN;

/** A format of a command. */
export type FormatOf<C extends Reporting> = (typeof WRITTEN)[C][number];

/** For each format of a command, the function that makes a report of its results. */
export type Reporters<C extends Reporting, Results> = {
  readonly [name in FormatOf<C>]: (results: Results) => string;
};

/** The formats that a command writes, its default first. */
export const formatsOf = <C extends Reporting>(command: C): readonly FormatOf<C>[] =>
  WRITTEN[command];

/** Does a command write a format? */
export const writes = <C extends Reporting>(command: C, name: FormatName): name is FormatOf<C> =>
  (WRITTEN[command] as readonly FormatName[]).includes(name);

/** The format that was asked for, or else the default of a command. Options accept only formats that it writes. */
export function chosen<C extends Reporting>(command: C, asked?: FormatName): FormatOf<C> {
  const name: FormatName = asked ?? WRITTEN[command][0];
  if (!writes(command, name)) throw new Error(`${command} does not write the format ${name}`);
  return name;
}

/** Formats with an option of their own name, where `--reporter` names formats. */
export const SHORT_FORMATS = ['json', 'markdown', 'herd'] as const satisfies readonly FormatName[];

/** How a format is asked for, where `--reporter` names formats. */
export const spelling = (name: FormatName): string =>
  (SHORT_FORMATS as readonly FormatName[]).includes(name) ? `--${name}` : `--reporter ${name}`;

/** What `robust` says if its table is asked for along with another format, or with an option that does not go with it. */
export const TABLE_ALONE =
  '--table is all there is: it does not go with --prefixes, --outcomes, --static, --json or pictures';
