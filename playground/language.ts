import type { StreamParser } from '@codemirror/language';
import { DECLARATION_WORDS } from '../src/parse/declaration-words.js';
import { CAT_KEYWORDS, ITEM_WORDS, LITMUS_KEYWORDS } from '../src/parse/keywords.js';

/** The colours of all languages: words, numbers, texts and comments. It knows no grammar, and has the words of the parsers. */

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

/** C, as far as a page needs it that has no grammar of it. */
export const C: StreamParser<{ inComment: boolean }> = {
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match('/*')) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return 'comment';
    if (stream.match(/^#\s*\w+/)) return 'keyword';
    if (stream.match(/^"(?:\\.|[^"\\])*"?|^'(?:\\.|[^'\\])*'?/)) return 'string';
    if (stream.match(/^\d\w*/)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word === null) {
      stream.next();
      return 'operator';
    }
    if (WORDS_OF_C.test(word[0])) return 'keyword';
    return stream.peek() === '(' ? 'typeName' : 'variableName';
  },
};

const WORDS_OF_C =
  /^(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_\w+|u?int\d+_t|size_t)$/;

export const CAT = parser(
  [...CAT_KEYWORDS, ...DECLARATION_WORDS],
  /^[A-Za-z_][\w.'-]*/,
  /^(?:\/\/|#)/,
  true,
);
