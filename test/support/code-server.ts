import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from './run.js';

/**
 * VS Code as a server, which a browser shows: npm has it as code-server. Installed once, without its native modules, which would be compiled: of
 * these it needs only a search and a hash, which are in packages of their own.
 */
const FOLDER = join(ROOT, 'node_modules/.cache/remora-code-server-4.100.3');
const EDITOR = 'code-server@4.100.3';
const HASH = 'argon2@0.44.0';
const SEARCH = '@vscode/ripgrep-linux-x64@1.18.0';

const ENTRY = 'node_modules/code-server/out/node/entry.js';

/** Installs the editor, if it is not there. @returns why not */
export function installEditor(): string | undefined {
  if (existsSync(FOLDER)) return undefined;
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it is tried on Linux alone';
  const made = `${FOLDER}.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const inner = join(made, 'node_modules/code-server/lib/vscode');
  const failed =
    npm(made, EDITOR) ?? npm(made, HASH, '--save') ?? npm(made, SEARCH, '--save') ?? npm(inner);
  if (failed !== undefined) {
    rmSync(made, { recursive: true, force: true });
    return failed;
  }
  const own = join(made, 'node_modules/code-server/node_modules/argon2');
  rmSync(own, { recursive: true, force: true });
  const search = join(inner, 'node_modules/@vscode/ripgrep/bin');
  mkdirSync(search, { recursive: true });
  cpSync(join(made, 'node_modules/@vscode/ripgrep-linux-x64/bin/rg'), join(search, 'rg'));
  renameSync(made, FOLDER);
  return undefined;
}

function npm(cwd: string, ...packages: readonly string[]): string | undefined {
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', '.'];
  const { status, stderr } = spawnSync('npm', ['install', ...flags, ...packages], {
    cwd,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `npm install ${packages.join(' ')}: ${stderr.slice(-400)}`;
}

/** An editor that runs: where a browser finds it. */
export interface RunningEditor {
  readonly address: string;
  end(): void;
}

/** Starts the editor with a packed extension. @param home what it keeps is here */
export async function startEditor(home: string, extension: string): Promise<RunningEditor> {
  const flags = [
    ...['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')],
    ...['--config', join(home, 'config.yaml')],
  ];
  const installed = spawnSync(
    process.execPath,
    [join(FOLDER, ENTRY), ...flags, '--install-extension', extension],
    { encoding: 'utf8' },
  );
  if (installed.status !== 0) throw new Error(installed.stdout + installed.stderr);
  const port = await freePort();
  const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
  const child = spawn(
    process.execPath,
    [
      ...[join(FOLDER, ENTRY), ...flags, ...quiet],
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await listening(child);
  return { address: `http://127.0.0.1:${port}`, end: () => void child.kill() };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('HTTP server listening')) resolve();
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('exit', () => reject(new Error(said)));
  });
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
