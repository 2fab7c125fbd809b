import type { StreamParser } from '@codemirror/language';
import { DECLARATION_WORDS } from '../src/parse/declaration-words.js';
import { CAT_KEYWORDS, ITEM_WORDS, LITMUS_KEYWORDS } from '../src/parse/keywords.js';

/** The colours of both languages: words, numbers, texts and comments. It knows no grammar, and has the words of the parsers. */

/**
 * @param name a name
 * @param remark what begins a comment up to the end of the line
 * @param nests are there comments in parentheses and stars, which nest?
 */
function parser(
  words: readonly string[],
  name: RegExp,
  remark: RegExp,
  nests: boolean,
): StreamParser<{ depth: number }> {
  const keywords = new Set(words);
  return {
    startState: () => ({ depth: 0 }),
    token(stream, state) {
      if (state.depth > 0 || (nests && stream.match('(*'))) {
        if (state.depth === 0) state.depth = 1;
        while (!stream.eol()) {
          if (stream.match('(*')) state.depth += 1;
          else if (stream.match('*)')) {
            state.depth -= 1;
            if (state.depth === 0) break;
          } else stream.next();
        }
        return 'comment';
      }
      if (stream.eatSpace()) return null;
      if (stream.match(remark)) {
        stream.skipToEnd();
        return 'comment';
      }
      if (stream.match(/^"[^"]*"?/)) return 'string';
      if (stream.match(/^-?\d+/)) return 'number';
      const word = stream.match(name) as RegExpMatchArray | null;
      if (word !== null) {
        if (keywords.has(word[0])) return 'keyword';
        // What is called.
        return stream.peek() === '(' ? 'typeName' : 'variableName';
      }
      stream.next();
      return 'operator';
    },
  };
}

/** Words that are keywords in some places only. */
const ELSEWHERE = [
  ...ITEM_WORDS,
  ...['assert', 'under', 'of', 'critical', 'at', 'allowed', 'forbidden', 'holds', 'fails'],
];

export const LITMUS = parser(
  ['RDMA', ...LITMUS_KEYWORDS, ...ELSEWHERE],
  /^[A-Za-z_][\w.]*(?:-[a-z][\w.]*)*/,
  /^#/,
  false,
);

export const CAT = parser(
  [...CAT_KEYWORDS, ...DECLARATION_WORDS],
  /^[A-Za-z_][\w.'-]*/,
  /^(?:\/\/|#)/,
  true,
);
