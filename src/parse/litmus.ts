import { withClientWords } from './client-words.js';
import type { Diagnostic, Parsed, SourceFile } from './diagnostics/index.js';
import { mistakesInOrder } from './diagnostics/index.js';
import { DEPTH, tooDeep } from './depth.js';
import { writeOutFamilies } from './families.js';
import { assemble } from './litmus-assemble.js';
import type { LitmusFile } from './litmus-ast.js';
import type { LitmusItem } from './litmus-build.js';
import type { HerdReader } from './herd-litmus.js';
import { cInstead, foreignTest } from './litmus-foreign.js';
import { litmusLanguage } from './litmus-language.js';
import { litmusLexer } from './litmus-lexer.js';
import { withWordKeywords } from './litmus-words.js';
import { parseTokens } from './recover.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import type { Token } from './tokens.js';
import { UNTERMINATED, strayMessage, tokenize } from './tokens.js';

let fromHerd: HerdReader = () => undefined;

/** Says how tests of herd7 are read. Without it, they are taken for broken litmus files. */
export function setHerdReader(reader: HerdReader): void {
  fromHerd = reader;
}

const SKIPPED = new Set(['blank', 'comment']);

/**
 * Parses a litmus file. Both layouts of threads, blocks and columns, give the same tree.
 *
 * @param source its text
 * @param given `threadsAreElsewhere`: it needs no threads, as the head of a C file does not
 * @returns the tree of the items that can be read and stand where they may, with families written out. There is none
 *   for a file in another language, such as C, or if the file is nested too deep. The errors are those of syntax and of
 *   families; or, without any, items that are missing, repeated or out of place
 */
export function parseLitmusFile(
  source: SourceFile,
  { threadsAreElsewhere = false } = {},
): Parsed<LitmusFile> {
  const herd = fromHerd(source);
  if (herd !== undefined && 'message' in herd) return { value: undefined, errors: [herd] };
  const read = herd?.tokens ?? tokenize(litmusLexer, source, SKIPPED);
  const lexed = withWordKeywords(withClientWords(read));
  const foreign = herd === undefined ? foreignTest(source.text, lexed) : undefined;
  if (foreign !== undefined) return { value: undefined, errors: [foreign] };
  const { tokens, errors: ofFamilies } = writeOutFamilies(lexed);
  const { value, errors: broken } = parseTokens<SnocList<LitmusItem>>(
    litmusLanguage,
    tokens,
    source,
  );
  const unclosed = unclosedString(lexed);
  const first = unclosed ? [unclosed] : mistakesInOrder([...ofFamilies, ...broken]);
  const c = first.length > 0 && !unclosed ? cInstead(lexed, source) : undefined;
  if (c !== undefined) return { value: undefined, errors: [c] };
  if (value === undefined) return { value, errors: first };
  const items = toArray(value);
  // Each level of nesting has at least one token, so a short file needs no check.
  const deep = tokens.length > DEPTH ? tooDeep(items) : undefined;
  if (deep !== undefined) return { value: undefined, errors: first.length > 0 ? first : [deep] };
  const { file, errors } = assemble(source, items, { broken, threadsAreElsewhere });
  // If an item could not be read, it may be the very one that seems to be missing: that is not reported, then.
  const all = first.length > 0 ? first : mistakesInOrder(errors);
  return {
    value: herd === undefined ? file : { ...file, ofHerd: herd.isC ? 'C' : 'assembly' },
    errors: all,
  };
}

/**
 * The mistake of a string whose second quote is missing, so that it goes on to the first quote of the next one: what that says stands
 * outside of strings then, and messages about it would only puzzle the user. The last quote of the file tells.
 */
function unclosedString(tokens: readonly Token[]): Diagnostic | undefined {
  const last = tokens.findIndex((token) => strayMessage(token) === UNTERMINATED);
  const token = tokens.slice(0, Math.max(last, 0)).find(isOverLines);
  if (token === undefined) return undefined;
  const { file, start } = token.span;
  const [line] = token.value.split('\n', 1);
  const span = { file, start, end: start + line.trimEnd().length };
  return { span, message: UNTERMINATED, hint: 'a quote is missing at its end' };
}

const isOverLines = ({ type, value }: Token): boolean => type === 'string' && value.includes('\n');
