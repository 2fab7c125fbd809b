import { LITMUS_KEYWORDS } from '../parse/keywords.js';
import type { Ident, LitmusFile } from '../parse/litmus-ast.js';

const KEYWORDS: ReadonlySet<string> = new Set(LITMUS_KEYWORDS);

/** The file with other names for what is named like a keyword of litmus files, as queue pairs may be: printed, it can be read again. */
export function withoutKeywords(file: LitmusFile): LitmusFile {
  const names = new Set<string>();
  mapNames(file, ({ text }) => {
    names.add(text);
    return text;
  });
  const others = new Map<string, string>();
  for (const name of [...names].filter((one) => KEYWORDS.has(one))) {
    let other = `${name}_`;
    while (names.has(other)) other += '_';
    others.set(name, other);
  }
  return others.size === 0 ? file : mapNames(file, ({ text }) => others.get(text) ?? text);
}

/** A tree with other texts for its names. */
function mapNames<Tree>(tree: Tree, textOf: (name: Ident) => string): Tree {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map);
    if (typeof value !== 'object' || value === null) return value;
    if (isIdent(value)) return { ...value, text: textOf(value) };
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
  };
  return map(tree) as Tree;
}

const isIdent = (value: object): value is Ident =>
  'text' in value && 'span' in value && Object.keys(value).length === 2;
