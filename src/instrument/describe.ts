import type { SourceFile } from '../diagnostics/index.js';
import { position } from '../diagnostics/index.js';
import type { LocationId, Program } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import type { CycleStep } from './judge.js';
import type { RunEvent, ViolatingRun } from './run.js';

/**
 * A violating run in words: its events in the order in which they are observed, each with its
 * instruction where the source is given, and the cycle of SC.
 */
export function describeRun(
  program: Program,
  run: ViolatingRun,
  cycle: readonly CycleStep[],
  source?: SourceFile,
): readonly string[] {
  const show = (id: number): string => showEvent(program, run.events[id]);
  const width = Math.max(...run.order.map((id) => show(id).length));
  const line = (id: number): string => {
    const place = instruction(run.events[id], source);
    return place === undefined ? `  ${show(id)}` : `  ${show(id).padEnd(width)}  # ${place}`;
  };
  const first = run.order.slice(0, run.first).map(line);
  const second = run.order.slice(run.first).map(line);
  return [
    'a run that RDMA^SC allows, in the order in which its events are observed:',
    ...first,
    ...(first.length > 0 ? ['  --'] : []),
    ...second,
    'a cycle of SC in it:',
    ...cycle.map(({ event, relation }, i) => {
      const next = cycle[(i + 1) % cycle.length].event;
      return `  ${show(event)}  -${relation}->  ${show(next)}`;
    }),
  ];
}

/** An event as the papers write it: `T1 nlR(x, 1)`. */
function showEvent(program: Program, event: RunEvent): string {
  const { thread, label, location, node, reads, writes } = event;
  const who = thread === undefined ? 'initial' : program.threads[thread].name;
  const what = [
    ...(location === undefined ? [] : [nameOf(program, location)]),
    ...(reads === undefined ? [] : [`${reads}`]),
    ...(writes === undefined ? [] : [`${writes}`]),
    ...(node === undefined ? [] : [`^${node}`]),
  ];
  return what.length === 0 ? `${who} ${label}` : `${who} ${label}(${what.join(', ')})`;
}

function nameOf(program: Program, location: LocationId): string {
  const { hidden, initial } = program.locations[location];
  return hidden === true
    ? `constant ${initial}`
    : subjectName(program, { kind: 'location', location });
}

function instruction({ span }: RunEvent, source: SourceFile | undefined): string | undefined {
  if (span === undefined || source === undefined) return undefined;
  const { line, column } = position(source.text, span.start);
  const text = source.text.slice(span.start, span.end).split('\n')[0].trim();
  return `${line}:${column} ${text}`;
}
