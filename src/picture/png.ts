import { spawn } from 'node:child_process';
import type { ExecutionGraph } from '../explain/graph.js';
import type { PictureOptions } from './dot.js';
import { drawDot } from './dot.js';

/** Twice as many dots as points, for screens with many of them. */
const DOTS_PER_INCH = 144;

/**
 * A picture of an execution as PNG, on white, drawn by Graphviz's command `dot`. Fails with a message
 * for people where there is no such command, or where it fails.
 */
export function drawPng(graph: ExecutionGraph, options: PictureOptions = {}): Promise<Uint8Array> {
  const dot = drawDot(graph, options);
  return new Promise((resolve, reject) => {
    const args = ['-Knop2', '-Tpng', `-Gdpi=${DOTS_PER_INCH}`, '-Gbgcolor=white'];
    const child = spawn('dot', args, { windowsHide: true });
    const picture: Buffer[] = [];
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => picture.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    // The command may end before it has read everything: how it ended says why.
    child.stdin.on('error', () => {});
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing =
        "PNG needs Graphviz's command `dot`, which is not on the PATH " +
        '(Debian: apt-get install graphviz); SVG and DOT need nothing';
      reject(new Error(error.code === 'ENOENT' ? missing : `cannot run \`dot\`: ${error.message}`));
    });
    child.on('close', (code) => {
      if (code === 0) resolve(new Uint8Array(Buffer.concat(picture)));
      else reject(new Error(`\`dot\` failed${said === '' ? '' : `: ${said.trim()}`}`));
    });
    child.stdin.end(dot);
  });
}
