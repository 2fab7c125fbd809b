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

/** A user's mistake: where it is, what is wrong, and, if there is a good guess, how to mend it. */
export interface Diagnostic {
  /** What keeps nothing from being done, and is hardly meant; without it, an error. */
  readonly severity?: 'warning';
  readonly span: Span;
  readonly message: string;
  /** A guess or a remedy, such as "did you mean 'rf'?". */
  readonly hint?: string;
}

/** A file as it was read: every span of a diagnostic points into one of these. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What a stage returns: its value, or what the user has to mend (at least one diagnostic). */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly Diagnostic[] };

/** Wraps a value as a successful result. */
export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** How many diagnostics are kept: nobody reads more, and a broken file may have a million. */
const KEPT = 100;

/** Wraps diagnostics (at least one) as a failed result; in place of too many is one that counts them. */
export function fail<T>(errors: readonly Diagnostic[]): Result<T> {
  // One more is no longer than the count, and a result may be wrapped again.
  if (errors.length <= KEPT + 1) return { ok: false, errors };
  const message = `${errors.length - KEPT} more errors are not shown`;
  return { ok: false, errors: [...errors.slice(0, KEPT), { span: errors[KEPT].span, message }] };
}
