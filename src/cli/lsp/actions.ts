import { CodeActionKind } from 'vscode-languageserver/node';
import type { CodeAction, Range, TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { diagnose } from '../../editor/diagnose.js';
import { edited, editsFor } from '../../editor/additions.js';
import { postsRequests } from '../../editor/head.js';
import { editOf } from '../../editor/hints.js';
import { Workspace } from '../../editor/workspace.js';
import { ok } from '../../parse/diagnostics/index.js';
import { fixLines } from '../../report/fix.js';
import { isC } from '../../program/read.js';
import { mayHaveHead } from '../../c/beginning.js';
import { askedAbout, fillingsAt, repairedC } from './c-actions.js';
import { changeTo, rangeIn, shownDiagnostic } from './convert.js';
import { pathOf } from './files.js';
import { verdictsUnder, fixOf, itemOf, modelsFor, queryOf, withNewVerdicts } from './questions.js';
import type { Session } from './session.js';
import { documentKey } from './session.js';

/** The data that a client sends back to have an action worked out. */
interface Asked {
  readonly uri: string;
  readonly what: 'fix' | 'update' | 'head';
  readonly query?: number;
  /** Where it was asked for. */
  readonly at?: number;
}

/** The actions at a place: the changes of hints, and actions whose edits are computed only when they are chosen. */
export function actionsAt(
  document: TextDocument,
  range: Range,
  session: Session,
): readonly CodeAction[] {
  const { uri } = document;
  const { diagnosed } = session.of(document);
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const hints = diagnosed.diagnostics.flatMap((one): CodeAction[] => {
    const edit = editOf(one);
    if (edit === undefined || one.span.start > end || one.span.end < start) return [];
    const change: TextEdit = { range: rangeIn(document, edit.span), newText: edit.text };
    return [
      {
        title: `Write '${edit.text}'`,
        kind: CodeActionKind.QuickFix,
        isPreferred: true,
        diagnostics: [shownDiagnostic(document, one)],
        edit: { changes: { [uri]: [change] } },
      },
    ];
  });
  const source = { path: pathOf(uri), text: document.getText() };
  if (isC(source.path)) {
    const { diagnostics } = diagnosed;
    hints.push(...fillingsAt({ document, source, diagnostics }, range));
    if (postsRequests(source.text) && !mayHaveHead(source.text)) {
      const asked: Asked = { uri, what: 'head', at: start };
      return [action('Ask Remora about this function', CodeActionKind.Refactor, asked)];
    }
  }
  const item = diagnosed.client && itemOf(diagnosed.client, source.path);
  if (item === undefined) return hints;
  const query = queryOf(item, start);
  const { queries, models } = item.test;
  const computed = queries.some(({ expectations }) => expectations.some((e) => e.computed));
  return [
    ...hints,
    ...(query === undefined || models !== undefined
      ? []
      : [action('Add what rules this out', CodeActionKind.Refactor, { uri, what: 'fix', query })]),
    ...(computed
      ? [action('Update computed lines', CodeActionKind.Source, { uri, what: 'update' })]
      : []),
  ];
}

const action = (title: string, kind: CodeActionKind, data: Asked): CodeAction => ({
  title,
  kind,
  data,
});

/** An action with its edit, or why there is none, for people. */
export interface WorkedOut {
  readonly edits: readonly TextEdit[];
  /** Why there is no edit. */
  readonly why?: string;
}

/** Computes the edit of an action; undefined if the document was changed meanwhile. */
export async function workOut(
  document: TextDocument,
  { what, query = 0, at = 0 }: Asked,
  session: Session,
): Promise<WorkedOut | undefined> {
  if (what === 'head') {
    const text = await askedAbout({ path: pathOf(document.uri), text: document.getText() }, at);
    if (text === undefined) return { edits: [], why: 'this file has no function to ask about' };
    return { edits: changeTo(document, text) };
  }
  const { client } = session.of(document).diagnosed;
  const item = client && itemOf(client, pathOf(document.uri));
  if (item === undefined) return { edits: [], why: 'the file has mistakes' };
  const { background, workspace } = session;
  if (what === 'update') {
    const text = await background.do(documentKey(document, what), (pool) =>
      withNewVerdicts(pool, item, workspace),
    );
    if (text === undefined) return undefined;
    const edits = changeTo(document, text);
    return edits.length > 0
      ? { edits }
      : { edits, why: 'all computed lines are as they are found' };
  }
  const [model] = modelsFor(item, workspace);
  const found = await background.do(documentKey(document, what), (pool) =>
    fixOf(pool, item, model, query),
  );
  if (found === undefined) return undefined;
  if (found.kind !== 'additions' || found.repair.kind !== 'found') {
    return { edits: [], why: fixLines(found, item.source).join('\n') };
  }
  if (isC(item.source.path)) {
    const { test, source } = item;
    const repair = await background.do(documentKey(document, 'patch'), (pool) =>
      repairedC(pool, { test, source, model }, found.repair, query),
    );
    if (repair === undefined) return undefined;
    return repair.kind === 'found' && repair.inC?.kind === 'patch'
      ? { edits: changeTo(document, repair.inC.text) }
      : { edits: [], why: fixLines({ ...found, repair }, source).join('\n') };
  }
  const edits = editsFor(item.source, found.repair);
  const text = edited(item.source.text, edits);
  const better = await background.do(documentKey(document, 'verify'), async (pool) => {
    const there = diagnose(item.source.path, withText(workspace, item.source.path, text)).client;
    const after = there && itemOf(there, item.source.path);
    const [record] = after === undefined ? [] : await verdictsUnder(pool, after, [model]);
    return record?.answers.find((answer) => answer.query === query)?.verdict;
  });
  if (better === undefined || !['forbidden', 'holds'].includes(better)) {
    return { edits: [], why: fixLines(found, item.source).join('\n') };
  }
  return {
    edits: edits.map((edit) => ({ range: rangeIn(document, edit.span), newText: edit.text })),
  };
}

/** The workspace as it would be if a file had another text. */
function withText({ files, listed }: Workspace, path: string, text: string): Workspace {
  const read = (other: string) => (other === path ? ok({ path, text }) : files.read(other));
  return new Workspace({ ...files, read }, listed);
}
