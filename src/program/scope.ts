import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { Ident, LitmusFile, Statement } from '../parse/litmus-ast.js';
import type { Location, LocationId } from './program.js';

/** Collects diagnostics while a file is resolved. */
export type Report = (span: Span, message: string, hint?: string) => void;

export function collector(into: Diagnostic[], severity?: 'warning'): Report {
  return (span, message, hint) => into.push({ severity, span, message, hint });
}

/** Reports a number that is beyond the integers that are exact. */
export function checkInteger(value: number, span: Span, report: Report): void {
  if (!Number.isSafeInteger(value)) report(span, 'this number is too large');
}

/** The declared nodes and locations of a file, and the private locations of its threads. */
export interface Scope {
  readonly nodes: readonly string[];
  /** Declared locations first, in order of declaration. Each thread appends its private and hidden ones. */
  readonly locations: Location[];
  readonly declared: ReadonlyMap<string, LocationId>;
}

/** Declares nodes and locations; a node or a location declared twice is an error. */
export function declare(file: LitmusFile, report: Report): Scope {
  const nodes: string[] = [];
  const locations: Location[] = [];
  const declared = new Map<string, LocationId>();
  for (const { node, locations: own } of file.nodes) {
    if (nodes.includes(node.text)) report(node.span, `node ${node.text} is declared twice`);
    else nodes.push(node.text);
    for (const { name, value, span } of own) {
      const earlier = declared.get(name.text);
      if (earlier !== undefined) {
        const where = locations[earlier].node;
        report(name.span, `location '${name.text}' is declared twice (also on node ${where})`);
        continue;
      }
      if (!Number.isSafeInteger(value)) report(name.span, 'the initial value is too large');
      declared.set(name.text, locations.length);
      locations.push({ name: name.text, node: node.text, initial: value, span });
    }
  }
  return { nodes, locations, declared };
}

/** Checks that a node is declared. */
export function checkNode(scope: Scope, node: Ident, report: Report): boolean {
  if (scope.nodes.includes(node.text)) return true;
  report(node.span, `unknown node '${node.text}'`, didYouMean(node.text, scope.nodes));
  return false;
}

/** Every statement of a body, those inside other statements included, in textual order. */
export function* statements(body: readonly Statement[]): Generator<Statement> {
  for (const s of body) {
    yield s;
    for (const inner of bodiesOf(s)) yield* statements(inner);
  }
}

function bodiesOf(s: Statement): readonly (readonly Statement[])[] {
  switch (s.kind) {
    case 'if':
      return [s.then, s.else];
    case 'while':
    case 'loop':
      return [s.body];
    case 'choose':
      return s.branches;
    case 'assign':
    case 'cas':
    case 'mfence':
    case 'skip':
    case 'poll':
    case 'rfence':
    case 'wait':
    case 'assume':
      return [];
  }
}
