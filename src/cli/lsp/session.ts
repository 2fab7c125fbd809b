import type { TextDocument } from 'vscode-languageserver-textdocument';
import { diagnose } from '../../editor/diagnose.js';
import type { Diagnosed } from '../../editor/diagnose.js';
import { isProgram } from '../../editor/language.js';
import { Workspace } from '../../editor/workspace.js';
import type { VerdictRecord } from '../../report/record.js';
import { Background } from './background.js';
import type { Opened } from './files.js';
import { editedFiles, filesIn, pathOf } from './files.js';
import { verdictsUnder, itemOf, modelsFor } from './questions.js';

/** The name of the work that finds the verdicts of a document. */
export const VERDICTS = 'verdicts';

/** Results for the present version of a document. Results for other versions are not kept. */
export interface Known {
  readonly version: number;
  readonly diagnosed: Diagnosed;
  /** Verdicts, once they were asked for. */
  verdicts?: Promise<readonly VerdictRecord[] | undefined>;
  /** The same, once they are there. */
  records?: readonly VerdictRecord[];
  /** Explanations in words, by the index of the query. */
  readonly told: Map<number, string>;
}

/** The documents and folders of one client, and results for them. */
export class Session {
  readonly workspace: Workspace;
  readonly background = new Background();
  private readonly known = new Map<string, Known>();
  private folders: readonly string[] = [];
  private listed: readonly string[] | undefined;

  constructor(
    opened: Opened,
    private readonly documents: () => readonly TextDocument[],
  ) {
    this.workspace = new Workspace(editedFiles(opened), () => this.paths());
  }

  /** Sets the folders of the workspace. */
  open(folders: readonly string[]): void {
    this.folders = folders;
    this.listed = undefined;
  }

  /** The results for the present version of a document. Its mistakes are computed at the first call. */
  of(document: TextDocument): Known {
    const { uri, version } = document;
    const before = this.known.get(uri);
    if (before?.version === version) return before;
    const diagnosed = diagnose(pathOf(uri), this.workspace);
    const now: Known = { version, diagnosed, told: new Map() };
    this.known.set(uri, now);
    return now;
  }

  /** The verdicts of a document's queries; undefined if it has mistakes, or was changed meanwhile. */
  async verdicts(document: TextDocument): Promise<readonly VerdictRecord[] | undefined> {
    const known = this.of(document);
    const item = known.diagnosed.client && itemOf(known.diagnosed.client, pathOf(document.uri));
    if (item === undefined || item.test.queries.length === 0) return undefined;
    const models = modelsFor(item, this.workspace);
    const found = (known.verdicts ??= this.background.do(documentKey(document, VERDICTS), (pool) =>
      verdictsUnder(pool, item, models),
    ));
    const records = await found;
    // If it was cancelled, the next request has to start it again.
    if (records === undefined && known.verdicts === found) known.verdicts = undefined;
    known.records = records;
    return records;
  }

  /** A document has a new text: work on the old one is cancelled. */
  changed(document: Pick<TextDocument, 'uri'>): void {
    this.workspace.changed(pathOf(document.uri));
    this.stop(document);
    this.known.delete(document.uri);
    // Other files may depend on a model or library.
    if (!isProgram(document.uri)) this.forgetAll();
  }

  /** Files on the disk were changed, made or deleted. */
  changedOnDisk(uris: readonly string[]): void {
    this.listed = undefined;
    for (const uri of uris) this.workspace.changed(pathOf(uri));
    this.forgetAll();
  }

  /** Stops the work for a document. */
  stop(document: Pick<TextDocument, 'uri'>): void {
    this.background.cancel((key) => key.split('\n')[0] === document.uri);
  }

  private forgetAll(): void {
    for (const document of this.documents()) this.stop(document);
    this.known.clear();
  }

  private paths(): readonly string[] {
    this.listed ??= filesIn(this.folders);
    const open = this.documents().map(({ uri }) => pathOf(uri));
    return [...new Set([...this.listed, ...open])];
  }
}

/** The name of some work for a document. */
export const documentKey = (document: TextDocument, what: string): string =>
  `${document.uri}\n${document.version} ${what}`;
