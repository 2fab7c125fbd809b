import {
  CompletionItemKind,
  DiagnosticSeverity,
  SemanticTokenTypes,
  SymbolKind,
} from 'vscode-languageserver/node';
import type {
  CompletionItem,
  Diagnostic as ShownDiagnostic,
  DocumentSymbol as ShownSymbol,
  Range,
  SignatureHelp,
  TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Completion } from '../../editor/completion.js';
import type { Signatures } from '../../editor/signatures.js';
import type { DocumentSymbol } from '../../editor/symbols.js';
import type { Diagnostic, Span } from '../../parse/diagnostics/index.js';
import type { NamedKind } from '../../parse/links.js';

/** Remora's data as the protocol has it. Both count in UTF-16 code units, one by offsets, the other by lines and columns. */

export const rangeIn = (document: TextDocument, { start, end }: Span): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

/** Makes a document of a text, for places in files that are not open. */
export const documentOf = (uri: string, text: string): TextDocument =>
  TextDocument.create(uri, '', 0, text);

/** A mistake as the command line words it: the message, and the hint in a line of its own. */
export function shownDiagnostic(document: TextDocument, one: Diagnostic): ShownDiagnostic {
  const { message, hint, severity, span } = one;
  return {
    range: rangeIn(document, span),
    severity: severity === 'warning' ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error,
    source: 'remora',
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

export const SYMBOLS: { readonly [kind in DocumentSymbol['kind']]: SymbolKind } = {
  relation: SymbolKind.Variable,
  function: SymbolKind.Function,
  parameter: SymbolKind.Constant,
  event: SymbolKind.Event,
  operation: SymbolKind.Method,
  'completion queue': SymbolKind.Property,
  guess: SymbolKind.Variable,
  tag: SymbolKind.Property,
  library: SymbolKind.Module,
  role: SymbolKind.Interface,
  axiom: SymbolKind.Boolean,
  location: SymbolKind.Field,
  register: SymbolKind.Variable,
  thread: SymbolKind.Function,
  node: SymbolKind.Namespace,
  'queue pair': SymbolKind.Property,
  object: SymbolKind.Object,
  ghost: SymbolKind.Variable,
  mark: SymbolKind.Key,
  'work identifier': SymbolKind.Key,
  method: SymbolKind.Method,
  index: SymbolKind.Variable,
  file: SymbolKind.File,
  query: SymbolKind.Boolean,
  include: SymbolKind.File,
};

/** What names are, in the words of the protocol, which editors have colours for. */
export const TOKENS: { readonly [kind in NamedKind]: SemanticTokenTypes } = {
  relation: SemanticTokenTypes.variable,
  function: SemanticTokenTypes.function,
  parameter: SemanticTokenTypes.parameter,
  event: SemanticTokenTypes.type,
  operation: SemanticTokenTypes.method,
  'completion queue': SemanticTokenTypes.property,
  guess: SemanticTokenTypes.variable,
  tag: SemanticTokenTypes.decorator,
  library: SemanticTokenTypes.namespace,
  role: SemanticTokenTypes.interface,
  axiom: SemanticTokenTypes.function,
  location: SemanticTokenTypes.property,
  register: SemanticTokenTypes.variable,
  thread: SemanticTokenTypes.class,
  node: SemanticTokenTypes.namespace,
  'queue pair': SemanticTokenTypes.property,
  object: SemanticTokenTypes.class,
  ghost: SemanticTokenTypes.variable,
  mark: SemanticTokenTypes.enumMember,
  'work identifier': SemanticTokenTypes.enumMember,
  method: SemanticTokenTypes.method,
  index: SemanticTokenTypes.parameter,
  file: SemanticTokenTypes.string,
};

export const TOKEN_TYPES: readonly SemanticTokenTypes[] = [...new Set(Object.values(TOKENS))];

export const shownSymbol = (document: TextDocument, one: DocumentSymbol): ShownSymbol => {
  const { kind, name, detail, at, whole, inside = [] } = one;
  return {
    kind: SYMBOLS[kind],
    name: name === '' ? '""' : name,
    detail,
    range: rangeIn(document, whole),
    selectionRange: rangeIn(document, at.start >= whole.start && at.end <= whole.end ? at : whole),
    children: inside.map((inner) => shownSymbol(document, inner)),
  };
};

const COMPLETIONS: { readonly [kind in Completion['kind']]?: CompletionItemKind } = {
  keyword: CompletionItemKind.Keyword,
  function: CompletionItemKind.Function,
  operation: CompletionItemKind.Method,
  library: CompletionItemKind.Module,
  model: CompletionItemKind.Module,
  file: CompletionItemKind.File,
  node: CompletionItemKind.Module,
  event: CompletionItemKind.Event,
  location: CompletionItemKind.Field,
  thread: CompletionItemKind.Class,
};

export const shownCompletion = ({ label, kind, detail }: Completion): CompletionItem => ({
  label,
  kind: COMPLETIONS[kind] ?? CompletionItemKind.Variable,
  detail: detail ?? kind,
});

export const shownSignatures = ({ forms, form, parameter }: Signatures): SignatureHelp => ({
  signatures: forms.map(({ text, words, parameters }) => ({
    label: text,
    documentation: words,
    parameters: parameters.map(({ at: [start, end], takes }) => ({
      label: [start, end],
      documentation: takes,
    })),
  })),
  activeSignature: form,
  activeParameter: parameter,
});

/**
 * The edit that turns a document into another text; none if they are equal. Their common beginning and end are left out
 * of the edit.
 */
export function changeTo(document: TextDocument, text: string): readonly TextEdit[] {
  const before = document.getText();
  if (before === text) return [];
  const room = Math.min(before.length, text.length);
  let start = 0;
  while (start < room && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < room - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  const range = {
    start: document.positionAt(start),
    end: document.positionAt(before.length - end),
  };
  return [{ range, newText: text.slice(start, text.length - end) }];
}
