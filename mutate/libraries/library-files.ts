import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS_FOLDER } from '../../src/node/models.js';
import type { Instead, Part } from './cat-text.js';
import { listReductions, reductions, withoutComments } from './cat-text.js';
import type { FileChange } from './changes.js';
import { numbered } from './changes.js';

const FOLDER = join(MODELS_FOLDER, 'lib');

/** The library files that come with Remora, and those that they include. */
export const LIBRARY_FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.cat'))
  .sort();

/** What the stamp of an event becomes where it is changed. */
const OTHER_STAMP: Readonly<Record<string, string>> = {
  aCW: 'aWT',
  aGF: 'aRF',
  aMF: 'aWT',
  aWT: 'aCW',
};

/** What stands below a line with its first word. */
const DECLARATION = /^(let|guess|operation|acyclic|irreflexive|empty)\b.*(?:\n[ \t].*)*/gm;

/**
 * A library file without one axiom, member of a union, restriction or filter; with an operation without one of its events or
 * alternatives, or with another stamp.
 */
export function libraryChanges(file: string): readonly FileChange[] {
  const path = join(FOLDER, file);
  const text = readFileSync(path, 'utf8');
  const code = withoutComments(text);
  return numbered(
    [...code.matchAll(DECLARATION)].flatMap((found) => {
      const whole = { start: found.index, end: found.index + found[0].length };
      return changesOf(code, whole, found[1]).map(({ start, end, text: instead, what }) => ({
        name: `${file}/${nameOf(found[0], found[1])}/${what}`,
        path,
        text: `${text.slice(0, start)}${instead}${text.slice(end)}`,
      }));
    }),
  );
}

/** What it defines, or is called. */
const nameOf = (declaration: string, kind: string): string => {
  const isAxiom = ['acyclic', 'irreflexive', 'empty'].includes(kind);
  const found = (isAxiom ? / as ([\w-]+)\s*$/ : /^\w+ (?:rec )?(\w+)/).exec(declaration);
  if (found === null) throw new Error(`no name: ${declaration}`);
  return found[1];
};

function changesOf(code: string, whole: Part, kind: string): readonly Instead[] {
  if (kind === 'operation') return ofOperation(code, whole);
  if (kind === 'let' || kind === 'guess') {
    const sign = kind === 'let' ? '=' : ': either';
    const begin = code.indexOf(sign, whole.start);
    return begin < 0 || begin >= whole.end
      ? reductions(code, { start: code.indexOf(':', whole.start) + 1, end: whole.end })
      : reductions(code, { start: begin + sign.length, end: whole.end });
  }
  const end = code.lastIndexOf(' as ', whole.end);
  const begin = code.indexOf(' ', whole.start);
  return [{ ...whole, text: '', what: 'drop' }, ...reductions(code, { start: begin, end })];
}

/** Without one of the alternatives or of the events, or with another stamp. */
function ofOperation(code: string, whole: Part): readonly Instead[] {
  const places = (form: RegExp): readonly (Part & { readonly said: string })[] =>
    [...code.slice(whole.start, whole.end).matchAll(form)].map(({ 0: said, index }) => {
      const start = whole.start + index;
      return { start, end: start + said.length, said };
    });
  const alternatives = places(/(?<=\n)[ \t]+\| .*\n?/g);
  const stamps = places(/\ba(?:CW|GF|MF|WT)\b/g);
  return [
    ...(alternatives.length < 2 ? [] : alternatives).map(({ said, ...place }) => ({
      ...place,
      text: '',
      what: `drop ${said.trim()}`,
    })),
    ...places(/(?<= : ).*?(?=$| when )/gm).flatMap((body) => listReductions(code, body)),
    ...stamps.map(({ said, ...place }) => {
      const other = OTHER_STAMP[said];
      return { ...place, text: other, what: `${other} for ${said}` };
    }),
  ];
}
