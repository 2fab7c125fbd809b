import fc from 'fast-check';

/** Texts that are nearly right, or not right at all, for parsers to survive. */

/** What is put in somewhere: words and signs of both languages, numbers, and odd characters. */
const SNIPPETS = [
  ...'RDMA t|node 1 {|thread T on 1 {|T1@1|bound 2|bound 0|source "s"|note "|skip|mfence'.split(
    '|',
  ),
  ...'if (x) {|} else {|else if (|while (|loop {|choose {|} or {|assume(|CAS(|poll(2)'.split('|'),
  ...'rfence(2)|wait(d)|:=^d|exists (|~exists|forall|expect allowed under sc'.split('|'),
  ...'computed holds under rdma-tso|observed yes|true'.split('|'),
  ...'let r =|let rec|and r =|include "rdma.cat"|include "|acyclic|irreflexive|empty'.split(/\|/),
  ...['~', 'flag', 'show', 'unshow', 'as n', 'po', 'rf', 'lW', '[lR]', '0', '_', 'domain(', 'f(x)'],
  ...[
    '|',
    '||',
    '&',
    '&&',
    ';',
    ',',
    ':',
    ':=',
    '=',
    '==',
    '!=',
    '<',
    '>=',
    '+',
    '-',
    '*',
    '/',
    '%',
  ],
  ...['\\', '/\\', '\\/', '!', '^', '^-1', '@', '?', '(', ')', '[', ']', '{', '}', '"', "'", '++'],
  ...['#', '//', '(*', '*)', '\n', '\r', '\r\n', '\t', ' '],
  ...['1', '-1', '007', '9007199254740993', '9'.repeat(400), '1e9', '0x10', '1_000', '.5'],
  ...['x', 'y', 'z^2', 'a', 'T', '__proto__', 'constructor', 'toString', 'x'.repeat(300)],
  ...['\uFEFF', '\0', '\u001B[2J', '\uD800', '\uDC00', '\u{1F600}', '\u202E', '\u200D', '\u0301'],
  ...['\u00A0', '\u2028', '\u0085', 'é', 'ß', '中', '\uFFFD', '\uFFFF'],
] as const;

/** What is put in many times in a row, to nest or to repeat. */
const REPEATED = [
  '(',
  '((',
  '[',
  '{',
  '~',
  '-',
  '!',
  '(*',
  'if (x) { ',
  'else ',
  'x + ',
  'po;',
  '"',
];

export const snippet: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...SNIPPETS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...REPEATED), fc.integer({ min: 2, max: 60 }))
      .map(([piece, times]) => piece.repeat(times)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);

type Edit = (text: string) => string;

/** A place in a text of any length; it shrinks towards the start. */
const place = fc.nat(1_000_000);
const at = (text: string, where: number): number => where % (text.length + 1);

const cut = (text: string, from: number, length: number, put: string): string =>
  text.slice(0, from) + put + text.slice(from + length);

const words = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]/g) ?? [];

/** One mistake: a slip of the fingers, of an editor, or of a merge with another of the files. */
function edits(files: readonly string[]): fc.Arbitrary<Edit> {
  const short = fc.integer({ min: 1, max: 12 });
  const other = fc.constantFrom(...files);
  return fc.oneof(
    fc.tuple(place, short).map(
      ([p, n]): Edit =>
        (text) =>
          cut(text, at(text, p), n, ''),
    ),
    fc.tuple(place, place).map(([p, q]): Edit => (text) => {
      const [a, b] = [at(text, p), at(text, q)].sort((x, y) => x - y);
      return cut(text, a, b - a, '');
    }),
    fc.tuple(place, short, fc.integer({ min: 1, max: 5 })).map(([p, n, times]): Edit => (text) => {
      const from = at(text, p);
      return cut(text, from, 0, text.slice(from, from + n).repeat(times));
    }),
    fc.tuple(place, place).map(([p, q]): Edit => (text) => {
      const tokens = words(text);
      const [a, b] = [p % (tokens.length + 1), q % (tokens.length + 1)];
      [tokens[a], tokens[b]] = [tokens[b] ?? '', tokens[a] ?? ''];
      return tokens.join('');
    }),
    fc.tuple(place, snippet).map(
      ([p, put]): Edit =>
        (text) =>
          cut(text, at(text, p), 0, put),
    ),
    fc.tuple(place, snippet).map(([p, put]): Edit => (text) => {
      const tokens = words(text);
      tokens[p % (tokens.length + 1)] = put;
      return tokens.join('');
    }),
    fc.tuple(place, other, place).map(([p, end, q]): Edit => (text) => {
      return text.slice(0, at(text, p)) + end.slice(at(end, q));
    }),
    place.map(
      (p): Edit =>
        (text) =>
          text.slice(0, at(text, p)),
    ),
    fc.constant<Edit>((text) => text.replaceAll('\n', '\r\n')),
    fc.constant<Edit>((text) => text.replaceAll('\n', ' ')),
    fc.constant<Edit>((text) => text.trimEnd()),
  );
}

/** Files with one to four mistakes; the mistakes shrink away one by one. */
export function mutants(files: readonly string[]): fc.Arbitrary<string> {
  const mistakes = fc.array(edits(files), { minLength: 1, maxLength: 4 });
  return fc
    .tuple(fc.constantFrom(...files), mistakes)
    .map(([text, edits]) => edits.reduce((changed, edit) => edit(changed), text));
}

/** Words and signs in any order, after a beginning that lets some of them be read. */
export function soups(beginning: string): fc.Arbitrary<string> {
  const soup = fc.array(snippet, { maxLength: 25 }).map((parts) => parts.join(' '));
  return fc.tuple(fc.constantFrom('', beginning), soup).map(([head, rest]) => head + rest);
}

/** Bytes of any kind: noise, or a text with a few bytes changed. */
export function bytes(files: readonly string[]): fc.Arbitrary<Uint8Array> {
  const change = fc.tuple(place, fc.nat(255));
  return fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 3 }))
      .map(([text, changes]) => {
        const changed = new TextEncoder().encode(text);
        for (const [p, byte] of changes) changed[p % changed.length] = byte;
        return changed;
      }),
  );
}
