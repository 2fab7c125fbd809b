import type { At, CNode } from './tree.js';

/** A part of a tree that is made: of another one, or of nothing but a text. */
export interface Part {
  readonly field?: string | null;
  readonly node: CNode;
}

/** A node that no parser made. It stands where something else stands in the text. */
export class Made implements CNode {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isMissing = false;
  readonly children: readonly CNode[];
  readonly namedChildren: readonly CNode[];

  constructor(
    readonly type: string,
    at: At,
    readonly text: string,
    private readonly parts: readonly Part[] = [],
    readonly isNamed = true,
    readonly field: string | null = null,
  ) {
    ({ startIndex: this.startIndex, endIndex: this.endIndex } = at);
    this.children = parts.map(({ node }) => node);
    this.namedChildren = this.children.filter((one) => one.isNamed);
  }

  get hasError(): boolean {
    return this.type === 'ERROR' || this.children.some((one) => one.hasError);
  }

  childForFieldName(name: string): CNode | null {
    return this.parts.find(({ field }) => field === name)?.node ?? null;
  }

  childrenForFieldName(name: string): readonly CNode[] {
    return this.parts.filter(({ field }) => field === name).map(({ node }) => node);
  }
}

export const word = (at: At, text: string): CNode => new Made('identifier', at, text);
const sign = (at: At, text: string): CNode => new Made(text, at, text, [], false);

/** `&e`, or `*e`. */
export const pointer = (operator: '&' | '*', node: CNode): CNode =>
  new Made('pointer_expression', node, `${operator}${node.text}`, [
    { field: 'operator', node: sign(node, operator) },
    { field: 'argument', node },
  ]);

/** `a->x` */
export const arrow = (at: At, of: CNode, name: string): CNode =>
  new Made('field_expression', at, `${of.text}->${name}`, [
    { field: 'argument', node: of },
    { field: 'operator', node: sign(at, '->') },
    { field: 'field', node: new Made('field_identifier', at, name) },
  ]);

/** `f(a, b)` */
export const called = (at: CNode, name: string, given: readonly CNode[]): CNode =>
  new Made('call_expression', at, at.text, [
    { field: 'function', node: word(at, name) },
    {
      field: 'arguments',
      node: new Made(
        'argument_list',
        at,
        `(${given.map(({ text }) => text).join(', ')})`,
        given.map((node) => ({ node })),
      ),
    },
  ]);
