import type { Template } from './code.js';
import { expressionOf } from './pieces.js';
import { Places } from './places.js';
import type { Place } from './state.js';
import type { CNode } from './tree.js';
import { operatorOf, partOf, partsOf } from './tree.js';

/** Macros of the file that have parameters. */
export abstract class Macros extends Places {
  private depth = 0;

  /** What a macro with parameters stands for, with the texts of the arguments in their places. */
  protected expanded(node: CNode): string | undefined {
    const called = partOf(node, 'function');
    const { templates, macros } = this.around.code;
    const macro = templates.get(called.text);
    // A macro without parameters may be all of a call but for its arguments.
    const name = macro === undefined ? macros.get(called.text) : undefined;
    if (name !== undefined) return `${name} ${partOf(node, 'arguments').text}`;
    if (macro === undefined) return undefined;
    const given = partsOf(partOf(node, 'arguments')).map(({ text }) => text);
    return filledIn(macro, given);
  }

  placeInMacro(node: CNode): Place | undefined {
    const isCall = node.type === 'call_expression';
    const { text: name } = isCall ? partOf(node, 'function') : node;
    const text = isCall ? this.expanded(node) : this.around.code.macros.get(name);
    const expression = text === undefined ? undefined : expressionOf(text);
    return expression && this.inMacro(node, name, () => this.placeOf(expression));
  }

  /**
   * Macros are read as if they were in parentheses. Where one is not, and its text is grouped otherwise in C next to the operator of an
   * expression, that would be another program.
   */
  protected mustBeGrouped(node: CNode): void {
    for (const part of partsOf(node)) {
      const text = this.macroText(part);
      const [inner] = partsOf((text === undefined ? undefined : expressionOf(text)) ?? part);
      if (text === undefined || inner === undefined || isGrouped(inner, part, node)) continue;
      this.refuse(
        part,
        `what this macro stands for is not in parentheses, so that C groups it otherwise here: ${text}`,
        'put parentheses around the text of the macro',
      );
    }
  }

  /** What a macro stands for, if something is one. */
  private macroText(node: CNode): string | undefined {
    if (node.type === 'call_expression') return this.expanded(node);
    const isName = node.type === 'identifier' && this.find(node.text) === undefined;
    return isName ? this.around.code.macros.get(node.text) : undefined;
  }

  /** Reads what a macro stands for in the place where it is used. */
  protected inMacro<Found>(node: CNode, name: string, read: () => Found): Found {
    if (++this.depth > 50) return this.refuse(node, `the macro ${name} is made of itself`);
    try {
      return this.usingAt(node, read);
    } finally {
      this.depth -= 1;
    }
  }
}

/** Operators of two sides, the loosest first (C11 6.5). */
const BINDING = ['||', '&&', '|', '^', '&', '== !=', '< <= > >=', '<< >>', '+ -', '* / %'].map(
  (of) => of.split(' '),
);

/** Whether C groups a macro's text as if it were in parentheses, next to the operator of an expression. */
function isGrouped(inner: CNode, part: CNode, outer: CNode): boolean {
  const [within, around] = [inner, outer].map(bindingOf);
  if (within !== around || outer.type !== 'binary_expression') return within >= around;
  if (part === outer.childForFieldName('left')) return true;
  const operator = operatorOf(outer);
  return operator === '+' || (operatorOf(inner) === operator && ASSOCIATIVE.has(operator));
}

const ASSOCIATIVE: ReadonlySet<string> = new Set(['*', '&', '|', '^', '&&', '||']);

/** How tightly an expression holds its parts together. */
function bindingOf(node: CNode): number {
  switch (node.type) {
    case 'comma_expression':
    case 'assignment_expression':
    case 'conditional_expression':
      return -1;
    case 'binary_expression':
      return BINDING.findIndex((of) => of.includes(operatorOf(node)));
    case 'unary_expression':
    case 'cast_expression':
    case 'sizeof_expression':
    case 'pointer_expression':
    case 'update_expression':
      return BINDING.length;
    default:
      return BINDING.length + 1;
  }
}

/** A name, or a literal text in which there are none. */
const WORDS = /"(?:[^"\\]|\\.)*"|(#?)\s*\b([A-Za-z_]\w*)/g;

/** The text of a macro with the arguments in it: `#x` is an argument as a text, and `a ## b` one name. */
function filledIn({ parameters, text }: Template, given: readonly string[]): string {
  const isOpen = parameters.at(-1) === '...';
  const fixed = isOpen ? parameters.slice(0, -1) : parameters;
  const names = new Map(fixed.map((name, i) => [name, given[i] ?? '']));
  if (isOpen) names.set('__VA_ARGS__', given.slice(fixed.length).join(', '));
  const isNone = names.get('__VA_ARGS__') === '';
  // Of no further arguments, the comma before them is none either.
  const some = isNone ? text.replaceAll(/,\s*##\s*__VA_ARGS__/g, '') : text;
  const pasted = some.replaceAll(/\s*##\s*/g, '\u0000');
  return pasted
    .replaceAll(WORDS, (all, sign: string | undefined, name: string | undefined) => {
      const value = name === undefined ? undefined : names.get(name);
      if (value === undefined) return all;
      return sign === '#' ? JSON.stringify(value) : all.replace(name!, () => value);
    })
    .replaceAll('\u0000', '');
}
