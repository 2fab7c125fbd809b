import type { SourceFile, Span } from '../parse/diagnostics/index.js';

/** The syntax trees of C that this folder reads: those of tree-sitter, as far as they are used. Places are indices into the text. */

/** A stretch of the text. */
export interface At {
  readonly startIndex: number;
  readonly endIndex: number;
}

export const spanIn = ({ path }: Pick<SourceFile, 'path'>, { startIndex, endIndex }: At): Span => ({
  file: path,
  start: startIndex,
  end: endIndex,
});

export interface CNode extends At {
  readonly type: string;
  readonly text: string;
  /** Whether the parser put it there, as a missing semicolon. */
  readonly isMissing: boolean;
  /** Whether something in it could not be read. */
  readonly hasError: boolean;
  /** Whether it is more than a sign or a keyword. */
  readonly isNamed: boolean;
  /** What it is to the node that it is a part of, if the grammar says it. */
  readonly field: string | null;
  readonly children: readonly (CNode | null)[];
  readonly namedChildren: readonly (CNode | null)[];
  childForFieldName(name: string): CNode | null;
  childrenForFieldName(name: string): readonly (CNode | null)[];
}

/** Parses a text as C. It never fails: what cannot be read is in nodes of the type `ERROR`. */
export type CParser = (text: string) => CNode;

let parser: CParser | undefined;

/** Says how C is parsed. It takes time to start, so that only those start it who have C. */
export function setCParser(one: CParser): void {
  parser = one;
}

/** How C++ is parsed, as a tree of C (`cpp.ts`); undefined: its grammar is not installed. */
let cppParser: CParser | undefined;

export function setCppParser(one: CParser): void {
  cppParser = one;
}

/** Is a file one of C++? */
export const isCpp = (path: string): boolean => /\.(cc|cpp|cxx|hpp)$/.test(path);

/** There is nothing that reads C++. */
export class NoCpp extends Error {}

/** The tree of a file: of C, or of C++ as far as C has it. */
export function treeOf({ path, text }: SourceFile): CNode {
  if (!isCpp(path)) return parseTree(text);
  if (cppParser === undefined) throw new NoCpp();
  return cppParser(text);
}

/** @throws Error if no parser was set */
export function parseTree(text: string): CNode {
  if (parser === undefined) throw new Error('C is read before its parser is there');
  const known = text
    // The grammar knows `_Atomic T`, but `_Atomic(T)` in some places only.
    .replaceAll(/\b_Atomic(\s*)\(([\w\s]*)\)/g, '_Atomic$1 $2 ')
    // A structure is an argument of macros, as of `container_of`.
    .replaceAll(/,\s*struct(?=\s+\w+\s*[,)])/g, (found) => found.replace('struct', '      '));
  return parser(known);
}

/** Whether a declaration has a word such as `static` or `const` before what it declares. */
export const isSaid = (declaration: CNode, word: string): boolean =>
  partsOf(declaration).some(
    ({ type, text }) => /^(type_qualifier|storage_class_specifier)$/.test(type) && text === word,
  );

/** The named parts of a node, without comments. */
export const partsOf = (node: CNode): readonly CNode[] =>
  node.namedChildren.filter((one): one is CNode => one !== null && one.type !== 'comment');

/** The names in a node. */
export const identifiersIn = (node: CNode): readonly string[] =>
  node.type === 'identifier' ? [node.text] : partsOf(node).flatMap(identifiersIn);

export const fieldOf = (node: CNode, name: string): CNode | undefined =>
  node.childForFieldName(name) ?? undefined;

/** A part that the grammar says is there. */
export function partOf(node: CNode, name: string): CNode {
  const found = node.childForFieldName(name);
  if (found === null) throw new Error(`${node.type} has no ${name}`);
  return found;
}

export const fieldsOf = (node: CNode, name: string): readonly CNode[] =>
  node.childrenForFieldName(name).filter((one): one is CNode => one !== null);

/** The operator of an expression: the first part of it that is no expression. */
export const operatorOf = (node: CNode): string =>
  (fieldOf(node, 'operator') ?? node.children.find((one) => one?.isNamed === false))!.text;

/** A place that is nested more deeply than anybody reads. */
export class TooDeep extends Error {
  constructor(readonly at: At) {
    super('this is nested too deeply');
  }
}

/** Expressions and statements in each other, more than in any code that people write. */
export const DEEPEST = 800;
