/**
 * Whatever a user gets wrong becomes a `Diagnostic`. Stages return diagnostics as values: exceptions are only for bugs
 * of Remora.
 */

/** A part of the text of one file: from `start` up to, but not including, `end`. Offsets count UTF-16 code units. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A mistake of a user: where it is, what is wrong, and, if there is a good guess, how to correct it. */
export interface Diagnostic {
  /** A warning: the file can be used, but most likely is not what the user meant. By default, an error. */
  readonly severity?: 'warning';
  readonly span: Span;
  readonly message: string;
  /** A guess or a remedy, such as "did you mean 'rf'?". */
  readonly hint?: string;
}

/**
 * A hint, or a function that finds it. To search many names for the one that a user meant takes long, and only the
 * first mistakes of a file are printed. So the search is put off until then.
 */
export type Hint = string | undefined | (() => string | undefined);

/** A mistake as a stage collects it, until `fail` or `withHints` makes it a diagnostic. */
export interface Mistake extends Omit<Diagnostic, 'hint'> {
  readonly hint?: Hint;
}

/** Takes a mistake that a stage has found, and lets the stage go on: so a user sees all mistakes at once. */
export type Report = (span: Span, message: string, hint?: Hint) => void;

/** A file as it was read: every span of a diagnostic points into one of these. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What a stage returns: its value, or at least one mistake that the user has to correct. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly Diagnostic[] };

/**
 * What a parser returns: as much of a file as it can read, and the mistakes in the rest. Editors use both. Whoever
 * needs the whole file calls `whole`.
 */
export interface Parsed<T> {
  /** The tree of the items without mistakes. Undefined if not even that can be made of the file. */
  readonly value: T | undefined;
  /** Empty if the whole file was read. Then there is a value. */
  readonly errors: readonly Diagnostic[];
}

/** The value of a file without mistakes, or else the mistakes. */
export function whole<T>({ value, errors }: Parsed<T>): Result<T> {
  return value === undefined || errors.length > 0 ? fail(errors) : ok(value);
}

/** Mistakes in order of place, each once. A family that is written out many times has the same mistake each time. */
export function mistakesInOrder<T extends Mistake>(diagnostics: readonly T[]): T[] {
  const seen = new Set<string>();
  const distinct = diagnostics.filter(({ span: { start, end }, message }) => {
    const key = `${start} ${end} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  return distinct.sort((a, b) => a.span.start - b.span.start);
}

/** Wraps a value as a successful result. */
export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** At most so many diagnostics are kept: a broken file may have a million, and nobody reads them all. */
const KEPT = 100;

/** Makes diagnostics of mistakes: finds their hints, if there are too many only for the first. */
export function withHints(mistakes: readonly Mistake[]): Diagnostic[] {
  return mistakes.map((mistake, i) => {
    const { hint, ...rest } = mistake;
    if (typeof hint !== 'function') return { ...mistake, hint };
    return i < KEPT ? { ...rest, hint: hint() } : rest;
  });
}

/**
 * A failed result with these mistakes, of which there must be at least one. If there are too many, only the first are
 * kept, and one more says how many are missing.
 */
export function fail<T>(errors: readonly Mistake[]): Result<T> {
  // The mistakes of a failed result may be passed in again. One of them is then the message with the count.
  if (errors.length <= KEPT + 1) return { ok: false, errors: withHints(errors) };
  const message = `${errors.length - KEPT} more errors are not shown`;
  const kept = [...errors.slice(0, KEPT), { span: errors[KEPT].span, message }];
  return { ok: false, errors: withHints(kept) };
}
