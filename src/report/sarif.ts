import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import { showQuery } from '../program/print.js';
import type { VerdictFinding } from './finding.js';
import { decidedBy } from './record.js';
import type { Unusable } from './record.js';

/** The rules of the report: what may be wrong. Services let users filter results by rule. */
const RULES = {
  departs: 'A verdict is not the expected one.',
  unknown: 'There is no verdict.',
  input: 'A file cannot be read as a litmus test or a model.',
} as const;

type Rule = keyof typeof RULES;

interface Found {
  readonly rule: Rule;
  readonly text: string;
  readonly place?: { readonly source: SourceFile; readonly span: Span };
}

/**
 * Findings and mistakes in files as SARIF 2.1.0, which services for code review read. A verdict that departs and a file
 * that does not parse are errors. A verdict that is missing is a warning.
 */
export function sarif(
  findings: readonly VerdictFinding[],
  unusable: Unusable,
  version: string,
): string {
  const found = [
    ...unusable.unread.map((text): Found => ({ rule: 'input', text })),
    ...unusable.broken.flatMap(({ source, sources, errors }) =>
      errors.map(({ span, message, hint }): Found => {
        const text = hint === undefined ? message : `${message}; ${hint}`;
        return { rule: 'input', text, place: { source: sources.get(span.file) ?? source, span } };
      }),
    ),
    ...findings.flatMap(ofVerdict),
  ];
  const ids = Object.keys(RULES) as readonly Rule[];
  const rules = ids.map((id) => ({ id, shortDescription: { text: RULES[id] } }));
  const driver = { name: 'Remora', semanticVersion: version, rules };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results: found.map(resultOf) }],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ofVerdict({ record, query, kind, text, span }: VerdictFinding): readonly Found[] {
  if (kind !== 'departs' && kind !== 'unknown') return [];
  const { test, model, source } = record;
  const what = `${test.name} ${decidedBy(test, model)}: ${showQuery(test.queries[query])}: ${text}`;
  return [{ rule: kind, text: what, place: { source, span } }];
}

function resultOf({ rule, text, place }: Found): object {
  const level = rule === 'unknown' ? 'warning' : 'error';
  return {
    ruleId: rule,
    level,
    message: { text },
    ...(place && { locations: [{ physicalLocation: locationOf(place) }] }),
  };
}

function locationOf({ source: { path, text }, span }: NonNullable<Found['place']>): object {
  const [start, end] = [position(text, span.start), position(text, span.end)];
  return {
    artifactLocation: { uri: uriOf(path) },
    region: {
      startLine: start.line,
      startColumn: start.column,
      endLine: end.line,
      endColumn: end.column,
    },
  };
}

/** A path as a URI. A relative path stays relative to the folder in which the command was called. */
function uriOf(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${parts}` : parts;
}
