import type { StreamParser } from '@codemirror/language';

/** The colours of both languages: words, numbers, texts and comments. It knows no grammar. */

interface Words {
  readonly keyword: readonly string[];
  readonly builtin: readonly string[];
}

/**
 * @param name a name
 * @param remark what begins a comment up to the end of the line
 * @param nests are there comments in parentheses and stars, which nest?
 */
function parser(
  words: Words,
  name: RegExp,
  remark: RegExp,
  nests: boolean,
): StreamParser<{ depth: number }> {
  const [keywords, builtins] = [new Set(words.keyword), new Set(words.builtin)];
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
        return builtins.has(word[0]) ? 'typeName' : 'variableName';
      }
      stream.next();
      return 'operator';
    },
  };
}

export const LITMUS = parser(
  {
    keyword: [
      ...[
        'RDMA',
        'source',
        'question',
        'note',
        'bound',
        'node',
        'thread',
        'on',
        'qp',
        'uses',
        'ghosts',
      ],
      ...[
        'symmetric',
        'assume',
        'assert',
        'if',
        'else',
        'while',
        'loop',
        'choose',
        'or',
        'skip',
        'exists',
      ],
      ...[
        'forall',
        'not',
        'filter',
        'locations',
        'expect',
        'computed',
        'observed',
        'under',
        'yes',
        'no',
      ],
      ...[
        'allowed',
        'forbidden',
        'holds',
        'fails',
        'exclusive',
        'progress',
        'deadlock',
        'never',
        'of',
      ],
    ],
    builtin: [
      ...['poll', 'wait', 'rfence', 'mfence', 'CAS', 'faa', 'xchg', 'rcas', 'rfaa', 'rxchg'],
      ...['true', 'false', 'none', 'nodes'],
    ],
  },
  /^[A-Za-z_][\w.]*(?:-[a-z][\w.]*)*/,
  /^#/,
  false,
);

export const CAT = parser(
  {
    keyword: [
      ...[
        'let',
        'rec',
        'and',
        'in',
        'as',
        'show',
        'unshow',
        'include',
        'acyclic',
        'irreflexive',
        'empty',
      ],
      ...['flag', 'procedure', 'end', 'call', 'fun', 'with', 'from', 'match', 'if', 'then', 'else'],
      ...[
        'operation',
        'event',
        'guess',
        'tag',
        'short',
        'initial',
        'replace',
        'library',
        'object',
        'role',
      ],
      ...['by', 'when', 'for', 'reads', 'writes', 'at'],
    ],
    builtin: [
      'po',
      'rf',
      'mo',
      'co',
      'id',
      'loc',
      'int',
      'ext',
      'rb',
      'fr',
      'same',
      'obj',
      'sn',
      'wid',
    ],
  },
  /^[A-Za-z_][\w.'-]*/,
  /^(?:\/\/|#)/,
  true,
);
