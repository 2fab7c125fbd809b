import type { Lines } from './lines.js';

/** The subject of a proof, from its first lines. */
export interface Heading {
  readonly test: string;
  /** Digests of the texts of the program and its libraries, and of the model. */
  readonly program: string;
  readonly model: string;
  readonly modelDigest: string;
  /** Index of the query. */
  readonly query: number;
  /** The query, as in litmus files. */
  readonly asked: string;
  /** How often loops are unrolled that have no bound of their own. */
  readonly bound: number;
}

/** A heading, and the lines that give the numbers below it their meaning (listing.ts). */
export interface Head {
  readonly heading: Heading;
  readonly listing: readonly string[];
}

/** @param format the name of the format and its version */
export const headLines = (
  format: string,
  version: number,
  { heading, listing }: Head,
): readonly string[] => [
  `remora ${format} ${version}`,
  `test ${heading.test}`,
  `program ${heading.program}`,
  `model ${heading.model} ${heading.modelDigest}`,
  `query ${heading.query + 1} ${heading.asked}`,
  `bound ${heading.bound}`,
  ...listing,
];

/**
 * Reads the first lines of a proof.
 *
 * @param mark the prefix of each of its lines
 * @throws Refusal at the first line that is wrong
 */
export function headAt(lines: Lines, format: string, version: number, mark = ''): Head {
  const take = (pattern: string, what: string): RegExpExecArray =>
    lines.take(new RegExp(`^${mark}${pattern}$`), what);
  const [, found] = take(`remora ${format} (\\d{1,9})`, `'${mark}remora ${format}' and a version`);
  if (Number(found) !== version) {
    lines.refuseLast(`version ${found} of proofs: this Remora reads version ${version}`);
  }
  const [, test] = take('test (.*)', "'test' and a name");
  const [, program] = take('program (\\S+)', "'program' and a digest");
  const [, model, modelDigest] = take('model (.+) (\\S+)', "'model', a name and a digest");
  const [, query, asked] = take('query ([1-9]\\d{0,8}) (.*)', "'query', its number and its text");
  const [, bound] = take('bound ([1-9]\\d{0,8}|0)', "'bound' and a number");
  const listing: string[] = [];
  while (lines.next !== undefined && LISTED.test(lines.next.slice(mark.length)))
    listing.push(take('(.*)', 'what numbers mean')[1]);
  const about = { test, program, model, modelDigest, asked };
  return { heading: { ...about, query: Number(query) - 1, bound: Number(bound) }, listing };
}

/** A line of the listing: the head of a section, or an entry. */
const LISTED = /^(?:(?:events|registers|assumed|divisors|bounds|values)$| {2})/;
