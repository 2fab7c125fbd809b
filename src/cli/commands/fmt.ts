import { Argument, Option } from 'commander';
import { format } from '../../editor/format.js';
import { FILE_ENDINGS, languageOf } from '../../editor/language.js';
import { parse } from '../../editor/workspace.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { isForHerd } from '../../parse/litmus-foreign.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS } from '../command/exit.js';
import { findTests } from '../inputs/find.js';
import { render, renderFor } from '../inputs/messages.js';
import type { InputReader } from '../inputs/reader.js';
import { STDIN, STDIN_NAME, openReader } from '../inputs/reader.js';
import { replaceText } from '../outputs/replace.js';
import { complain } from '../print/print.js';

interface FmtOptions {
  /** Change nothing, and say what would be changed. */
  readonly check?: boolean;
}

export const fmtCommand = () =>
  declare(
    {
      name: 'fmt',
      summary: 'lay out files in one way',
      description:
        'Rewrites litmus, cat and implementation files with the blanks and the indentation that Remora has. ' +
        'Line breaks, comments and all that a file says stay; tests of herd7 stay as they are. With - standard input is read as a litmus file and printed.',
      arguments: [
        new Argument('<path...>', 'litmus, cat and implementation files, or folders of them'),
      ],
      options: [new Option('--check', 'change nothing; name the files that would be changed')],
      examples: [
        ['remora fmt --check corpus/field', 'which files are laid out otherwise?'],
        ['remora fmt corpus/field', 'lays them out'],
      ],
      codes: {
        asExpected: 'all files are laid out so',
        departs: 'with --check: some are not',
        interrupted: false,
      },
    },
    fmt,
  );

/** What became of a file. */
type Layout = 'as it was' | 'changed' | 'wrong';

/**
 * Lays out files, or, with `check`, names those whose layout is another. A file with mistakes is reported and stays as
 * it is; the others are laid out.
 */
async function fmt(paths: readonly string[], { check = false }: FmtOptions): Promise<number> {
  const reader = await openReader(paths);
  const found = findTests(paths, FILE_ENDINGS);
  const errors = found.flatMap((one) => one.errors);
  complain(errors);
  const outcomes = found.flatMap(({ files }) => files).map((path) => layOut(path, reader, check));
  if (errors.length > 0 || outcomes.includes('wrong')) return BAD_INPUT;
  return check && outcomes.includes('changed') ? DEPARTS : AS_EXPECTED;
}

function layOut(path: string, reader: InputReader, check: boolean): Layout {
  const read = reader.read(path);
  if (!read.ok) return leaveWrong(render(read.errors, new Map()));
  const source = asFile(path, read.value);
  const language = languageOf(source.path);
  if (language === undefined) {
    return leaveWrong([`${path}: no ${FILE_ENDINGS.join(' or ')} file`]);
  }
  const errors = isForHerd(source.text) ? [] : parse(source, language).errors;
  if (errors.length > 0) return leaveWrong([renderFor(source, errors)]);
  const text = format(source);
  if (path === STDIN && !check) {
    process.stdout.write(text);
    return 'as it was';
  }
  if (text === source.text) return 'as it was';
  if (check) process.stdout.write(`${path}\n`);
  const problem = check ? undefined : replaceText(source, text);
  return problem === undefined ? 'changed' : leaveWrong([`${path}: is not laid out: ${problem}`]);
}

/** Standard input is a litmus file. */
const asFile = (path: string, source: SourceFile): SourceFile =>
  path === STDIN ? { ...source, path: `${STDIN_NAME}.litmus` } : source;

function leaveWrong(messages: readonly string[]): Layout {
  complain(messages);
  return 'wrong';
}
