import type { CancellationToken, Command } from 'vscode-languageserver/node';
import type { Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { showQuery } from '../../program/print.js';
import { workOut } from './actions.js';
import { pathOf } from './files.js';
import { explainInWords, itemOf, modelsFor, queryNear, verdictsOf } from './questions.js';
import type { Item } from './questions.js';
import { quietly, requestError } from './served.js';
import type { Served } from './served.js';
import { VERDICTS, documentKey } from './session.js';
import { showText, tell } from './shown.js';
import type { Wanted } from './wanted.js';

/** What is run at a query: by a lens, or by a command of the editor. */
export interface AtQuery {
  readonly document: TextDocument;
  readonly item: Item;
  readonly query: number;
  readonly token: CancellationToken;
}

interface Runs {
  readonly served: Served;
  readonly wanted: Wanted;
}

type Run = (runs: Runs, at: AtQuery) => Promise<void>;

/** The commands of the server. Each is given the address of a document, and a place at or below a query. */
export const COMMANDS: Readonly<Record<string, Run>> = {
  'remora.check': check,
  'remora.explain': explain,
  'remora.fix': fix,
};

/** The command that a lens runs at a query. */
export const commandAt = (
  name: 'check' | 'explain' | 'fix',
  { uri }: TextDocument,
  position: Position,
  title: string = name,
): Command => ({ title, command: `remora.${name}`, arguments: [uri, position] });

/** Answers requests to run a command. */
export function answerCommands(runs: Runs): void {
  const { connection, documents, session } = runs.served;
  connection.onExecuteCommand(async ({ command, arguments: given }, token) => {
    const [uri, position] = (given ?? []) as [string?, Position?];
    const document = documents.get(uri ?? '');
    if (document === undefined) throw requestError('no open file was named');
    const { client } = session.of(document).diagnosed;
    const item = client && itemOf(client, pathOf(document.uri));
    if (item === undefined || item.test.queries.length === 0) {
      tell(runs.served, item === undefined ? 'the file has mistakes' : 'this file asks nothing');
      return null;
    }
    const query = position === undefined ? 0 : queryNear(item, document.offsetAt(position));
    await COMMANDS[command](runs, { document, item, query, token });
    return null;
  });
}

/** The verdicts of a document's queries, in a line for each model. */
async function verdicts({ served, wanted }: Runs, { document, query, token }: AtQuery) {
  const records = await wanted.whileWanted(document, token, VERDICTS, () =>
    served.session.verdicts(document),
  );
  return verdictsOf(records, query);
}

async function check(runs: Runs, at: AtQuery): Promise<void> {
  const { item, query } = at;
  const asked = showQuery(item.test.queries[query]);
  tell(runs.served, [asked, ...(await verdicts(runs, at))].join('\n'));
}

/** The answer to a query in words, as it stands in the text of `remora explain`. */
export async function told({ served, wanted }: Runs, at: AtQuery): Promise<string> {
  const { document, item, query, token } = at;
  const { session } = served;
  const known = session.of(document);
  const what = `why ${query}`;
  const text =
    known.told.get(query) ??
    (await wanted.whileWanted(document, token, what, () =>
      session.background.do(documentKey(document, what), (pool) =>
        explainInWords(pool, item, modelsFor(item, session.workspace), query),
      ),
    ));
  known.told.set(query, text);
  return text;
}

async function explain(runs: Runs, at: AtQuery): Promise<void> {
  showText(runs.served, at.item.source.path, await told(runs, at));
}

/** Writes what would change the answer into the program. */
async function fix({ served, wanted }: Runs, { document, query, token }: AtQuery): Promise<void> {
  const { uri } = document;
  const found = await wanted.whileWanted(document, token, 'fix', () =>
    workOut(document, { uri, what: 'fix', query }, served.session),
  );
  if (found.why !== undefined) tell(served, found.why);
  if (found.edits.length === 0) return;
  const edit = { changes: { [uri]: [...found.edits] } };
  quietly(served.connection.workspace.applyEdit({ label: 'fix', edit }));
}
