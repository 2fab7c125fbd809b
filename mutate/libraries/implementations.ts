import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS_FOLDER, shippedImplementations } from '../../src/node/models.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import type { Statement } from '../../src/parse/litmus-ast.js';
import type { Method } from '../../src/parse/implementation-ast.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import { branchesOf } from '../../src/parse/statements.js';
import type { FileChange } from './changes.js';
import { numbered } from './changes.js';
import type { Placed } from './statements.js';
import { commute, heldNames, placed, setsOf } from './statements.js';

/** The implementations that come with Remora. */
export const IMPLEMENTATIONS = shippedImplementations();

/** A node that clients have, to be left out of sets. */
const LEFT_OUT = '2';

/**
 * An implementation without one of its statements, with two neighbours in the other order, or with one node less in a set. Names
 * are made of the statements, without their marks.
 */
export function implementationChanges(name: string): readonly FileChange[] {
  const path = join(MODELS_FOLDER, 'lib', 'impl', `${name}.impl`);
  const text = readFileSync(path, 'utf8');
  const parsed = whole(parseImplementation({ path, text }));
  if (!parsed.ok) throw new Error(`${path}: ${parsed.errors[0].message}`);
  const held = heldNames(parsed.value);
  const said = ({ start, end }: Placed): string => text.slice(start, end);
  const changes: FileChange[] = [];
  const inBody = (method: Method, body: readonly Statement[]): void => {
    const all = placed(body, text);
    const add = (
      what: string,
      [first, last]: readonly [number, number],
      instead: string,
      node?: string,
    ): void => {
      // A statement with a body needs no semicolon behind it, others do.
      const isClosed = last === all.length - 1 || /^\s*;/.test(text.slice(all[last].end));
      const changed = `${text.slice(0, all[first].start)}${instead}${isClosed ? '' : ';'}${text.slice(all[last].end)}`;
      changes.push({ name: `${name}/${method.name.text}/${what}`, path, text: changed, node });
    };
    all.forEach((one, i) => {
      const { statement: s } = one;
      for (const inner of branchesOf(s)) inBody(method, inner);
      if (s.kind === 'return' || s.kind === 'skip') return;
      if (!isWrapper(s)) add(`drop ${short(one)}`, [i, i], 'skip');
      for (const { span } of setsOf(s, method)) {
        const less = `${text.slice(one.start, span.end)} \\ {${LEFT_OUT}}${text.slice(span.end, one.end)}`;
        add(`one node less in ${short(one)}`, [i, i], less, LEFT_OUT);
      }
      const next = all[i + 1];
      if (next === undefined || next.statement.kind === 'return') return;
      if (said(one) === said(next) || commute(said(one), said(next), held)) return;
      const between = text.slice(one.end, next.start).replace(';', '');
      const swapped = `${said(next)};${between}${said(one)}`;
      add(`swap ${short(one)} | ${short(next)}`, [i, i + 1], swapped);
    });
  };
  /** A statement on one line, without its marks and without what is in its body. */
  const short = ({ statement: s, start, end }: Placed): string =>
    text
      .slice(start, branchesOf(s).length === 0 ? end : s.span.end)
      .replace(/ as a\w+(?:\(\w+\))?(?:, a\w+(?:\(\w+\))?)*/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  for (const method of parsed.value.methods) inBody(method, method.body);
  return numbered(changes);
}

/** To drop what is in it is to drop it. */
const isWrapper = (s: Statement): boolean =>
  (s.kind === 'for' || s.kind === 'if') && hasOne(branchesOf(s).flat());

const hasOne = (body: readonly Statement[]): boolean =>
  body.length === 1 && body[0].kind !== 'return';
