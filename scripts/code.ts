// Leaves V8's code for the bundle beside it, so that it need not be compiled when a command starts. V8 compiles a
// function when it first runs. So this runs commands, one after the other: each adds the functions that it calls.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileBundle } from '../dist/node/bundle.js';

const BUNDLE = new URL('../dist/bundle/remora.cjs', import.meta.url);
const MODELS = ['--model', 'sc,rdma-sc,rdma-tso,rdma-wait'];

/**
 * What is done often, for programs of all kinds. These need no worker and are short: workers and long runs set flags of
 * V8, and it takes code only under the flags that it was compiled with.
 */
const COMMANDS = [
  ['check', 'corpus/tso/MP3bis.litmus', 'corpus/field/ping-pong.litmus', ...MODELS],
  ['test', 'corpus/loco/Fig5.litmus', 'corpus/rmw/FAA-FAA-order.litmus', '--jobs', '1'],
  ['outcomes', 'corpus/tso/IRIW1.litmus'],
];

/** A process as users start it: the code would be another one for V8 where it runs under other flags. */
const KEEPING = fileURLToPath(new URL('./keep-code.js', import.meta.url));

/** Writes it. */
export function writeCode(): void {
  for (const one of COMMANDS) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [KEEPING, fileURLToPath(BUNDLE), ...one],
      {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
        // Without flags, and without what the user has kept.
        env: { ...process.env, NODE_OPTIONS: '', XDG_CACHE_HOME: '', HOME: '' },
      },
    );
    if (status !== 0)
      throw new Error(`remora ${one.join(' ')} ended with code ${status}: ${stderr}`);
    if (compileBundle(BUNDLE).script.cachedDataRejected !== false) {
      throw new Error(`remora ${one.join(' ')} leaves code that V8 does not take`);
    }
  }
}
