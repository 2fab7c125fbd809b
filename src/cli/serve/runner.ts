/** A process of a server, which runs commands of clients, one after the other. */
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../program.js';
import { AS_EXPECTED, BAD_INPUT } from '../exit.js';
import { SIGNALS } from '../signals.js';
import { forgetShipped } from '../../node/models.js';
import { forgetReference } from '../../node/reference.js';
import { keepSlots } from '../../node/slot.js';
import type { FromRunner, ToRunner } from './messages.js';
import type { Request, StreamOfClient } from './request.js';
import { CHUNK, VARIABLES } from './request.js';

/** After so many commands, or with so much memory (in bytes), the process is replaced: nothing can grow for ever. */
const MOST_COMMANDS = 1000;
const MOST_MEMORY = 2 ** 30;

// So that Z3 is loaded once.
keepSlots();

let commands = 0;
/** Standard input of the command that runs. */
let input: Readable | undefined;

process.on('message', (message: ToRunner) => {
  if (message.kind === 'command') void serve(message.request);
  else if (message.kind === 'input') input?.push(message.bytes);
  else if (message.kind === 'inputEnd') input?.push(null);
  else input?.destroy(Object.assign(new Error('standard input'), { code: message.code }));
});

// The server is gone.
process.on('disconnect', () => process.exit());

async function serve(request: Request): Promise<void> {
  commands += 1;
  forgetShipped();
  forgetReference();
  let isOpen = true;
  const say = (message: FromRunner): void => {
    if (isOpen) process.send?.(message);
  };
  surround(request, say);
  if (enters(request.cwd)) await runCommand(request.words);
  else process.exitCode = BAD_INPUT;
  // Writes let go of their signals in the second turn (replace.ts).
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  input?.destroy();
  say({ kind: 'done', code: Number(process.exitCode ?? AS_EXPECTED), reusable: isAsNew() });
  isOpen = false;
  process.exitCode = undefined;
}

/** Has a command left nothing behind? One that failed may still listen for signals. */
const isAsNew = (): boolean =>
  commands < MOST_COMMANDS &&
  process.memoryUsage.rss() < MOST_MEMORY &&
  SIGNALS.every((signal) => process.listenerCount(signal) === 0);

/** Changes to the working folder of a client. It may be on another machine, or not for everybody. */
function enters(cwd: string): boolean {
  try {
    process.chdir(cwd);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    process.stderr.write(`${cwd}: the server cannot work in this folder (${code})\n`);
    return false;
  }
}

/** Makes this process look like the client. */
function surround(
  { umask, environment, stdout, stderr }: Request,
  say: (message: FromRunner) => void,
): void {
  process.umask(umask);
  for (const name of VARIABLES) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
  const out = (kind: 'stdout' | 'stderr', of: StreamOfClient): Writable =>
    Object.assign(
      new Writable({
        write(bytes: Buffer, _, done) {
          for (let from = 0; from < bytes.length; from += CHUNK) {
            say({ kind, bytes: bytes.subarray(from, from + CHUNK) });
          }
          done();
        },
      }),
      of,
    );
  input = new Readable({ read: () => say({ kind: 'wantsInput' }) });
  // A read that fails is reported by the command, if it still reads.
  input.on('error', () => {});
  const streams = { stdin: input, stdout: out('stdout', stdout), stderr: out('stderr', stderr) };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
}
