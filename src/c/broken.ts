import type { CNode } from './tree.js';
import { partsOf } from './tree.js';

/** What is wrong with a text as C: where, and what. */
export interface Broken {
  readonly at: CNode;
  readonly kind: 'not read' | 'missing' | 'not closed' | 'function inside';
}

/** The innermost place that could not be read, the first one in the order of the text. */
export function brokenIn(text: string, node: CNode): Broken | undefined {
  return new Search(text).in(node);
}

class Search {
  constructor(private readonly text: string) {}

  in(node: CNode, parent?: CNode): Broken | undefined {
    if (node.isMissing) return this.missing(node, parent);
    const isError = node.type === 'ERROR';
    if (!isError && !node.hasError) return undefined;
    for (const child of node.children) {
      const found = child === null ? undefined : this.in(child, node);
      if (found !== undefined) return found;
    }
    return isError ? this.unread(node, parent === undefined) : undefined;
  }

  private unread(node: CNode, isFile: boolean): Broken {
    const children = node.children.filter((one): one is CNode => one !== null);
    const open = unclosedIn(children);
    if (open !== undefined) return { at: open, kind: 'not closed' };
    // A file of which nothing fits together is one mistake: where no declaration begins.
    const first = isFile ? children.find((one) => !isItem(one)) : undefined;
    // What was understood of it is before what was not.
    const last = node.text.includes('\n') ? children.at(-1) : undefined;
    return { at: first ?? last ?? node, kind: 'not read' };
  }

  /** The parser misses the closing brace of an outer block; the one without its own is that whose end is indented otherwise. */
  private missing(node: CNode, block: CNode | undefined): Broken {
    const missing: Broken = { at: node, kind: 'missing' };
    if (node.type !== '}' || block?.type !== 'compound_statement') return missing;
    const open = this.closedElsewhere(block);
    if (open !== undefined) return { at: open, kind: 'not closed' };
    const inside = partsOf(block).find(({ type }) => type === 'function_definition');
    return inside === undefined ? missing : { at: inside, kind: 'function inside' };
  }

  private closedElsewhere(block: CNode): CNode | undefined {
    for (const part of partsOf(block)) {
      const found = this.closedElsewhere(part);
      if (found !== undefined) return found;
    }
    const [first] = block.children;
    const last = block.children.at(-1);
    if (block.type !== 'compound_statement' || !first || !last || last.isMissing) return undefined;
    return this.indentAt(first) === this.indentAt(last) ? undefined : first;
  }

  /** How far the line of a node is indented. */
  private indentAt({ startIndex }: CNode): number {
    const line = this.text.slice(this.text.lastIndexOf('\n', startIndex - 1) + 1);
    return /^[ \t]*/.exec(line)![0].length;
  }
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The last bracket that is not closed among nodes beside each other. */
function unclosedIn(nodes: readonly CNode[]): CNode | undefined {
  const open: CNode[] = [];
  for (const one of nodes) {
    if (one.type in CLOSES) open.push(one);
    else if (open.length > 0 && CLOSES[open.at(-1)!.type] === one.type) open.pop();
  }
  return open.at(-1);
}

const isItem = ({ type, hasError }: CNode): boolean =>
  !hasError && /^(comment|preproc_\w+|declaration|function_definition|type_definition)$/.test(type);
