import type { CFunction } from '../../c/code.js';
import type { Place } from '../../c/edit/places.js';
import { isList, offsetOf, placesIn } from '../../c/edit/places.js';
import type { CSource } from '../../c/edit/source.js';
import { functionAt, nodesOf, sourceOf } from '../../c/edit/source.js';
import type { CNode } from '../../c/tree.js';
import { fieldOf } from '../../c/tree.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { position } from '../../parse/diagnostics/index.js';
import { bodiesOf, instructionsOf } from '../../program/instructions.js';
import type { Instruction, Program } from '../../program/program.js';
import { placeKey } from '../../program/program.js';
import { instructionAt } from './changes.js';
import type { ReadProgram, Where } from './probe.js';
import { Probe } from './probe.js';

/** The line of an instruction in the function of its thread, and the one in a helper that this leads to; or only the latter. */
export interface Lines {
  readonly line: number;
  readonly inner?: number;
}

/** Of more calls than these it is not found out what they do: each takes reading the file twice. */
const MOST_CALLS = 50;

/**
 * The lines of the instructions of each thread. Where a helper has it, a fence before and behind each call says what that call does.
 * What merges two ways has no line.
 */
export function linesIn(probe: Probe): readonly ReadonlyMap<Instruction, Lines>[] {
  const { program, source } = probe;
  const calls = new Map<CFunction, readonly Call[]>();
  return program.threads.map(({ name, body }, thread) => {
    const from = source.functionOf.get(name);
    const found = new Map<Instruction, Lines>();
    if (from === undefined) return found;
    const lineOf = (at: number): number => position(source.text, at).line;
    for (const i of instructionsOf(body)) {
      if (functionAt(source, i.span.start) !== undefined)
        found.set(i, { line: lineOf(i.span.start) });
    }
    const isOwn = (i: Instruction): boolean => functionAt(source, i.span.start) === from;
    if ([...found.keys()].every(isOwn)) return found;
    const all = calls.get(from) ?? callsIn(source, from);
    calls.set(from, all);
    for (const call of all.slice(0, MOST_CALLS)) {
      for (const i of doneBy(probe, thread, call)) {
        if (!found.has(i) || isOwn(i)) continue;
        // Statements within others come behind them: they say more.
        found.set(i, { line: lineOf(call.at), inner: lineOf(i.span.start) });
      }
    }
    return found;
  });
}

/** A program whose threads know the lines of their instructions, for explanations. */
export function programWithLines(source: SourceFile, program: Program, read: ReadProgram): Program {
  const file = sourceOf(source);
  if (file === undefined) return program;
  const all = linesIn(new Probe(file, program, read));
  const threads = program.threads.map((thread, t) => {
    const lines = [...all[t]].map(([{ span }, one]) => [placeKey(span), linesText(one)]);
    return { ...thread, lines: Object.fromEntries(lines) };
  });
  return { ...program, threads };
}

/** `12`, or `30 → 12`. */
export const linesText = ({ line, inner }: Lines): string =>
  inner === undefined ? `${line}` : `${line} → ${inner}`;

/** A statement that calls a function of the file, and the place behind it. */
interface Call {
  readonly at: number;
  readonly before: Place;
  readonly behind: Place;
}

function callsIn({ code, text }: CSource, inside: CFunction): readonly Call[] {
  const places = placesIn(inside, inside.body);
  return places.flatMap((before): readonly Call[] => {
    const { before: statement, holder } = before;
    if (statement === undefined) return [];
    const called = ownCalls(statement).filter((call) =>
      code.functions.has(fieldOf(call, 'function')?.text ?? ''),
    );
    if (called.length === 0) return [];
    const next = places.find((one) => one.holder === holder && offsetOf(one) >= statement.endIndex);
    const behind =
      next ?? (isList(holder) ? { inside, holder } : { inside, holder, behind: statement });
    // Several calls of one statement are told by its first line, so that nothing wrong is said.
    const lines = new Set(called.map(({ startIndex }) => position(text, startIndex).line));
    const at = lines.size === 1 ? called[0].startIndex : statement.startIndex;
    return [{ at, before, behind }];
  });
}

/** The calls in a statement that are in no statement within it. */
function ownCalls(statement: CNode): readonly CNode[] {
  const inner = nodesOf(statement, 'compound_statement');
  return nodesOf(statement, 'call_expression').filter(
    (call) =>
      !inner.some((one) => one.startIndex <= call.startIndex && call.startIndex < one.endIndex),
  );
}

/** The instructions between the places before and behind a call, those inside of them included. */
function doneBy(probe: Probe, thread: number, { before, behind }: Call): readonly Instruction[] {
  const ends = probe.effectOf(behind);
  return probe
    .effectOf(before)
    .filter((one) => one.thread === thread)
    .flatMap((start) => {
      const end = ends.find((one) => isBehind(one, start));
      return between(probe.program, start, end);
    });
}

const isBehind = (one: Where, start: Where): boolean =>
  one.thread === start.thread &&
  one.place.length === start.place.length &&
  one.place.slice(0, -1).join() === start.place.slice(0, -1).join() &&
  one.place[one.place.length - 1] >= start.place[start.place.length - 1];

function between(program: Program, start: Where, end: Where | undefined): readonly Instruction[] {
  const outer = start.place.slice(0, -1);
  const last = end?.place.at(-1) ?? Infinity;
  const found: Instruction[] = [];
  for (let n = start.place[start.place.length - 1]; n < last; n++) {
    const i = instructionAt(program, { thread: start.thread, place: [...outer, n] });
    if (i === undefined) break;
    found.push(i, ...bodiesOf(i).flatMap((body) => [...instructionsOf(body)]));
  }
  return found;
}
