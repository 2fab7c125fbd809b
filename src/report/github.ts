import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import type { VerdictFinding } from './finding.js';
import { decidedBy } from './record.js';
import type { Unusable } from './record.js';
import { showQuery } from '../program/print.js';

/**
 * Findings as commands of a workflow of GitHub Actions, which marks lines of files by them. A verdict that departs and
 * a file that does not parse are errors; a verdict that is missing is a warning. A file that could not be read is an
 * error without a place.
 */
export function githubCommands(
  findings: readonly VerdictFinding[],
  { broken, unread }: Unusable,
): string {
  const mistakes = broken.flatMap(({ source, sources, errors }) =>
    errors.map(({ span, message, hint }) => {
      const what = hint === undefined ? message : `${message}; ${hint}`;
      return `::error ${place(sources.get(span.file) ?? source, span)}::${data(what)}\n`;
    }),
  );
  const unreadable = unread.map((message) => `::error::${data(message)}\n`);
  const found = findings.filter(({ kind }) => kind === 'departs' || kind === 'unknown');
  const commands = found.map((finding) => `${command(finding)}\n`);
  return [...unreadable, ...mistakes, ...commands].join('');
}

function command({ record, query, kind, text, span }: VerdictFinding): string {
  const { test, model, source } = record;
  const what = `${test.name} ${decidedBy(test, model)}: ${showQuery(test.queries[query])}: ${text}`;
  return `::${kind === 'departs' ? 'error' : 'warning'} ${place(source, span)}::${data(what)}`;
}

function place({ path, text }: SourceFile, { start }: Span): string {
  const { line, column } = position(text, start);
  return `file=${property(path)},line=${line},col=${column}`;
}

/** Escapes a text in the way that the runner decodes it: the text after `::`, or the value of a property. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
