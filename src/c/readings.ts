import type { Diagnostic, SourceFile } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import { READINGS, interfaceNames, interfaceOf } from './interfaces.js';
import type { Piece } from './pieces.js';

/** What the lines `api …` of a head say. */
export interface Readings {
  /** By interface: which reading of it. */
  readonly readings: ReadonlyMap<string, string>;
  readonly lines: readonly Piece[];
  readonly errors: readonly Diagnostic[];
}

/** Reads the lines `api shmem contract` of a head. */
export function readingsIn({ path, text }: SourceFile): Readings {
  const readings = new Map<string, string>();
  const lines: Piece[] = [];
  const errors: Diagnostic[] = [];
  for (const found of text.matchAll(/^[ \t]*api\b[ \t]*(\w*)[ \t]*(\w*)/gm)) {
    const [line, name, reading] = found;
    lines.push({ text: line, start: found.index });
    const [wrong, message, hint] = mistakeIn(name, reading) ?? [];
    if (wrong === undefined || message === undefined) {
      readings.set(name, reading);
      continue;
    }
    const word = wrong === '' ? 'api' : wrong;
    const start = found.index + (wrong === reading ? line.lastIndexOf(word) : wordAt(line, word));
    const span = { file: path, start, end: start + word.length };
    errors.push({ span, message, ...(hint !== undefined && { hint }) });
  }
  return { readings, lines, errors };
}

const wordAt = (line: string, word: string): number => line.search(new RegExp(`\\b${word}\\b`));

/** The word that is wrong in a line, and why. */
function mistakeIn(
  name: string,
  reading: string,
): readonly [word: string, message: string, hint: string] | undefined {
  const names = interfaceNames();
  const all = `there are ${names.join(', ')}`;
  if (name === '') return [name, 'this names no interface', all];
  if (!names.includes(name)) {
    const isVerbs = name === 'verbs' || didYouMean(name, ['verbs']) !== undefined;
    const meant = didYouMean(name, names);
    const hint = isVerbs ? `${all}; for libibverbs there is no such line` : (meant ?? all);
    return [name, `there is no interface ${name}`, hint];
  }
  const readings = READINGS.map((one) => `api ${name} ${one}`).join(', or ');
  if (reading === '') return [name, `which reading of ${name} is meant is not said`, readings];
  if (!READINGS.includes(reading)) {
    const hint = didYouMean(reading, READINGS) ?? readings;
    return [reading, `there is no reading ${reading}`, hint];
  }
  const isDifferent = (one: string): boolean =>
    interfaceOf(one).lines.some((line) => line.reading === reading);
  if (reading !== 'contract' || isDifferent(name)) return undefined;
  const others = names.filter(isDifferent).join(', ');
  const message = `the table of ${name} has no contract, only what ${name} does over verbs`;
  return [reading, message, `leave this line out; those with a contract: ${others}`];
}
