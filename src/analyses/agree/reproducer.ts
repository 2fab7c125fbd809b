import { valueText } from '../../parse/values.js';
import type { FinalState } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import { allSubjects, subjectName } from '../../program/subjects.js';
import type { Discrepancy } from './compare.js';
import { printProgram } from '../../program/print.js';
import { showMethod } from './methods.js';

/**
 * A litmus file that asks for a final state which only one of two ways has. It expects nothing:
 * which of the two is right is for people to say.
 */
export function reproducer(
  { program }: Test,
  finding: Discrepancy,
  { name, origin }: { readonly name: string; readonly origin: string },
): string {
  const head = [`RDMA ${name}`, `"${titleOf(finding)}"`, `note "${origin.replaceAll('"', "'")}"`];
  return `${head.join('\n')}\n\n${printProgram(program)}\n${queryOf(program, finding)}`;
}

function titleOf(finding: Discrepancy): string {
  return finding.kind === 'failure'
    ? `${showMethod(finding.way)} fails`
    : `${finding.ways.map(showMethod).join(' and ')} disagree`;
}

function queryOf(program: Test['program'], finding: Discrepancy): string {
  if (finding.kind === 'failure') return 'exists (true)\n';
  const { ways, only } = finding;
  const owner = only[0].length > 0 ? 0 : 1;
  const verdicts = ways.map((way, i) => {
    return `  # ${i === owner ? 'allowed' : 'forbidden'} by ${showMethod(way)}\n`;
  });
  return `exists (${condition(program, only[owner][0])})\n${verdicts.join('')}`;
}

/** A condition that is true in just this state. */
function condition(program: Test['program'], state: FinalState): string {
  const atoms = allSubjects(program).map((s) => {
    const value = state[subjectName(program, s)];
    return `${subjectName(program, s)} = ${valueText(value)}`;
  });
  return atoms.length === 0 ? 'true' : atoms.join(' /\\ ');
}
