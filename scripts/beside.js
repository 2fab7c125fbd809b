// Runs scripts of package.json beside each other, and says what each has printed when it ends. Fails if one of them fails. It is JavaScript,
// which starts at once.
// @ts-check
import { spawn } from 'node:child_process';

const codes = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = Math.max(...codes);

/**
 * The exit code of a script.
 *
 * @param {string} name
 * @returns {Promise<number>}
 */
function run(name) {
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  /** @type {Buffer[]} */
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => printed.push(part));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stderr.write(Buffer.concat(printed));
      resolve(code ?? 1);
    });
  });
}
