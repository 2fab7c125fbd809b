import type { Operation, ParameterKind } from '../model/instructions/set.js';
import type { Ident } from '../parse/litmus-ast.js';
import type { Token } from '../parse/tokens.js';
import { isC } from '../program/read.js';
import { callText } from '../report/instructions.js';
import { cursorAt, openBrackets } from './cursor.js';
import { languageOf } from './language.js';
import { instructionsUsed } from './links.js';
import type { Workspace } from './workspace.js';

/** One form of an operation, as programs call it. */
export interface Signature {
  readonly text: string;
  /** What it does. */
  readonly words?: string;
  readonly parameters: readonly {
    /** Where it stands in the text. */
    readonly at: readonly [number, number];
    /** What it takes. */
    readonly takes: string;
  }[];
}

/** The forms of the call that is being written, and which of them and of its parameters is meant. */
export interface Signatures {
  readonly forms: readonly Signature[];
  readonly form: number;
  readonly parameter: number;
}

const TAKES: { readonly [kind in ParameterKind]: string } = {
  own: 'a location of the own node',
  remote: 'a location of another node: x^2',
  any: 'a location of any node',
  value: 'a value',
  peer: 'a node, or a queue pair that leads to it',
  node: 'a node',
  nodes: 'a set of nodes: {1, 2}, or nodes',
  work: 'a work identifier',
  object: 'an object of the library',
};

/**
 * The call whose brackets a place is in, with all forms of its operation, as the models and libraries of the file declare them. It is found by
 * tokens, since a call that is being written is in no tree.
 */
export function signaturesAt(
  path: string,
  offset: number,
  workspace: Workspace,
): Signatures | undefined {
  const source = workspace.source(path);
  if (source === undefined || isC(path)) return undefined;
  const used = librariesOf(path, workspace);
  if (used === undefined) return undefined;
  const { tokens, inside } = cursorAt(source, offset);
  if (inside !== undefined) return undefined;
  const { operations } = instructionsUsed(used, path, workspace);
  for (const { bracket } of openBrackets(tokens).toReversed()) {
    const at = tokens.indexOf(bracket);
    const { name, tags } = calledBefore(tokens, at);
    const forms = operations.filter((one) => one.name === name);
    if (bracket.type !== 'lparen' || forms.length === 0) continue;
    const tagged = forms.findIndex(({ tag }) => tag !== undefined && tags.includes(tag));
    const form = tagged < 0 ? forms.findIndex(({ tag }) => tag === undefined) : tagged;
    return {
      forms: forms.map(signatureOf),
      form: Math.max(0, form),
      parameter: commasIn(tokens.slice(at + 1)),
    };
  }
  return undefined;
}

/** The libraries that a program or an implementation names; undefined for other files. */
function librariesOf(path: string, workspace: Workspace): readonly Ident[] | undefined {
  switch (languageOf(path)) {
    case 'litmus':
      return workspace.tree(path, 'litmus')?.uses ?? [];
    case 'implementation':
      return workspace.tree(path, 'implementation')?.over ?? [];
    case 'cat':
    case undefined:
      return undefined;
  }
}

/** What a bracket opens a call of, as in `y^2 :=[imm] put(` and `dmb[sy](`. */
function calledBefore(
  tokens: readonly Token[],
  bracket: number,
): { readonly name?: string; readonly tags: readonly string[] } {
  const own = tagsBefore(tokens, bracket);
  const name = tokens[own.at - 1];
  if (name?.type !== 'ident') return { tags: [] };
  const library = tokens[own.at - 2]?.type === 'dot' ? tokens[own.at - 3] : undefined;
  const begin = library === undefined ? own.at - 1 : own.at - 3;
  const others = tagsBefore(tokens, begin).tags;
  const called = library === undefined ? name.value : `${library.value}.${name.value}`;
  return { name: called, tags: [...own.tags, ...others] };
}

/** The tags in brackets before a token, and the token after which they begin. */
function tagsBefore(tokens: readonly Token[], before: number) {
  const tags: string[] = [];
  let at = before;
  while (tokens[at - 1]?.type === 'rbracket' && tokens[at - 3]?.type === 'lbracket') {
    tags.push(tokens[at - 2].value);
    at -= 3;
  }
  return { tags, at };
}

/** The commas that separate arguments, and not what is inside of one. */
function commasIn(tokens: readonly Token[]): number {
  return tokens.filter(
    ({ type }, i) => type === 'comma' && openBrackets(tokens.slice(0, i)).length === 0,
  ).length;
}

function signatureOf(operation: Operation): Signature {
  const { text, parameters } = callText(operation);
  return {
    text,
    words: operation.words,
    parameters: parameters.map((at, i) => ({ at, takes: TAKES[operation.parameters[i].kind] })),
  };
}
