import type { LocationId, Program } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import type { TakenStep } from './machine.js';

/**
 * A run in words: a line for each step of an event, by the event's label, and below it the memory if it writes there. An event takes
 * one step, or is issued and observed in two.
 */
export function describeSteps(program: Program, steps: readonly TakenStep[]): readonly string[] {
  const memory = program.locations.map(({ initial }) => initial);
  const lines = ['start', ...memoryLine(program, memory)];
  for (const step of steps) {
    lines.push(stepInWords(program, step));
    if (step.writes === undefined) continue;
    memory[step.event.location!] = step.writes;
    lines.push(...memoryLine(program, memory));
  }
  return lines;
}

function stepInWords(program: Program, step: TakenStep): string {
  const { event, isIssue, isWhole, reads, value, writes } = step;
  const who = `${program.threads[step.thread].name}: ${event.label}`;
  const done = [
    ...(reads === undefined ? [] : [`reads ${placeName(program, event.location!)} = ${reads}`]),
    ...(writes === undefined ? [] : [`writes ${placeName(program, event.location!)} = ${writes}`]),
  ];
  if (done.length > 0) return `${who} ${done.join(' and ')}`;
  const of = value === undefined ? '' : ` ${placeName(program, event.location!)} = ${value}`;
  const moment = isWhole ? 'is issued and observed' : isIssue ? 'is issued' : 'is observed';
  return `${who}${of} ${moment}`;
}

function memoryLine(program: Program, memory: readonly number[]): readonly string[] {
  const places = program.locations.flatMap(({ hidden }, l) =>
    hidden === true ? [] : [`${placeName(program, l)} = ${memory[l]}`],
  );
  return places.length === 0 ? [] : [`  memory: ${places.join(', ')}`];
}

/** The constant of a put is a place without a name. */
function placeName(program: Program, location: LocationId): string {
  return program.locations[location].hidden === true
    ? 'a constant'
    : subjectName(program, { kind: 'location', location });
}
