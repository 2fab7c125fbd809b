import { expect, test } from 'vitest';
import type { SynthesisReport } from '../../src/report/synthesise.js';
import { synthesisFiles, synthesisText } from '../../src/report/synthesise.js';

const ENTRY = { kind: 'entry', name: 'po & (CPU * CPU)', tables: ['ippo'] } as const;
const report: SynthesisReport = {
  ...{ model: 'm', operations: ['put'], marks: [], parts: [ENTRY], calls: 2, seconds: 0 },
  ...{ groups: [{ calls: 2, programs: 1, tests: [], open: [] }], interrupted: false },
};
const [group] = report.groups;

test('what was not made is not said to be none', () => {
  const cut: readonly SynthesisReport[] = [
    { ...report, interrupted: true },
    { ...report, groups: [{ ...group, open: [{ litmus: 'RDMA p' }] }] },
    { ...report, groups: [{ ...group, unfinished: 'out of time' }] },
  ];
  const said = (one: SynthesisReport): string =>
    `${synthesisText(one)}${synthesisFiles(one)[0].text}`;
  expect(said(report)).toContain('no test needs');
  expect(said(report)).not.toContain('perhaps more');
  for (const one of cut) {
    expect(said(one).match(/perhaps more/g)).toHaveLength(2);
    expect(said(one)).toContain('no test that was made needs');
    expect(said(one)).not.toContain('no test needs');
  }
});
