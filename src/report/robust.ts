import type { Span } from '../parse/diagnostics/index.js';
import { instructionsOf } from '../program/instructions.js';
import { placeKey } from '../program/program.js';
import type {
  ExploredRuns,
  PerformedRun,
  Robustness,
  Violation,
} from '../analyses/robust/result.js';
import { conditionsText } from './robust-static.js';
import type { RobustRecord } from './robust-record.js';
import { codeAt, isContradiction, placeAt, showEvent, theorem } from './robust-record.js';
import { patchLines, repairLines } from './fix.js';
import { loopBound, painted } from './outcome.js';
import { showState } from './record.js';
import { COLOURS } from './colours.js';

const pc = COLOURS;

const COMPARED = {
  complete: 'complete executions',
  prefixes: 'threads may stop anywhere',
  outcomes: 'final states only',
} as const;

/** What `robust` prints for a record. */
export function robustText(record: RobustRecord): string {
  const { test, model, note, results, conditions, repair, source } = record;
  const lines = results.flatMap((result) => {
    const translated = note === undefined ? '' : `  (${note})`;
    const head = `${pc.bold(test.name)} under ${model}, ${COMPARED[result.comparison]}${translated}`;
    return [head, ...indent(resultText(record, result))];
  });
  if (conditions !== undefined) {
    lines.push(...indent(conditionsText(conditions, source, test.program)));
    for (const result of results) lines.push(...indent([conclusion(record, result)]));
  }
  if (repair !== undefined) {
    lines.push('', ...indent(repairLines(repair, source, 'makes it robust')));
    const patch = patchLines(repair);
    if (patch.length > 0) lines.push('', ...patch);
  }
  return `${lines.join('\n')}\n`;
}

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function resultText(record: RobustRecord, result: Robustness): readonly string[] {
  const { comparison, reason, violation, explored, hint } = result;
  const parts = [verdictText(result)];
  if (reason !== undefined) parts[0] += `: ${reason}`;
  if (result.upTo !== undefined) {
    parts.push(`for runs with ${loopBound(result.upTo)}`);
  }
  const head = [parts.join('; '), ...(explored === undefined ? [] : [exploredText(explored)])];
  if (hint !== undefined) head.push(hint);
  if (violation === undefined) return head;
  const state = showState(violation.state) || '(no names)';
  const end = { complete: 'ends with', prefixes: 'leaves memory with' };
  const ending =
    comparison === 'outcomes'
      ? `no execution of SC ends with ${state}`
      : `${end[comparison]} ${state}`;
  const shown = [ending, ...orderText(record, violation), ...cycleText(record, violation)];
  return [...head, ...indent(shown)];
}

function exploredText({ states, cycles, countedTo }: ExploredRuns): string {
  if (cycles === 0)
    return 'by the shape of its threads, with loops as they are: no cycle is possible';
  const sought = `${states} states for ${cycles} possible ${cycles === 1 ? 'cycle' : 'cycles'}`;
  const counted = countedTo === undefined ? '' : `; completions counted up to ${countedTo}`;
  return `by exploration, with loops as they are: ${sought}${counted}`;
}

function verdictText({ comparison, verdict }: Robustness): string {
  const [all, some] =
    comparison === 'outcomes'
      ? ['every final state is one of SC', 'some final state is not one of SC']
      : ['every execution is SC', 'some execution is not SC'];
  switch (verdict) {
    case 'robust':
      return `${painted(verdict, false)}: ${all}`;
    case 'not robust':
      return `${painted(verdict, true)}: ${some}`;
    case 'unknown':
    case 'vacuous':
      return painted(verdict, undefined);
  }
}

/** The steps of the cycle that shows a violation, one below the other. */
function cycleText(record: RobustRecord, { cycle }: Violation): readonly string[] {
  if (cycle === undefined) return [];
  const steps = eventLines(
    record,
    cycle.map(({ event }) => event),
  ).map((line, i) => {
    const back = i === cycle.length - 1 ? ' back to the first' : '';
    return `${line}  ${cycle[i].relation} →${back}`;
  });
  return ['cycle:', ...steps];
}

/** The order in which the events of a violation are observed, if the exploration has found one. */
function orderText(record: RobustRecord, { order, events }: Violation): readonly string[] {
  if (order === undefined) return [];
  const [first, second] = order.map((part) => part.map((id) => events[id]));
  const lines = eventLines(record, [...first, ...second]).map((line) => line.trimEnd());
  const parts = [...lines.slice(0, first.length), '  --', ...lines.slice(first.length)];
  return ['observed in this order, in two parts:', ...parts];
}

/** Events one below the other, in columns: thread, instruction, its place in the file, event. */
function eventLines(
  { source, test }: RobustRecord,
  events: readonly PerformedRun[],
): readonly string[] {
  const lineOf = (thread: string | undefined, span: Span): string | undefined =>
    test.program.threads.find(({ name }) => name === thread)?.lines?.[placeKey(span)];
  const rows = events.map((event) => [
    event.thread ?? '',
    event.span === undefined ? 'initial write' : codeAt(source, event.span),
    event.span === undefined
      ? ''
      : (lineOf(event.thread, event.span) ?? placeAt(source, event.span)),
    showEvent(event),
  ]);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map(
    (row) => `  ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`,
  );
}

/** What the conditions and the exact check together say about a program. */
function conclusion(record: RobustRecord, { comparison, verdict, upTo }: Robustness): string {
  const by = theorem(record.conditions!);
  const exact = comparison === 'outcomes' ? 'robust by final states' : 'robust by exact check';
  if (isContradiction(record)) {
    return pc.red(
      `internal error, please report it: ${by} says robust, and the exact check not robust`,
    );
  }
  if (by !== undefined) {
    const loops = record.test.program.threads.some((t) =>
      [...instructionsOf(t.body)].some((i) => i.kind === 'loop'),
    );
    return `robust by ${by}${loops ? ', however often loops run' : ''}`;
  }
  switch (verdict) {
    case 'robust': {
      const within = upTo === undefined ? '' : ' up to the loop bound';
      return `not provable by these conditions, ${exact}${within}`;
    }
    case 'not robust':
      return `not provable by these conditions, and not ${exact}`;
    case 'unknown':
    case 'vacuous':
      return 'not provable by these conditions';
  }
}
