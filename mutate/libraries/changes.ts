import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Statement } from '../../src/parse/litmus-ast.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import { MODELS_FOLDER } from '../../src/node/models.js';

/** A file of `models/lib` with one thing changed. */
export interface FileChange {
  /** Of the file and the place: `loco-bal/drop-2`, `sv.cat/so-drop-rb`. */
  readonly name: string;
  /** The change in words. */
  readonly what: string;
  readonly path: string;
  readonly text: string;
}

const LIBRARIES = join(MODELS_FOLDER, 'lib');

/** An implementation without one of its statements, or with two neighbours in the other order. */
export function implementationChanges(name: string): readonly FileChange[] {
  const path = join(LIBRARIES, 'impl', `${name}.impl`);
  const text = readFileSync(path, 'utf8');
  const parsed = parseImplementation({ path, text });
  if (parsed.value === undefined || parsed.errors.length > 0)
    throw new Error(`${path} has mistakes`);
  const changes: FileChange[] = [];
  const add = (kind: string, what: string, changed: string): void => {
    changes.push({ name: `${name}/${kind}-${changes.length + 1}`, what, path, text: changed });
  };
  const said = ({ span }: Statement): string => text.slice(span.start, span.end);
  const inBody = (body: readonly Statement[]): void => {
    body.forEach((s, i) => {
      for (const inner of bodiesOf(s)) inBody(inner);
      if (!isSimple(s)) return;
      const { start, end } = s.span;
      add('drop', `without ${said(s)}`, `${text.slice(0, start)}skip${text.slice(end)}`);
      const next = body[i + 1];
      if (next === undefined || !isSimple(next) || said(next) === said(s)) return;
      const swapped = `${said(next)}${text.slice(end, next.span.start)}${said(s)}`;
      add(
        'swap',
        `${said(next)} before ${said(s)}`,
        `${text.slice(0, start)}${swapped}${text.slice(next.span.end)}`,
      );
    });
  };
  for (const { body } of parsed.value.methods) inBody(body);
  return changes;
}

const isSimple = (s: Statement): boolean => s.kind === 'assign' || s.kind === 'call';

function bodiesOf(s: Statement): readonly (readonly Statement[])[] {
  if (s.kind === 'if') return [s.then, s.else];
  if (s.kind === 'choose') return s.branches;
  return 'body' in s ? [s.body] : [];
}

/** A library file without one of its axioms, one operand of a union, or one row of the stamp order. */
export function libraryChanges(file: string): readonly FileChange[] {
  const path = join(LIBRARIES, file);
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const changes: FileChange[] = [];
  const add = (name: string, what: string, line: number, instead: string): void => {
    const changed = lines.with(line, instead).join('\n');
    changes.push({ name: `${file}/${name}`, what, path, text: changed });
  };
  lines.forEach((line, i) => {
    const axiom = /^(?:acyclic|irreflexive|empty) .* as ([\w-]+)$/.exec(line);
    if (axiom !== null) add(`no-${axiom[1]}`, `without the axiom ${axiom[1]}`, i, '');
    const row = /^ {2}\| (\(?\w+)/.exec(line);
    if (row !== null && file === 'stamps.cat') {
      add(`to-drop-${row[1].replace('(', '')}`, `the stamp order without ${line.trim()}`, i, '');
    }
    const union = /^let (\w+) = (\(?)(.* \| .*?)(\)\+)?$/.exec(line);
    if (union === null || (union[2] === '') !== (union[4] === undefined)) return;
    const operands = split(union[3]);
    if (operands.length < 2) return;
    operands.forEach((operand, k) => {
      const rest = operands.filter((_, other) => other !== k).join(' | ');
      const instead = `let ${union[1]} = ${union[2]}${rest}${union[4] ?? ''}`;
      add(`${union[1]}-drop-${k + 1}`, `${union[1]} without ${operand}`, i, instead);
    });
  });
  return changes;
}

/** The operands of a union that no parentheses hold together. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    if ('([{'.includes(text[i])) depth += 1;
    if (')]}'.includes(text[i])) depth -= 1;
    if (depth === 0 && text.startsWith(' | ', i)) {
      parts.push(text.slice(start, i));
      start = i + 3;
    }
  }
  return [...parts, text.slice(start)];
}
