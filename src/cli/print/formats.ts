/** The formats of reports. The reporters of a command say which of them it writes. */

/** Properties of a format. */
export interface FormatTraits {
  /** Can parts of a report be left out? If not, `--quiet` is refused. */
  readonly partial?: true;
  /** Can a report follow another on standard output? If not, `--watch` is refused. */
  readonly repeatable?: true;
  /** Does a report say itself what an interruption left undone? If not, standard error does. */
  readonly tellsInterruption?: true;
  /**
   * The help of the option with the format's name, for commands with `--reporter`. Without it there is no such option.
   */
  readonly option?: string;
}

/** The help of `--json`. */
export const JSON_TEXT = 'one JSON object a line';

const FORMATS = {
  text: { partial: true, repeatable: true, tellsInterruption: true },
  table: { partial: true, repeatable: true, tellsInterruption: true },
  json: { partial: true, repeatable: true, tellsInterruption: true, option: JSON_TEXT },
  markdown: { option: 'the table of test as Markdown' },
  junit: {},
  sarif: {},
  github: { partial: true },
  herd: { option: "herd7's log format, for mcompare7; one model only" },
} as const satisfies { readonly [name: string]: FormatTraits };

export type FormatName = keyof typeof FORMATS;

export const formatNamed = (name: FormatName): FormatTraits => FORMATS[name];

/** For each format that a command writes, the function that makes a report of its results. */
export type Reporters<F extends FormatName, Results> = {
  readonly [name in F]: (results: Results) => string;
};

/** Formats with an option of their own name, in commands with `--reporter`. */
export const SHORT_FORMATS = (Object.keys(FORMATS) as FormatName[]).filter(
  (name) => formatNamed(name).option !== undefined,
);

/** How a format is asked for on the command line, in commands with `--reporter`. */
export const spelling = (name: FormatName): string =>
  SHORT_FORMATS.includes(name) ? `--${name}` : `--reporter ${name}`;
