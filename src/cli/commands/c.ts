import { C_ENDINGS, isC } from '../../program/read.js';
import { Argument, Option } from 'commander';
import { linesIn } from '../../analyses/in-c/lines.js';
import { Probe } from '../../analyses/in-c/probe.js';
import { functionAt, sourceOf } from '../../c/edit/source.js';
import { headToFill } from '../../c/fill.js';
import type { Remark } from '../../c/around.js';
import { parseCFile } from '../../c/read.js';
import { readLitmus } from '../../node/tests.js';
import { position } from '../../parse/diagnostics/index.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { printTest } from '../../program/print.js';
import type { Test } from '../../program/program.js';
import { besideText } from '../../report/beside-c.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, DEPARTS } from '../command/exit.js';
import { findTests } from '../inputs/find.js';
import { render, renderFor } from '../inputs/messages.js';
import { openReader } from '../inputs/reader.js';
import { conclude } from '../run/answer.js';
import { programIn } from '../run/in-c.js';

export const cCommand = () =>
  declare(
    {
      name: 'c',
      summary: 'say what a C file needs in its head, or which program it is',
      description:
        'Prints the head that a C file needs, with a gap for each thing that the C does not say. If nothing is missing, it ' +
        'prints the program that the file is, and what was assumed or left out.',
      arguments: [new Argument('<path...>', 'C files, or folders of those with a head')],
      options: [
        new Option(
          '--show-litmus',
          'the program beside the lines of C that do it, with what was taken for granted',
        ),
      ],
      examples: [
        ['remora c corpus/c/put-then-flag.c', 'the program, or the head that it needs'],
        ['remora c corpus/c/put-then-flag.c --show-litmus', 'the program beside the C'],
      ],
      codes: {
        asExpected: 'every file is a program',
        departs: 'some head has a gap to be filled in',
      },
    },
    c,
  );

/** What is printed of a file, and whether something is missing. */
type Told =
  | { readonly text: string; readonly gaps: number; readonly said: readonly string[] }
  | { readonly errors: readonly string[] };

interface Options {
  readonly showLitmus?: boolean;
}

async function c(paths: readonly string[], { showLitmus = false }: Options): Promise<number> {
  const reader = await openReader(paths);
  const found = findTests(paths, C_ENDINGS);
  const isOne = found.flatMap(({ files }) => files).length === 1;
  const said: string[] = [];
  const texts: string[] = [];
  let [bad, gaps] = [false, 0];
  for (const { files, errors } of found) {
    said.push(...errors);
    bad ||= errors.length > 0;
    for (const path of files) {
      const file = reader.read(path);
      const told = file.ok
        ? tell(file.value, showLitmus)
        : { errors: render(file.errors, new Map()) };
      if ('errors' in told) {
        said.push(...told.errors);
        bad = true;
      } else {
        // A program says its name itself.
        texts.push(showLitmus && !isOne ? `${path}\n${told.text}` : told.text);
        said.push(...told.said);
        gaps += told.gaps;
      }
    }
  }
  const text = texts.join('\n');
  return conclude({ said, format: 'text', text, code: gaps > 0 ? DEPARTS : AS_EXPECTED }, { bad });
}

function tell(source: SourceFile, isBeside: boolean): Told {
  const { path, text } = source;
  if (!isC(path))
    return { errors: [`${path}: no C: the names of C files end in ${C_ENDINGS.join(', ')}`] };
  const read = readLitmus(text, path);
  if (read.test.ok) {
    const { remarks, warnings } = parseCFile(source);
    const said = warnings.length > 0 ? [renderFor(source, warnings)] : [];
    if (isBeside) return { text: beside(source, read.test.value, remarks), gaps: 0, said };
    const notes = remarks.map((one) => `# ${remarkText(one, source)}\n`).join('');
    return { text: `${notes}${printTest(read.test.value)}`, gaps: 0, said };
  }
  const { value, errors } = headToFill(source);
  if (value === undefined) return { errors: [renderFor(source, errors)] };
  if (value.gaps === 0) return { errors: [renderFor(source, read.test.errors)] };
  const said = value.refused.length === 0 ? [] : [renderFor(source, value.refused)];
  return { text: value.text, gaps: value.gaps, said };
}

function beside(source: SourceFile, { program }: Test, remarks: readonly Remark[]): string {
  const file = sourceOf(source)!;
  const lines = linesIn(new Probe(file, program, programIn(source, [])));
  const together = (a: number, b: number): boolean => functionAt(file, a) === functionAt(file, b);
  return besideText({ source, program, lines, remarks, together });
}

function remarkText({ kind, text, span }: Remark, { text: source }: SourceFile): string {
  const { line } = position(source, span.start);
  return `${kind}, at line ${line}: ${text}`;
}
