import type { CNode } from './tree.js';
import { DEEPEST, TooDeep } from './tree.js';

/**
 * Trees of tree-sitter as plain objects. A tree-sitter node asks WebAssembly for each of its parts, each time; reading
 * follows the same lines many times, and spent a fifth of its time so.
 */

/** What tree-sitter gives, as far as it is used. */
export interface ParsedNode {
  readonly children: readonly (ParsedNode | null)[];
  readonly hasError: boolean;
  walk(): Cursor;
}

interface Cursor {
  readonly nodeType: string;
  readonly nodeIsNamed: boolean;
  readonly nodeIsMissing: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly currentFieldName: string | null;
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

/** The tree of a text. The parts of each declaration are fetched when somebody looks at it: few look at all of a large file. */
export function plainTree(root: ParsedNode, text: string): CNode {
  const cursor = root.walk();
  const declarations: Plain[] = [];
  const top = new Plain(cursor, text, () => declarations);
  if (cursor.gotoFirstChild()) {
    let next = 0;
    do {
      const from = root.children[next++]!;
      const known = from.hasError;
      declarations.push(new Plain(cursor, text, () => childrenAt(from.walk(), text), known));
    } while (cursor.gotoNextSibling());
  }
  return top;
}

function childrenAt(cursor: Cursor, text: string, depth = 0): readonly Plain[] {
  if (depth > DEEPEST) throw new TooDeep(new Plain(cursor, text));
  const children: Plain[] = [];
  if (!cursor.gotoFirstChild()) return children;
  do {
    const node = new Plain(cursor, text);
    node.fill(childrenAt(cursor, text, depth + 1));
    children.push(node);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return children;
}

class Plain implements CNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isMissing: boolean;
  readonly isNamed: boolean;
  readonly field: string | null;
  readonly #source: string;
  readonly #load: (() => readonly Plain[]) | undefined;
  #children: readonly Plain[] | undefined;
  #named: readonly Plain[] | undefined;
  #hasError: boolean | undefined;
  #text: string | undefined;

  constructor(at: Cursor, source: string, load?: () => readonly Plain[], hasError?: boolean) {
    this.type = at.nodeType;
    this.startIndex = at.startIndex;
    this.endIndex = at.endIndex;
    this.isMissing = at.nodeIsMissing;
    this.isNamed = at.nodeIsNamed;
    this.field = at.currentFieldName;
    this.#source = source;
    this.#load = load;
    this.#hasError = hasError;
  }

  fill(children: readonly Plain[]): void {
    this.#children = children;
  }

  get children(): readonly Plain[] {
    return (this.#children ??= this.#load?.() ?? []);
  }

  get namedChildren(): readonly Plain[] {
    return (this.#named ??= this.children.filter((one) => one.isNamed));
  }

  get text(): string {
    return (this.#text ??= this.#source.slice(this.startIndex, this.endIndex));
  }

  get hasError(): boolean {
    return (this.#hasError ??=
      this.type === 'ERROR' || this.isMissing || this.children.some((one) => one.hasError));
  }

  childForFieldName(name: string): Plain | null {
    return this.children.find((one) => one.field === name) ?? null;
  }

  childrenForFieldName(name: string): readonly Plain[] {
    return this.children.filter((one) => one.field === name);
  }
}
