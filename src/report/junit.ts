import { renderDiagnostic } from '../parse/diagnostics/index.js';
import { escapeXml } from './picture/text.js';
import type { VerdictFinding } from './finding.js';
import { unanswered } from './finding.js';
import { decidedBy } from './record.js';
import type { VerdictRecord, Unusable } from './record.js';
import { showQuery } from '../program/print.js';

/** A test case as lines of XML, and its outcome, which the counts of its suite need. */
interface TestCase {
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly milliseconds: number;
  readonly lines: readonly string[];
}

/**
 * Verdicts as JUnit XML, which services for continuous integration read. Each test under each model is a suite, and
 * each query is a case of it. A verdict that departs is a failure. An unknown one is an error, since nothing was shown.
 * A query without an answer that is no finding is skipped. Inputs that could not be read or parsed are errors, and come
 * first in a suite of their own.
 */
export function junitXml(
  records: readonly VerdictRecord[],
  findings: readonly VerdictFinding[],
  unusable: Unusable,
): string {
  const inputs = { name: 'inputs', cases: inputCases(unusable) };
  const suites = [
    ...(inputs.cases.length === 0 ? [] : [inputs]),
    ...records.map((record) => {
      return {
        name: `${record.test.file} ${decidedBy(record.test, record.model)}`,
        cases: casesOf(
          record,
          findings.filter((finding) => finding.record === record),
        ),
      };
    }),
  ];
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="remora" ${counts(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escapeXml(name)}" ${counts(cases)}>`,
      ...cases.flatMap((one) => one.lines.map((line) => `    ${line}`)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(cases: readonly TestCase[]): string {
  const count = (which: TestCase['outcome']): number =>
    cases.filter(({ outcome }) => outcome === which).length;
  const time = cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return (
    `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}" time="${seconds(time)}"`
  );
}

function inputCases({ broken, unread }: Unusable): readonly TestCase[] {
  const failed = (name: string, file: string, message: string, text: string): TestCase => ({
    outcome: 'error',
    milliseconds: 0,
    lines: [
      `<testcase classname="inputs" name="${escapeXml(name)}"${file} time="${seconds(0)}">`,
      `  <error message="${escapeXml(message)}" type="input">${text.split('\n').map(escapeXml).join('\n')}</error>`,
      '</testcase>',
    ],
  });
  return [
    ...unread.map((message) => {
      const [first] = message.split('\n');
      return failed(first, '', first, message);
    }),
    ...broken.map(({ source, sources, errors }) => {
      const text = errors.map((error) => renderDiagnostic(error, sources)).join('\n');
      const file = ` file="${escapeXml(source.path)}"`;
      return failed(source.path, file, errors[0].message, text);
    }),
  ];
}

function casesOf(record: VerdictRecord, findings: readonly VerdictFinding[]): readonly TestCase[] {
  const { test, model, answers } = record;
  const lacking = unanswered(record);
  return test.queries.flatMap((query, index): readonly TestCase[] => {
    const answer = answers.find((a) => a.query === index);
    if (answer === undefined && !lacking.has(index)) return [];
    const finding = findings.find((f) => f.query === index && f.kind !== 'vacuous');
    const outcome = outcomeOf(finding, lacking.has(index));
    const milliseconds = answer?.milliseconds ?? 0;
    const label = query.label === undefined ? '' : ` "${query.label}"`;
    const head =
      `<testcase classname="${escapeXml(`${test.name} ${decidedBy(test, model)}`)}" ` +
      `name="${escapeXml(showQuery(query) + label)}" file="${escapeXml(test.file)}" ` +
      `time="${seconds(milliseconds)}"`;
    if (outcome === 'passed') return [{ outcome, milliseconds, lines: [`${head}/>`] }];
    const message = escapeXml(finding?.text ?? lacking.get(index) ?? '');
    const type = finding === undefined ? '' : ` type="${finding.kind}"`;
    const lines = [`${head}>`, `  <${outcome} message="${message}"${type}/>`, '</testcase>'];
    return [{ outcome, milliseconds, lines }];
  });
}

function outcomeOf(finding: VerdictFinding | undefined, isLacking: boolean): TestCase['outcome'] {
  if (finding !== undefined) return finding.kind === 'departs' ? 'failure' : 'error';
  return isLacking ? 'skipped' : 'passed';
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
