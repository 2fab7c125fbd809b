import type { Names } from './lengths.js';
import { constantOf, withLength } from './lengths.js';
import type { CNode } from './tree.js';
import { fieldOf, fieldsOf, isSaid, operatorOf, partOf, partsOf } from './tree.js';
import type { Type } from './types.js';
import { Types, UNKNOWN } from './types.js';

/** A function with a body. */
export interface CFunction {
  readonly name: string;
  readonly returns: Type;
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  /** It takes more arguments than it has parameters. */
  readonly isVariadic: boolean;
  readonly body: CNode;
  readonly node: CNode;
}

/** A variable at file level. */
export interface CGlobal {
  readonly name: string;
  readonly type: Type;
  readonly value?: CNode;
  readonly isConst: boolean;
  /** No other file can change it. */
  readonly isStatic: boolean;
  readonly node: CNode;
}

/** A macro with parameters. */
export interface Template {
  readonly parameters: readonly string[];
  readonly text: string;
}

/** What a C file has at its top: functions, variables, types, constants, macros. */
export interface CCode extends Names {
  readonly functions: ReadonlyMap<string, CFunction>;
  readonly globals: ReadonlyMap<string, CGlobal>;
  /** Macros without parameters, and enumerators, by name: the text that stands for them. */
  readonly macros: ReadonlyMap<string, string>;
  /** Macros with parameters, by name. */
  readonly templates: ReadonlyMap<string, Template>;
  /** Functions that the file defines several times, as for several systems. */
  readonly twice: ReadonlySet<string>;
}

/** What is changed in some function, or whose address is taken: the names of variables. */
function changedIn(node: CNode): readonly string[] {
  const isAddress = node.type === 'pointer_expression' && operatorOf(node) === '&';
  const isChange = isAddress || node.type === 'update_expression';
  const place =
    node.type === 'assignment_expression'
      ? partOf(node, 'left')
      : isChange
        ? partOf(node, 'argument')
        : undefined;
  const [name] = place === undefined ? [] : (/[A-Za-z_]\w*/.exec(place.text) ?? []);
  return [...(name === undefined ? [] : [name]), ...partsOf(node).flatMap(changedIn)];
}

/** Reads the top of a file, `#if` and `extern "C"` blocks included. */
export function codeOf(tree: CNode): CCode {
  const reader = new Reader();
  reader.walk(tree);
  reader.keepConstants();
  return reader;
}

class Reader implements CCode {
  readonly types: Types = new Types((node) => constantOf(node, this));
  readonly functions = new Map<string, CFunction>();
  readonly globals = new Map<string, CGlobal>();
  readonly macros = new Map<string, string>();
  readonly templates = new Map<string, Template>();
  readonly twice = new Set<string>();

  textOf(name: string): string | undefined {
    const global = this.globals.get(name);
    return this.macros.get(name) ?? (global?.isConst ? global.value?.text : undefined);
  }

  typeOf(name: string): Type | undefined {
    return this.globals.get(name)?.type;
  }

  walk(node: CNode): void {
    for (const one of partsOf(node)) this.item(one);
  }

  /** A number that only this file can change, and that it does not, is constant. */
  keepConstants(): void {
    const changed = new Set([...this.functions.values()].flatMap(({ body }) => changedIn(body)));
    const macros = [...this.macros.values(), ...[...this.templates.values()].map((m) => m.text)];
    for (const [name, global] of this.globals) {
      const isUsed = macros.some((text) =>
        new RegExp(`\\b${name}\\b\\s*([-+*/%&|^]?=(?!=)|\\+\\+|--)`).test(text),
      );
      if (!global.isStatic || global.type.kind !== 'int' || changed.has(name) || isUsed) continue;
      this.globals.set(name, { ...global, isConst: true });
    }
  }

  private item(node: CNode): void {
    switch (node.type) {
      case 'function_definition':
        return this.define(node);
      case 'type_definition':
        this.enumerate(node);
        return this.types.typedef(node);
      case 'declaration':
        this.enumerate(node);
        return this.declare(node);
      case 'struct_specifier':
      case 'union_specifier':
        this.types.named(node);
        return;
      case 'enum_specifier':
        return this.noteEnumerators(node);
      case 'preproc_def': {
        const value = fieldOf(node, 'value');
        if (value !== undefined) this.macros.set(partOf(node, 'name').text, value.text.trim());
        return;
      }
      case 'preproc_function_def': {
        const parameters = partOf(node, 'parameters').children.flatMap((one) =>
          one !== null && /^(\w+|\.\.\.)$/.test(one.text) ? [one.text] : [],
        );
        const text = (fieldOf(node, 'value')?.text ?? '').replaceAll(/\\\r?\n/g, ' ');
        this.templates.set(partOf(node, 'name').text, { parameters, text });
        return;
      }
      case 'preproc_if':
      case 'preproc_ifdef':
      case 'preproc_else':
      case 'linkage_specification':
      case 'declaration_list':
        return this.walk(node);
      case 'preproc_call':
        return this.pragma(node.text);
      default:
    }
  }

  /** `#pragma pack(push, 1)` */
  private pragma(text: string): void {
    const [, said] = /^#\s*pragma\s+pack\s*\((.*)\)/.exec(text) ?? [];
    if (said === undefined) return;
    const { packing } = this.types;
    if (said.includes('push')) packing.push(packing.at(-1)!);
    else if (said.includes('pop') && packing.length > 1) packing.pop();
    const [bytes] = /\d+/.exec(said) ?? [];
    if (bytes !== undefined) packing[packing.length - 1] = Number(bytes);
    else if (said.trim() === '') packing[packing.length - 1] = Infinity;
  }

  private define(node: CNode): void {
    const declarator = partOf(node, 'declarator');
    const base = this.types.specified(node);
    let inner = declarator;
    let returns = base;
    while (inner.type !== 'function_declarator') {
      const next = fieldOf(inner, 'declarator');
      if (next === undefined) return;
      returns = inner.type === 'pointer_declarator' ? { kind: 'pointer', to: returns } : UNKNOWN;
      inner = next;
    }
    const { name } = this.types.declared(base, inner);
    if (this.functions.has(name)) this.twice.add(name);
    const list = fieldOf(inner, 'parameters');
    const parameters = list === undefined ? [] : partsOf(list);
    this.functions.set(name, {
      name,
      returns,
      node,
      body: partOf(node, 'body'),
      isVariadic: parameters.some(({ type }) => type === 'variadic_parameter'),
      parameters: parameters
        .filter(({ type }) => type === 'parameter_declaration')
        .flatMap((one) => {
          const of = fieldOf(one, 'declarator');
          if (of === undefined) return [];
          const declared = this.types.declared(this.types.specified(one), of);
          const { type } = declared;
          // An array that is a parameter is a pointer.
          return [
            {
              ...declared,
              type: type.kind === 'array' ? { kind: 'pointer' as const, to: type.of } : type,
            },
          ];
        }),
    });
  }

  private declare(node: CNode): void {
    const base = this.types.specified(node);
    const [isConst, isStatic] = [isSaid(node, 'const'), isSaid(node, 'static')];
    for (const declarator of fieldsOf(node, 'declarator')) {
      if (isFunction(declarator)) continue;
      const { name, type: written } = this.types.declared(base, declarator);
      const value =
        declarator.type === 'init_declarator' ? fieldOf(declarator, 'value') : undefined;
      const type = withLength(written, value);
      const known = this.globals.get(name);
      if (known !== undefined && value === undefined) continue;
      const facts = { name, type, isConst, isStatic, node: declarator };
      this.globals.set(name, { ...facts, ...(value && { value }) });
    }
  }

  private enumerate(node: CNode): void {
    const type = fieldOf(node, 'type');
    if (type?.type === 'enum_specifier') this.noteEnumerators(type);
  }

  private noteEnumerators(node: CNode): void {
    const body = fieldOf(node, 'body');
    if (body === undefined) return;
    let next = '0';
    for (const one of partsOf(body)) {
      if (one.type !== 'enumerator') continue;
      const value = fieldOf(one, 'value')?.text ?? next;
      this.macros.set(partOf(one, 'name').text, `(${value})`);
      next = `(${value}) + 1`;
    }
  }
}

function isFunction(declarator: CNode): boolean {
  if (declarator.type === 'function_declarator') return true;
  const inner = fieldOf(declarator, 'declarator');
  return inner !== undefined && declarator.type === 'pointer_declarator' && isFunction(inner);
}
