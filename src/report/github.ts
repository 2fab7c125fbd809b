import { position } from '../parse/diagnostics/index.js';
import type { Finding } from './finding.js';
import { findingsOf } from './finding.js';
import type { Record } from './record.js';
import { showQuery } from '../program/print.js';

/**
 * What departs and what is unknown, as the commands by which a workflow of GitHub Actions marks lines
 * of files: errors where a verdict departs, warnings where there is none.
 */
export function githubCommands(records: readonly Record[]): string {
  const found = records
    .flatMap(findingsOf)
    .filter(({ kind }) => kind === 'departs' || kind === 'unknown');
  return found.map((finding) => `${command(finding)}\n`).join('');
}

function command({ record, query, kind, text, span }: Finding): string {
  const { test, model, source } = record;
  const { line, column } = position(source.text, span.start);
  const what = `${test.name} under ${model}: ${showQuery(test.queries[query])}: ${text}`;
  const place = `file=${property(test.file)},line=${line},col=${column}`;
  return `::${kind === 'departs' ? 'error' : 'warning'} ${place}::${data(what)}`;
}

/** As the runner decodes what follows `::`, and the values of properties. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
