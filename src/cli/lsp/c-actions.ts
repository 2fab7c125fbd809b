import { CodeActionKind } from 'vscode-languageserver/node';
import type { CodeAction, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { repairInC, ruledOut } from '../run/in-c.js';
import type { PrintedRepair } from '../../analyses/repair/print.js';
import type { Pool } from '../../analyses/workers.js';
import type { Edit } from '../../c/edit/insert.js';
import type { Filling, OpenGap } from '../../c/fillings.js';
import { fillingsOf, openGaps, withHead } from '../../c/fillings.js';
import { isAsked } from '../../editor/head.js';
import type { Model } from '../../model/term.js';
import { loadC } from '../../node/c.js';
import type { Diagnostic, SourceFile } from '../../parse/diagnostics/index.js';
import type { Test } from '../../program/program.js';
import { rangeIn, shownDiagnostic } from './convert.js';

/** A C file that is open in an editor. */
interface OpenC {
  readonly document: TextDocument;
  readonly source: SourceFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** What may be filled in where a head has a gap: for each mistake in the range that is one. */
export function fillingsAt(file: OpenC, range: Range): readonly CodeAction[] {
  const { document, source } = file;
  if (!isAsked(source)) return [];
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const here = file.diagnostics.filter(({ span }) => span.start <= end && span.end >= start);
  if (here.length === 0) return [];
  return openGaps(source).flatMap((gap) => {
    const mistake = here.find(({ span }) => span.start <= gap.at.start && span.end >= gap.at.start);
    return mistake === undefined ? [] : filled(file, gap, mistake);
  });
}

function filled({ document, source }: OpenC, gap: OpenGap, mistake: Diagnostic): CodeAction[] {
  const fillings = fillingsOf(source, gap);
  return fillings.map((one) => ({
    title: titleOf(gap, one),
    kind: CodeActionKind.QuickFix,
    ...(fillings.length === 1 && { isPreferred: true }),
    diagnostics: [shownDiagnostic(document, mistake)],
    edit: { changes: { [document.uri]: one.edits.map((edit) => shownEdit(document, edit)) } },
  }));
}

function titleOf({ kind, text: left }: OpenGap, { text, note }: Filling): string {
  const isBinding = kind === 'place' || kind === 'queue pair';
  const onQueue = kind === 'completion queue' ? `${left} => … ${text}` : text;
  const written = isBinding ? `${left} => ${text}` : onQueue;
  return `Write '${written}'${note === undefined ? '' : ` (${note})`}`;
}

const shownEdit = (document: TextDocument, { start, end, text }: Edit) => ({
  range: rangeIn(document, { start, end, file: '' }),
  newText: text,
});

/** The file with a head of the function at a place; undefined: there is nothing to say of it. */
export async function askedAbout(source: SourceFile, at: number): Promise<string | undefined> {
  await loadC();
  return withHead(source, at);
}

/** The C file with a repair of its program, or why there is none. */
export async function repairedC(
  pool: Pool,
  {
    test,
    source,
    model,
  }: { readonly test: Test; readonly source: SourceFile; readonly model: Model },
  repair: PrintedRepair,
  query: number,
): Promise<PrintedRepair> {
  return repairInC(repair, { test, source, model }, ruledOut(pool, model, [query]));
}
