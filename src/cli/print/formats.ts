/** The formats of reports. Which of them a command writes, its reporters say. */

/** A format, whatever is written in it. */
export interface FormatTraits {
  /** Can parts of a report be left out? If not, `--quiet` is refused. */
  readonly partial?: true;
  /** Can a report follow another on standard output? If not, `--watch` is refused. */
  readonly repeatable?: true;
  /** Does a report say itself what an interruption left undone? If not, standard error does. */
  readonly tellsInterruption?: true;
  /** Where `--reporter` names formats: what help says of the option that has the name of this one. */
  readonly option?: string;
}

/** What help says of `--json`. */
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

/** Formats with an option of their own name, where `--reporter` names formats. */
export const SHORT_FORMATS = (Object.keys(FORMATS) as FormatName[]).filter(
  (name) => formatNamed(name).option !== undefined,
);

/** How a format is asked for, where `--reporter` names formats. */
export const spelling = (name: FormatName): string =>
  SHORT_FORMATS.includes(name) ? `--${name}` : `--reporter ${name}`;
