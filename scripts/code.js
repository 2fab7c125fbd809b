// Leaves V8's code for the bundle beside it, so that it need not be compiled when a command starts. V8 compiles a
// function when it first runs. So this runs commands, one after the other: each adds the functions that it calls.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compile, keepCode, start } from '../dist/node/bundle.js';

const BUNDLE = new URL('../dist/bundle/remora.cjs', import.meta.url);
const MODELS = ['--model', 'sc,rdma-sc,rdma-tso,rdma-wait'];

/**
 * What is done often, for programs of all kinds. These need no worker and are short: workers and long runs set flags of
 * V8, and it takes code only under the flags that it was compiled with.
 */
const COMMANDS = [
  ['check', 'corpus/tso/MP3bis.litmus', 'corpus/field/ping-pong.litmus', ...MODELS],
  ['test', 'corpus/loco', 'corpus/rmw/FAA-FAA-order.litmus', '--jobs', '1'],
  ['outcomes', 'corpus/tso/IRIW1.litmus'],
];

const [, script, ...command] = process.argv;
if (command.length > 0) {
  const compiled = compile(BUNDLE);
  process.on('exit', () => keepCode(BUNDLE, compiled));
  start(BUNDLE, 'cli/main', compiled);
} else {
  for (const one of COMMANDS) {
    const { status } = spawnSync(process.execPath, [script, ...one], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`remora ${one.join(' ')} ended with code ${status}`);
    if (compile(BUNDLE).cachedDataRejected !== false) {
      throw new Error(`remora ${one.join(' ')} leaves code that V8 does not take`);
    }
  }
}
