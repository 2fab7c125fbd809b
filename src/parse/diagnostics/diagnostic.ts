/**
 * Everything that a user can get wrong is one `Diagnostic`. Stages return them as values;
 * exceptions are for bugs in Remora itself.
 */

/** Half-open range of offsets (UTF-16 code units) in the text of one file. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A user's mistake: where it is, what is wrong, and, if there is a good guess, how to correct it. */
export interface Diagnostic {
  /** A warning: the file can be used, but is probably not what the user meant. Without it, an error. */
  readonly severity?: 'warning';
  readonly span: Span;
  readonly message: string;
  /** A guess or a remedy, such as "did you mean 'rf'?". */
  readonly hint?: string;
}

/**
 * A hint, or how it is found. To look among many names for what a misspelt one may mean takes long, and of many
 * mistakes only the first are told.
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

/** What a stage returns: its value, or what the user has to correct (at least one diagnostic). */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly Diagnostic[] };

/**
 * What a parser returns: as much of a file as it could read, and what is wrong with the rest. An editor
 * uses both. Whoever needs the whole file asks `whole`.
 */
export interface Parsed<T> {
  /** What the items without mistakes say. Undefined where nothing can be made of the file. */
  readonly value: T | undefined;
  /** Empty if the whole file was read; there is a value then. */
  readonly errors: readonly Diagnostic[];
}

/** A file that was read as a whole, or else its mistakes. */
export function whole<T>({ value, errors }: Parsed<T>): Result<T> {
  return value === undefined || errors.length > 0 ? fail(errors) : ok(value);
}

/**
 * Diagnostics in order of place, each once: what is written out many times has the same mistakes each time.
 */
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

/** At most so many diagnostics are kept. A broken file may have a million, and nobody reads them all. */
const KEPT = 100;

/** Finds the hints of mistakes; of too many, only those of the first. */
export function withHints(mistakes: readonly Mistake[]): Diagnostic[] {
  return mistakes.map((mistake, i) => {
    const { hint, ...rest } = mistake;
    if (typeof hint !== 'function') return { ...mistake, hint };
    return i < KEPT ? { ...rest, hint: hint() } : rest;
  });
}

/**
 * Wraps mistakes (at least one) as a failed result. Of too many, only the first are kept, and a last
 * one says how many more there are.
 */
export function fail<T>(errors: readonly Mistake[]): Result<T> {
  // One is the line with the count: a failed result may be wrapped again.
  if (errors.length <= KEPT + 1) return { ok: false, errors: withHints(errors) };
  const message = `${errors.length - KEPT} more errors are not shown`;
  const kept = [...errors.slice(0, KEPT), { span: errors[KEPT].span, message }];
  return { ok: false, errors: withHints(kept) };
}
