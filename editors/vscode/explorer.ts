import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type {
  CancellationToken,
  Disposable,
  DocumentSymbol,
  TestController,
  TestItem,
  TestRun,
  TestRunRequest,
  Uri,
} from 'vscode';
import {
  Location,
  Range,
  SymbolKind,
  TestMessage,
  TestRunProfileKind,
  Uri as Uris,
  commands,
  tests,
  workspace,
} from 'vscode';
import { calls, judged } from './judged.js';
import type { Judged, Verdict } from './judged.js';

/** Files that are tests. */
const FILES = '**/*.litmus';
const OTHERS = '**/{node_modules,dist}/**';

/** The litmus files of the workspace as tests: folders, files, and the queries of a file. */
export class Explorer implements Disposable {
  private readonly controller: TestController;
  private readonly watcher = workspace.createFileSystemWatcher(FILES);

  /** @param remora the command line that starts Remora */
  constructor(private readonly remora: () => readonly string[]) {
    this.controller = tests.createTestController('remora', 'Remora');
    this.controller.resolveHandler = (item) =>
      item === undefined ? this.find() : this.findQueries(item);
    this.controller.refreshHandler = () => this.find();
    this.controller.createRunProfile(
      'Run',
      TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.watcher.onDidCreate((uri) => this.add(uri));
    this.watcher.onDidDelete((uri) => this.remove(uri));
  }

  dispose(): void {
    this.watcher.dispose();
    this.controller.dispose();
  }

  private async find(): Promise<void> {
    this.controller.items.replace([]);
    const found = await workspace.findFiles(FILES, OTHERS);
    for (const uri of [...found].sort((a, b) => (a.fsPath < b.fsPath ? -1 : 1))) this.add(uri);
  }

  private add(uri: Uri): void {
    const folder = Uris.file(dirname(uri.fsPath));
    const root = workspace.getWorkspaceFolder(uri);
    const isRoot = root?.uri.fsPath === folder.fsPath;
    const name = isRoot ? root.name : workspace.asRelativePath(folder);
    let parent = this.controller.items.get(folder.toString());
    if (parent === undefined) {
      parent = this.controller.createTestItem(folder.toString(), name, folder);
      this.controller.items.add(parent);
    }
    const label = uri.path.split('/').at(-1)!;
    const item = this.controller.createTestItem(uri.toString(), label, uri);
    item.canResolveChildren = true;
    parent.children.add(item);
  }

  private remove(uri: Uri): void {
    const parent = this.controller.items.get(Uris.file(dirname(uri.fsPath)).toString());
    parent?.children.delete(uri.toString());
    if (parent?.children.size === 0) this.controller.items.delete(parent.id);
  }

  /** The queries of a file, as its outline has them. */
  private async findQueries(item: TestItem): Promise<void> {
    if (item.uri === undefined || !item.canResolveChildren) return;
    await workspace.openTextDocument(item.uri);
    const symbols = await commands.executeCommand<readonly DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      item.uri,
    );
    const queries = (symbols ?? []).filter(({ kind }) => kind === SymbolKind.Boolean);
    item.children.replace(
      queries.map(({ name, range }, index) => {
        const query = this.controller.createTestItem(`${item.id} ${index}`, name, item.uri);
        query.range = range;
        return query;
      }),
    );
  }

  private async run(request: TestRunRequest, token: CancellationToken): Promise<void> {
    if (this.controller.items.size === 0) await this.find();
    const files = this.filesOf(request);
    const run = this.controller.createTestRun(request);
    for (const item of files.values()) run.started(item);
    const read = await Promise.all(
      [...files].map(async ([path, item]) => {
        if (item.children.size === 0) await this.findQueries(item);
        return { path, text: (await workspace.openTextDocument(item.uri!)).getText() };
      }),
    );
    for (const args of calls(read)) {
      if (token.isCancellationRequested) break;
      await this.call(args, files, run, token);
    }
    run.end();
  }

  /** The files that are to be run, by their paths. To run a query is to run its file. */
  private filesOf({ include, exclude = [] }: TestRunRequest): ReadonlyMap<string, TestItem> {
    const files = new Map<string, TestItem>();
    const take = (item: TestItem): void => {
      if (exclude.includes(item)) return;
      if (item.canResolveChildren) files.set(item.uri!.fsPath, item);
      else if (item.range !== undefined) take(item.parent!);
      else item.children.forEach(take);
    };
    if (include === undefined) this.controller.items.forEach(take);
    else include.forEach(take);
    return files;
  }

  /** Runs Remora on some files, and marks each file as soon as all of it is there. */
  private async call(
    args: readonly string[],
    files: ReadonlyMap<string, TestItem>,
    run: TestRun,
    token: CancellationToken,
  ): Promise<void> {
    const [command, ...first] = this.remora();
    const cwd = workspace.workspaceFolders?.[0]?.uri.fsPath;
    const child = spawn(command, [...first, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const cancelling = token.onCancellationRequested(() => child.kill());
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        said += error.message;
        resolve();
      });
      child.once('close', () => resolve());
    });
    const verdicts = new Map<string, Verdict[]>();
    for await (const line of createInterface({ input: child.stdout })) {
      const verdict = JSON.parse(line) as Verdict;
      verdicts.set(verdict.file, [...(verdicts.get(verdict.file) ?? []), verdict]);
    }
    await ended;
    cancelling.dispose();
    run.appendOutput(said.replace(/\r?\n/g, '\r\n'));
    for (const path of args.filter((arg) => files.has(arg))) {
      const own = verdicts.get(path);
      if (own !== undefined) mark(files.get(path)!, own, run);
      else if (!token.isCancellationRequested)
        run.errored(files.get(path)!, new TestMessage(said.trim() || 'this file asks nothing'));
    }
  }
}

/** Marks a file and its queries. */
function mark(file: TestItem, verdicts: readonly Verdict[], run: TestRun): void {
  file.children.forEach((query) => {
    const index = Number(query.id.split(' ').at(-1));
    tell(query, judged(verdicts.filter((one) => one.index === index)), run);
  });
  tell(file, judged(verdicts), run);
}

function tell(item: TestItem, { state, messages }: Judged, run: TestRun): void {
  if (state === 'failed') {
    const at = new Location(item.uri!, item.range ?? new Range(0, 0, 0, 0));
    const shown = messages.map((text) => {
      const message = new TestMessage(text);
      message.location = at;
      return message;
    });
    run.failed(item, shown);
  } else run[state](item);
}
